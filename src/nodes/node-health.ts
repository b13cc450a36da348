// What a node says of itself at `GET /readyz` and `GET /metrics`.
import type { Clock } from '../time/clock.ts'
import type { CellDoors } from './cell-doors.ts'
import type { Member } from './member.ts'
import type { Tenure } from './tenure.ts'

type Labels = Readonly<Record<string, string>>

/** A database that was not seen for this long does not answer. */
const UNSEEN_MS = 3_000

export interface HealthChecks {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

interface NodeHealthDependencies {
  readonly member: Member
  readonly cells: () => Iterable<{ readonly tenure: Tenure; readonly doors: CellDoors }>
  readonly clock: Pick<Clock, 'elapsed'>
}

export class NodeHealth {
  readonly #deps: NodeHealthDependencies

  constructor(deps: NodeHealthDependencies) {
    this.#deps = deps
  }

  /** @param open what the cells say that are open here */
  readiness(open: readonly HealthChecks[]): HealthChecks {
    const { member, clock } = this.#deps
    const { sight } = member
    const cells = [...this.#deps.cells()]
    const lost = cells.some(({ tenure }) => (sight?.cells.get(tenure.cell)?.lostHistory ?? null) !== null)
    // An idle cell has no owner, and is as well as any other.
    const adrift = cells
      .filter(({ tenure, doors }) => !tenure.isResting && doors.where().at === 'nowhere')
      .map(({ tenure }) => tenure.cell)
    const [without] = adrift.map((cell) => (cells.length === 1 ? 'the cell' : `the cell ${cell}`))
    const own = {
      lease: member.lease.isHeld ? 'ok' : 'the lease of this node is over',
      database: sight !== null && clock.elapsed() - sight.atMs < UNSEEN_MS ? 'ok' : 'the database does not answer',
      owner: without === undefined ? 'ok' : `no node serves ${without}`,
      history: !lost ? 'ok' : 'the database has lost commits that it had acknowledged: see the runbook',
    }
    const isWell = Object.values(own).every((found) => found === 'ok')
    return {
      ready: isWell && open.every(({ ready }) => ready),
      checks: { ...own, ...worstOf(open) },
    }
  }

  /** A value of every cell, by the label of the cell. */
  *each(value: (tenure: Tenure) => number): Generator<readonly [Labels, number], undefined, undefined> {
    for (const { tenure } of this.#deps.cells()) yield [{ cell: tenure.cell }, value(tenure)]
    return undefined
  }

  get leaseLeftMs(): number {
    return this.#deps.member.lease.leftMs
  }
}

/** Of several open cells: reports a problem of any of them. */
function worstOf(open: readonly HealthChecks[]): Readonly<Record<string, string>> {
  const checks: Record<string, string> = {}
  for (const cell of open)
    for (const [name, found] of Object.entries(cell.checks))
      if (checks[name] === undefined || checks[name] === 'ok') checks[name] = found
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

/** The metrics of the process, with those of the cells that are open. */
export interface CurrentMetrics extends ProcessMetrics {
  latencies(
    name: string,
    help: string,
    labelNames: readonly string[],
  ): (labels: Readonly<Record<string, string>>) => { observe(seconds: number): void }
  render(): Promise<string>
}

export function observeNode(metrics: NodeMetrics, health: NodeHealth): void {
  const each = (name: string, help: string, type: 'gauge' | 'counter', value: (tenure: Tenure) => number): void =>
    metrics.observedEach(name, help, type, () => health.each(value))
  each('holdfast_cell_owner', '1 while this node owns the cell', 'gauge', ({ state }) => (state === 'open' ? 1 : 0))
  each(
    'holdfast_cell_idle',
    '1 while the cell is idle: nobody owns it, until somebody asks for it',
    'gauge',
    (tenure) => (tenure.isResting ? 1 : 0),
  )
  each('holdfast_cell_epoch', 'Epoch of the cell, as this node knows it', 'gauge', ({ epoch }) => epoch)
  metrics.observed(
    'holdfast_lease_left_seconds',
    'What is left of the lease of this node',
    'gauge',
    () => health.leaseLeftMs / 1_000,
  )
  const taken = 'How often this node has taken the cell over'
  each('holdfast_takeovers_total', taken, 'counter', ({ takeovers }) => takeovers)
}
