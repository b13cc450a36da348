// Several messages may create one associated account: only the first of them pays its rent, so only that much may be
// returned without a debit when the account is closed.
import { ComputeBudgetProgram, SystemProgram } from '@solana/web3.js'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DrainFixture, key } from './drain-fixture.ts'
import { perTransaction, to } from './limit-fixture.ts'
import type { Ids, NewPosition } from '../models.ts'
import { eventually } from '../harness.ts'
import { SOL } from '../records.ts'

const MESSAGES = 5

let fixture: DrainFixture
let mint: Ids
let wallet: Ids

beforeAll(async () => {
  fixture = await DrainFixture.start()
  mint = await fixture.records.instrument('TOKEN_2022', fixture.feePayer)
  wallet = await fixture.records.funded({ networkCurrencyDebitLimits: [to('ANY', perTransaction(0))] }, 10n * SOL)
})
afterAll(() => fixture.world.stop())

it('returns the rent that was paid once', async () => {
  const { api } = fixture.operator
  const item = { owner: wallet, financialInstrument: { onchainId: mint.onchainId } }
  const { newPosition } = await api.ok<NewPosition>(201, 'POST', '/positions', item, {
    config: { feePayer: fixture.outside },
  })
  const thief = fixture.thief.publicKey
  const signed: string[] = []
  for (let units = 0; units < MESSAGES; units += 1) {
    const serializedTransaction = await fixture.limits.foreign(
      fixture.outside.onchainId,
      [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 + units }),
        createAssociatedTokenAccountIdempotentInstruction(
          thief,
          key(newPosition),
          key(wallet),
          key(mint),
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
      [fixture.thief],
    )
    const { status, body } = await fixture.limits.answer('/transactions/sign', { serializedTransaction }, api)
    expect(status, JSON.stringify(body)).toBe(200)
    signed.push(body.offchainId)
  }
  for (const offchainId of signed) await fixture.submitted(offchainId)
  const rent = await eventually(async () => {
    const lamports = await fixture.world.chain.lamports(newPosition.onchainId)
    expect(lamports).toBeGreaterThan(0n)
    return lamports
  })
  const robbery = (lamports: bigint) => [
    createCloseAccountInstruction(key(newPosition), key(wallet), key(wallet), [], TOKEN_2022_PROGRAM_ID),
    SystemProgram.transfer({ fromPubkey: key(wallet), toPubkey: thief, lamports }),
  ]
  await fixture.refuses(robbery(rent * BigInt(MESSAGES)))
  await fixture.refuses(robbery(rent + 1n))
  const { offchainId } = await fixture.signed(robbery(rent))
  await fixture.submitted(offchainId)
})
