// The order of sends: tenants take turns, and so do the lanes of one tenant. After its turn a tenant waits until every
// other waiting tenant has had one, however much each has to send. First sends precede resends, but not indefinitely: a
// lost transaction must be resent while it is still valid.

export interface WaitingLane {
  readonly tenant: string
  readonly repeats: boolean
}

/** After this many first sends in a row while a resend waits, the resend has its turn. */
const MAX_IN_A_ROW = 8

export class FairQueue<Lane extends WaitingLane> {
  readonly #first = new Ring<Lane>()
  readonly #repeats = new Ring<Lane>()
  #inARow = 0

  /** Adds the lane at the end. A lane may enter again only after it was taken. */
  enter(lane: Lane): void {
    const ring = lane.repeats ? this.#repeats : this.#first
    ring.enter(lane)
  }

  get isEmpty(): boolean {
    return this.#first.isEmpty && this.#repeats.isEmpty
  }

  /** The lane whose turn is next; undefined when no lane waits. */
  peek(): Lane | undefined {
    return this.#nextRing().peek()
  }

  /** Like `peek`, and ends the turn: the lane's tenant moves behind all others. */
  take(): Lane | undefined {
    const ring = this.#nextRing()
    this.#inARow = ring === this.#first && !this.#repeats.isEmpty ? this.#inARow + 1 : 0
    return ring.take()
  }

  #nextRing(): Ring<Lane> {
    if (this.#first.isEmpty) return this.#repeats
    return this.#inARow >= MAX_IN_A_ROW && !this.#repeats.isEmpty ? this.#repeats : this.#first
  }
}

/** Tenants in the order of their turns, each with its lanes in order. */
class Ring<Lane extends WaitingLane> {
  readonly #tenants = new Map<string, Lane[]>()

  get isEmpty(): boolean {
    return this.#tenants.size === 0
  }

  enter(lane: Lane): void {
    const lanes = this.#tenants.get(lane.tenant)
    if (lanes === undefined) this.#tenants.set(lane.tenant, [lane])
    else lanes.push(lane)
  }

  peek(): Lane | undefined {
    for (const lanes of this.#tenants.values()) return lanes[0]
    return undefined
  }

  take(): Lane | undefined {
    for (const [tenant, lanes] of this.#tenants) {
      const lane = lanes.shift()
      this.#tenants.delete(tenant)
      // Setting a deleted key again puts it last in the map.
      if (lanes.length > 0) this.#tenants.set(tenant, lanes)
      return lane
    }
    return undefined
  }
}
