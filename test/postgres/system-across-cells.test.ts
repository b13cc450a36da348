// SYSTEM acts on tenants of other cells without naming them: on two nodes, each of which owns what the other does not,
// answers, codes and audit entries are the same as for a tenant in the cell of SYSTEM, and a repeated request has one
// effect, in whichever cell its tenant is by then.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { connect, type Connection } from '../../snapshots/postgres/connection.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { Client, once, type Answer, type Method } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import type { Ids, Problems, Result } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf, sql } from './postgres.ts'

interface Party {
  readonly name: string
  readonly api: Client
  readonly records: Records
  readonly account: Ids
  readonly keyId: string
}

const BOUND_MS = 30_000

let fixture: ClusterFixture
let nodes: NodeProcess[]
let service: SharedService
/** In the cells `main`, `red` and `blue`. */
let parties: [home: Party, acme: Party, beta: Party]
const closing: (() => void)[] = []

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '10000' })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: BOUND_MS })
  const lane = database.lane()
  service = { database, rows: new NodeRows(lane, BOUND_MS) }
  closing.push(
    () => lane.destroy(),
    () => database.close(),
  )
  await eventually(async () => expect((await system().get('/whoami')).status).toBe(200))
  parties = [await party('HOME'), await party('ACME'), await party('BETA')]
  for (const cell of ['red', 'blue']) await createCell(service, cell)
  await move('ACME', 'red')
  await move('BETA', 'blue')
  await waitForOwners({ main: 'a', red: 'b', blue: 'b' })
})
afterAll(async () => {
  for (const close of closing) close()
  await fixture[Symbol.asyncDispose]()
})

/** At the node that owns the cell of SYSTEM, or at the other one. */
const system = (node = 0): Client => new Client(nodes[node]!.url, fixture.apiKey)
const ask = (text: string) => sql(addressOf(fixture.postgres), text)

async function move(tenant: string, cell: string): Promise<void> {
  await moveToCell(service, tenant, cell)
  await waitForNodes()
}

async function waitForNodes(): Promise<void> {
  for (const { url } of nodes)
    await until('every node is ready', async () => (await fetch(`${url}/readyz`)).status === 200, 60_000)
}

async function waitForOwners(owners: Readonly<Record<string, string>>): Promise<void> {
  await placeCells(addressOf(fixture.postgres), owners)
  await waitForNodes()
}

async function newKey(organizationExternalId: string, roles: object = { bundle: 'ADMIN' }) {
  const itemData = { organizationExternalId, name: 'test', ...roles }
  return await system().ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', itemData)
}

async function party(name: string): Promise<Party> {
  await system().ok(201, 'POST', '/admin/organizations', { externalId: name, name })
  const { apiKey, keyId } = await newKey(name)
  // Each node accepts requests for every cell.
  const api = new Client(nodes[1]!.url, apiKey)
  const records = new Records(api, new Onchain(fixture.rpcUrl))
  return { name, api, records, keyId, account: await records.account() }
}

interface Row {
  readonly action: string
  readonly outcome: string
  readonly keyId: string
  readonly requestId: string
  readonly resource: object
}

const rowsOf = async (api: Client, requestId: string): Promise<readonly Row[]> =>
  ((await api.bulk('/audit/bulk', {})) as { items: readonly Row[] }).items.filter((row) => row.requestId === requestId)

const FLEETING =
  /^(?:requestId|keyId|apiKey|offchainId|onchainId|at|createdAt|message|detail|sequence|hash|previousHash)$/

/** Without the parts that differ between tenants. */
const plain = (value: unknown, { name }: Party): unknown =>
  JSON.parse(
    JSON.stringify(value, (member, each: unknown) => (FLEETING.test(member) ? typeof each : each)).replaceAll(
      name,
      'T',
    ),
  )

/** The requests of SYSTEM about a tenant, in this order. Several are refused. */
function deedsOn({ name, account, keyId }: Party, other: string): readonly [Method, string, object][] {
  const organizationExternalId = name
  const byId = { account: { offchainId: account.offchainId } }
  const child = `${name}-EU`
  return [
    ['PATCH', '/admin/freeze', byId],
    ['PATCH', '/admin/freeze', byId],
    ['PATCH', '/admin/unfreeze', { account: { onchainId: account.onchainId } }],
    ['PATCH', '/admin/unfreeze', byId],
    ['PATCH', '/admin/freeze', { organizationExternalId }],
    ['PATCH', '/admin/freeze', { organizationExternalId }],
    ['PATCH', '/admin/unfreeze', { organizationExternalId }],
    ['PATCH', '/admin/freeze', { organizationExternalId, ...byId }],
    ['POST', '/admin/organizations', { externalId: child, name: 'Europe', parentExternalId: name }],
    ['POST', '/admin/organizations', { externalId: child, name: 'Europe', parentExternalId: name }],
    ['POST', '/admin/organizations', { externalId: `${child}-1`, name: 'x', parentExternalId: child }],
    ['PATCH', '/admin/organizations', { externalId: name, name: `${name} renamed`, acceptsSigningRequests: true }],
    ['PATCH', '/admin/organizations', { externalId: child, name: ' ' }],
    ['PATCH', '/admin/organizations', { externalId: name, screening: { url: 'http://127.0.0.1:9', secret: 'x' } }],
    ['PATCH', '/admin/organizations', { externalId: name, reviewApproval: { approvers: [keyId] } }],
    ['POST', '/admin/api-keys', { organizationExternalId: child, name: 'k', roles: ['ACCOUNTS_READ'] }],
    ['POST', '/admin/api-keys', { organizationExternalId, name: 'k', roles: ['NONE'] }],
    ['PATCH', '/admin/api-keys/rotate', { keyId, graceSeconds: 3_600 }],
    ['PATCH', '/admin/lanes/suspend', { organizationExternalId }],
    ['PATCH', '/admin/lanes/suspend', { organizationExternalId }],
    ['PATCH', '/admin/lanes/resume', { organizationExternalId }],
    ['PATCH', '/admin/lanes/suspend', byId],
    ['PATCH', '/admin/lanes/resume', byId],
    ['PATCH', '/admin/lanes/resume', byId],
    ['PATCH', '/transactions/attest', { offchainId: account.offchainId, outcome: 'EXPIRED', evidence: 'x' }],
    ['PATCH', '/approval-policies/release', { offchainId: account.offchainId, reason: 'x' }],
    ['PATCH', '/admin/api-keys/disable', { keyId: other }],
    ['PATCH', '/admin/api-keys/disable', { keyId: other }],
  ]
}

describe('SYSTEM', () => {
  it('gets equal answers about a tenant of another cell and one of its own, and both logs have the row', async () => {
    const pages: unknown[][] = []
    for (const [at, one] of parties.entries()) {
      const { keyId: other } = await newKey(one.name, { roles: ['ACCOUNTS_READ'] })
      const answers: unknown[] = []
      for (const [turn, [method, path, itemData]] of deedsOn(one, other).entries()) {
        const requestId = randomUUID()
        const options = { headers: { 'x-request-id': requestId } }
        const { status, body } = await system((at + turn) % 2).send<Problems>(method, path, itemData, options)
        const logs = [await rowsOf(system(), requestId), await rowsOf(one.api, requestId)]
        answers.push([method, path, status, plain(body, one), plain(logs, one)])
      }
      pages.push(answers)
    }
    const [home, ...others] = pages
    expect(home!.map((answer) => (answer as [string, string, number])[2])).toContain(200)
    expect(home!.map((answer) => (answer as [string, string, number])[2])).not.toContain(500)
    for (const other of others) expect(other).toEqual(home)
  })

  it("names at most one organization, which is not in the cell of the request's subject", async () => {
    const itemData = { organizationExternalId: 'BETA' }
    await system().refuses(400, 'OTHER_CELL', 'PATCH', '/admin/freeze', itemData, { organization: 'ACME' })
  })

  /** Records of an address that are frozen, as committed: their owners may show it a moment later. */
  const isFrozen = async (onchainId: string): Promise<unknown> =>
    (
      await ask(`SELECT count(*) FROM holdfast.row WHERE key LIKE 'r!%' AND value LIKE '%${onchainId}%'
        AND value LIKE '%"frozenByOperator":true%'`)
    )[0]![0]

  it('freezes an address in all cells that have a record of it before the answer', async () => {
    const [home, acme, beta] = parties
    for (let turn = 0; turn < 6; turn += 1) {
      const { onchainId } = await acme.records.account()
      // The last record is created a moment after the cell of SYSTEM has looked for others at the address.
      for (const { api } of [home, beta]) await api.ok(201, 'POST', '/accounts', { onchainId })
      await system(turn % 2).ok(200, 'PATCH', '/admin/freeze', { account: { onchainId } })
      expect(await isFrozen(onchainId)).toBe('3')
      await system(turn % 2).ok(200, 'PATCH', '/admin/unfreeze', { account: { onchainId } })
      expect(await isFrozen(onchainId)).toBe('0')
    }
  })

  it('freezes also records of an address that were made since the cell that decides has looked for them', async () => {
    const [, acme, beta] = parties
    const node = await fixture.start('c', { isRemembering: true })
    await waitForOwners({ red: 'c' })
    const { onchainId } = await acme.records.account()
    const turn = (path: string) => system().ok(200, 'PATCH', path, { account: { onchainId } })
    await turn('/admin/freeze')
    expect(await isFrozen(onchainId)).toBe('1')
    await turn('/admin/unfreeze')
    await beta.api.ok(201, 'POST', '/accounts', { onchainId }) // SYSTEM's cell has none, so that of ACME decides
    await turn('/admin/freeze')
    expect(await isFrozen(onchainId)).toBe('2')
    await turn('/admin/unfreeze')
    expect(await isFrozen(onchainId)).toBe('0')
    await waitForOwners({ red: 'b' })
    node.signal('SIGTERM')
    await node.ended
  })
})

describe('SYSTEM, about an account on record in several cells', () => {
  it('suspends and resumes the lane in the cell with its key, for all records', async () => {
    const [home, acme, beta] = parties
    const { onchainId } = await acme.records.account()
    for (const { api } of [home, beta]) await api.ok(201, 'POST', '/accounts', { onchainId })
    for (const node of [0, 1]) {
      const lane = { account: { onchainId } }
      await system(node).ok(200, 'PATCH', '/admin/lanes/suspend', lane)
      await system(node).refuses(400, 'ALREADY_SUSPENDED', 'PATCH', '/admin/lanes/suspend', lane)
      await acme.api.refuses(400, 'ALREADY_SUSPENDED', 'PATCH', '/admin/lanes/suspend', lane)
      await system(node).ok(200, 'PATCH', '/admin/lanes/resume', lane)
      await system(node).refuses(400, 'NOT_SUSPENDED', 'PATCH', '/admin/lanes/resume', lane)
    }
  })
})

describe('a repeated request of SYSTEM', () => {
  const keysOf = async ({ name, api }: Party): Promise<number> => {
    const filters = [{ fieldName: 'name', filterValues: [{ filterType: 'EQUALS', valueString: `again ${name}` }] }]
    return ((await api.bulk('/admin/api-keys/bulk', { filter: filters })) as { count: number }).count
  }
  const make = ({ name }: Party, key: string, node: number): Promise<Answer<{ keyId?: string } & Problems>> => {
    const itemData = { organizationExternalId: name, name: `again ${name}`, roles: ['ACCOUNTS_READ'] }
    return system(node).send('POST', '/admin/api-keys', itemData, { headers: once(key) })
  }

  it('has one effect, although the tenant moves in between', async () => {
    const [, acme] = parties
    let keys = 0
    for (const [first, ...later] of [
      ['red', 'red', 'main', 'blue'],
      ['main', 'red', 'blue', 'main'],
    ] as const) {
      if (keys > 0) await move('ACME', 'main')
      const key = randomUUID()
      const response = await make(acme, key, 0)
      expect([first, response.status, response.headers.get('idempotency-replayed')]).toEqual([first, 201, null])
      keys += 1
      for (const [turn, cell] of later.entries()) {
        const [[now]] = (await ask(`SELECT cell FROM holdfast.tenant WHERE tenant = 'ACME'`)) as [[string]]
        if (now !== cell) await move('ACME', cell)
        const replay = await make(acme, key, turn % 2)
        expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body.keyId]).toEqual([
          201,
          'true',
          response.body.keyId,
        ])
        expect(await keysOf(acme)).toBe(keys)
      }
    }
    await move('ACME', 'red')
  })

  it('has one effect if it arrives before SYSTEM has received the outcome', async () => {
    const [, acme] = parties
    // The cell of SYSTEM accepts no messages meanwhile.
    const lock = await holding(`SELECT 1 FROM holdfast.row WHERE key LIKE 'n!SYSTEM!%' FOR UPDATE`)
    const key = randomUUID()
    const before = await keysOf(acme)
    const first = make(acme, key, 0)
    await until('it took effect', async () => (await keysOf(acme)) === before + 1)
    // Its cell is closed before the answer, and another cell is queried.
    await moveToCell(service, 'ACME', 'blue')
    expect((await first).status).toBeGreaterThanOrEqual(500)
    const others = [make(acme, key, 0), make(acme, key, 1)]
    await new Promise((resolve) => void setTimeout(resolve, 500))
    await lock.release()
    const answers = await Promise.all(others)
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [201, 'true'],
      [201, 'true'],
    ])
    expect(new Set(answers.map(({ body }) => body.keyId)).size).toBe(1)
    expect(await keysOf(acme)).toBe(before + 1)
    await move('ACME', 'red')
  })

  it('has one effect, also if its answer shows a transaction that has moved to another cell', async () => {
    const [home] = parties
    const source = await home.records.feePayer()
    const destination = await home.records.funded()
    process.kill(fixture.chainPid, 'SIGSTOP')
    const payItem = { source, destination, lamports: 1_000 }
    const headers = { ...once(randomUUID()), Prefer: 'respond-async' }
    const payment = await eventually(() =>
      home.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', payItem, { headers }),
    )
    const itemData = { offchainId: payment.offchainId, outcome: 'FINALIZED', evidence: 'x' }
    const options = { headers: once(randomUUID()) }
    const attest = (): Promise<Answer<Result>> =>
      system().send<Result>('PATCH', '/transactions/attest', itemData, options)
    const first = await attest()
    process.kill(fixture.chainPid, 'SIGCONT')
    expect([first.status, JSON.stringify(first.body)]).toEqual([200, expect.stringContaining(payment.offchainId)])
    const hasEnded = async (): Promise<boolean> =>
      (await home.api.read<Result>('/transactions/single', { offchainId: payment.offchainId })).status === 'FINALIZED'
    await until('it has ended', hasEnded, 60_000)
    for (const cell of ['red', 'blue', 'main']) {
      await move('HOME', cell)
      const replay = await attest()
      expect([cell, replay.status, replay.headers.get('idempotency-replayed')]).toEqual([cell, 200, 'true'])
      expect(replay.body).toMatchObject({ offchainId: payment.offchainId, status: 'FINALIZED' })
    }
  })

  it('owns its idempotency key: with any other request, in any cell, the key is refused', async () => {
    const [home, acme, beta] = parties
    const key = randomUUID()
    expect((await make(acme, key, 1)).status).toBe(201)
    for (const one of [beta, home]) {
      const { status, body } = await make(one, key, 0)
      expect([status, body.errors?.[0]?.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED'])
    }
    const byOther = randomUUID()
    expect((await make(home, byOther, 1)).status).toBe(201)
    expect((await make(acme, byOther, 1)).body.errors?.[0]?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('waits, like the first one, until the other cells obey its switch', async () => {
    const options = { headers: once(randomUUID()) }
    const freeze = (): Promise<Answer<Problems>> => system(1).send('PATCH', '/admin/freeze', {}, options)
    // No cell reports that it has applied it.
    const lock = await holding(`SELECT 1 FROM holdfast.row WHERE key LIKE 's!heard!%' FOR UPDATE`)
    const first = freeze().catch(() => undefined)
    const storedQuery = `SELECT count(*) FROM holdfast.row WHERE key LIKE 'i!SYSTEM!%' AND value LIKE '%"everything":true%'`
    await until('it is stored', async () => (await ask(storedQuery))[0]![0] === '1')
    await waitForOwners({ main: 'b' })
    await first
    let isAnswered = false
    const replay = freeze().finally(() => (isAnswered = true))
    await new Promise((resolve) => void setTimeout(resolve, 1_500))
    expect(isAnswered).toBe(false)
    await lock.release()
    expect((await replay).status).toBe(200)
    await system().ok(200, 'PATCH', '/admin/unfreeze', {})
    await waitForOwners({ main: 'a' })
  })
})

it('an event stream of SYSTEM ends when the cell of its tenant is handed over, and not when that of SYSTEM is', async () => {
  const [, acme] = parties
  const before = await follow(1, acme.name)
  await waitForOwners({ red: 'a' })
  await until('the stream ends', before.hasEnded, 30_000)
  const after = await follow(0, acme.name)
  await waitForOwners({ main: 'b' })
  const { offchainId } = await acme.records.account()
  await until('the stream shows the account', () => after.text().includes(offchainId))
  after.close()
  await waitForOwners({ main: 'a', red: 'b' })
})

/** The event stream of a tenant, with the key of SYSTEM. */
async function follow(node: number, tenant: string) {
  const ending = new AbortController()
  const path = `/api/v1/events/stream?overrideOrganizationExternalId=${tenant}`
  const headers = { authorization: `Bearer ${fixture.apiKey}` }
  const response = await fetch(nodes[node]!.url + path, { headers, signal: ending.signal })
  expect(response.status).toBe(200)
  let text = ''
  let hasEnded = false
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
    hasEnded = true
  }
  read().catch(() => undefined)
  return { hasEnded: () => hasEnded, text: () => text, close: () => ending.abort() }
}

/** Locks rows until it is released. */
async function holding(query: string): Promise<{ readonly release: () => Promise<void> }> {
  const connection: Connection = await connect(addressOf(fixture.postgres), { boundMs: BOUND_MS })
  await connection.script('BEGIN', BOUND_MS)
  await connection.query({ text: query }, [], BOUND_MS)
  return {
    async release() {
      await connection.script('ROLLBACK', BOUND_MS)
      connection.destroy()
    },
  }
}
