// The state of a node for `GET /readyz` and `GET /metrics`.
import { isUnfinishedRestore } from '../../snapshots/postgres/lost-history.ts'
import type { Clock } from '../time/clock.ts'
import type { CellGateway } from './cell-gateway.ts'
import type { Member } from './member.ts'
import { MOVING_MS } from './reach-owner.ts'
import type { CellOwnership } from './cell-ownership.ts'

type Labels = Readonly<Record<string, string>>

/** After this time without a successful poll, the database counts as not answering. */
const UNSEEN_MS = 3_000

export interface HealthChecks {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

interface NodeHealthDependencies {
  readonly member: Member
  readonly cells: () => Iterable<{ readonly ownership: CellOwnership; readonly gateway: CellGateway }>
  readonly clock: Pick<Clock, 'elapsed'>
}

export class NodeHealth {
  readonly #deps: NodeHealthDependencies
  /** Monotonic time at which a node last served some cell; null until all cells that need an owner had one. */
  #servedMs: number | null = null

  constructor(deps: NodeHealthDependencies) {
    this.#deps = deps
    deps.member.onPoll(() => this.#noteServed())
  }

  /**
   * While one cell changes its owner, no node serves it, but all of them serve the other cells, and requests wait. If
   * that made them unready, a load balancer would take all of them out at once.
   *
   * @param open the checks of the cells that are open on this node
   */
  readiness(open: readonly HealthChecks[]): HealthChecks {
    const { member, clock } = this.#deps
    const { lastPoll } = member
    this.#noteServed()
    const cells = [...this.#deps.cells()]
    const marks = cells.flatMap(({ ownership }) => lastPoll?.cells.get(ownership.cell)?.lostHistory ?? [])
    const { unserved, unreadable } = this.#unserved()
    const [firstUnserved] = unserved.map((cell) => (cells.length === 1 ? 'the cell' : `the cell ${cell}`))
    const own = {
      lease: member.lease.isHeld ? 'ok' : 'the lease of this node is over',
      database:
        lastPoll !== null && clock.elapsed() - lastPoll.atMs < UNSEEN_MS ? 'ok' : 'the database does not answer',
      owner: firstUnserved === undefined ? 'ok' : `no node serves ${firstUnserved}`,
      history: historyOf(marks),
    }
    const isServing = this.#servedMs !== null && clock.elapsed() - this.#servedMs <= MOVING_MS
    const isHealthy = Object.entries(own).every(([name, result]) => result === 'ok' || (name === 'owner' && isServing))
    return {
      ready: isHealthy && open.every(({ ready }) => ready),
      checks: {
        ...own,
        ...(unreadable.length === 0
          ? {}
          : { rows: `the rows of ${unreadable.join(', ')} cannot be read: see the log` }),
        ...worstOf(open),
      },
    }
  }

  /** The cells that need an owner and have none. */
  #unserved(): { readonly unserved: readonly string[]; readonly unreadable: readonly string[] } {
    const cells = [...this.#deps.cells()]
    // An idle cell has no owner, but that is no problem.
    const nowhere = cells
      .filter(({ ownership, gateway }) => !ownership.isResting && gateway.where().at === 'nowhere')
      .map(({ ownership }) => ownership)
    const unreadable = nowhere.filter(({ isUnreadable }) => isUnreadable).map(({ cell }) => cell)
    const unserved = nowhere
      .filter(({ isUnreadable }) => !isUnreadable || unreadable.length === cells.length)
      .map(({ cell }) => cell)
    return { unserved, unreadable }
  }

  #noteServed(): void {
    const isAnyServed = [...this.#deps.cells()].some(({ gateway }) => gateway.where().at !== 'nowhere')
    if (!isAnyServed) return
    if (this.#servedMs !== null || this.#unserved().unserved.length === 0) this.#servedMs = this.#deps.clock.elapsed()
  }

  /** A value of every cell, with the cell as label. */
  *each(value: (ownership: CellOwnership) => number): Generator<readonly [Labels, number], undefined, undefined> {
    for (const { ownership } of this.#deps.cells()) yield [{ cell: ownership.cell }, value(ownership)]
    return undefined
  }

  get leaseLeftMs(): number {
    return this.#deps.member.lease.leftMs
  }
}

/** @param marks why no node may own some of the cells */
function historyOf(marks: readonly string[]): string {
  if (marks.length === 0) return 'ok'
  return marks.some(isUnfinishedRestore)
    ? 'a restore into the database has not finished: see the runbook'
    : 'the database has lost commits that it had acknowledged: see the runbook'
}

/** Merges the checks of several open cells: each check reports the first problem. */
function worstOf(open: readonly HealthChecks[]): Readonly<Record<string, string>> {
  const checks: Record<string, string> = {}
  for (const cell of open)
    for (const [name, result] of Object.entries(cell.checks))
      if (checks[name] === undefined || checks[name] === 'ok') checks[name] = result
  return checks
}

interface ProcessMetrics {
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void
}

export interface NodeMetrics extends ProcessMetrics {
  observedEach(
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    read: () => Iterable<readonly [Labels, number]>,
  ): void
}

/** The metrics of the process and of its open cells. */
export interface CurrentMetrics extends ProcessMetrics {
  latencies(
    name: string,
    help: string,
    labelNames: readonly string[],
  ): (labels: Readonly<Record<string, string>>) => { observe(seconds: number): void }
  render(): Promise<string>
}

export function observeNode(metrics: NodeMetrics, health: NodeHealth): void {
  const each = (
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    value: (ownership: CellOwnership) => number,
  ): void => metrics.observedEach(name, help, type, () => health.each(value))
  each('holdfast_cell_owner', '1 while this node owns the cell', 'gauge', ({ state }) => (state === 'open' ? 1 : 0))
  each(
    'holdfast_cell_idle',
    '1 while the cell is idle: nobody owns it, until somebody asks for it',
    'gauge',
    (ownership) => (ownership.isResting ? 1 : 0),
  )
  each('holdfast_cell_epoch', 'Epoch of the cell, as this node knows it', 'gauge', ({ epoch }) => epoch)
  metrics.observed(
    'holdfast_lease_left_seconds',
    'What is left of the lease of this node',
    'gauge',
    () => health.leaseLeftMs / 1_000,
  )
  const help = 'How often this node has taken the cell over'
  each('holdfast_takeovers_total', help, 'counter', ({ takeovers }) => takeovers)
}
