// A custodian refuses: the transaction ends at once only if a signature that nobody outside has, or can give, is
// missing outside.
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { callBack, CODE, Custodian, pending, refuses } from '../../keys/custodian.ts'
import { eventually, pastLifetimes, startWorld, type World } from '../harness.ts'
import { PAY } from '../limits/limit-fixture.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const ASYNC = { prefer: 'respond-async' }

let world: World
let custodian: Custodian
let to: Ids

beforeAll(async () => {
  custodian = await Custodian.start()
  world = await startWorld({
    HOLDFAST_SIGNERS: custodian.setting,
    HOLDFAST_OUTBOUND_ALLOW: new URL(custodian.url).host,
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_EMBEDDED_SLOT_MS: '100',
  })
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})
beforeEach(async () => {
  custodian.forget()
  custodian.usual = refuses
  to = await world.records.account()
})

const remote = (more: object = {}): Promise<Ids> => {
  const privateKeyDetails = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  return world.records.funded({ privateKeyDetails, ...more }, SOL)
}
const pay = (source: Ids, feePayer: Ids): Promise<Result> => {
  const item = { source, destination: to, lamports: AMOUNT.toString() }
  return world.api.ok<Result>(201, 'POST', PAY, item, { config: { feePayer }, headers: ASYNC })
}
const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  world.api.read<TransactionRecord>('/transactions/single', { offchainId })
const readAs = async (result: Result, status: string): Promise<TransactionRecord> => {
  const record = await recordOf(result)
  expect(record.status, JSON.stringify(record.history)).toBe(status)
  return record
}
const ends = (result: Result, status: string): Promise<TransactionRecord> => eventually(() => readAs(result, status))
const isRefused = (result: Result): Promise<TransactionRecord> =>
  eventually(async () => {
    const record = await recordOf(result)
    expect(record.history.at(-1)?.detail).toContain('only proof ends this')
    return record
  })
const readReserved = async (account: Ids): Promise<bigint> =>
  BigInt((await world.api.read<Balance>('/accounts/single/balance', account)).reserved.lamports)

/** Answers of the custodian that it has not decided. */
async function countPending(): Promise<number> {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  const name = `holdfast_remote_signer_answers_total{signer="${CODE}",answer="pending"} `
  return Number(text.split(name)[1]?.split('\n')[0] ?? 0)
}

/** The transaction as a holder of the custodian's key can complete it from what the service shows. */
function completed(record: TransactionRecord, signers: readonly ((message: Buffer) => Uint8Array)[]): Buffer {
  const message = Buffer.from(record.serializedMessage, 'base64')
  const signatures = [bs58.decode(record.onchainId ?? ''), ...signers.map((sign) => sign(message))]
  return Buffer.concat([Buffer.from([signatures.length]), ...signatures, message])
}

it('keeps its reservation while the only other signature is that of the fee payer, which is shown', async () => {
  const [source, feePayer] = [await remote(), await world.records.feePayer()]
  const result = await pay(source, feePayer)
  const refused = await isRefused(result)
  expect(refused.status).toBe('PARTIALLY_SIGNED')
  expect(await readReserved(source)).toBe(AMOUNT)
  const sign = (message: Buffer) => bs58.decode(custodian.sign(source.onchainId, message))
  await world.chain.connection.sendRawTransaction(completed(refused, [sign]))
  expect((await pastLifetimes(world, () => readAs(result, 'FINALIZED'))).onchainId).toBe(refused.onchainId)
  await eventually(() => world.records.accountsEqualChain(source, to))
  expect(await world.chain.lamports(to.onchainId)).toBe(AMOUNT)
})

it('ends by proof if nobody completes it', async () => {
  const source = await remote()
  const result = await pay(source, await world.records.feePayer())
  await isRefused(result)
  await pastLifetimes(world, () => readAs(result, 'EXPIRED'))
  expect(await readReserved(source)).toBe(0n)
})

it('ends at once if a signature is missing outside that only the service can give', async () => {
  custodian.script = [pending()]
  const [source, feePayer] = [await world.records.funded({}, SOL), await remote({ canPayFees: true })]
  const result = await pay(source, feePayer)
  expect((await ends(result, 'NON_BLOCKCHAIN_ERROR')).errorMessage).toContain('refused to sign: not today')
  expect(await readReserved(source)).toBe(0n)
})

it('ends at once with a refusal in a callback', async () => {
  custodian.usual = pending(3_600)
  const [source, feePayer] = [await world.records.funded({}, SOL), await remote({ canPayFees: true })]
  const before = await countPending()
  const result = await pay(source, feePayer)
  await eventually(async () => expect(await countPending()).toBe(before + 1))
  const [{ id } = expect.fail()] = custodian.questions
  const refusal = { signer: CODE, id, status: 'REFUSED', reason: 'too much' }
  expect(await callBack(world.url, refusal)).toMatchObject({ status: 200 })
  expect((await ends(result, 'NON_BLOCKCHAIN_ERROR')).errorMessage).toContain('too much')
  expect(await readReserved(source)).toBe(0n)
})

it.each(['imported', 'exported'])('keeps its reservation if the other key was %s', async (origin) => {
  const pair = Keypair.generate()
  const source = await world.records.funded(
    origin === 'imported' ? { privateKeyDetails: { privateKey: bs58.encode(pair.secretKey) } } : {},
    SOL,
  )
  if (origin === 'exported') await world.api.ok(200, 'POST', '/accounts/single/private-key', source)
  const feePayer = await remote({ canPayFees: true })
  const result = await pay(source, feePayer)
  await isRefused(result)
  expect(await readReserved(source)).toBe(AMOUNT)
  await pastLifetimes(world, () => readAs(result, 'EXPIRED'))
})
