// The simulated database: performs the statements of the service as PostgreSQL does. A commit takes time, and holds a
// share lock on the row of the cell meanwhile; a statement that changes the row waits for it.
import type { ResultRow, Statement, Value } from '../../../snapshots/postgres/connection.ts'
import type { Time } from '../time.ts'
import { RowLock } from './locks.ts'
import { conditionsOf, raisesEpoch, type ReadKind, type WriteKind } from './statements.ts'
import { Tables, type CellState, type NodeRow, type RowsView } from './tables.ts'

export interface AppliedCommit {
  readonly epoch: number
  /** Of the cell, at this moment. */
  readonly cellEpoch: number
  readonly head: number
  readonly id: string
  readonly keys: readonly (string | null)[]
  readonly values: readonly (string | null)[]
}

/** A commit may wait for the standby until a claim waits for the commit, and so much longer. */
export type Duration = number | { readonly afterClaimMs: number }

interface Asked {
  readonly text: string
  readonly values: readonly Value[]
  readonly took: Duration
  readonly done: (rows: ResultRow[]) => void
}

const KEPT_IN_CRASH = 0.5
/** No claim has come: the standby answers at last. */
const LONGEST_HELD_MS = 20_000

export class SimulatedDatabase {
  readonly tables = new Tables()
  isUp = true
  /** Changes at each start: what ran before is gone. */
  generation = 0
  readonly #time: Time
  #startedMs = -Infinity
  #lock = new RowLock()
  /** Heads being inserted, and what waits for the end of that. */
  #inserting = new Map<number, (() => void)[]>()
  /** What is being committed, to be applied or not when the server is killed. */
  readonly #underWay = new Set<() => void>()
  readonly #applied: ((commit: AppliedCommit) => void)[] = []
  readonly #fenced: (() => void)[] = []
  readonly #lost: ((detail: string) => void)[] = []
  #onClaimBegun: (() => void)[] = []
  #onNextClaim: (() => void)[] = []

  constructor(time: Time) {
    this.#time = time
  }

  /** Listeners are called when a commit of an earlier owner is refused. */
  onFenced(listener: () => void): void {
    this.#fenced.push(listener)
  }

  onApplied(listener: (commit: AppliedCommit) => void): void {
    this.#applied.push(listener)
  }

  /** A node says that commits are lost. */
  onLost(listener: (detail: string) => void): void {
    this.#lost.push(listener)
  }

  /** Calls it when the next claim begins; it may have to wait then. */
  onClaimBegun(listener: () => void): void {
    this.#onClaimBegun.push(listener)
  }

  /** Calls it when a claim has been performed. */
  onNextClaim(listener: () => void): void {
    this.#onNextClaim.push(listener)
  }

  /** Killed: a commit under way is there afterwards, or is not. */
  crash(chance: (probability: number) => boolean): void {
    for (const apply of this.#underWay) if (chance(KEPT_IN_CRASH)) apply()
    this.#underWay.clear()
    this.isUp = false
    this.generation += 1
  }

  restart(): void {
    this.isUp = true
    this.#startedMs = this.#time.elapsedMs
    this.#lock = new RowLock()
    this.#inserting = new Map()
  }

  /** The node to which the cell is wanted. */
  want(node: string): void {
    this.#change({
      ...{ text: '', values: [], took: 1, done: () => undefined },
      changed: () => ({ ...this.tables.cell, wanted: node }),
    })
  }

  drain(id: string): void {
    const row = this.tables.nodes.get(id)
    if (row !== undefined) this.tables.nodes.set(id, { ...row, draining: true })
  }

  /** @param rows of the snapshot of the transaction */
  read(kind: ReadKind, values: readonly Value[], rows: RowsView): ResultRow[] {
    const text = (at: number): string => String(values[at])
    switch (kind) {
      case 'rows':
        return keysOf(values[0]).flatMap((key): ResultRow[] => {
          const value = rows.get(key ?? '')
          return value === null ? [] : [[key, value]]
        })
      case 'between':
      case 'after':
        return rows.between(text(0), kind === 'after', text(1), Number(values[2]))
      case 'last':
        return rows.last(text(0), text(1))
      case 'value': {
        const value = rows.get(text(0))
        return value === null ? [] : [[value]]
      }
      case 'tenants':
        return rows
          .between('f!', false, 'f"', Infinity)
          .flatMap(([key, value]) => (value === null ? [] : [[key!.slice('f!'.length)]]))
      case 'nameless':
        // Every tenant was written with its names.
        return []
      case 'one':
        return [['1']]
      case 'head':
        return [[String(this.tables.head), this.#stepAt(this.tables.head)]]
      case 'outcome': {
        const at = Number(values[1])
        const [earliest = this.tables.head] = this.tables.steps.keys()
        const numbers = [this.tables.cell.epoch, this.tables.head, earliest].map(String)
        return [[this.#stepAt(at), ...numbers, this.#stepAt(at - 1)]]
      }
      case 'nodes':
        return this.#live().map((row) => [
          ...[row.id, row.incarnation, row.url, row.release, String(row.draining)],
          this.#leftMs(row),
        ])
      case 'cells':
        return [this.#cellRow()]
    }
  }

  /** `done` is called when it is committed, or found nothing to do. */
  write(kind: WriteKind, { text }: Statement, values: readonly Value[], took: Duration, done: Asked['done']): void {
    const asked = { text, values, took, done }
    switch (kind) {
      case 'commit':
        this.#commit(asked)
        return
      case 'claim':
        this.#claim(asked)
        return
      case 'handOver':
        this.#handOver(asked)
        return
      case 'lost':
        for (const each of this.#lost) each(String(values[1]))
        this.#change({ ...asked, changed: () => ({ ...this.tables.cell, lostHistory: String(values[1]) }) })
        return
      case 'confirm':
        // The server has no standby.
        done(this.#stepAt(Number(values[1])) === String(values[2]) ? [['1']] : [])
        return
      case 'settle':
        this.#settle(values)
        done([])
        return
      case 'prune':
      case 'removeNames':
      case 'remove':
        this.#tidy(kind, values)
        done([])
        return
      default:
        done(this.#node(kind, values))
    }
  }

  #commit({ text, values, took, done }: Asked): void {
    const [, epoch, head, id] = [values[0], Number(values[1]), Number(values[2]), String(values[3])]
    const { isFenced, isChained } = conditionsOf(text)
    // Of the snapshot that the statement began with: waiting for the lock does not renew it.
    const headSeen = this.tables.head
    const refuse = (): void => {
      this.#lock.release()
      done([])
    }
    const insert = (): void => {
      const same = this.#inserting.get(head)
      if (same !== undefined) {
        same.push(insert)
        return
      }
      if (this.tables.steps.has(head)) {
        refuse()
        return
      }
      const waiters: (() => void)[] = []
      this.#inserting.set(head, waiters)
      const apply = (): void => this.#apply({ epoch, head, id, keys: keysOf(values[4]), values: keysOf(values[5]) })
      this.#after(took, apply, () => {
        this.#inserting.delete(head)
        this.#lock.release()
        for (const each of waiters) each()
        // Names are counted and not kept: there is one cell.
        done([[String(keysOf(values[4]).length + keysOf(values[8]).length)]])
      })
    }
    this.#lock.share(() => {
      const owns = (!isFenced || this.tables.cell.epoch === epoch) && (!isChained || headSeen === head - 1)
      if (isFenced && this.tables.cell.epoch !== epoch) for (const each of this.#fenced) each()
      if (owns) insert()
      else refuse()
    })
  }

  #apply(commit: Omit<AppliedCommit, 'cellEpoch'>): void {
    const { tables } = this
    tables.put(commit.keys, commit.values)
    tables.steps.set(commit.head, commit.id)
    tables.head = Math.max(tables.head, commit.head)
    for (const each of this.#applied) each({ ...commit, cellEpoch: tables.cell.epoch })
  }

  #claim(asked: Asked): void {
    const [, id, incarnation, maySeizeExpired, leaseMs, seen = null] = asked.values
    // `now()` and other tables are as they were when the statement began; the row of the cell is as the lock finds it.
    const nowMs = this.#time.elapsedMs
    const nodes = new Map(this.tables.nodes)
    const lives = (node: string | null, of: string | null): boolean => {
      const row = nodes.get(node ?? '')
      return row?.incarnation === of && row.expiresAtMs >= nowMs
    }
    const changeCell = (): CellState | null => {
      const { cell } = this.tables
      const isFree =
        cell.node === null ||
        (cell.node === id && cell.incarnation !== incarnation) ||
        (maySeizeExpired === 'true' && this.#startedMs + Number(leaseMs) < nowMs && !lives(cell.node, cell.incarnation))
      if (!isFree || cell.lostHistory !== null || !lives(String(id), String(incarnation))) return null
      if (seen !== null && cell.epoch !== Number(seen)) return null
      const epoch = cell.epoch + (raisesEpoch(asked.text) ? 1 : 0)
      return { ...cell, epoch, node: String(id), incarnation: String(incarnation), wanted: null }
    }
    const done = (rows: ResultRow[]): void => {
      asked.done(rows)
      if (rows.length > 0) for (const each of this.#onNextClaim.splice(0)) each()
    }
    this.#change({ ...asked, done, changed: changeCell })
    for (const each of this.#onClaimBegun.splice(0)) each()
  }

  #handOver(asked: Asked): void {
    const [, id, incarnation, to, under = null] = asked.values
    const live = this.#live().find((row) => row.id === to)
    const changeCell = (): CellState | null => {
      const { cell } = this.tables
      if (cell.node !== id || cell.incarnation !== incarnation) return null
      if (under !== null && cell.epoch !== Number(under)) return null
      const target = cell.lostHistory === null ? live : undefined
      const owner = { node: target?.id ?? null, incarnation: target?.incarnation ?? null }
      return { ...cell, epoch: cell.epoch + 1, wanted: null, ...owner }
    }
    this.#change({ ...asked, changed: changeCell })
  }

  /** @param changed null: no row fits the condition; called when nothing else changes the row, or commits under it */
  #change({ took, done, changed }: Asked & { readonly changed: () => CellState | null }): void {
    this.#lock.take(() => {
      const cell = changed()
      if (cell === null) {
        this.#lock.release()
        done([])
        return
      }
      const apply = (): void => {
        this.tables.cell = cell
      }
      this.#after(took, apply, () => {
        this.#lock.release()
        done([[String(cell.epoch)]])
      })
    })
  }

  #after(took: Duration, apply: () => void, then: () => void): void {
    const { generation } = this
    this.#underWay.add(apply)
    const end = (): void => {
      if (generation !== this.generation || !this.#underWay.delete(apply)) return
      apply()
      then()
    }
    if (typeof took !== 'number') this.onClaimBegun(() => this.#time.plan(took.afterClaimMs, end))
    this.#time.plan(typeof took === 'number' ? took : LONGEST_HELD_MS, end)
  }

  /** Facts of the installation: set by the first node that asks. */
  #settle(values: readonly Value[]): void {
    const { rows } = this.tables
    if (rows.get(String(values[2])) === null) this.tables.put(keysOf(values[0]), keysOf(values[1]))
  }

  #stepAt(head: number): string | null {
    return this.tables.steps.get(head) ?? null
  }

  #tidy(kind: 'prune' | 'remove' | 'removeNames', values: readonly Value[]): void {
    const { tables } = this
    if (tables.cell.epoch !== Number(values[1])) return
    if (kind === 'remove') tables.remove(keysOf(values[2]))
    else if (kind === 'prune')
      for (const head of tables.steps.keys()) if (head < Number(values[2])) tables.steps.delete(head)
  }

  #node(kind: 'join' | 'renew' | 'leave', values: readonly Value[]): ResultRow[] {
    const { nodes } = this.tables
    const [id, incarnation] = [String(values[0]), String(values[1])]
    const nowMs = this.#time.elapsedMs
    const row = nodes.get(id)
    if (kind === 'join') {
      if (row !== undefined && row.expiresAtMs >= nowMs && row.incarnation !== incarnation) return []
      const [url, release, leaseMs] = [String(values[2]), String(values[3]), Number(values[5])]
      nodes.set(id, { id, incarnation, url, release, draining: false, expiresAtMs: nowMs + leaseMs })
      return [[id]]
    }
    if (row?.incarnation !== incarnation) return []
    nodes.set(id, { ...row, expiresAtMs: nowMs + (kind === 'renew' ? Number(values[2]) : 0) })
    return [[String(row.draining)]]
  }

  #live(): NodeRow[] {
    const nowMs = this.#time.elapsedMs
    const rows = [...this.tables.nodes.values()].filter(({ expiresAtMs }) => expiresAtMs > nowMs)
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #cellRow(): ResultRow {
    const { epoch, node, incarnation, wanted, lostHistory } = this.tables.cell
    const row = this.tables.nodes.get(node ?? '')
    const owner = row?.incarnation === incarnation ? row : undefined
    const leftMs = owner === undefined ? null : this.#leftMs(owner)
    return ['main', String(epoch), node, incarnation, wanted, owner?.url ?? null, leftMs, lostHistory]
  }

  #leftMs({ expiresAtMs }: NodeRow): string {
    return String(Math.round(expiresAtMs - this.#time.elapsedMs))
  }
}

function keysOf(value: Value | undefined): readonly (string | null)[] {
  return (value ?? []) as readonly (string | null)[]
}
