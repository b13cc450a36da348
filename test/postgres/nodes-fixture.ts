// Nodes in this process, on a real database: members and ownerships around cells without an engine.
import { randomUUID } from 'node:crypto'
import { startPostgres, type Postgres } from '../../bench/postgres/server.ts'
import { Member } from '../../src/nodes/member.ts'
import { NodeCells } from '../../src/nodes/node-cells.ts'
import { NodeRows, type CellRest } from '../../src/nodes/node-rows.ts'
import type { CellRuntime, CellOwnership } from '../../src/nodes/cell-ownership.ts'
import { systemClock } from '../../src/time/clock.ts'
import { parseAddress } from '../../snapshots/postgres/address.ts'
import { connect, type Connection } from '../../snapshots/postgres/connection.ts'
import { Lane } from '../../snapshots/postgres/lane.ts'
import { settleTables } from '../../snapshots/postgres/schema.ts'

export const LEASE_MS = 1_500
/** Of the statements of the nodes. */
const BOUND_MS = 2_000
/** Of the statements of the test. */
const TEST_BOUND_MS = 30_000

export interface NodesFixture extends AsyncDisposable {
  readonly postgres: Postgres
  readonly rows: NodeRows
  ask(sql: string): Promise<readonly (readonly (string | null)[])[]>
  connection(): Promise<Connection>
  /** A node that has joined and polls; its ownerships open and close nothing. */
  node(id: string, options?: NodeOptions): Promise<FixtureNode>
  /** Removes all nodes and all cells except `main`, and frees that one. */
  clear(): Promise<void>
}

export interface NodeOptions {
  readonly incarnation?: string
  readonly clusters?: readonly string[]
  readonly secretTag?: string
  readonly leaseMs?: number
}

export interface FixtureNode {
  readonly id: string
  readonly member: Member
  readonly cells: NodeCells<CellRuntime>
  /** Of the cell `main`. */
  readonly ownership: CellOwnership
  /** Opened and closed cells, in order; other cells than `main` with their names. */
  readonly actions: string[]
  readonly deaths: Error[]
  /** Idle cells other than `main`, with the result when they are closed. */
  readonly idle: Map<string, CellRest | null>
  /** Ends like a killed process: it renews and polls no more, and its lease stays. */
  vanish(): void
}

/** Waits for the poll of the reader: it does not depend on time. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> {
  const lastMs = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > lastMs) throw new Error(`never: ${what}`)
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
}

export async function openNodesFixture(): Promise<NodesFixture> {
  const postgres = await startPostgres({ settings: [] })
  if (postgres === null) throw new Error('PostgreSQL is not installed')
  const address = parseAddress(
    `postgres://${postgres.user}@localhost/postgres?host=${encodeURIComponent(postgres.dir)}`,
  )
  const connection = (boundMs = TEST_BOUND_MS): Promise<Connection> => connect(address, { boundMs })
  const first = await connection()
  await settleTables(first, address, TEST_BOUND_MS)
  first.destroy()
  const lanes: Lane[] = []
  const laneOf = (boundMs: number): Lane => {
    const lane = new Lane(() => connection(boundMs))
    lanes.push(lane)
    return lane
  }
  const rowsOn = (boundMs = BOUND_MS): NodeRows => new NodeRows(laneOf(boundMs), boundMs)
  const queryLane = laneOf(TEST_BOUND_MS)
  const nodes: FixtureNode[] = []
  const ask: NodesFixture['ask'] = async (sql) => await queryLane.query({ text: sql }, [], TEST_BOUND_MS)
  return {
    postgres,
    rows: rowsOn(TEST_BOUND_MS),
    ask,
    connection: () => connection(),
    async node(id, options) {
      const node = nodeOn({ rows: rowsOn(), looks: rowsOn() }, id, options)
      nodes.push(node)
      await node.member.join(`http://${id}.example`)
      node.member.start()
      return node
    },
    async clear() {
      for (const node of nodes.splice(0)) node.vanish()
      await ask('DELETE FROM holdfast.node')
      await ask("DELETE FROM holdfast.cell WHERE cell <> 'main'")
      await ask("DELETE FROM holdfast.step WHERE cell <> 'main'")
      await ask('UPDATE holdfast.cell SET node = NULL, incarnation = NULL, wanted = NULL')
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) node.vanish()
      for (const lane of lanes) lane.destroy()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

interface Rows {
  readonly rows: NodeRows
  readonly looks: NodeRows
}

function nodeOn(
  { rows, looks }: Rows,
  id: string,
  { incarnation = randomUUID(), clusters, secretTag, leaseMs = LEASE_MS }: NodeOptions = {},
): FixtureNode {
  const actions: string[] = []
  const deaths: Error[] = []
  const idle = new Map<string, CellRest | null>()
  const log = { info: () => undefined, warn: () => undefined }
  const onFatal = (error: Error): void => void deaths.push(error)
  // After the end of a process none of its writes reaches the database.
  let isGone = false
  const whileAlive = (base: NodeRows): NodeRows =>
    new Proxy(base, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown =>
          isGone ? new Promise(() => undefined) : (member as (...all: unknown[]) => unknown).apply(target, args)
      },
    })
  const [mine, looking] = [whileAlive(rows), whileAlive(looks)]
  const common = { rows: mine, leaseMs, clock: systemClock, log }
  const member = new Member({
    ...common,
    pollRows: looking,
    me: { id, incarnation },
    release: '0',
    reads: 1,
    ...(clusters === undefined ? {} : { clusters }),
    ...(secretTag === undefined ? {} : { secretTag }),
    onReplaced: onFatal,
  })
  const cells = new NodeCells<CellRuntime>({
    ...{ ...common, member, onFatal },
    first: 'main',
    hosts: () => true,
    runtimeOf: (cell) => {
      const prefix = cell === 'main' ? '' : `${cell} `
      return {
        open: (epoch) => Promise.resolve(void actions.push(`${prefix}open ${epoch}`)),
        close: () => Promise.resolve(void actions.push(`${prefix}close`)),
        isIdle: () => idle.has(cell),
        closeIdle: () => {
          actions.push(`${prefix}let go`)
          const rest = idle.get(cell) ?? null
          idle.delete(cell)
          return Promise.resolve(rest)
        },
      }
    },
  })
  return {
    id,
    member,
    cells,
    ownership: cells.first.ownership,
    actions,
    deaths,
    idle,
    vanish: () => void (isGone = true),
  }
}
