// What a node says of itself at `GET /readyz` and `GET /metrics`.
import type { Clock } from '../time/clock.ts'
import type { CellDoors } from './cell-doors.ts'
import type { Member } from './member.ts'
import type { Tenure } from './tenure.ts'

/** A database that was not seen for this long does not answer. */
const UNSEEN_MS = 3_000

export interface HealthChecks {
  readonly ready: boolean
  readonly accepting: boolean
  readonly checks: Readonly<Record<string, string>>
}

interface NodeHealthDependencies {
  readonly member: Member
  readonly tenure: Tenure
  readonly doors: CellDoors
  readonly clock: Pick<Clock, 'elapsed'>
}

export class NodeHealth {
  readonly #deps: NodeHealthDependencies

  constructor(deps: NodeHealthDependencies) {
    this.#deps = deps
  }

  /** @param cell what the cell says, while it is open here */
  readiness(cell: HealthChecks | null): HealthChecks {
    const { member, doors, clock } = this.#deps
    const { sight } = member
    const lost = sight?.cell.lostHistory ?? null
    const own = {
      lease: member.lease.isHeld ? 'ok' : 'the lease of this node is over',
      database: sight !== null && clock.elapsed() - sight.atMs < UNSEEN_MS ? 'ok' : 'the database does not answer',
      owner: doors.where().at === 'nowhere' ? 'no node serves the cell' : 'ok',
      history: lost === null ? 'ok' : 'the database has lost commits that it had acknowledged: see the runbook',
    }
    const isWell = Object.values(own).every((found) => found === 'ok')
    return {
      ready: isWell && (cell?.ready ?? true),
      accepting: cell?.accepting ?? true,
      checks: { ...own, ...cell?.checks },
    }
  }

  get isOwner(): boolean {
    return this.#deps.tenure.state === 'open'
  }

  get epoch(): number {
    return this.#deps.tenure.epoch
  }

  get takeovers(): number {
    return this.#deps.tenure.takeovers
  }

  get leaseLeftMs(): number {
    return this.#deps.member.lease.leftMs
  }
}

export interface NodeMetrics {
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void
}

/** The metrics of the process, with those of the cell while it is open. */
export interface CurrentMetrics extends NodeMetrics {
  latencies(
    name: string,
    help: string,
    labelNames: readonly string[],
  ): (labels: Readonly<Record<string, string>>) => { observe(seconds: number): void }
  render(): Promise<string>
}

export function observeNode(metrics: NodeMetrics, health: NodeHealth): void {
  metrics.observed('holdfast_cell_owner', '1 while this node owns the cell', 'gauge', () => (health.isOwner ? 1 : 0))
  metrics.observed('holdfast_cell_epoch', 'Epoch of the cell, as this node knows it', 'gauge', () => health.epoch)
  metrics.observed(
    'holdfast_lease_left_seconds',
    'What is left of the lease of this node',
    'gauge',
    () => health.leaseLeftMs / 1_000,
  )
  metrics.observed(
    'holdfast_takeovers_total',
    'How often this node has taken the cell over',
    'counter',
    () => health.takeovers,
  )
}
