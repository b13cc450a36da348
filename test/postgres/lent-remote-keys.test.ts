// A custodian key that is granted to a tenant of another cell, on another node: the owner requests the signature after
// its own commit, and the answer reaches the transaction, once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until as found } from '../crash/until.ts'
import { eventually } from '../e2e/harness.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { SOL } from '../e2e/records.ts'
import { callBack, CODE, Custodian, hangsUp, pending, refuses, signs } from '../keys/custodian.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { askAt, divideCells, firstNode, killAndRestart, newTenant, untilServed, type Tenant } from './two-nodes.ts'

/** On a busy machine, a chain that is behind opens many slots at once. */
const LANDED: unknown = expect.stringMatching(/^(?:CONFIRMED|FINALIZED)$/)
const PAY = '/positions/transfer-network-currency'
const LAMPORTS = 1_000
const ASYNC = { prefer: 'respond-async' }
const ENDED_MS = 90_000

let custodian: Custodian
let fixture: ClusterFixture
let nodes: NodeProcess[]
/** Creates the transactions. */
let acme: Tenant
/** Has the keys, on the node `b`. */
let beta: Tenant
let payer: Ids
let to: Ids
let source: Ids

const useNodes = (): void => {
  askAt(fixture, acme, nodes[1]!.url)
  askAt(fixture, beta, nodes[0]!.url)
}

beforeAll(async () => {
  custodian = await Custodian.start()
  const allowed = { SIGNERS: custodian.setting, OUTBOUND_ALLOW: new URL(custodian.url).host }
  // A blockhash must outlast the start of a node.
  fixture = await openClusterFixture({ LEASE_MS: '3000', ...allowed }, { slotMs: 300 })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  beta = await newTenant(fixture, node, 'BETA')
  payer = await acme.records.feePayer()
  to = await acme.records.funded({}, SOL)
  nodes = await divideCells(fixture, node, beta)
  useNodes()
  await untilServed([acme, beta])
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await custodian.stop()
})
beforeEach(async () => {
  custodian.forget()
  const key = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  const permissions = { orgsAllowedToSignWithPrivateKey: ['ACME'], networkCurrencyDebitLimits: [] }
  source = await beta.records.funded({ privateKeyDetails: key, ...permissions }, SOL)
  custodian.asked.length = 0
})

const itemOf = () => ({ source: { offchainId: source.offchainId }, destination: to, lamports: LAMPORTS })
const config = () => ({ feePayer: { onchainId: payer.onchainId } })
const pay = () => acme.api.ok<Result>(201, 'POST', PAY, itemOf(), { config: config() })
/** Does not wait for the chain. Repeats, as a client does, until the outcome is known. */
function insists(): Promise<Result> {
  const options = { config: config(), headers: { ...ASYNC, 'idempotency-key': randomUUID() } }
  return found(async () => {
    const answer = await acme.api.send<Result>('POST', PAY, itemOf(), options).catch(() => undefined)
    return answer?.status === 201 ? answer.body : undefined
  }, 'the payment is made')
}
const readReserved = async (): Promise<unknown> =>
  (await beta.api.read<Balance>('/accounts/single/balance', source)).reserved.lamports
const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  acme.api.read<TransactionRecord>('/transactions/single', { offchainId })
const ends = (result: Result, status: string): Promise<TransactionRecord> =>
  eventually(async () => {
    const record = await recordOf(result)
    expect(record.status, JSON.stringify(record.history)).toBe(status)
    return record
  }, ENDED_MS)

/** The amount left the account once, and nothing is reserved. */
async function movedTimes(times: number): Promise<void> {
  await eventually(() => beta.records.accountsEqualChain(source), ENDED_MS)
  await eventually(async () => expect(await readReserved()).toBe(0), ENDED_MS)
  expect(await new Onchain(fixture.rpcUrl).lamports(source.onchainId)).toBe(SOL - BigInt(times * LAMPORTS))
}

/** One signature request for each transaction, however often it was sent. */
const questions = (): number => new Set(custodian.questions.map(({ id, message }) => `${id} ${message}`)).size

describe('a key at a custodian, granted to another cell', () => {
  it('signs, with the same answer as within one cell', async () => {
    const dry = await acme.api.send('POST', PAY, itemOf(), {
      config: config(),
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    expect([dry.status, custodian.questions, await readReserved()]).toEqual([200, [], 0])
    const payment = await pay()
    expect([payment.success, payment.status]).toEqual([true, LANDED])
    const [question] = custodian.questions
    expect(question).toMatchObject({
      ...{ tenantOrganizationId: 'BETA', requestedByOrganizationId: 'ACME', account: source },
      transaction: { offchainId: payment.offchainId },
    })
    expect(questions()).toBe(1)
    await movedTimes(1)
  })

  it('signs once the custodian has decided, or is reachable again', async () => {
    custodian.usual = pending(0.3)
    const payment = await insists()
    expect(payment.status).toBe('PARTIALLY_SIGNED')
    // The owner of the key learns of the transaction by a message, after the answer.
    await eventually(async () => expect(await readReserved()).toBe(LAMPORTS))
    custodian.script = [hangsUp, pending(0.3)]
    custodian.usual = signs
    await ends(payment, 'FINALIZED')
    expect([custodian.script, questions()]).toEqual([[], 1])
    await movedTimes(1)
  })

  it('signs with a callback of the custodian', async () => {
    custodian.usual = pending(3_600)
    const payment = await insists()
    await until('it is asked', () => custodian.questions.length > 0)
    const { id, message } = custodian.questions[0]!
    const answer = (text: Uint8Array) => ({
      ...{ signer: CODE, id, status: 'SIGNED' },
      signature: custodian.sign(source.onchainId, text),
    })
    const { url } = nodes[0]!
    expect((await callBack(url, answer(Buffer.from('another')))).status).toBe(400)
    const refusal = { signer: CODE, id, status: 'REFUSED', reason: 'not this one' }
    expect((await callBack(url, refusal)).body).toMatchObject({ used: false })
    expect((await callBack(url, answer(Buffer.from(message, 'base64')))).body).toMatchObject({ used: true })
    await ends(payment, 'FINALIZED')
    await movedTimes(1)
  })

  it('that refuses proves nothing: the reservation is released when the expiry is proven', async () => {
    custodian.usual = refuses
    const payment = await insists()
    const refusedRecord = await eventually(async () => {
      const record = await recordOf(payment)
      expect(JSON.stringify(record.history)).toContain('not today')
      return record
    })
    expect([refusedRecord.status, await readReserved()]).toEqual(['PARTIALLY_SIGNED', LAMPORTS])
    await acme.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: payment.offchainId })
    await ends(payment, 'CANCELLED')
    expect(questions()).toBe(1)
    await movedTimes(0)
  })

  it('is not requested while its account is frozen', async () => {
    custodian.usual = pending(0.3)
    const payment = await insists()
    await until('it is asked', () => custodian.questions.length > 0)
    await beta.api.ok(200, 'PATCH', '/admin/freeze', { account: source })
    await eventually(async () => {
      const before = custodian.questions.length
      await new Promise((resolve) => void setTimeout(resolve, 2_000))
      expect(custodian.questions.length).toBe(before)
    })
    custodian.usual = signs
    await beta.api.ok(200, 'PATCH', '/admin/unfreeze', { account: source })
    await ends(payment, 'FINALIZED')
    await movedTimes(1)
  })

  it.each(['b', 'a'])('signs each transaction once, while node %s is killed in between', async (name) => {
    custodian.usual = pending(0.5)
    const payments = await Promise.all(Array.from({ length: 8 }, () => insists()))
    await until('the custodian is asked about each', () => questions() === payments.length, ENDED_MS)
    expect(await readReserved()).toBe(payments.length * LAMPORTS)
    await killAndRestart(fixture, nodes, name)
    useNodes()
    await untilServed([acme, beta])
    custodian.usual = signs
    const status = async (result: Result): Promise<string | undefined> => {
      const { status: now } = await recordOf(result).catch(() => ({ status: '' }))
      return ['FINALIZED', 'EXPIRED'].includes(now) ? now : undefined
    }
    const all = await Promise.all(payments.map((each) => found(() => status(each), 'it has ended')))
    expect(all).toContain('FINALIZED')
    expect(questions()).toBe(payments.length)
    await movedTimes(all.filter((each) => each === 'FINALIZED').length)
  })
})
