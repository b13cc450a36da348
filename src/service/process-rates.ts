// Limits of the clusters, for rates and subscriptions, which apply to all nodes together: a process gets a share for
// each of its open cells.
import type { ClusterSettings } from '../rpc/cluster-settings.ts'

class Window {
  readonly #periodMs: number
  readonly #nowMs: () => number
  /** Times of the requests within the last period, oldest first. */
  #times: number[] = []

  constructor(periodMs: number, nowMs: () => number) {
    this.#periodMs = periodMs
    this.#nowMs = nowMs
  }

  /** False: the last period already has `most` requests. */
  take(most: number): boolean {
    const nowMs = this.#nowMs()
    this.#times = this.#times.filter((atMs) => nowMs - atMs < this.#periodMs)
    if (this.#times.length >= most) return false
    this.#times.push(nowMs)
    return true
  }
}

export interface CellCounts {
  /** Cells open in this process. */
  readonly here: number
  /** Cells owned by any node. */
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
   * The settings of one cell for a cluster. If it is the only cell of the service, they are unchanged.
   *
   * @param mayAct returns false while the cell must not send
   */
  shared(
    settings: ClusterSettings,
    { cluster, mayAct }: { readonly cluster: string; readonly mayAct: () => boolean },
  ): ClusterSettings {
    const { lanes, comparison, watch } = settings
    const { rate } = lanes
    const mayTake = (): boolean => {
      const { here, all } = this.#cells()
      if (rate === null || all <= 1) return true
      return this.#windowOf(cluster, rate).take(Math.max(1, Math.floor((rate.sends * here) / all)))
    }
    const all = (): number => Math.max(1, this.#cells().all)
    // One at least, because 0 would turn the subscriptions off.
    const share = (limit: number): number => (limit === 0 ? 0 : Math.max(1, Math.floor(limit / all())))
    return {
      ...settings,
      lanes: { ...lanes, maySend: () => mayAct() && mayTake() },
      comparison: {
        ...comparison,
        get questionsPerSecond() {
          return comparison.questionsPerSecond / all()
        },
        get subscribedAccounts() {
          return share(comparison.subscribedAccounts)
        },
      },
      watch: {
        ...watch,
        get subscribedSignatures() {
          return share(watch.subscribedSignatures)
        },
      },
    }
  }

  #windowOf(cluster: string, { perMs }: { readonly perMs: number }): Window {
    let window = this.#windows.get(cluster)
    if (window === undefined) {
      window = new Window(perMs, this.#nowMs)
      this.#windows.set(cluster, window)
    }
    return window
  }
}
