// Rates towards the chains, which hold for all nodes together: a process has a share for each cell that it has open.
import type { ClusterSettings } from '../rpc/cluster-settings.ts'

class Window {
  readonly #periodMs: number
  readonly #nowMs: () => number
  /** Oldest first. */
  #taken: number[] = []

  constructor(periodMs: number, nowMs: () => number) {
    this.#periodMs = periodMs
    this.#nowMs = nowMs
  }

  /** False: so many were taken within the last period. */
  take(most: number): boolean {
    const nowMs = this.#nowMs()
    this.#taken = this.#taken.filter((atMs) => nowMs - atMs < this.#periodMs)
    if (this.#taken.length >= most) return false
    this.#taken.push(nowMs)
    return true
  }
}

export interface CellCounts {
  /** Open in this process. */
  readonly here: number
  /** Owned by any node. */
  readonly all: number
}

export class ProcessRates {
  readonly #cells: () => CellCounts
  readonly #nowMs: () => number
  readonly #windows = new Map<string, Window>()

  constructor(cells: () => CellCounts, nowMs: () => number = () => performance.now()) {
    this.#cells = cells
    this.#nowMs = nowMs
  }

  /**
   * The settings of one cell for a cluster. While the cell is the only one of the service, they are as given.
   *
   * @param mayAct false: the cell sends nothing now
   */
  shared(
    settings: ClusterSettings,
    { cluster, mayAct }: { readonly cluster: string; readonly mayAct: () => boolean },
  ): ClusterSettings {
    const { lanes, comparison } = settings
    const { rate } = lanes
    const mayTake = (): boolean => {
      const { here, all } = this.#cells()
      if (rate === null || all <= 1) return true
      return this.#windowOf(cluster, rate).take(Math.max(1, Math.floor((rate.sends * here) / all)))
    }
    const all = (): number => Math.max(1, this.#cells().all)
    return {
      ...settings,
      lanes: { ...lanes, maySend: () => mayAct() && mayTake() },
      comparison: {
        ...comparison,
        get questionsPerSecond() {
          return comparison.questionsPerSecond / all()
        },
      },
    }
  }

  #windowOf(cluster: string, { perMs }: { readonly perMs: number }): Window {
    const known = this.#windows.get(cluster)
    if (known !== undefined) return known
    const made = new Window(perMs, this.#nowMs)
    this.#windows.set(cluster, made)
    return made
  }
}
