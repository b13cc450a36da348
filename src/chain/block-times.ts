// Unix seconds of slots, asked once each and kept for the last thousand.
import type { EndpointPool } from './pool.ts'
import { isSlot } from './rpc.ts'

const KEPT_SLOTS = 1_000

export class BlockTimes {
  readonly #pool: EndpointPool
  readonly #known = new Map<number, number>()

  constructor(pool: EndpointPool) {
    this.#pool = pool
  }

  get(slot: number): number | null {
    return this.#known.get(slot) ?? null
  }

  /** Asks for those not known, in one batch. Never rejects: a slot whose time could not be had stays unknown. */
  async learn(slots: Iterable<number>, timeoutMs: number): Promise<void> {
    const asked = [...new Set(slots)].filter((slot) => !this.#known.has(slot))
    if (asked.length === 0) return
    const { transport } = this.#pool.pick()
    const answers = await transport.group('getBlockTime', asked.map((slot) => `[${slot}]`), { timeoutMs, channel: 'status' })
    answers.forEach((answer, index) => {
      if (answer.ok && isSlot(answer.result)) this.#known.set(asked[index]!, answer.result)
    })
    for (const slot of this.#known.keys()) {
      if (this.#known.size <= KEPT_SLOTS) break
      this.#known.delete(slot)
    }
  }
}
