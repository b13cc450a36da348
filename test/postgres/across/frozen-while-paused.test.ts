// SYSTEM freezes everything while the node of another cell is paused: the switch is answered once the lease of that
// node is over, and nothing is signed after that, although the node wakes and its clients go on paying.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until as untilFound } from '../../crash/until.ts'
import { Client } from '../../e2e/client.ts'
import type { Ids, Problems, Result, TransactionRecord } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, sql } from '../postgres.ts'
import { divideCells, firstNode, newTenant, untilServed, type Tenant } from '../two-nodes.ts'

const PAY = '/positions/transfer-network-currency'
const PAUSE_MS = 50
/** For what the node was doing when it was paused. */
const AFTER_MS = 3_000

let fixture: ClusterFixture
let nodes: NodeProcess[]
let acme: Tenant
let payer: Ids
let destination: Ids

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  payer = await acme.records.feePayer({ networkCurrencyDebitLimits: [] })
  destination = await acme.records.funded({}, SOL)
  nodes = await divideCells(fixture, node, acme)
  acme.api = new Client(nodes[0]!.url, acme.key)
  await untilServed([acme])
})
afterAll(async () => fixture[Symbol.asyncDispose]())

interface Answered {
  readonly status: number
  readonly code: string | undefined
}

/** Without an answer: undefined. */
async function paid(at: number): Promise<Answered | undefined> {
  const headers = { Prefer: 'respond-async', 'idempotency-key': randomUUID() }
  const item = { source: payer, destination, lamports: 1_000 }
  const config = { feePayer: { onchainId: payer.onchainId } }
  const answer = await new Client(nodes[at]!.url, acme.key)
    .send<Result & Pick<Problems, 'errors'>>('POST', PAY, item, { headers, config })
    .catch(() => undefined)
  if (answer === undefined) return undefined
  const { status, body } = answer
  return { status, code: body.errors?.[0]?.code }
}

async function transactions(): Promise<readonly TransactionRecord[]> {
  const query = () => acme.api.bulk('/transactions/bulk/detailed', { limit: 1_000 }).catch(() => undefined)
  const found = await untilFound(query, 'a node answers')
  return (found as { readonly items: readonly TransactionRecord[] }).items
}

it('is answered when the lease of that node is over, and nothing is signed after the answer', async () => {
  const answers: Answered[] = []
  const over = new AbortController()
  const paying = Promise.all(
    [0, 1, 1].map(async (at) => {
      while (!over.signal.aborted) {
        const answer = await paid(at)
        if (answer !== undefined) answers.push(answer)
        await pause(PAUSE_MS)
      }
    }),
  )
  await until('payments are made', () => answers.filter(({ status }) => status === 201).length > 5)
  const system = new Client(nodes[0]!.url, fixture.apiKey)
  nodes[1]!.signal('SIGSTOP')
  await system.ok(200, 'PATCH', '/admin/freeze', {})
  const frozenAtMs = Date.now()
  const alive = "SELECT id FROM holdfast.node WHERE id = 'b' AND expires_at > now()"
  expect(await sql(addressOf(fixture.postgres), alive)).toEqual([])
  nodes[1]!.signal('SIGCONT')
  await until('payments are refused', () => answers.some(({ code }) => code === 'FROZEN'), 60_000)
  await pause(AFTER_MS)
  over.abort()
  await paying
  const signed = (await transactions()).flatMap(({ history }) => history.filter(({ status }) => status === 'SIGNED'))
  expect(signed.length).toBeGreaterThan(5)
  expect(signed.filter(({ at }) => Date.parse(at) > frozenAtMs)).toEqual([])
  await system.ok(200, 'PATCH', '/admin/unfreeze', {})
  await until('payments are made again', async () => (await paid(0))?.status === 201, 60_000)
})
