// Shared statements of the cells of one process: fetches of missing rows, and commits. Each cell also has connections
// of its own. If a shared statement does not answer, the cell sends the query or commit there.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from './database.ts'
import { commitTogether, type CellCommit, type CommitOutcome } from './commit-statement.ts'
import { NoAnswer, RowsUnwritten } from './errors.ts'
import type { Lane } from './lane.ts'
import { MAX_KEYS, rowsOf, type RowsByKey } from './rows-by-key.ts'
import { StatementQueue } from './statement-queue.ts'

/** A cell fetches more keys, or commits more rows, by itself, so that it does not delay the other cells. */
const MAX_KEYS_EACH = 1_000
const MAX_ROWS_EACH = 2_048
const MAX_ROWS = 8_192
const PATIENCE_MS = 200

export class CellsTogether {
  readonly #rows: StatementQueue<readonly string[], RowsByKey>
  readonly #commits: StatementQueue<CellCommit, CommitOutcome>
  readonly #lane: Lane
  readonly #cells = new Set<string>()

  /**
   * @param database the database of the process, which outlives the cells
   * @param patienceMs how long a cell waits for a shared statement before it sends its own
   */
  constructor(database: Database, { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {}) {
    this.#lane = database.lane()
    this.#rows = new StatementQueue({
      ask: async (fetches) => {
        const rows = await rowsOf((...query) => database.query(...query), [...new Set(fetches.flat())])
        return fetches.map((): RowsByKey => rows)
      },
      weightOf: (keys) => keys.length,
      maxWeight: MAX_KEYS,
      patienceMs,
    })
    this.#commits = new StatementQueue({
      ask: (commits) => commitTogether((...query) => this.#lane.query(...query, database.boundMs), commits),
      weightOf: ({ keys }) => keys.length,
      maxWeight: MAX_ROWS,
      patienceMs,
    })
  }

  /** The cell is open in this process until `closed`. */
  opened(cell: string): void {
    this.#cells.add(cell)
  }

  closed(cell: string): void {
    this.#cells.delete(cell)
  }

  /** Must be called after all cells are closed. */
  close(): void {
    this.#lane.destroy()
  }

  /** The existing rows of these keys, and perhaps other rows; undefined: the cell must fetch its rows alone. */
  async rowsOf(keys: readonly string[]): Promise<RowsByKey | undefined> {
    if (this.#isAlone || keys.length > MAX_KEYS_EACH) return undefined
    return await this.#rows.ask(keys).catch(() => undefined)
  }

  /**
   * Resolves when a commit goes into the next statement. Until then the cell collects more for it: several cells wait
   * for each other's statements, and would otherwise commit less each time, more often.
   */
  async beforeCommit(): Promise<void> {
    await (this.#isAlone ? nextTurn() : this.#commits.beforeNext())
  }

  /** Each cell may have one pending commit. `unsent`: nothing was sent, and the cell must commit alone. */
  async commit(commit: CellCommit): Promise<CommitOutcome | 'unanswered' | 'unsent'> {
    if (this.#isAlone || commit.keys.length > MAX_ROWS_EACH) return 'unsent'
    try {
      return (await this.#commits.ask(commit)) ?? 'unsent'
    } catch (error) {
      if (error instanceof RowsUnwritten) throw error
      return error instanceof NoAnswer ? 'unanswered' : 'refused'
    }
  }

  get #isAlone(): boolean {
    return this.#cells.size < 2
  }
}
