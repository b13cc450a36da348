// When the watchers of a cluster last began a turn, shared by all cells of a process. The watchers then take their
// turns together, as one watcher of all these transactions would: their queries share a request, and the answers are
// settled in one write.
export interface LastTurn {
  /** `Clock.elapsed`. */
  at: number
}

export class SharedTurns {
  readonly #byCluster = new Map<string, LastTurn>()

  of(cluster: string): LastTurn {
    const known = this.#byCluster.get(cluster)
    if (known !== undefined) return known
    const lastTurn = noTurnYet()
    this.#byCluster.set(cluster, lastTurn)
    return lastTurn
  }
}

export const noTurnYet = (): LastTurn => ({ at: -Infinity })
