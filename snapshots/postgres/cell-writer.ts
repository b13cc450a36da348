// The only writer of a cell: it claims the cell and writes its commits. A commit is one statement. The statement
// applies only if the cell still has the epoch of the claim and the previous commit is the latest one. If the database
// does not answer, the writer retries the commit with the same commit id until it gets an answer. The commit is
// therefore applied at most once, and the writer always learns its outcome.

import { randomUUID } from 'node:crypto'
import type { DiskOp } from '../disk.ts'
import { StaleEpoch, StoreClosed } from '../errors.ts'
import { isNameKey, nameRowOf } from '../keys.ts'
import type { ResultRow, Statement } from './connection.ts'
import type { CellsTogether } from './cells-together.ts'
import { commitAlone, type CellCommit, type CommitColumns, type NameColumns } from './commit-statement.ts'
import type { Database } from './database.ts'
import { LostHistory, NoAnswer } from './errors.ts'
import { fenceClause } from './fence.ts'
import { untilAnswered, type Lane } from './lane.ts'
import { markLost } from './lost-history.ts'
import { NAMES_VERSION } from './schema.ts'

/**
 * Returns why the commit statement changed nothing: an earlier attempt applied the commit, the fence rejected it, or
 * the previous commit is lost.
 */
const OUTCOME = {
  name: 'holdfast-outcome',
  text: `SELECT (SELECT commit_id FROM holdfast.step WHERE cell = $1 AND head = $2),
  (SELECT epoch FROM holdfast.cell WHERE cell = $1), (SELECT max(head) FROM holdfast.step WHERE cell = $1),
  (SELECT min(head) FROM holdfast.step WHERE cell = $1),
  (SELECT commit_id FROM holdfast.step WHERE cell = $1 AND head = $2::bigint - 1)`,
}

/**
 * A write of its own after the commit: an answer means that a synchronous standby has both. A row that a statement
 * reads means only that the server has it: the wait for the standby may have been cancelled, or ended by a restart.
 * Without a fence, because it changes nothing.
 */
const CONFIRM = {
  name: 'holdfast-confirm',
  text: `UPDATE holdfast.step SET commit_id = commit_id
WHERE cell = $1 AND head = $2::bigint AND commit_id = $3::uuid RETURNING 1`,
}

const CLAIM = {
  text: `UPDATE holdfast.cell SET epoch = epoch + 1, node = NULL, incarnation = NULL
WHERE cell = $1 AND lost_history IS NULL RETURNING epoch`,
}
const CELL = { text: 'SELECT epoch, lost_history FROM holdfast.cell WHERE cell = $1' }
const TENANTS = { text: 'SELECT tenant FROM holdfast.tenant WHERE cell = $1 ORDER BY tenant' }
const HEAD = { text: 'SELECT head, commit_id FROM holdfast.step WHERE cell = $1 ORDER BY head DESC LIMIT 1' }
const PRUNE = {
  name: 'holdfast-prune',
  text: `${fenceClause()}
    DELETE FROM holdfast.step USING owner WHERE step.cell = owner.cell AND head < $3::bigint`,
}
const REMOVE = {
  name: 'holdfast-remove',
  text: `${fenceClause()} DELETE FROM holdfast.row USING owner WHERE key = ANY ($3::text[]) AND value IS NULL`,
}

const REMOVE_NAMES = {
  name: 'holdfast-remove-names',
  text: `${fenceClause()} DELETE FROM holdfast.name USING owner, holdfast.tenant
WHERE NOT name.held AND tenant.tenant = name.tenant AND tenant.cell = owner.cell`,
}
const NAMELESS = { text: 'SELECT tenant FROM holdfast.tenant WHERE cell = $1 AND names < $2::int ORDER BY tenant' }
const NAMED = {
  name: 'holdfast-named',
  text: `${fenceClause()}, named AS (
  UPDATE holdfast.tenant SET names = $4::int FROM owner
  WHERE tenant.cell = owner.cell AND tenant = ANY ($3::text[]))
SELECT 1 FROM owner`,
}

/** Prefix of the fence rows. The rest of the key is the escaped tenant, which is ASCII. */
const FENCE = 'f!'
const KEPT_STEPS = 1_000
const REMOVED_AT_ONCE = 1_000
/** How long retries of a commit may continue after the store began to close. */
const CLOSING_MS = 10_000

/** Counts of commits that needed more than one attempt. */
export interface CommitRetries {
  /** Commit statements that were sent again. */
  readonly askedAgain: number
  /** Commits that an earlier attempt had applied. */
  readonly foundApplied: number
}

export interface WriterOptions {
  readonly database: Database
  readonly cell: string
  /** Raises the epoch of the cell for this process and returns it. Absent: the current owner is fenced at once. */
  readonly claim?: () => Promise<number>
  /** Shares commit statements with the other cells of the process. Absent: the cell always commits alone. */
  readonly together?: CellsTogether | undefined
  /** False: records are written without the names by which other cells find them. The next owner writes the names. */
  readonly writesNames?: boolean
}

export class CellWriter {
  readonly #options: WriterOptions
  readonly #lane: Lane
  #epoch = 0
  #head = -1
  /** Commit id of the step `#head`. */
  #headId = ''
  #prunedAt = 0
  /** Keys of deleted rows (value null) that are still in the table. */
  #deleted = new Set<string>()
  /** Names released since the last removal of released names. */
  #releasedNames = 0
  #cleanup: Promise<unknown> | undefined
  #closingSinceMs: number | undefined
  readonly #retries = { askedAgain: 0, foundApplied: 0 }

  constructor(options: WriterOptions) {
    this.#options = options
    this.#lane = options.database.lane()
  }

  /** Epoch of the claim; 0 before the first claim. */
  get epoch(): number {
    return this.#epoch
  }

  get retries(): CommitRetries {
    return this.#retries
  }

  /**
   * Makes this process the owner of the cell. A separate statement reads the head: a statement that waits for the lock
   * of a running commit keeps its snapshot from before the wait. Read rows of the cell only after this resolves.
   */
  async claim(): Promise<number> {
    this.#epoch = await (this.#options.claim ?? (() => this.#claim()))()
    const [row] = await this.#untilAnswered(() => this.#query(HEAD, [this.#options.cell], 0))
    if (row?.[0] == null) throw await this.#lost('no step of it is left')
    this.#head = Number(row[0])
    this.#headId = row[1] ?? ''
    this.#prunedAt = this.#head
    return this.#epoch
  }

  /** The escaped tenants of the cell, in key order. */
  async tenants(): Promise<string[]> {
    const rows = await this.#untilAnswered((attempt) => this.#query(TENANTS, [this.#options.cell], attempt))
    return rows.flatMap(([tenant]) => tenant ?? [])
  }

  /** The tenants of the cell whose records have no names of the current version, escaped and in key order. */
  async nameless(): Promise<string[]> {
    const values = [this.#options.cell, NAMES_VERSION]
    const rows = await this.#untilAnswered((attempt) => this.#query(NAMELESS, values, attempt))
    return rows.flatMap(([tenant]) => tenant ?? [])
  }

  /** Marks the names of these tenants as complete. Rejects with `StaleEpoch`. */
  async named(tenants: readonly string[]): Promise<void> {
    const values = [this.#options.cell, this.#epoch, tenants, NAMES_VERSION]
    const rows = await this.#untilAnswered((attempt) => this.#query(NAMED, values, attempt))
    if (rows.length === 0) throw new StaleEpoch(this.#epoch, this.#epoch + 1)
  }

  /**
   * Rejects with `StaleEpoch` (nothing was written), `LostHistory`, or `StatementRefused`, also for the first rows of a
   * tenant that belongs to another cell.
   */
  async write(ops: readonly DiskOp[]): Promise<void> {
    const { cell, writesNames = true, together } = this.#options
    // This commit may write a key that the cleanup is removing, so the two must not overlap.
    await this.#cleanup
    const head = this.#head + 1
    const claimed = { cell, epoch: this.#epoch, head, id: randomUUID() }
    const commit = { ...claimed, ...columnsOf(ops), namesVersion: writesNames ? NAMES_VERSION : 0 }
    const outcome = writesNames ? await together?.commit(commit) : undefined
    if (outcome !== 'applied') await this.#commitAlone(commit, outcome === 'unanswered' ? 1 : 0)
    this.#head = head
    this.#headId = commit.id
    for (const op of ops) {
      if (isNameKey(op.key)) this.#releasedNames += op.type === 'del' ? 1 : 0
      else if (op.type === 'del') this.#deleted.add(op.key)
      else this.#deleted.delete(op.key)
    }
    this.#startCleanup()
  }

  /** @param earlierAttempts number of attempts that got no answer */
  async #commitAlone(commit: CellCommit, earlierAttempts: number): Promise<void> {
    await this.#untilAnswered(async (attempt) => {
      if (attempt + earlierAttempts > 0) this.#retries.askedAgain += 1
      const outcome = await commitAlone((...query) => this.#query(...query, attempt), commit)
      if (outcome === 'refused') await this.#assertApplied(commit, attempt)
    })
  }

  /**
   * The loss of commits that this writer knows to be acknowledged, after all cells are marked; null: the database has
   * them, or has had later commits of another owner. Rejects with `NoAnswer`.
   */
  async findLoss(): Promise<LostHistory | null> {
    if (this.#epoch === 0 || this.#head < 0) return null
    const known = { epoch: this.#epoch, head: this.#head, id: this.#headId }
    const lost = lossIn(await this.#stateAt(known.head + 1, 0), known)
    return lost === null ? null : await this.#lost(lost)
  }

  /** Schedules the removal of deleted rows that a reader found. */
  foundDeleted(keys: readonly string[]): void {
    for (const key of keys) this.#deleted.add(key)
  }

  /** From now on a commit is retried for at most `CLOSING_MS`. */
  closing(): void {
    this.#closingSinceMs ??= performance.now()
  }

  async close(): Promise<void> {
    this.closing()
    await this.#lane.close()
  }

  async #claim(): Promise<number> {
    const { cell } = this.#options
    // A retry may raise the epoch twice. The second increment only fences the first attempt of this process.
    const [row] = await this.#untilAnswered((attempt) => this.#query(CLAIM, [cell], attempt))
    if (row?.[0] != null) return Number(row[0])
    const [state] = await this.#untilAnswered((attempt) => this.#query(CELL, [cell], attempt))
    throw new LostHistory(cell, state?.[1] ?? 'there is no such cell')
  }

  /**
   * Returns if an earlier attempt applied the commit, and a synchronous standby has it. Otherwise throws `StaleEpoch`,
   * `LostHistory`, or `NoAnswer` if the commit can be retried.
   */
  async #assertApplied({ head, id }: CellCommit, attempt: number): Promise<void> {
    const state = await this.#stateAt(head, attempt)
    if (state.commitId === id) {
      const confirmed = await this.#query(CONFIRM, [this.#options.cell, head, id], attempt)
      if (confirmed.length === 0) throw new NoAnswer('the commit was found, and then not')
      this.#retries.foundApplied += 1
      return
    }
    const lost = lossIn(state, { epoch: this.#epoch, head: head - 1, id: this.#headId })
    if (lost !== null) throw await this.#lost(lost)
    if (state.epoch !== null && state.epoch > this.#epoch) throw new StaleEpoch(this.#epoch, state.epoch)
    if (state.commitId !== null) throw await this.#lost(`commit ${String(head)} is another one`)
    throw new NoAnswer('the commit was neither applied nor refused')
  }

  async #stateAt(head: number, attempt: number): Promise<CellState> {
    const [row = []] = await this.#query(OUTCOME, [this.#options.cell, head], attempt)
    const [commitId = null, epoch, latest, earliest, previousId = null] = row
    return { commitId, previousId, epoch: numberOf(epoch), latest: numberOf(latest), earliest: numberOf(earliest) }
  }

  async #lost(detail: string): Promise<LostHistory> {
    const { cell, database } = this.#options
    return await markLost(
      (statement, values) => this.#query(statement, values, 0),
      { cell, detail },
      (error) => database.noAnswer(error),
    )
  }

  /**
   * Starts the removal of old steps, released names and deleted rows. The next commit waits for it. A removal that
   * fails is repeated later.
   */
  #startCleanup(): void {
    const { cell } = this.#options
    const queries: Promise<unknown>[] = []
    if (this.#head - this.#prunedAt >= 2 * KEPT_STEPS) {
      const before = this.#head - KEPT_STEPS
      this.#prunedAt = before
      queries.push(this.#query(PRUNE, [cell, this.#epoch, before], 0))
    }
    if (this.#releasedNames >= REMOVED_AT_ONCE) {
      this.#releasedNames = 0
      queries.push(this.#query(REMOVE_NAMES, [cell, this.#epoch], 0))
    }
    if (this.#deleted.size >= REMOVED_AT_ONCE) {
      const keys = [...this.#deleted].slice(0, REMOVED_AT_ONCE)
      for (const key of keys) this.#deleted.delete(key)
      queries.push(this.#query(REMOVE, [cell, this.#epoch, keys], 0).catch(() => this.foundDeleted(keys)))
    }
    this.#cleanup = queries.length === 0 ? undefined : Promise.allSettled(queries)
  }

  #query(statement: Statement, values: Parameters<Lane['query']>[1], attempt: number): Promise<ResultRow[]> {
    return this.#lane.query(statement, values, this.#options.database.boundAt(attempt))
  }

  async #untilAnswered<T>(ask: (attempt: number) => Promise<T>): Promise<T> {
    return await untilAnswered(ask, (error) => {
      if (this.#closingSinceMs !== undefined && performance.now() - this.#closingSinceMs > CLOSING_MS)
        throw new StoreClosed()
      this.#options.database.noAnswer(error)
    })
  }
}

/** The tables of a cell around one of its commits. */
interface CellState {
  readonly commitId: string | null
  /** Of the commit before. */
  readonly previousId: string | null
  readonly epoch: number | null
  /** Latest and earliest commit that the database keeps; null: there is none. */
  readonly latest: number | null
  readonly earliest: number | null
}

/**
 * What the tables lack of what the writer knows: its epoch and its last acknowledged commit, `head`. Later owners raise
 * the epoch, add commits and remove old ones, but a cell never goes back. null: nothing is lost.
 */
function lossIn(
  { previousId, epoch, latest, earliest }: CellState,
  known: { readonly epoch: number; readonly head: number; readonly id: string },
): string | null {
  if (epoch === null || epoch < known.epoch) return `its epoch is ${epoch ?? 'none'}, and was ${known.epoch}`
  if (latest === null || latest < known.head) return `its last commit is ${latest ?? 'none'}, and was ${known.head}`
  const isRemoved = epoch > known.epoch && earliest !== null && earliest > known.head
  return isRemoved || previousId === known.id ? null : `commit ${known.head} is another one`
}

const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text))

function columnsOf(ops: readonly DiskOp[]): CommitColumns {
  const keys: string[] = []
  const texts: (string | null)[] = []
  const tenants: string[] = []
  const names: DiskOp[] = []
  for (const op of ops) {
    if (isNameKey(op.key)) {
      names.push(op)
      continue
    }
    keys.push(op.key)
    texts.push(op.type === 'put' ? op.value : null)
    if (op.key.startsWith(FENCE)) tenants.push(op.key.slice(FENCE.length))
  }
  return { keys, texts, tenants, names: nameColumnsOf(names) }
}

function nameColumnsOf(names: readonly DiskOp[]): NameColumns {
  const rows = names.map(({ key }) => nameRowOf(key))
  return {
    keys: rows.map(({ name }) => name),
    tenants: rows.map(({ tenant }) => tenant),
    places: rows.map(({ place }) => place),
    held: names.map(({ type }) => String(type === 'put')),
  }
}
