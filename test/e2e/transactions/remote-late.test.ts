// A custodian that decides late: its signature completes a transaction, which is sent only if it may still be sent.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { callBack, CODE, Custodian, pending } from '../../keys/custodian.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { PAY } from '../limits/limit-fixture.ts'
import type { Ids, Problems, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const HOUR_SECONDS = 3_600
const ASYNC = { prefer: 'respond-async' }

let world: World
let custodian: Custodian
let source: Ids
/** Its key is at the custodian. */
let feePayer: Ids
let to: Ids

beforeAll(async () => {
  custodian = await Custodian.start()
  world = await startWorld({
    HOLDFAST_SIGNERS: custodian.setting,
    HOLDFAST_OUTBOUND_ALLOW: new URL(custodian.url).host,
    HOLDFAST_EMBEDDED_SLOT_MS: '100',
  })
  await world.api.ok(
    201,
    'POST',
    '/durable-nonce-accounts',
    {
      nonceAuthority: await world.records.account(),
      count: 3,
    },
    { config: { feePayer: await world.records.feePayer() } },
  )
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})
beforeEach(async () => {
  custodian.forget()
  source = await world.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  feePayer = await world.records.funded(
    {
      canPayFees: true,
      privateKeyDetails: { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() },
    },
    SOL,
  )
  to = await world.records.account()
  custodian.asked.length = 0
  custodian.usual = pending(HOUR_SECONDS)
})

const payment = () => ({ source, destination: to, lamports: AMOUNT.toString() })

async function waitsForCustodian(path = PAY, body: object = payment()): Promise<Result> {
  const config = { feePayer, messageLifetimeStrategy: 'DURABLE_NONCE' }
  const result = await eventually(() => world.api.ok<Result>(201, 'POST', path, body, { config, headers: ASYNC }))
  expect(result.status).toBe('PARTIALLY_SIGNED')
  await eventually(() => Promise.resolve().then(() => expect(custodian.questions).toHaveLength(1)))
  return result
}

async function signLate(): Promise<void> {
  const [{ id, message } = expect.fail()] = custodian.questions
  const signature = custodian.sign(feePayer.onchainId, Buffer.from(message, 'base64'))
  const { status } = await callBack(world.url, { signer: CODE, id, status: 'SIGNED', signature })
  expect(status).toBe(200)
}

const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  world.api.read<TransactionRecord>('/transactions/single', { offchainId })

async function isNotSent(result: Result): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { status, history } = await recordOf(result)
  expect(status, JSON.stringify(history)).toBe('SIGNED')
  expect(history.at(-1)?.detail).toContain('it waits for Submit')
  expect(await world.chain.lamports(to.onchainId)).toBe(0n)
}

it('is not sent while the account that pays is frozen', async () => {
  const result = await waitsForCustodian()
  await world.api.ok(200, 'PATCH', '/admin/freeze', { account: { offchainId: source.offchainId } })
  await signLate()
  await isNotSent(result)
  const transaction = { offchainId: result.offchainId }
  await world.api.refuses(403, 'FROZEN', 'POST', '/transactions/submit', { transaction })
  await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account: { offchainId: source.offchainId } })
  expect((await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
  expect(await world.chain.lamports(to.onchainId)).toBe(AMOUNT)
})

it('is not sent to an address that was blocked meanwhile', async () => {
  const result = await waitsForCustodian()
  const addresses = [{ onchainId: to.onchainId }]
  await world.api.ok(201, 'POST', '/counterparties', { name: 'Doubtful', status: 'BLOCKED', addresses })
  await signLate()
  await isNotSent(result)
  const transaction = { offchainId: result.offchainId }
  const { status, body } = await world.api.send<Problems>('POST', '/transactions/submit', { transaction })
  expect([status, body.errors?.[0]?.code]).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
  await world.api.ok(200, 'PATCH', '/transactions/cancel', transaction, { headers: ASYNC })
})

it('is not sent while its instrument is paused', async () => {
  const authority = await world.records.account()
  const instrument = await world.records.instrument('TOKEN_2022', authority, { pausableAuthority: authority })
  const destination = { position: await world.records.position(to, instrument) }
  const result = await waitsForCustodian('/positions/mint', { destination, lamports: 7 })
  const named = { financialInstrument: instrument }
  await world.api.ok(200, 'PATCH', '/financial-instruments/pause', named)
  await signLate()
  await isNotSent(result)
  const transaction = { offchainId: result.offchainId }
  await world.api.refuses(400, 'INSTRUMENT_PAUSED', 'POST', '/transactions/submit', { transaction })
  await world.api.ok(200, 'PATCH', '/financial-instruments/unpause', named)
  expect((await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
  await world.records.positionsEqualChain(destination.position)
})

it('control: is sent if nothing has changed', async () => {
  const result = await waitsForCustodian()
  await signLate()
  await eventually(async () => expect((await recordOf(result)).status).toBe('FINALIZED'))
  expect(await world.chain.lamports(to.onchainId)).toBe(AMOUNT)
})
