// Callbacks of a custodian about keys of tenants in other cells than SYSTEM: each node accepts them, and the requesting
// cell uses them, once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { Client, once } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import type { Ids, Result, TransactionRecord } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import { callBack, CODE, Custodian, pending, type Asked } from '../keys/custodian.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf } from './postgres.ts'

const BOUND_MS = 30_000

let custodian: Custodian
let fixture: ClusterFixture
let nodes: NodeProcess[]
let service: SharedService
let acme: Client
let source: Ids
let destination: Ids
const closing: (() => void)[] = []

beforeAll(async () => {
  custodian = await Custodian.start()
  // A blockhash lasts for a minute, even on a busy machine.
  fixture = await openClusterFixture(
    {
      LEASE_MS: '10000',
      SIGNERS: custodian.setting,
      OUTBOUND_ALLOW: new URL(custodian.url).host,
    },
    { slotMs: 400 },
  )
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: BOUND_MS })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, BOUND_MS) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  const system = new Client(nodes[0]!.url, fixture.apiKey)
  await eventually(async () => expect((await system.get('/whoami')).status).toBe(200))
  await system.ok(201, 'POST', '/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  const { apiKey } = await system.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    ...{ organizationExternalId: 'ACME', name: 'test', bundle: 'ADMIN' },
  })
  acme = new Client(nodes[0]!.url, apiKey)
  const records = new Records(acme, new Onchain(fixture.rpcUrl))
  await records.feePayer()
  source = await records.funded({
    privateKeyDetails: { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() },
  })
  destination = await records.account()
  for (const cell of ['red', 'blue']) await createCell(service, cell)
  await moveToCell(service, 'ACME', 'red')
  await placeCells(addressOf(fixture.postgres), { main: 'a', red: 'b', blue: 'b' })
  await waitForNodes()
})
afterAll(async () => {
  for (const close of closing) close()
  await fixture[Symbol.asyncDispose]()
  await custodian.stop()
})
beforeEach(() => {
  custodian.forget()
  custodian.usual = pending(3_600)
})

async function waitForNodes(): Promise<void> {
  for (const { url } of nodes)
    await until('every node is ready', async () => (await fetch(`${url}/readyz`)).status === 200, 60_000)
}

/** A payment that waits for the custodian, and the request to the custodian. */
async function asked(): Promise<{ readonly paid: Result; readonly question: Asked; readonly answer: object }> {
  const itemData = { source, destination, lamports: 1_000_000 }
  const options = { headers: { ...once(randomUUID()), prefer: 'respond-async' } }
  // Nodes of a busy machine do not always answer each other in time.
  const paid = await eventually(() =>
    acme.ok<Result>(201, 'POST', '/positions/transfer-network-currency', itemData, options),
  )
  expect(paid.status).toBe('PARTIALLY_SIGNED')
  await until('the custodian is asked', () => custodian.questions.length > 0)
  const question = custodian.questions[0]!
  const signature = custodian.sign(source.onchainId, Buffer.from(question.message, 'base64'))
  return { paid, question, answer: { signer: CODE, id: question.id, status: 'SIGNED', signature } }
}

const statusOf = async ({ offchainId }: Result): Promise<string> =>
  (await acme.read<Result>('/transactions/single', { offchainId })).status

describe('a callback of a custodian', () => {
  it.each([0, 1])('completes the transaction of another cell once, at node %i', async (node) => {
    const { paid, question, answer } = await asked()
    const { url } = nodes[node]!
    expect(await callBack(url, answer)).toEqual({ status: 200, body: { id: question.id, used: true } })
    await eventually(async () => expect(await statusOf(paid)).toBe('FINALIZED'))
    for (const each of nodes)
      expect(await callBack(each.url, answer)).toEqual({ status: 200, body: { id: question.id, used: false } })
  })

  it('is verified first, by the cell that uses it', async () => {
    const { paid, question, answer } = await asked()
    const { url } = nodes[0]!
    const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
    const unsigned = { status: 401, body: { errors: [{ code: 'CALLBACK_NOT_SIGNED' }] } }
    expect(await callBack(url, answer, { secret: other })).toMatchObject(unsigned)
    expect(await callBack(url, { ...answer, signer: 'NOBODY' })).toMatchObject(unsigned)
    const wrong = custodian.sign(source.onchainId, Buffer.from('another message'))
    expect(await callBack(url, { ...answer, signature: wrong })).toMatchObject({
      ...{ status: 400, body: { errors: [{ code: 'SIGNATURE_INVALID' }] } },
    })
    const unknownId = '0'.repeat(64)
    expect(await callBack(url, { ...answer, id: unknownId })).toEqual({
      status: 200,
      body: { id: unknownId, used: false },
    })
    expect(await statusOf(paid)).toBe('PARTIALLY_SIGNED')
    const refusal = { signer: CODE, id: question.id, status: 'REFUSED', reason: 'too much' }
    expect(await callBack(url, refusal)).toEqual({ status: 200, body: { id: question.id, used: true } })
    // The fee payer's signature is shown, so the reservation stays until the expiry is proven.
    await eventually(async () => {
      const record = await acme.read<TransactionRecord>('/transactions/single', { offchainId: paid.offchainId })
      expect([record.status, record.history.at(-1)?.detail]).toEqual([
        'PARTIALLY_SIGNED',
        expect.stringContaining('too much'),
      ])
    })
  })

  it('finds the transaction in the cell that its tenant has moved to', async () => {
    for (const cell of ['blue', 'main', 'red']) {
      custodian.forget()
      custodian.usual = pending(3_600)
      const { paid, question, answer } = await asked()
      await moveToCell(service, 'ACME', cell)
      await waitForNodes()
      expect(await callBack(nodes[0]!.url, answer)).toEqual({ status: 200, body: { id: question.id, used: true } })
      await eventually(async () => expect(await statusOf(paid)).toBe('FINALIZED'))
    }
  })
})
