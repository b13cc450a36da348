// Statements of several cells of one process to a real PostgreSQL that are combined. Each cell gets the same as alone:
// its rows, its commit once, or its own error, whatever happens to the others.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { OutcomeUnknown, StaleEpoch } from '../../snapshots/errors.ts'
import type { PostgresAddress } from '../../snapshots/postgres/address.ts'
import { CellsTogether } from '../../snapshots/postgres/cells-together.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { LostHistory, StatementRefused } from '../../snapshots/postgres/errors.ts'
import { OpenNames } from '../../snapshots/postgres/open-names.ts'
import { prepareDatabase, type PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { StoreOp } from '../../snapshots/store.ts'
import { CLUSTER, envelope } from '../snapshots/units.ts'
import { emptyCells } from './empty-cells.ts'
import { addressOf, claimedStore, faultyProxy, ownPostgres, sql } from './postgres.ts'

const CELLS = ['main', 'red', 'blue']
const COMMITS = /^holdfast-commit(-names)?$/
/** Longer than any statement takes that nothing holds up, on any machine. */
const UNHURRIED_MS = 120_000
/** As a process that waits for a statement that does not come, but sooner. */
const HURRIED = { boundMs: 500, patienceMs: 200 }
const TOGETHER = /^holdfast-commit(-names)?-together$/

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => emptyCells(addressOf(postgres), CELLS.slice(1)))

interface Opened {
  readonly store: PostgresStore
  readonly tenant: string
  /** The error that ended the cell. */
  readonly failed: Error[]
}

interface OpenedProcess {
  readonly cells: readonly Opened[]
  /** The number of sent statements of this name. */
  readonly sent: (name: RegExp) => number
}

interface ProcessOptions {
  /** At which the process queries for its cells together. */
  readonly address?: PostgresAddress
  /** How long it waits for an answer to all. */
  readonly boundMs?: number
  /** How long a cell waits for a statement of others. */
  readonly patienceMs?: number
  /** The server continues a statement whose connection was given up, as one on another system than Linux does. */
  readonly continuesAbandoned?: boolean
}

/** Three cells of one process. Unless a test sets its times, it waits for an answer however slow the machine is. */
async function openProcess({
  address = addressOf(postgres),
  boundMs = UNHURRIED_MS,
  patienceMs = UNHURRIED_MS,
  continuesAbandoned = false,
}: ProcessOptions = {}): Promise<OpenedProcess> {
  const names: string[] = []
  const counting: typeof connect = async (...asked) => {
    const connection = await connect(...asked)
    if (continuesAbandoned) await connection.script('SET client_connection_check_interval = 0', 30_000)
    return new Proxy(connection, {
      get(target, property) {
        if (property === 'query')
          return (...query: Parameters<typeof target.query>) => {
            names.push(query[0].name ?? '')
            return target.query(...query)
          }
        const value: unknown = Reflect.get(target, property, target)
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value
      },
    })
  }
  const { database } = await prepareDatabase({ address, boundMs, waitMs: 30_000, connect: counting })
  const together = new CellsTogether(database, { patienceMs })
  const open = { names: new OpenNames(), together, all: () => new Set(CELLS) }
  const cells: Opened[] = []
  for (const cell of CELLS) {
    const failures: Error[] = []
    const onFatal = (error: Error): unknown => failures.push(error)
    const options = { cell, openCells: open, connect: counting, hasNeighbours: () => true }
    const store = await claimedStore(addressOf(postgres), { ...options, onFatal })
    cells.push({ store, tenant: `T-${cell}`, failed: failures })
  }
  // The first rows of the tenants.
  for (const cell of cells) await commit(cell, 'first')
  onTestFinished(async () => {
    for (const { store } of cells) await store.close().catch(() => undefined)
    together.close()
    database.close()
  })
  names.length = 0
  return { cells, sent: (name) => names.filter((each) => name.test(each)).length }
}

const rowsOf = (tenant: string, id: string): StoreOp[] => [
  { type: 'record', envelope: envelope(id, { tenant }) },
  { type: 'name', tenant, cluster: CLUSTER, id, name: `name ${id} ${tenant}`, held: true },
]
const commit = ({ store, tenant }: Opened, id: string, more: readonly StoreOp[] = []): Promise<void> =>
  store.commit([{ tenant, epoch: store.epoch, ops: [...rowsOf(tenant, id), ...more] }])
const messageOp = (tenant: string, hash: string): StoreOp & { readonly type: 'message' } => ({
  ...{ type: 'message', cluster: CLUSTER, hash, tenant },
  transactionId: `of ${tenant}`,
})
/** The store must know that no tenant has the message. */
const askFor = ({ store }: Opened, hash: string): Promise<void> =>
  store.fetch([{ read: 'message', cluster: CLUSTER, hash }])

const count = async (where: string): Promise<number> => {
  const [row] = await sql(addressOf(postgres), `SELECT count(*) FROM holdfast.${where}`)
  return Number(row?.[0])
}
/** Tenants whose rows of this id are durable. */
async function tenantsWith(id: string): Promise<readonly string[]> {
  const rows = await sql(addressOf(postgres), `SELECT key FROM holdfast.row WHERE key LIKE 'r!%!${id}' ORDER BY key`)
  return rows.map(([key]) => key!.split('!')[1]!)
}
const ALL = ['T-blue', 'T-main', 'T-red']

async function outcomesOf(...commits: readonly Promise<void>[]): Promise<readonly (Error | null)[]> {
  const outcomes = await Promise.allSettled(commits)
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? null : (outcome.reason as Error)))
}

/** Rows of this id without the number of the last commit of their cell. */
const misnumbered = (id: string): Promise<unknown> =>
  sql(
    addressOf(postgres),
    `SELECT r.key FROM holdfast.row AS r JOIN holdfast.tenant AS t ON r.key LIKE 'r!' || t.tenant || '!%!${id}'
WHERE r.head <> (SELECT max(head) FROM holdfast.step AS s WHERE s.cell = t.cell)`,
  )

it('commits what several cells write at the same time in one statement', async () => {
  const { cells, sent } = await openProcess()
  // No two cells have the same number of commits.
  for (const [at, cell] of cells.entries()) for (let more = 0; more < at; more += 1) await commit(cell, 'more')
  const alone = sent(TOGETHER)
  const before = await count("step WHERE cell = 'red'")
  await Promise.all(cells.map((cell) => commit(cell, 'one')))
  expect(await tenantsWith('one')).toEqual(ALL)
  expect(await count("name WHERE key LIKE 'name%one%' AND held")).toBe(3)
  expect([sent(TOGETHER) - alone, sent(COMMITS)]).toEqual([1, 0])
  expect(await count("step WHERE cell = 'red'")).toBe(before + 1)
  expect(await misnumbered('one')).toEqual([])

  const many = Array.from({ length: 40 }, (_, at) => `many${String(at)}`)
  await Promise.all(many.flatMap((id) => cells.map((cell) => commit(cell, id))))
  for (const id of many) expect(await tenantsWith(id)).toEqual(ALL)
  expect(sent(COMMITS)).toBe(0)
})

it('refuses the commit of a cell that another process has claimed, and no other', async () => {
  const { cells, sent } = await openProcess()
  const [main, red, blue] = cells as [Opened, Opened, Opened]
  const next = await claimedStore(addressOf(postgres), { cell: 'red', onFatal: () => undefined })
  const outcomes = await outcomesOf(...cells.map((cell) => commit(cell, 'late')))
  expect(outcomes).toEqual([null, expect.any(StaleEpoch), null])
  expect([main.failed, blue.failed]).toEqual([[], []])
  expect(red.failed).toEqual([expect.any(StaleEpoch)])
  expect(await tenantsWith('late')).toEqual(['T-blue', 'T-main'])
  expect([sent(TOGETHER), sent(COMMITS)]).toEqual([1, 1])
  await next.close()
})

it('tells a cell whose history is lost from the others', async () => {
  const { cells } = await openProcess()
  await sql(addressOf(postgres), "DELETE FROM holdfast.step WHERE cell = 'blue' AND head > 0")
  const outcomes = await outcomesOf(...cells.map((cell) => commit(cell, 'after')))
  expect(outcomes).toEqual([null, null, expect.any(OutcomeUnknown)])
  expect(outcomes[2]?.cause).toBeInstanceOf(LostHistory)
  expect(await tenantsWith('after')).toEqual(['T-main', 'T-red'])
})

it('lets nobody claim any cell once the database has lost commits of one', async () => {
  const { cells } = await openProcess()
  const address = addressOf(postgres)
  const claim = (cell: string) => claimedStore(address, { cell, onFatal: () => undefined })
  await sql(address, "DELETE FROM holdfast.step WHERE cell IN ('red', 'blue') AND head > 0")
  const [lost] = await outcomesOf(commit(cells[2]!, 'after'))
  expect(lost?.cause).toBeInstanceOf(LostHistory)
  // Nobody has written to this one since, so that only the mark tells its next owner.
  await expect(claim('red')).rejects.toThrow(/has lost commits.*: those of the cell blue are lost: its last commit is/)
  await expect(claim('blue')).rejects.toThrow('its last commit is 0, and was 1')
  expect(await count('cell WHERE lost_history IS NULL')).toBe(0)
  await sql(address, 'UPDATE holdfast.cell SET lost_history = NULL')
  await (await claim('red')).close()
})

it('lets only the cell fail that writes a message of another transaction, or a tenant of another cell', async () => {
  const { cells } = await openProcess()
  const [main, red, blue] = cells as [Opened, Opened, Opened]
  await Promise.all([main, red].map((cell) => askFor(cell, 'hash')))
  await commit(main, 'sent', [messageOp(main.tenant, 'hash')])
  const outcomes = await outcomesOf(commit(main, 'more'), commit(red, 'more', [messageOp(red.tenant, 'hash')]))
  expect(outcomes).toEqual([null, expect.any(OutcomeUnknown)])
  expect(outcomes[1]?.cause).toBeInstanceOf(StatementRefused)
  expect(await tenantsWith('more')).toEqual(['T-main'])

  const foreign = outcomesOf(commit(main, 'again'), commit({ ...blue, tenant: red.tenant }, 'again'))
  expect(await foreign).toEqual([null, expect.any(OutcomeUnknown)])
  expect(await tenantsWith('again')).toEqual(['T-main'])
})

it('lets one of two cells fail that write the same message at the same time', async () => {
  const { cells } = await openProcess()
  await Promise.all(cells.map((cell) => askFor(cell, 'both')))
  const [main, ...others] = cells as [Opened, Opened, Opened]
  const outcomes = await outcomesOf(
    commit(main, 'same'),
    ...others.map((cell) => commit(cell, 'same', [messageOp(cell.tenant, 'both')])),
  )
  expect(outcomes[0]).toBeNull()
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(2)
  expect(await count("row WHERE key LIKE 'h!%both'")).toBe(1)
})

it('applies each commit once when the answer to all does not come', async () => {
  await using proxy = await faultyProxy(addressOf(postgres))
  const { cells, sent } = await openProcess({ address: proxy.address, ...HURRIED })
  await Promise.all(cells.map((cell) => commit(cell, 'before')))
  const [steps, alone] = [await count('step'), sent(COMMITS)]
  const retries = cells.map(({ store }) => ({ ...store.retries() }))
  proxy.swallow = true
  const committed = Promise.all(cells.map((cell) => commit(cell, 'swallowed')))
  await expect.poll(() => tenantsWith('swallowed'), { timeout: UNHURRIED_MS }).toEqual(ALL)
  await committed
  expect(await count('step')).toBe(steps + 3)
  expect(sent(COMMITS)).toBe(alone + 3)
  for (const [at, { store, failed }] of cells.entries()) {
    const { askedAgain, foundApplied } = retries[at]!
    expect(store.retries()).toMatchObject({ askedAgain: askedAgain + 1, foundApplied: foundApplied + 1 })
    expect(failed).toEqual([])
  }
  proxy.swallow = false
  await Promise.all(cells.map((cell) => commit(cell, 'after')))
  expect(await tenantsWith('after')).toEqual(ALL)
})

it('applies nothing of a copy that arrives when each cell has committed by itself', async () => {
  await using proxy = await faultyProxy(addressOf(postgres))
  const { cells, sent } = await openProcess({ address: proxy.address, ...HURRIED })
  await Promise.all(cells.map((cell) => commit(cell, 'before')))
  const [steps, together, alone] = [await count('step'), sent(TOGETHER), sent(COMMITS)]
  proxy.delayMs = 2_000
  await Promise.all(cells.map((cell) => commit(cell, 'delayed')))
  expect([sent(TOGETHER), sent(COMMITS)]).toEqual([together + 1, alone + 3])
  const rows = (): Promise<unknown> =>
    sql(addressOf(postgres), 'SELECT key, value, head FROM holdfast.row ORDER BY key')
  const before = await rows()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(await rows()).toEqual(before)
  expect(await count('step')).toBe(steps + 3)
})

/** Statements that wait for a lock. */
const waiting = async (): Promise<number> => {
  const query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  return Number((await sql(addressOf(postgres), query))[0]?.[0])
}

/** Makes the next commit of the cell while another transaction inserts its step, which is committed first. */
async function withTakenHead(cell: string, commitLate: () => Promise<readonly (Error | null)[]>) {
  const holder = await connect(addressOf(postgres), { boundMs: 30_000 })
  const next = `INSERT INTO holdfast.step SELECT cell, max(head) + 1, gen_random_uuid() FROM holdfast.step
WHERE cell = '${cell}' GROUP BY cell`
  await holder.script(`BEGIN; ${next}`, 30_000)
  const outcomes = commitLate()
  await expect.poll(waiting, { timeout: UNHURRIED_MS }).toBe(1)
  await holder.script('COMMIT', 30_000)
  holder.destroy()
  return await outcomes
}

it('writes nothing of a commit whose head another statement takes meanwhile, among others and alone', async () => {
  const { cells } = await openProcess()
  const [main, red] = cells as [Opened, Opened]
  const outcomes = await withTakenHead('red', () => outcomesOf(commit(main, 'late'), commit(red, 'late')))
  expect(outcomes).toEqual([null, expect.any(OutcomeUnknown)])
  expect(outcomes[1]?.cause).toBeInstanceOf(LostHistory)
  expect(await tenantsWith('late')).toEqual(['T-main'])

  await sql(addressOf(postgres), 'UPDATE holdfast.cell SET lost_history = NULL')
  const alone = { ...main, store: await claimedStore(addressOf(postgres), { onFatal: () => undefined }) }
  const [last] = await withTakenHead('main', () => outcomesOf(commit(alone, 'last')))
  expect(last?.cause).toBeInstanceOf(LostHistory)
  expect(await tenantsWith('last')).toEqual([])
  await alone.store.close()
})

it('waits neither for the lock of a cell nor behind a statement that takes long', async () => {
  const { cells, sent } = await openProcess({ patienceMs: 2_000 })
  const [main, red, blue] = cells as [Opened, Opened, Opened]
  const holder = await connect(addressOf(postgres), { boundMs: 30_000 })
  await holder.script("BEGIN; SELECT 1 FROM holdfast.cell WHERE cell = 'red' FOR UPDATE", 30_000)
  let isRedDone = false
  const lockedCommit = commit(red, 'locked').then(() => (isRedDone = true))
  await Promise.all([commit(main, 'free'), commit(blue, 'free')])
  expect(await tenantsWith('free')).toEqual(['T-blue', 'T-main'])
  expect(isRedDone).toBe(false)
  // Only the locked cell commits by itself, and waits.
  expect([sent(TOGETHER), sent(COMMITS)]).toEqual([1, 1])
  await holder.script('ROLLBACK', 30_000)
  await lockedCommit

  // A row of one cell: the statement with both commits waits, and a later one of another cell does not.
  const key = (await sql(addressOf(postgres), "SELECT key FROM holdfast.row WHERE key LIKE 'r!T-red!%!first'"))[0]![0]!
  await holder.script(`BEGIN; SELECT 1 FROM holdfast.row WHERE key = '${key}' FOR UPDATE`, 30_000)
  const stuck = Promise.all([commit(red, 'first'), commit(main, 'stuck')])
  await expect.poll(waiting, { timeout: UNHURRIED_MS }).toBeGreaterThan(0)
  await commit(blue, 'past')
  expect(await tenantsWith('past')).toEqual(['T-blue'])
  expect(await tenantsWith('stuck')).toEqual([])
  await holder.script('ROLLBACK', 30_000)
  await stuck
  holder.destroy()
})

/** Planner settings for the joins of new connections, in this test. */
async function planWith(settings: readonly string[]): Promise<void> {
  const set = (change: string): Promise<unknown> => sql(addressOf(postgres), `ALTER ROLE ${postgres.user} ${change}`)
  for (const setting of settings) await set(`SET ${setting}`)
  onTestFinished(() => set('RESET ALL').then(() => undefined))
}

it.each([
  ['as they are planned', []],
  // A join then begins to write before it has read all cells.
  ['row by row', ['enable_hashjoin = off', 'enable_mergejoin = off']],
])('lets no cell go past a statement that waits for a row of another cell, with joins %s', async (_, settings) => {
  await planWith(settings)
  const { cells } = await openProcess({ ...HURRIED, continuesAbandoned: true })
  const [main, red, blue] = cells as [Opened, Opened, Opened]
  const key = (await sql(addressOf(postgres), "SELECT key FROM holdfast.row WHERE key LIKE 'r!T-red!%!first'"))[0]![0]!
  const holder = await connect(addressOf(postgres), { boundMs: 30_000 })
  await holder.script(`BEGIN; SELECT 1 FROM holdfast.row WHERE key = '${key}' FOR UPDATE`, 30_000)
  const steps = await count('step')
  const commits = Promise.all([commit(red, 'first'), commit(main, 'held'), commit(blue, 'held')])
  await new Promise((resolve) => setTimeout(resolve, 4 * HURRIED.boundMs))
  expect(await tenantsWith('held')).toEqual([])
  await holder.script('ROLLBACK', 30_000)
  await commits
  expect(await tenantsWith('held')).toEqual(['T-blue', 'T-main'])
  expect(await count('step')).toBe(steps + 3)
  holder.destroy()
})

const scopeOf = (tenant: string, n: number): string => `scope ${String(n)} of ${tenant}`
const keysOf = ({ tenant }: Opened, n: number) =>
  [{ read: 'idempotency', tenant, cluster: CLUSTER, scope: scopeOf(tenant, n) }] as const
/** Throws while it is not fetched. */
const outcomeOf = ({ store, tenant }: Opened, n: number): unknown =>
  store.idempotency(tenant, CLUSTER, scopeOf(tenant, n))

async function withOutcomes(cells: readonly Opened[], most: number): Promise<void> {
  for (const cell of cells) {
    const { tenant } = cell
    const numbers = Array.from({ length: most }, (_, n) => n)
    const rows = numbers.map((n): StoreOp => ({
      ...{ type: 'idempotency', tenant, cluster: CLUSTER },
      ...{ scope: scopeOf(tenant, n), row: `${String(n)} ${tenant}` },
    }))
    await commit(cell, 'outcomes', rows)
    await cell.store.claim()
  }
}

it('reads what several cells lack at the same time in one statement, and gives each its own', async () => {
  const { cells, sent } = await openProcess()
  await withOutcomes(cells, 20)
  const before = sent(/rows$/)
  await Promise.all(cells.flatMap((cell) => [cell.store.fetch(keysOf(cell, 0)), cell.store.fetch(keysOf(cell, 99))]))
  for (const cell of cells) expect([outcomeOf(cell, 0), outcomeOf(cell, 99)]).toEqual([`0 ${cell.tenant}`, undefined])
  expect(sent(/rows$/)).toBe(before + 1)
  // While a statement is under way, the next one waits for it.
  const fetches = Array.from({ length: 19 }, (_, n) => cells.map((cell) => cell.store.fetch(keysOf(cell, n + 1))))
  await Promise.all(fetches.flat())
  for (const cell of cells)
    for (let n = 1; n < 20; n += 1) expect(outcomeOf(cell, n)).toBe(`${String(n)} ${cell.tenant}`)
  expect(sent(/rows$/)).toBeLessThanOrEqual(before + 4)
})

it('reads for each cell by itself when the answer to all does not come', async () => {
  await using proxy = await faultyProxy(addressOf(postgres))
  const { cells } = await openProcess({ address: proxy.address, ...HURRIED })
  await withOutcomes(cells, 3)
  proxy.swallow = true
  await Promise.all(cells.map((cell) => cell.store.fetch(keysOf(cell, 1))))
  for (const cell of cells) expect(outcomeOf(cell, 1)).toBe(`1 ${cell.tenant}`)
  // A later cell does not wait for the unanswered statement.
  const fetches = cells.map((cell) => cell.store.fetch(keysOf(cell, 2)))
  proxy.reset()
  await Promise.all(fetches)
  for (const cell of cells) expect(outcomeOf(cell, 2)).toBe(`2 ${cell.tenant}`)
})
