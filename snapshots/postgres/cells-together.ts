// What the cells of one process ask of the database together: the rows that they lack, and their commits. Each cell has
// connections of its own as well, and asks there, by itself, whatever the shared statement did not answer.

import type { Database } from './database.ts'
import { commitTogether, type CellCommit, type CommitOutcome } from './commit-statement.ts'
import { NoAnswer, RowsUnwritten } from './errors.ts'
import type { Lane } from './lane.ts'
import { MOST_KEYS, rowsOf, type RowsByKey } from './rows-by-key.ts'
import { StatementQueue } from './statement-queue.ts'

/** More are asked for by a cell alone, so that they delay nobody. */
const MOST_KEYS_EACH = 1_000
const MOST_ROWS_EACH = 2_048
const MOST_ROWS = 8_192
/** A cell that would have to wait longer asks by itself. */
const PATIENCE_MS = 200

export class CellsTogether {
  readonly #rows: StatementQueue<readonly string[], RowsByKey>
  readonly #commits: StatementQueue<CellCommit, CommitOutcome>
  readonly #lane: Lane
  readonly #cells = new Set<string>()

  /** @param database of the process: it outlives the cells */
  constructor(database: Database) {
    this.#lane = database.lane()
    this.#rows = new StatementQueue({
      ask: async (questions) => {
        const found = await rowsOf((...asked) => database.query(...asked), [...new Set(questions.flat())])
        return questions.map((): RowsByKey => found)
      },
      weightOf: (keys) => keys.length,
      mostWeight: MOST_KEYS,
      patienceMs: PATIENCE_MS,
    })
    this.#commits = new StatementQueue({
      ask: (commits) => commitTogether((...asked) => this.#lane.query(...asked, database.boundMs), commits),
      weightOf: ({ keys }) => keys.length,
      mostWeight: MOST_ROWS,
      patienceMs: PATIENCE_MS,
    })
  }

  /** The cell is open in this process until `closed`. */
  opened(cell: string): void {
    this.#cells.add(cell)
  }

  closed(cell: string): void {
    this.#cells.delete(cell)
  }

  /** When all cells are closed. */
  close(): void {
    this.#lane.destroy()
  }

  /** The rows of these keys that exist, and perhaps those of others; undefined: to be asked for by the cell alone. */
  async rowsOf(keys: readonly string[]): Promise<RowsByKey | undefined> {
    if (this.#isAlone || keys.length > MOST_KEYS_EACH) return undefined
    return await this.#rows.ask(keys).catch(() => undefined)
  }

  /** A cell has at most one commit here. `unasked`: it is to be made by the cell alone. */
  async commit(commit: CellCommit): Promise<CommitOutcome | 'unanswered' | 'unasked'> {
    if (this.#isAlone || commit.keys.length > MOST_ROWS_EACH) return 'unasked'
    try {
      return (await this.#commits.ask(commit)) ?? 'unasked'
    } catch (error) {
      if (error instanceof RowsUnwritten) throw error
      return error instanceof NoAnswer ? 'unanswered' : 'refused'
    }
  }

  get #isAlone(): boolean {
    return this.#cells.size < 2
  }
}
