// What most sides of a world have in common: one piece of work is begun after another, so many at most at a time,
// until the world stops.
import type { Clients } from '../clients.ts'
import type { Surroundings } from '../process.ts'
import { Random } from '../random.ts'
import type { Side } from './side.ts'
import type { House, Tenants } from '../tenants.ts'

export interface Pace {
  /** What its random numbers follow from, beside the seed of the world. */
  readonly name: string
  /** Pieces of work under way at a time. */
  readonly mostOpen: number
  /** From one attempt to begin a piece of work to the next: at least and at most. */
  readonly betweenMs: readonly [number, number]
}

export abstract class PacedSide implements Side {
  protected readonly around: Surroundings
  protected readonly clients: Clients
  protected readonly random: Random
  protected houses: readonly House[] = []
  readonly #pace: Pace
  #open = 0
  #running = false

  constructor(around: Surroundings, clients: Clients, pace: Pace) {
    this.around = around
    this.clients = clients
    this.random = new Random(around.seed, pace.name)
    this.#pace = pace
  }

  /** One piece of work, to its end. */
  protected abstract work(): Promise<void>

  get isBusy(): boolean {
    return this.#open > 0
  }

  build({ houses }: Tenants): Promise<void> {
    this.houses = houses
    return Promise.resolve()
  }

  start(): void {
    this.#running = true
    this.#next()
  }

  stop(): void {
    this.#running = false
  }

  protected get isRunning(): boolean {
    return this.#running
  }

  protected pause(leastMs: number, mostMs: number): Promise<void> {
    return new Promise((resolve) => void this.around.time.plan(this.random.between(leastMs, mostMs), resolve))
  }

  #next(): void {
    if (!this.#running) return
    const { mostOpen, betweenMs } = this.#pace
    if (this.#open < mostOpen) {
      this.#open += 1
      void this.work().finally(() => (this.#open -= 1))
    }
    this.around.time.plan(this.random.between(...betweenMs), () => this.#next())
  }
}
