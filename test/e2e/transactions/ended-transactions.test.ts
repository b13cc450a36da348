// What is requested of an ended transaction is refused because it has ended, whatever else would refuse it by now.
import { VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Options } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
const FINAL = { config: { commitmentConfig: { commitmentLevel: 'finalized' } } }

let world: World
let payer: Ids
let to: Ids
let source: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
  payer = await world.records.feePayer()
  to = await world.records.funded({}, SOL)
  source = await world.records.funded({}, SOL)
})
afterAll(() => world.stop())

const pay = (members: object, options: Options = {}) =>
  world.api.ok<Result>(201, 'POST', PAY, { source, destination: to, ...members }, options)
const prepare = (config: object = {}) => pay({ source: { ...source, autoSign: false }, lamports: 1_000 }, { config })
const cancel = ({ offchainId }: Result) =>
  world.api.send<Result & Problems>('PATCH', '/transactions/cancel', { offchainId })
const cancelled = async (transaction: Result): Promise<Result> => {
  const { status, body } = await cancel(transaction)
  expect([status, body.status]).toEqual([200, 'CANCELLED'])
  return transaction
}

/** Every request that would add a signature, send it or decide about it, by what it is. */
function requestsOf({ offchainId, serializedMessage }: Result) {
  const transaction = { offchainId }
  const unsigned = new VersionedTransaction(VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64')))
  const serializedTransaction = Buffer.from(unsigned.serialize()).toString('base64')
  const signatures = [{ onchainId: source.onchainId, signature: bs58.encode(Buffer.alloc(64, 3)) }]
  return {
    sign: ['POST', '/transactions/sign', { transaction }],
    'sign by signers': ['POST', '/transactions/sign', { transaction, signers: [source] }],
    'sign for bytes': ['POST', '/transactions/sign', { transaction, returnSerialized: true }],
    'sign with a signature': ['POST', '/transactions/sign', { transaction, signatures }],
    'sign bytes': ['POST', '/transactions/sign', { serializedTransaction }],
    submit: ['POST', '/transactions/submit', { transaction }],
    'submit bytes': ['POST', '/transactions/submit', { serializedTransaction }],
    cancel: ['PATCH', '/transactions/cancel', transaction],
    attest: ['PATCH', '/transactions/attest', { ...transaction, outcome: 'EXPIRED', evidence: 'none' }],
  } as const
}

type Answers = Readonly<Record<keyof ReturnType<typeof requestsOf>, string>>

async function answersOf(transaction: Result): Promise<Answers> {
  const answers: Record<string, string> = {}
  for (const [what, [method, path, itemData]] of Object.entries(requestsOf(transaction))) {
    const { status, body } = await world.api.send<Result & Problems>(method, path, itemData)
    answers[what] = status === 200 ? body.status : (body.errors ?? []).map(({ code }) => `${status} ${code}`).join()
  }
  return answers as Answers
}

const refused = (transaction: Result): Answers =>
  Object.fromEntries(Object.keys(requestsOf(transaction)).map((what) => [what, '400 ENDED'])) as Answers

async function expectEnded(transaction: Result): Promise<void> {
  expect(await answersOf(transaction)).toEqual(refused(transaction))
}

describe('a transaction that was cancelled before it was signed', () => {
  it('has ended', async () => {
    await expectEnded(await cancelled(await prepare()))
  })

  it('has ended when its source is frozen', async () => {
    const transaction = await cancelled(await prepare())
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: source })
    await expectEnded(transaction)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account: source })
  })

  it('has ended when it exceeds a limit', async () => {
    const transaction = await cancelled(await prepare())
    const limit = { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0 } }
    const change = (networkCurrencyDebitLimits: object[]) =>
      world.api.ok(200, 'PATCH', '/accounts', { account: source, networkCurrencyDebitLimits })
    await change([limit])
    await expectEnded(transaction)
    await change([])
  })

  it('has ended when its blockhash has expired', async () => {
    const transaction = await cancelled(await prepare())
    await world.passSlots(200)
    await expectEnded(transaction)
  })

  it('has ended when its nonce was used', async () => {
    await world.api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: payer, count: 1 }, FINAL)
    const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
    const transaction = await cancelled(await prepare(config))
    await pay({ lamports: 1_000 }, { config })
    await expectEnded(transaction)
  })

  it('has ended when its source is empty', async () => {
    const transaction = await cancelled(await prepare())
    await pay({ transferEntireBalance: true })
    await expectEnded(transaction)
    await world.chain.airdrop(source.onchainId, SOL)
  })
})

describe('a transaction that ended after it was signed', () => {
  it('shows its status to Submit, and refuses everything else', async () => {
    const { offchainId } = await prepare()
    const sign = { transaction: { offchainId }, signers: [payer, source] }
    const held = await cancelled(await world.api.ok<Result>(200, 'POST', '/transactions/sign', sign))
    const landed = await pay({ lamports: 1_000 }, FINAL)
    for (const [transaction, status] of [
      [held, 'CANCELLED'],
      [landed, 'FINALIZED'],
    ] as const)
      expect(await answersOf(transaction)).toEqual({
        ...refused(transaction),
        ...{ submit: status, 'submit bytes': status },
      })
  })
})

describe('an attestation of a transaction without our signature', () => {
  it('is refused for that, also while its blockhash is valid', async () => {
    const { offchainId } = await prepare()
    const itemData = { offchainId, outcome: 'EXPIRED', evidence: 'none' }
    await world.api.refuses(400, 'NOT_SIGNED', 'PATCH', '/transactions/attest', itemData)
  })
})
