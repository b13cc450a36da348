// Keys at a custodian, over HTTP: when a signature is requested, and the effect of late, wrong and refusing answers.
import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  callBack,
  CODE,
  Custodian,
  fails,
  hangsUp,
  mistakes,
  never,
  overflows,
  pending,
  redirects,
  refuses,
  SECRET,
  signsAnother,
  type Behaviour,
} from '../../keys/custodian.ts'
import { BatchFixture } from '../payouts/batch-fixture.ts'
import { eventually, pastLifetimes, startWorld, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, to as toClass, type Held } from '../limits/limit-fixture.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const REMOTE = { location: ['REMOTE'], signer: CODE }
const ASYNC = { prefer: 'respond-async' }

let world: World
let custodian: Custodian
let feePayer: Ids
let source: Ids
let to: Ids

beforeAll(async () => {
  custodian = await Custodian.start()
  world = await startWorld({
    HOLDFAST_SIGNERS: custodian.setting,
    HOLDFAST_OUTBOUND_ALLOW: new URL(custodian.url).host,
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    // A transaction that the custodian signs at its third request must still land on a busy machine.
    HOLDFAST_EMBEDDED_SLOT_MS: '100',
  })
  feePayer = await world.records.feePayer()
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})
beforeEach(async () => {
  custodian.forget()
  source = await remote()
  to = await world.records.account()
  custodian.asked.length = 0
})

const remote = (itemData: object = {}): Promise<Ids> =>
  world.records.funded({ privateKeyDetails: { ...REMOTE, publickKey: custodian.newKey() }, ...itemData }, SOL)
const pay = (options: object = {}, more: object = {}): Promise<Held> =>
  world.api.ok<Held>(
    201,
    'POST',
    PAY,
    { source, destination: to, lamports: AMOUNT.toString(), ...more },
    { config: { feePayer }, ...options },
  )
const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  world.api.read<TransactionRecord>('/transactions/single', { offchainId })
const readAs = async (result: Result, status: string): Promise<TransactionRecord> => {
  const record = await recordOf(result)
  expect(record.status, JSON.stringify(record.history)).toBe(status)
  return record
}
const ends = (result: Result, status: string): Promise<TransactionRecord> => eventually(() => readAs(result, status))
/** As `ends`, for an outcome that only the expiry of a blockhash proves. */
const isProven = (result: Result, status: string): Promise<TransactionRecord> =>
  pastLifetimes(world, () => readAs(result, status))
const readReserved = async (): Promise<bigint> =>
  BigInt((await world.api.read<Balance>('/accounts/single/balance', source)).reserved.lamports)

async function movedOnce(result: Result): Promise<void> {
  await ends(result, 'FINALIZED')
  await eventually(() => world.records.accountsEqualChain(source, to))
  expect([await world.chain.lamports(source.onchainId), await world.chain.lamports(to.onchainId)]).toEqual([
    SOL - AMOUNT,
    AMOUNT,
  ])
}

async function nothingMoved(): Promise<void> {
  await eventually(() => world.records.accountsEqualChain(source))
  expect([await world.chain.lamports(source.onchainId), await world.chain.lamports(to.onchainId)]).toEqual([SOL, 0n])
}

/** Every request had the same id, message and summary. */
function oneQuestion(atLeast: number): void {
  const { questions } = custodian
  expect(questions.length).toBeGreaterThanOrEqual(atLeast)
  expect(new Set(questions.map(({ id, message, summary }) => JSON.stringify([id, message, summary]))).size).toBe(1)
}

const waitForQuestion = (min: number): Promise<void> => eventually(() => Promise.resolve().then(() => oneQuestion(min)))

async function countAnswers(answer: string): Promise<number> {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  const name = `holdfast_remote_signer_answers_total{signer="${CODE}",answer="${answer}"} `
  const line = text.split('\n').find((each) => each.startsWith(name))
  return Number(line?.slice(name.length) ?? 0)
}

describe('an account whose key is at a custodian', () => {
  it('has the key of the request or the custodian, which signed a proof for the organization', async () => {
    const publickKey = custodian.newKey()
    const account = await world.records.account({ privateKeyDetails: { ...REMOTE, publickKey } })
    expect(account.onchainId).toBe(publickKey)
    expect(await world.records.accountRecord(account)).toMatchObject({ managed: true, privateKeyLocation: ['REMOTE'] })
    const [{ message, ...proof } = expect.fail()] = custodian.asked
    expect(proof).toMatchObject({ transaction: null, tenantOrganizationId: 'SYSTEM', publicKey: publickKey })
    // No transaction begins like an off-chain message.
    expect(Buffer.from(message, 'base64').subarray(0, 16).toString('latin1')).toBe('\xffsolana offchain')
    const assigned = await world.records.account({ privateKeyDetails: REMOTE })
    expect(custodian.asked.at(-1)).toMatchObject({ publicKey: assigned.onchainId, type: 'key.proof.requested' })
    await world.api.refuses(400, 'KEY_NOT_EXPORTABLE', 'POST', '/accounts/single/private-key', account)
  })

  it('is not created without the proof', async () => {
    const buildRequest = (): object => ({ privateKeyDetails: { ...REMOTE, publickKey: custodian.newKey() } })
    const expectRefusal = (status: number, code: string): Promise<unknown> =>
      world.api.refuses(status, code, 'POST', '/accounts', buildRequest())
    custodian.proof = refuses
    await expectRefusal(400, 'REMOTE_KEY_REFUSED')
    custodian.proof = signsAnother
    await expectRefusal(400, 'REMOTE_KEY_REFUSED')
    for (const proof of [pending(), fails(500), mistakes, hangsUp, redirects, overflows]) {
      custodian.proof = proof
      await expectRefusal(503, 'REMOTE_SIGNER_UNAVAILABLE')
    }
    expect(custodian.elsewhere).toEqual([])
  })

  it('is refused for a contradictory request, and a dry run sends no request', async () => {
    const publickKey = custodian.newKey()
    const expectRefusal = (code: string, privateKeyDetails: object, more: object = {}): Promise<unknown> =>
      world.api.refuses(400, code, 'POST', '/accounts', { privateKeyDetails, ...more })
    await expectRefusal('REMOTE_SIGNER_UNKNOWN', { ...REMOTE, signer: 'NOBODY', publickKey })
    await expectRefusal('REQUIRED', { location: ['REMOTE'], publickKey })
    await expectRefusal('MUTUALLY_EXCLUSIVE', { location: ['SECRETS'], signer: CODE })
    await expectRefusal('MUTUALLY_EXCLUSIVE', { location: ['REMOTE', 'DATABASE'], signer: CODE })
    await expectRefusal('MUTUALLY_EXCLUSIVE', { ...REMOTE, publickKey }, { managed: false })
    const privateKey = bs58.encode(Buffer.alloc(32, 9))
    await expectRefusal('MUTUALLY_EXCLUSIVE', { ...REMOTE, privateKey })
    expect(custodian.asked).toEqual([])
    const dry = { headers: { 'Holdfast-Dry-Run': 'true' }, config: { feePayer } }
    const itemData = { privateKeyDetails: { ...REMOTE, publickKey }, seedLamports: '1000000' }
    await world.api.ok(200, 'POST', '/accounts', itemData, dry)
    expect(custodian.asked).toEqual([])
  })

  it('cannot be created for another organization, whatever the custodian answers', async () => {
    const fixture = new LimitFixture(world)
    const organization = await fixture.organization()
    const { api } = await fixture.person(organization, 'ADMIN')
    const privateKeyDetails = { ...REMOTE, publickKey: source.onchainId }
    await api.refuses(400, 'REMOTE_KEY_REFUSED', 'POST', '/accounts', { privateKeyDetails })
    expect(custodian.asked.at(-1)).toMatchObject({ tenantOrganizationId: organization })
  })
})

describe('a payment with a key at a custodian', () => {
  it('lands with the signature of the custodian, which receives a description of the payment', async () => {
    const result = await pay()
    expect(result).toMatchObject({ success: true })
    oneQuestion(1)
    const [{ id, message, publicKey, summary, account, transaction, ...details } = expect.fail()] = custodian.questions
    const bytes = Buffer.from(message, 'base64')
    expect(id).toBe(createHash('sha256').update(bytes).update(bs58.decode(publicKey)).digest('hex'))
    expect(message).toBe(result.serializedMessage)
    expect({ account, transaction }).toEqual({ account: source, transaction: { offchainId: result.offchainId } })
    expect(details).toMatchObject({
      signer: CODE,
      tenantOrganizationId: 'SYSTEM',
      requestedByOrganizationId: 'SYSTEM',
      chainClusterId: 'CHAIN_DEVNET',
    })
    expect(summary).toContain(`Transfer 0.001 SOL from ${source.onchainId} to ${to.onchainId}`)
    await movedOnce(result)
  })

  it('waits for the decision of the custodian, with the amount reserved and without a chain fee', async () => {
    custodian.usual = pending()
    const result = await pay({ headers: ASYNC })
    expect(result).toMatchObject({ success: false, status: 'PARTIALLY_SIGNED' })
    expect(await readReserved()).toBe(AMOUNT)
    await waitForQuestion(3)
    custodian.forget()
    await movedOnce(result)
  })

  it.each<[string, Behaviour, string]>([
    ['a signature of another message', signsAnother, 'invalid'],
    ['an answer to another request', mistakes, 'failed'],
    ['an error', fails(503), 'failed'],
    ['a redirect', redirects, 'failed'],
    ['an answer that is too large', overflows, 'failed'],
    ['an answer that breaks off', hangsUp, 'failed'],
  ])('does not react to %s, and repeats the request with the same id', async (_what, behaviour, kind) => {
    const before = await countAnswers(kind)
    custodian.script = [behaviour]
    const result = await pay()
    expect(result).toMatchObject({ success: true })
    oneQuestion(2)
    expect(await countAnswers(kind)).toBeGreaterThan(before)
    expect(custodian.elsewhere).toEqual([])
    await movedOnce(result)
  })

  it('keeps its reservation if the custodian refuses after a lost answer, until the expiry is proven', async () => {
    custodian.script = [hangsUp]
    custodian.usual = refuses
    const result = await pay({ headers: ASYNC })
    await eventually(async () =>
      expect((await recordOf(result)).history.at(-1)?.detail).toContain('it was asked, so only proof ends this'),
    )
    expect(await readReserved()).toBe(AMOUNT)
    await isProven(result, 'EXPIRED')
    await nothingMoved()
  })

  it('ends with a proof of expiry if the custodian answers too late, and a late signature is not sent', async () => {
    custodian.usual = pending()
    const result = await pay({ headers: ASYNC })
    await waitForQuestion(1)
    const [{ id, message } = expect.fail()] = custodian.questions
    await isProven(result, 'EXPIRED')
    const { length } = custodian.questions
    const signature = custodian.sign(source.onchainId, Buffer.from(message, 'base64'))
    const response = await callBack(world.url, { signer: CODE, id, status: 'SIGNED', signature })
    expect(response).toEqual({ status: 200, body: { id, used: false } })
    expect(custodian.questions).toHaveLength(length)
    await nothingMoved()
  })

  it('is not sent by a signature that arrives after the cancellation', async () => {
    custodian.usual = never
    const result = await pay({ headers: ASYNC })
    await waitForQuestion(1)
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: result.offchainId })
    const [{ id, message } = expect.fail()] = custodian.questions
    const signature = custodian.sign(source.onchainId, Buffer.from(message, 'base64'))
    const response = await callBack(world.url, { signer: CODE, id, status: 'SIGNED', signature })
    expect(response.body).toEqual({ id, used: false })
    await isProven(result, 'CANCELLED')
    await nothingMoved()
  })

  it('is completed by a callback, which only its custodian can send', async () => {
    custodian.usual = pending(3_600)
    const result = await pay({ headers: ASYNC })
    await waitForQuestion(1)
    const [{ id, message } = expect.fail()] = custodian.questions
    const signature = custodian.sign(source.onchainId, Buffer.from(message, 'base64'))
    const body = { signer: CODE, id, status: 'SIGNED', signature }
    const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
    const unsigned = { status: 401, body: { errors: [{ code: 'CALLBACK_NOT_SIGNED' }] } }
    expect(await callBack(world.url, body, { secret: other })).toMatchObject(unsigned)
    expect(await callBack(world.url, body, { at: new Date(Date.now() - 3_600_000) })).toMatchObject(unsigned)
    expect(await callBack(world.url, { ...body, signer: 'NOBODY' })).toMatchObject(unsigned)
    const wrong = custodian.sign(source.onchainId, Buffer.from('another message'))
    expect(await callBack(world.url, { ...body, signature: wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'SIGNATURE_INVALID', pointer: '/signature' }] },
    })
    expect((await recordOf(result)).status).toBe('PARTIALLY_SIGNED')
    expect(await callBack(world.url, body)).toEqual({ status: 200, body: { id, used: true } })
    expect(await callBack(world.url, body)).toEqual({ status: 200, body: { id, used: false } })
    await movedOnce(result)
  })

  it('waits under a durable nonce for longer than the lifetime of a blockhash', async () => {
    await world.api.ok(201, 'POST', '/durable-nonce-accounts', {
      nonceAuthority: await world.records.account(),
      count: 1,
    })
    custodian.usual = pending()
    const config = { feePayer, messageLifetimeStrategy: 'DURABLE_NONCE' }
    const result = await eventually(() => pay({ headers: ASYNC, config }))
    await waitForQuestion(1)
    expect(custodian.questions[0]).toMatchObject({ lastValidBlockHeight: null })
    // Another payment, under a blockhash, expires meanwhile.
    const other = await pay({ headers: ASYNC })
    await isProven(other, 'EXPIRED')
    expect((await recordOf(result)).status).toBe('PARTIALLY_SIGNED')
    custodian.forget()
    await movedOnce(result)
  })

  it('can be an item of a batch', async () => {
    const fixture = new BatchFixture(world.api)
    const items = [{ source, destination: to, lamports: AMOUNT.toString() }]
    custodian.script = [pending(), hangsUp]
    const batch = await fixture.create('TRANSFER_NETWORK_CURRENCY', items, {}, {})
    const [item] = await fixture.waitForEnd(batch)
    expect(item).toMatchObject({ status: 'DONE' })
    oneQuestion(3)
    await movedOnce({ offchainId: item!.chainTransaction!.offchainId } as Result)
  })

  it('can have a fee payer at the custodian, and then a refusal is no proof', async () => {
    const own = await remote({ canPayFees: true })
    custodian.asked.length = 0
    const result = await pay({ config: { feePayer: own } })
    expect(result).toMatchObject({ success: true })
    expect(new Set(custodian.questions.map(({ publicKey }) => publicKey)).size).toBe(2)
    custodian.usual = refuses
    const payment = await pay({ config: { feePayer: own }, headers: ASYNC })
    await isProven(payment, 'EXPIRED')
    expect(await readReserved()).toBe(0n)
  })
})

describe('before the request to a custodian', () => {
  it('limits and approvals are evaluated, and a freeze stops the transaction', async () => {
    const fixture = new LimitFixture(world)
    source = await remote({ networkCurrencyDebitLimits: [toClass('ANY', perTransaction('0.0001'))] })
    custodian.asked.length = 0
    await world.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, {
      source,
      destination: to,
      lamports: AMOUNT.toString(),
    })
    const approver = await fixture.person('SYSTEM', ['DEBIT_LIMIT_APPROVE'])
    const limit = perTransaction('0.0001', { approversForOverride: [approver.keyId] })
    source = await remote({ networkCurrencyDebitLimits: [toClass('ANY', limit)] })
    custodian.asked.length = 0
    const payment = await pay()
    expect(payment).toMatchObject({ status: 'PREPARED', success: false })
    expect(custodian.questions).toEqual([])
    const { offchainId } = payment
    await approver.api.ok(200, 'POST', '/transactions/approve', { offchainId })
    oneQuestion(1)
    await movedOnce(payment)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: { offchainId: source.offchainId } })
    custodian.asked.length = 0
    await world.api.refuses(403, 'FROZEN', 'POST', PAY, { source, destination: to, lamports: '1' })
    expect(custodian.asked).toEqual([])
  })

  it('the screening service has allowed it', async () => {
    const fixture = new LimitFixture(world)
    const externalId = await fixture.organization()
    const { api } = await fixture.person(externalId, 'ADMIN')
    const records = world.records.with(api)
    const wallet = { privateKeyDetails: { ...REMOTE, publickKey: custodian.newKey() }, networkCurrencyDebitLimits: [] }
    const [own, payer] = [await records.funded(wallet, SOL), await records.feePayer()]
    // The screening host answers without a decision.
    const screening = { url: `${custodian.url}/screen`, secret: SECRET, timeoutMs: 10_000 }
    await api.ok(200, 'PATCH', '/admin/organizations', { externalId, screening })
    const payment = { source: own, destination: to, lamports: '1000000' }
    await api.refuses(503, 'SCREENING_UNAVAILABLE', 'POST', PAY, payment, { config: { feePayer: payer } })
    expect(custodian.elsewhere.splice(0)).toEqual(['/screen'])
    expect(custodian.questions).toEqual([])
  })

  it('Sign requests the named key, and Submit sends', async () => {
    const prepared = await pay({}, { source: { ...source, autoSign: false } })
    expect(prepared.status).toBe('PREPARED')
    expect(custodian.questions).toEqual([])
    const { offchainId } = prepared
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    expect(signed.status).toBe('SIGNED')
    oneQuestion(1)
    await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
    await movedOnce(prepared)
  })
})
