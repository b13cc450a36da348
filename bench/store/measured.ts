// A side of the bench of the store over its rounds: this number of clients commit one unit after the other. At the end
// the database is opened again separately, and must contain exactly the acknowledged units.
import { Level } from 'level'
import { ascending, percentile } from '../measure/stats.ts'
import type { StoreSide } from './sides.ts'
import { rowsOf, unitOf } from './unit.ts'

export interface StoreRound {
  readonly done: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export class MeasuredStore {
  readonly #side: StoreSide
  readonly #clients: number
  #begun = 0
  /** Commits of each client in this round, known once the first of them finds the window over. */
  #most = Infinity

  constructor(side: StoreSide, clients: number) {
    this.#side = side
    this.#clients = clients
  }

  get units(): number {
    return this.#begun
  }

  /** Every client makes as many commits as the others: a side that waits for all of them is not left waiting. */
  async round(windowMs: number): Promise<StoreRound> {
    const startedAt = performance.now()
    const latencies: number[] = []
    const one = async (): Promise<void> => {
      const n = this.#begun
      this.#begun += 1
      const sentAt = performance.now()
      await this.#side.commit(unitOf(n))
      latencies.push(performance.now() - sentAt)
    }
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn === 0 || turn < this.#turns(startedAt, windowMs, turn); turn += 1) await one()
    }
    this.#most = Infinity
    await Promise.all(Array.from({ length: this.#clients }, turns))
    const sorted = ascending(latencies)
    return {
      done: latencies.length,
      seconds: (performance.now() - startedAt) / 1000,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  }

  #turns(startedAt: number, windowMs: number, turn: number): number {
    if (this.#most === Infinity && performance.now() - startedAt >= windowMs) this.#most = turn + 1
    return this.#most
  }

  close(): Promise<void> {
    return this.#side.close()
  }
}

/** Throws if the database at `path`, which must be closed, does not contain the rows of this number of units. */
export async function checkRows(path: string, units: number): Promise<void> {
  const level = new Level<string, string>(path)
  const found = new Map<string, number>()
  try {
    for await (const key of level.keys()) found.set(key[0]!, (found.get(key[0]!) ?? 0) + 1)
  } finally {
    await level.close()
  }
  for (const [prefix, expected] of Object.entries(rowsOf(units))) {
    if (found.get(prefix) !== expected)
      throw new Error(`${found.get(prefix) ?? 0} rows ${prefix} are in the database; ${units} units leave ${expected}`)
  }
}
