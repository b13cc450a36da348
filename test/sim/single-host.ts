// One process after the other on one disk: it is killed, stops by itself, and is started again.
import { isShySeed, shy } from '../shy-store.ts'
import { openStoreOn } from '../../snapshots/disk-store.ts'
import type { Store } from '../../snapshots/store.ts'
import type { Clock } from '../../src/time/clock.ts'
import { simulatedDisk } from '../snapshots/simulated-disk.ts'
import { slowDisk } from './disk.ts'
import type { Host, HostOptions } from './host.ts'
import { deadAfterFailure, Process, type OpenStore } from './process.ts'

export class SingleHost implements Host {
  readonly #options: HostOptions
  readonly #disk = simulatedDisk()
  #process: Process | null = null
  #processes = 0
  /** The process was asked to end by itself. */
  #stopping = false

  constructor(options: HostOptions) {
    this.#options = options
  }

  get clock(): Clock | null {
    return this.#process?.life.alive === true ? this.#process.clock : null
  }

  serving(): Process | null {
    return this.#process?.service == null || this.#stopping ? null : this.#process
  }

  owner(): Process | null {
    return this.#process
  }

  row(key: string): string | undefined {
    return this.#disk.attach().get(key)
  }

  start(): void {
    const { around, opened } = this.#options
    this.#stopping = false
    const process: Process = new Process(around, (this.#processes += 1), {
      openStore: this.#openStore,
      died: (reason) => this.#end(process, reason),
    })
    this.#process = process
    this.#disk.attach()
    void process.start((engine) => opened(engine, () => true))
  }

  breakThings(): void {
    // The process is killed at any step, see `stepped`; its disk fails by itself.
  }

  heal(): void {
    // Nothing lasts.
  }

  stepped(): void {
    const { around, random } = this.#options
    const process = this.#process
    if (process === null || !random.chance(around.sky.climate.crash)) return
    if (process.service === null || random.chance(0.8)) {
      this.#end(process, 'killed')
      return
    }
    // Asked to stop, with a time limit.
    this.#stopping = true
    around.time.plan(20_000, () => this.#end(process, 'killed while it stopped'), process.life)
    void process.service.stop().then(() => around.time.plan(1, () => this.#end(process, 'stopped'), process.life))
  }

  atRest(): void {
    // A disk has no protocol.
  }

  readonly #openStore: OpenStore = async ({ process, random, onFatal, turn }): Promise<Store> => {
    const { seed, time, sky, tally } = this.#options.around
    const failing = (): number => (sky.healed ? 0 : sky.climate.diskFails)
    const slow = slowDisk(this.#disk, time, process.life, random, tally, failing)
    const plain = deadAfterFailure(await openStoreOn(slow, { path: 'memory', onFatal, turn }))
    return isShySeed(seed) ? shy(plain, turn) : plain
  }

  /** Power off: what was not synced is gone, and of a write under way all or nothing is left. */
  #end(process: Process, reason: string): void {
    if (this.#process !== process || !process.life.alive) return
    const { around, random, died } = this.#options
    around.tally.fault(`process ended: ${reason.slice(0, 60)}`)
    process.life.alive = false
    this.#process = null
    this.#disk.crash(random.chance(0.5))
    died(process.life)
    const downMs = random.chance(0.05) ? random.between(30_000, 150_000) : random.between(10, 5_000)
    around.time.plan(downMs, () => this.start())
  }
}
