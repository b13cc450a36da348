// Payments between tenants of two cells, in both directions and at every node, while one of them moves into the cell of
// the other, out of it, and into a third. Each payment lands once, and both books equal the chain.
import { randomUUID } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { Client, once, type Answer } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import type { Ids, Problems, Result } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records, SOL } from '../e2e/records.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf } from './postgres.ts'

const PAY = '/positions/transfer-network-currency'
const BOUND_MS = 30_000
const WORKERS = 6
const LAMPORTS = 1_000_000

interface Party {
  readonly name: string
  readonly apiKey: string
  readonly records: Records
  readonly payer: Ids
  readonly source: Ids
  /** Receives only the payments. */
  readonly till: Ids
}

let fixture: ClusterFixture
let nodes: NodeProcess[]
let service: SharedService
let chain: Onchain
let acme: Party
let beta: Party
const closing: (() => void)[] = []

beforeAll(async () => {
  // A blockhash lasts for a minute, even on a busy machine.
  fixture = await openClusterFixture({ LEASE_MS: '5000' }, { slotMs: 400 })
  chain = new Onchain(fixture.rpcUrl)
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: BOUND_MS })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, BOUND_MS) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  await eventually(async () => expect((await client(0, fixture.apiKey).get('/whoami')).status).toBe(200))
  for (const cell of ['red', 'blue']) await createCell(service, cell)
  ;[acme, beta] = [await party('ACME', 'red'), await party('BETA', 'blue')]
})
afterAll(async () => {
  for (const close of closing) close()
  await fixture[Symbol.asyncDispose]()
})

const client = (node: number, key: string): Client => new Client(nodes[node % nodes.length]!.url, key)

async function waitForNodes(): Promise<void> {
  for (const { url } of nodes)
    await until('every node is ready', async () => (await fetch(`${url}/readyz`)).status === 200, 60_000)
}

async function party(name: string, cell: string): Promise<Party> {
  const system = client(0, fixture.apiKey)
  await waitForNodes()
  await system.ok(201, 'POST', '/admin/organizations', { externalId: name, name })
  const { apiKey } = await system.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    ...{ organizationExternalId: name, name: 'test', bundle: 'ADMIN' },
  })
  const records = new Records(client(1, apiKey), chain)
  const free = { networkCurrencyDebitLimits: [] }
  const [payer, source, till] = [
    await records.feePayer(free),
    await records.funded(free, 100n * SOL),
    await records.account(),
  ]
  await moveToCell(service, name, cell)
  await waitForNodes()
  return { name, apiKey, records, payer, source, till }
}

interface Payment {
  readonly from: Party
  readonly to: Party
  readonly lamports: number
  readonly key: string
}

const isUnsure = ({ status, body }: Answer<Problems>): boolean =>
  status === 504 || (status === 503 && body.errors?.[0]?.code === 'TENANT_UNAVAILABLE') || status === 429

/** Repeats, as a client does: with the same key at another node, until the outcome is known. */
async function decided({ from, to, lamports, key }: Payment, turn: number, prefer = {}): Promise<Answer<Result>> {
  const itemData = {
    source: { offchainId: from.source.offchainId },
    destination: { onchainId: to.till.onchainId },
    lamports,
  }
  const lastMs = performance.now() + 120_000
  for (let node = turn; ; node += 1) {
    const answer = await client(node, from.apiKey)
      .send<Result & Problems>('POST', PAY, itemData, { headers: { ...once(key), ...prefer } })
      .catch(() => undefined)
    if (answer !== undefined && !isUnsure(answer)) return answer
    if (performance.now() > lastMs) throw new Error(`never: the payment ${key} is decided`)
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
}

async function insist(payment: Payment, turn: number): Promise<void> {
  const { status, body } = await decided(payment, turn, { prefer: 'respond-async' })
  expect([status, body]).toEqual([201, expect.anything()])
}

/** Each pays the other repeatedly, until `isOver`. */
async function paying(isOver: () => boolean): Promise<readonly Payment[]> {
  const payments: Payment[] = []
  const worker = async (number: number): Promise<void> => {
    while (!isOver()) {
      const [from, to] = (payments.length + number) % 2 === 0 ? [acme, beta] : [beta, acme]
      const payment = { from, to, lamports: LAMPORTS + payments.length, key: randomUUID() }
      payments.push(payment)
      await insist(payment, number)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)))
  return payments
}

it('lands each payment once, and leaves both books equal to the chain', async () => {
  let isOver = false
  const payments = paying(() => isOver)
  for (const cell of ['blue', 'main', 'red', 'blue', 'red', 'main', 'blue', 'red']) {
    expect(await moveToCell(service, 'ACME', cell)).not.toBe(cell)
    await new Promise((resolve) => void setTimeout(resolve, 300))
  }
  isOver = true
  const donePayments = await payments
  expect(donePayments.length).toBeGreaterThan(20)
  for (const one of [acme, beta]) {
    const received = donePayments.filter(({ to }) => to === one)
    const sum = received.reduce((lamports, payment) => lamports + payment.lamports, 0)
    const address = new PublicKey(one.till.onchainId)
    await eventually(async () => expect(await chain.connection.getBalance(address, 'confirmed')).toBe(sum))
    // Each payment has its own transaction.
    await eventually(async () => expect((await chain.signatures(one.till.onchainId)).length).toBe(received.length))
    await eventually(() => one.records.accountsEqualChain(one.payer, one.source, one.till), 30_000)
  }
  // Every answer is the outcome, in the present cell of the tenant.
  for (const payment of donePayments.slice(0, 20)) {
    const replay = await decided(payment, 1)
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body.success]).toEqual([
      201,
      'true',
      true,
    ])
  }
})
