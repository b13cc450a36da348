// Rates towards the chains, which hold for a process however many cells it has open.
import type { ClusterSettings } from './rpc/cluster-settings.ts'

/** At most so many in any period. */
class Window {
  readonly #most: number
  readonly #periodMs: number
  readonly #nowMs: () => number
  /** Oldest first. */
  #taken: number[] = []

  constructor(most: number, periodMs: number, nowMs: () => number) {
    this.#most = most
    this.#periodMs = periodMs
    this.#nowMs = nowMs
  }

  take(): boolean {
    const nowMs = this.#nowMs()
    this.#taken = this.#taken.filter((atMs) => nowMs - atMs < this.#periodMs)
    if (this.#taken.length >= this.#most) return false
    this.#taken.push(nowMs)
    return true
  }
}

export class ProcessRates {
  readonly #openCells: () => number
  readonly #nowMs: () => number
  readonly #windows = new Map<string, Window>()

  /** @param openCells of this process, now */
  constructor(openCells: () => number, nowMs: () => number = () => performance.now()) {
    this.#openCells = openCells
    this.#nowMs = nowMs
  }

  /**
   * The settings of one cell for a cluster. While the cell is the only one, they are as given.
   *
   * @param mayAct false: the cell sends nothing now
   */
  shared(
    settings: ClusterSettings,
    { cluster, mayAct }: { readonly cluster: string; readonly mayAct: () => boolean },
  ): ClusterSettings {
    const { lanes, comparison } = settings
    const { rate } = lanes
    const cells = (): number => Math.max(1, this.#openCells())
    const mayTake = (): boolean => rate === null || cells() === 1 || this.#windowOf(cluster, rate).take()
    return {
      ...settings,
      lanes: { ...lanes, maySend: () => mayAct() && mayTake() },
      comparison: {
        ...comparison,
        get questionsPerSecond() {
          return comparison.questionsPerSecond / cells()
        },
      },
    }
  }

  #windowOf(cluster: string, { sends, perMs }: { readonly sends: number; readonly perMs: number }): Window {
    const known = this.#windows.get(cluster)
    if (known !== undefined) return known
    const made = new Window(sends, perMs, this.#nowMs)
    this.#windows.set(cluster, made)
    return made
  }
}
