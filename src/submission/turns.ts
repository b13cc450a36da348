// Whose turn it is to send: tenants take turns, and so do the lanes of a tenant. Whoever had a turn waits until every other tenant that
// is waiting has had one, however much each of them has to send. A first sight of a transaction goes before a repeat of another, but not
// for ever: what was lost on the way has to go out again while it still can.

export interface Waiting {
  readonly tenant: string
  readonly repeats: boolean
}

/** So many turns of first sends in a row while a repeat waits; then the repeat has one. */
const MOST_IN_A_ROW = 8

export class Turns<Lane extends Waiting> {
  readonly #first = new Ring<Lane>()
  readonly #repeats = new Ring<Lane>()
  #inARow = 0

  /** Behind everybody who waits. A lane enters again only after it was taken. */
  enter(lane: Lane): void {
    const ring = lane.repeats ? this.#repeats : this.#first
    ring.enter(lane)
  }

  get isEmpty(): boolean {
    return this.#first.isEmpty && this.#repeats.isEmpty
  }

  /** Whose turn it is; undefined when nobody waits. */
  peek(): Lane | undefined {
    return this.#whose().peek()
  }

  /** As `peek`, and the turn is over: the others come first now. */
  take(): Lane | undefined {
    const ring = this.#whose()
    this.#inARow = ring === this.#first && !this.#repeats.isEmpty ? this.#inARow + 1 : 0
    return ring.take()
  }

  #whose(): Ring<Lane> {
    if (this.#first.isEmpty) return this.#repeats
    return this.#inARow >= MOST_IN_A_ROW && !this.#repeats.isEmpty ? this.#repeats : this.#first
  }
}

/** Tenants in the order of their turns, each with its lanes in the order of theirs. */
class Ring<Lane extends Waiting> {
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
      // Set again, a key of a map is its last.
      if (lanes.length > 0) this.#tenants.set(tenant, lanes)
      return lane
    }
    return undefined
  }
}
