// Closing an account takes everything that is in it when the closing lands, however it came in: each way counts as a
// debit before anything is signed, and nothing has moved.
import { SystemProgram } from '@solana/web3.js'
import {
  createCloseAccountInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  NATIVE_MINT,
} from '@solana/spl-token'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DrainFixture, key } from './drain-fixture.ts'
import type { Ids, NewPosition } from '../models.ts'
import { SOL } from '../records.ts'

let fixture: DrainFixture
const WRAPPED = { onchainId: NATIVE_MINT.toBase58() }

beforeAll(async () => {
  fixture = await DrainFixture.start()
  await fixture.admin.api.ok(201, 'POST', '/financial-instruments', {
    mintAccount: WRAPPED,
    alreadyOnChain: true,
    version: 'SPL',
  })
})
afterAll(() => fixture.world.stop())

const close = (account: Ids, to: { readonly onchainId: string }, owner: Ids) =>
  createCloseAccountInstruction(key(account), key(to), key(owner))
const wrappedTransfer = (from: Ids, to: Ids, owner: Ids, lamports: bigint) =>
  createTransferCheckedInstruction(key(from), NATIVE_MINT, key(to), key(owner), lamports, 9)

describe('wrapped network currency in a closed account', () => {
  let wallet: Ids
  let full: Ids
  let target: Ids

  beforeAll(async () => {
    wallet = await fixture.records.funded({}, 20n * SOL)
    target = await fixture.paidOutside(wallet, WRAPPED)
    const item = { owner: wallet, financialInstrument: WRAPPED, position: { managed: true } }
    full = (await fixture.operator.api.ok<NewPosition>(201, 'POST', '/positions', item)).newPosition
    const { offchainId } = await fixture.signed([
      SystemProgram.transfer({ fromPubkey: key(wallet), toPubkey: key(full), lamports: 5n * SOL }),
      createSyncNativeInstruction(key(full)),
    ])
    await fixture.submitted(offchainId)
  })

  it('counts what the same message transfers into it', async () => {
    const before = await fixture.loot()
    await fixture.refuses([wrappedTransfer(full, target, wallet, 3n * SOL), close(target, fixture.outside, wallet)])
    expect(await fixture.loot()).toBe(before)
    expect(await fixture.world.chain.tokens(full.onchainId)).toBe(5n * SOL)
  })

  it('counts what another closing of the same message brings into it', async () => {
    await fixture.refuses([close(full, target, wallet), close(target, fixture.outside, wallet)])
  })

  it('allows the same into accounts that are held here', async () => {
    await fixture.signed([wrappedTransfer(full, target, wallet, 1n * SOL), close(target, wallet, wallet)])
  })

  it('counts what a signed message will bring into it', async () => {
    const other = await fixture.records.funded({}, SOL)
    const mine = await fixture.paidOutside(other, WRAPPED)
    await fixture.signed([wrappedTransfer(full, mine, wallet, 1n * SOL)])
    await fixture.refuses([close(mine, fixture.outside, other)])
  })

  it('counts what a signed closing will bring into it', async () => {
    const one = await fixture.records.funded({}, 3n * SOL)
    const rich = await fixture.wrapped(one, 2n * SOL)
    const other = await fixture.records.funded({}, SOL)
    const mine = await fixture.paidOutside(other, WRAPPED)
    await fixture.signed([close(rich, mine, one)])
    await fixture.refuses([close(mine, fixture.outside, other)])
  })

  it('returns the rent to the payer where nothing else is in the account', async () => {
    const other = await fixture.records.funded({}, SOL)
    const mine = await fixture.paidOutside(other, WRAPPED)
    const before = await fixture.loot()
    const { offchainId } = await fixture.signed([close(mine, fixture.outside, other)])
    await fixture.submitted(offchainId)
    expect((await fixture.loot()) - before).toBe(2_039_280n)
  })
})
