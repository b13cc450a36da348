// Corrects a service clock that is behind: after a start beside a node that lagged, or after the machine was suspended,
// during which monotonic clocks may stand still. As at a start, the machine's clock is believed if the chain confirms
// it. The clock only moves forward, so that no window of a debit limit is longer than it was.
import { startOf, TOLERATED_MS, timeOnChain, type ServiceClock, type TimedChain } from './service-clock.ts'
import type { Clock } from './clock.ts'

/** Pause between two questions to the clusters while the clock is off. */
const PAUSE_MS = 5_000

export class ClockCorrection {
  readonly #corrected: ServiceClock
  readonly #machine: Clock
  readonly #chains: readonly TimedChain[]
  readonly #log: { warn(fields: object, message: string): void }
  #nextMs = 0
  #asking: Promise<void> | null = null

  constructor(
    corrected: ServiceClock,
    machine: Clock,
    chains: readonly TimedChain[],
    log: { warn(fields: object, message: string): void },
  ) {
    this.#corrected = corrected
    this.#machine = machine
    this.#chains = chains
    this.#log = log
  }

  /** Called often. Asks the clusters if the clock is off. */
  turn(): void {
    if (!this.#corrected.isOff() || this.#asking !== null || this.#machine.elapsed() < this.#nextMs) return
    this.#asking = this.#correct().finally(() => {
      this.#asking = null
      this.#nextMs = this.#machine.elapsed() + PAUSE_MS
    })
  }

  /** Resolves when no query of a cluster is running. */
  async stop(): Promise<void> {
    await this.#asking
  }

  async #correct(): Promise<void> {
    const chainMs = await latestOnChain(this.#chains, this.#machine)
    const wallMs = this.#machine.now()
    const beforeMs = this.#corrected.now()
    if (chainMs === null || Math.abs(wallMs - chainMs) > TOLERATED_MS || wallMs <= beforeMs) return
    this.#corrected.moveForward(startOf(wallMs, beforeMs, chainMs))
    this.#log.warn(
      { movedMs: this.#corrected.now() - beforeMs },
      'the service clock was behind the clocks of the machine and of the chain, and was moved forward',
    )
  }
}

/** The latest time of several chains, Unix milliseconds; null: none is available. */
export async function latestOnChain(chains: readonly TimedChain[], clock: Clock): Promise<number | null> {
  const times = await Promise.all(chains.map((chain) => timeOnChain(chain, clock)))
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}
