// The order of sends: tenants take turns, and so do the lanes of one tenant. After its turn a tenant waits until every
// other waiting tenant has had one, however much each has to send. First sends precede resends, but not indefinitely: a
// lost transaction must be resent while it is still valid.
import { TenantTurns } from './tenant-turns.ts'

export interface WaitingLane {
  readonly tenant: string
  readonly repeats: boolean
}

/** After this many first sends in a row while a resend waits, the resend has its turn. */
const MAX_IN_A_ROW = 8

export class FairQueue<Lane extends WaitingLane> {
  readonly #first = new TenantTurns<Lane>()
  readonly #repeats = new TenantTurns<Lane>()
  #inARow = 0

  /** Adds the lane at the end. A lane may enter again only after it was taken. */
  enter(lane: Lane): void {
    const turns = lane.repeats ? this.#repeats : this.#first
    turns.enter(lane)
  }

  get isEmpty(): boolean {
    return this.#first.isEmpty && this.#repeats.isEmpty
  }

  /** The lane whose turn is next; undefined when no lane waits. */
  peek(): Lane | undefined {
    return this.#nextTurns().peek()
  }

  /** Like `peek`, and ends the turn: the lane's tenant moves behind all others. */
  take(): Lane | undefined {
    const turns = this.#nextTurns()
    this.#inARow = turns === this.#first && !this.#repeats.isEmpty ? this.#inARow + 1 : 0
    return turns.take()
  }

  #nextTurns(): TenantTurns<Lane> {
    if (this.#first.isEmpty) return this.#repeats
    return this.#inARow >= MAX_IN_A_ROW && !this.#repeats.isEmpty ? this.#repeats : this.#first
  }
}
