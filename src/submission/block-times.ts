// Block times of slots in Unix seconds, each queried once, the last 1,000 kept. A slot whose time is not available is
// not queried again before `retryMs` has passed.
import type { Clock } from '../time/clock.ts'
import type { Endpoint, EndpointPool } from '../rpc/pool.ts'
import { isSlot } from '../rpc/rpc.ts'

const KEPT_SLOTS = 1_000

export class BlockTimes {
  readonly #pool: EndpointPool
  readonly #clock: Clock
  readonly #retryMs: number
  readonly #known = new Map<number, number>()
  /** Time (`Clock.elapsed`) before which a slot is not queried again. */
  readonly #resting = new Map<number, number>()

  constructor(pool: EndpointPool, clock: Clock, retryMs: number) {
    this.#pool = pool
    this.#clock = clock
    this.#retryMs = retryMs
  }

  get(slot: number): number | null {
    return this.#known.get(slot) ?? null
  }

  /**
   * Queries the unknown slots in one batch, and those that the endpoint cannot answer at a second endpoint. Never
   * rejects: a slot without an answer stays unknown.
   * @param last Slots that are not needed later, for which a query is repeated at once.
   */
  async learn(slots: Iterable<number>, timeoutMs: number, last: ReadonlySet<number> = new Set()): Promise<void> {
    const nowMs = this.#clock.elapsed()
    const isDue = (slot: number): boolean => last.has(slot) || nowMs >= (this.#resting.get(slot) ?? 0)
    const unknownSlots = [...new Set(slots)].filter((slot) => !this.#known.has(slot) && isDue(slot))
    if (unknownSlots.length === 0) return
    for (const slot of unknownSlots) this.#resting.set(slot, nowMs + this.#retryMs)
    const first = this.#pool.pick('status')
    const unanswered = await this.#ask(first, unknownSlots, timeoutMs)
    // A node that is one slot behind does not know the time of the newest slot yet.
    const other = unanswered.length > 0 ? this.#pool.pickOther('status', new Set([first])) : null
    if (other !== null) await this.#ask(other, unanswered, timeoutMs)
    trim(this.#known)
    trim(this.#resting)
  }

  /** Returns the slots whose time this endpoint did not provide. */
  async #ask(endpoint: Endpoint, slots: readonly number[], timeoutMs: number): Promise<number[]> {
    const options = { channel: 'status', timeoutMs: this.#pool.waitMs(endpoint, timeoutMs) }
    const answers = await endpoint.transport.group(
      'getBlockTime',
      slots.map((slot) => `[${slot}]`),
      options,
    )
    answers.forEach((answer, index) => {
      if (answer.ok && isSlot(answer.result)) this.#known.set(slots[index]!, answer.result)
    })
    return slots.filter((slot) => !this.#known.has(slot))
  }
}

function trim(slots: Map<number, number>): void {
  for (const slot of slots.keys()) {
    if (slots.size <= KEPT_SLOTS) return
    slots.delete(slot)
  }
}
