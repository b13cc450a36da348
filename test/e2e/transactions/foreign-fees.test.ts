// The fee of a transaction made elsewhere: the record and the books have what the chain takes.
import {
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MEMO_PROGRAM } from '../../../src/solana/address.ts'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, type Person } from '../limits/limit-fixture.ts'
import type { TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const OPEN = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }
/** One lamport per compute unit. */
const PRICE = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 })

let world: World
let fixture: LimitFixture
let owner: Person

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  owner = await fixture.person(organization, 'ADMIN')
  await owner.api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: organization,
    allowedPrograms: [Ed25519Program.programId.toBase58()],
  })
})
afterAll(() => world.stop())

const pay = (from: string) =>
  SystemProgram.transfer({
    fromPubkey: new PublicKey(from),
    toPubkey: Keypair.generate().publicKey,
    lamports: Number(SOL / 100n),
  })
const memo = () =>
  new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from('invoice 7') })
const verify = () =>
  Ed25519Program.createInstructionWithPrivateKey({
    privateKey: Keypair.generate().secretKey,
    message: Buffer.from('approved'),
  })
const unitLimit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })

it.each([
  ['counts the signatures that a precompile verifies', () => [verify(), verify()], 15_000n],
  ['has 3,000 units by default for a built-in program', (from: string) => [PRICE, pay(from)], 11_000n],
  ['has 200,000 units by default for another program', () => [PRICE, memo()], 208_000n],
  ['has no more units than a transaction may use', (from: string) => [unitLimit(4e6), PRICE, pay(from)], 1_405_000n],
  ['has the units of the limit', (from: string) => [unitLimit(40_000), PRICE, pay(from), memo()], 45_000n],
])('%s', async (_, instructions, lamports) => {
  const records = world.records.with(owner.api)
  const payer = await records.funded({ ...OPEN, canPayFees: true }, SOL)
  const serializedTransaction = await fixture.foreign(payer.onchainId, instructions(payer.onchainId))
  const { body } = await fixture.answer('/transactions/sign', { serializedTransaction }, owner.api)
  const { offchainId, onchainId } = body
  await owner.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
  expect(await world.chain.fee(onchainId!)).toBe(lamports)
  const { fee } = await owner.api.read<TransactionRecord>('/transactions/single', { offchainId })
  expect(fee).toBe(Number(lamports) / Number(SOL))
  await records.accountsEqualChain(payer)
})
