// The one writer of a cell: its claim, and its commits. A commit is one statement, under the epoch of the claim and
// directly after the commit before it. When no answer comes the same is asked again under the same commit id, however
// long that takes: it is applied once, and its outcome is always learnt.

import { randomUUID } from 'node:crypto'
import type { DiskOp } from '../disk.ts'
import { StaleEpoch, StoreClosed } from '../errors.ts'
import { isNameKey, nameRowOf } from '../keys.ts'
import type { ResultRow, Statement } from './connection.ts'
import type { CellsTogether } from './cells-together.ts'
import { commitAlone, type CellCommit, type CommitColumns, type NameColumns } from './commit-statement.ts'
import type { Database } from './database.ts'
import { LostHistory, NoAnswer } from './errors.ts'
import { fenced } from './fence.ts'
import { untilAnswered, type Lane } from './lane.ts'
import { NAMES_VERSION } from './schema.ts'

/** What became of a commit that was not applied by the statement just answered. */
const OUTCOME = {
  name: 'holdfast-outcome',
  text: `SELECT (SELECT commit_id FROM holdfast.step WHERE cell = $1 AND head = $2),
  (SELECT epoch FROM holdfast.cell WHERE cell = $1), (SELECT max(head) FROM holdfast.step WHERE cell = $1)`,
}

const CLAIM = {
  text: `UPDATE holdfast.cell SET epoch = epoch + 1, node = NULL, incarnation = NULL
WHERE cell = $1 AND lost_history IS NULL RETURNING epoch`,
}
const CELL = { text: 'SELECT epoch, lost_history FROM holdfast.cell WHERE cell = $1' }
const TENANTS = { text: 'SELECT tenant FROM holdfast.tenant WHERE cell = $1 ORDER BY tenant' }
const HEAD = { text: 'SELECT max(head) FROM holdfast.step WHERE cell = $1' }
const LOST = { text: 'UPDATE holdfast.cell SET lost_history = $2 WHERE cell = $1 AND lost_history IS NULL' }

const PRUNE = {
  name: 'holdfast-prune',
  text: `${fenced()} DELETE FROM holdfast.step USING owner WHERE step.cell = owner.cell AND head < $3::bigint`,
}
const REMOVE = {
  name: 'holdfast-remove',
  text: `${fenced()} DELETE FROM holdfast.row USING owner WHERE key = ANY ($3::text[]) AND value IS NULL`,
}

const REMOVE_NAMES = {
  name: 'holdfast-remove-names',
  text: `${fenced()} DELETE FROM holdfast.name USING owner, holdfast.tenant
WHERE NOT name.held AND tenant.tenant = name.tenant AND tenant.cell = owner.cell`,
}
const NAMELESS = { text: 'SELECT tenant FROM holdfast.tenant WHERE cell = $1 AND names < $2::int ORDER BY tenant' }
const NAMED = {
  name: 'holdfast-named',
  text: `${fenced()}, named AS (
  UPDATE holdfast.tenant SET names = $4::int FROM owner
  WHERE tenant.cell = owner.cell AND tenant = ANY ($3::text[]))
SELECT 1 FROM owner`,
}

/** Rows of tenants. What follows is the name as it stands in keys: it can be written in every encoding. */
const FENCE = 'f!'
const KEPT_STEPS = 1_000
const REMOVED_AT_ONCE = 1_000
/** How long a commit under way may take once the store is being closed. */
const CLOSING_MS = 10_000

/** Commits whose answer did not come at once. */
export interface CommitRetries {
  /** Statements asked again. */
  readonly askedAgain: number
  /** Commits that an earlier try had applied. */
  readonly foundApplied: number
}

export interface WriterOptions {
  readonly database: Database
  readonly cell: string
  /**
   * Raises the epoch of the cell for this process and returns it. Absent: the present owner is fenced at once.
   */
  readonly claim?: () => Promise<number>
  readonly newId?: () => string
  /** The other cells of the process. Absent: the cell commits by itself. */
  readonly together?: CellsTogether | undefined
  /** False: records are written without the names by which other cells find them. The next owner adds the names. */
  readonly writesNames?: boolean
}

export class CellWriter {
  readonly #options: WriterOptions
  readonly #lane: Lane
  readonly #newId: () => string
  #epoch = 0
  #head = -1
  #prunedAt = 0
  /** Keys of rows without a value, to be removed. */
  #deleted = new Set<string>()
  /** Names that were given up since they were last removed. */
  #namesLeft = 0
  #tidying: Promise<unknown> | undefined
  #closingSinceMs: number | undefined
  readonly #retries = { askedAgain: 0, foundApplied: 0 }

  constructor(options: WriterOptions) {
    this.#options = options
    this.#lane = options.database.lane()
    this.#newId = options.newId ?? randomUUID
  }

  /** Epoch of the claim; 0: there was none. */
  get epoch(): number {
    return this.#epoch
  }

  get retries(): CommitRetries {
    return this.#retries
  }

  /**
   * Owns the cell from now on. The head is read by a statement of its own: one that waited for the commit under way
   * would see the rows of before its wait. Nothing may be read of the cell before this resolves.
   */
  async claim(): Promise<number> {
    this.#epoch = await (this.#options.claim ?? (() => this.#claim()))()
    const [row] = await this.#untilAnswered(() => this.#ask(HEAD, [this.#options.cell], 0))
    if (row?.[0] == null) throw await this.#lost('no step of it is left')
    this.#head = Number(row[0])
    this.#prunedAt = this.#head
    return this.#epoch
  }

  /** The tenants of the cell, as their names stand in keys, in their order. */
  async tenants(): Promise<string[]> {
    const rows = await this.#untilAnswered((attempt) => this.#ask(TENANTS, [this.#options.cell], attempt))
    return rows.flatMap(([tenant]) => tenant ?? [])
  }

  /** The tenants of the cell whose records have no names yet, as in `tenants`. */
  async nameless(): Promise<string[]> {
    const values = [this.#options.cell, NAMES_VERSION]
    const rows = await this.#untilAnswered((attempt) => this.#ask(NAMELESS, values, attempt))
    return rows.flatMap(([tenant]) => tenant ?? [])
  }

  /** Says that the records of these tenants have their names. Rejects with `StaleEpoch`. */
  async named(tenants: readonly string[]): Promise<void> {
    const values = [this.#options.cell, this.#epoch, tenants, NAMES_VERSION]
    const rows = await this.#untilAnswered((attempt) => this.#ask(NAMED, values, attempt))
    if (rows.length === 0) throw new StaleEpoch(this.#epoch, this.#epoch + 1)
  }

  /**
   * Rejects with `StaleEpoch` (nothing was written), `LostHistory`, or `StatementRefused`, also for the first rows of a
   * tenant that belongs to another cell.
   */
  async write(ops: readonly DiskOp[]): Promise<void> {
    const { cell, writesNames = true, together } = this.#options
    // What is being removed may be written again: not at the same time.
    await this.#tidying
    const head = this.#head + 1
    const claimed = { cell, epoch: this.#epoch, head, id: this.#newId() }
    const commit = { ...claimed, ...columnsOf(ops), namesVersion: writesNames ? NAMES_VERSION : 0 }
    const outcome = writesNames ? await together?.commit(commit) : undefined
    if (outcome !== 'applied') await this.#commitAlone(commit, outcome === 'unanswered' ? 1 : 0)
    this.#head = head
    for (const op of ops) {
      if (isNameKey(op.key)) this.#namesLeft += op.type === 'del' ? 1 : 0
      else if (op.type === 'del') this.#deleted.add(op.key)
      else this.#deleted.delete(op.key)
    }
    this.#tidy()
  }

  /** @param asked how often it was asked for before, without an answer */
  async #commitAlone(commit: CellCommit, asked: number): Promise<void> {
    await this.#untilAnswered(async (attempt) => {
      if (attempt + asked > 0) this.#retries.askedAgain += 1
      const outcome = await commitAlone((...question) => this.#ask(...question, attempt), commit)
      if (outcome === 'refused') await this.#outcome(commit, attempt)
    })
  }

  /** Rows without a value that a reader came by. */
  foundDeleted(keys: readonly string[]): void {
    for (const key of keys) this.#deleted.add(key)
  }

  /** From now on an answer is not waited for without end. */
  closing(): void {
    this.#closingSinceMs ??= performance.now()
  }

  async close(): Promise<void> {
    this.closing()
    await this.#lane.close()
  }

  async #claim(): Promise<number> {
    const { cell } = this.#options
    // Asked again after no answer, this raises the epoch twice: that fences nobody but this process's own first try.
    const [row] = await this.#untilAnswered((attempt) => this.#ask(CLAIM, [cell], attempt))
    if (row?.[0] != null) return Number(row[0])
    const [found] = await this.#untilAnswered((attempt) => this.#ask(CELL, [cell], attempt))
    throw new LostHistory(cell, found?.[1] ?? 'there is no such cell')
  }

  /** Returns if the commit was applied by an earlier try. */
  async #outcome({ head, id }: CellCommit, attempt: number): Promise<void> {
    const [row = []] = await this.#ask(OUTCOME, [this.#options.cell, head], attempt)
    const [foundId = null, epoch = null, found = null] = row
    if (foundId === id) {
      this.#retries.foundApplied += 1
      return
    }
    if (epoch !== null && Number(epoch) > this.#epoch) throw new StaleEpoch(this.#epoch, Number(epoch))
    if (epoch === null || Number(epoch) < this.#epoch)
      throw await this.#lost(`its epoch is ${epoch ?? 'none'}, and was ${String(this.#epoch)}`)
    if (foundId !== null) throw await this.#lost(`commit ${String(head)} is another one`)
    if (found === null || Number(found) !== head - 1)
      throw await this.#lost(`its last commit is ${found ?? 'none'}, and was ${String(head - 1)}`)
    throw new NoAnswer('the commit was neither applied nor refused')
  }

  /** Marks the cell, so that nobody writes on top of it. */
  async #lost(detail: string): Promise<LostHistory> {
    await this.#ask(LOST, [this.#options.cell, detail], 0).catch(() => undefined)
    return new LostHistory(this.#options.cell, detail)
  }

  /** Not awaited: the next commit waits for it. What fails is done another time. */
  #tidy(): void {
    const { cell } = this.#options
    const asked: Promise<unknown>[] = []
    if (this.#head - this.#prunedAt >= 2 * KEPT_STEPS) {
      const before = this.#head - KEPT_STEPS
      this.#prunedAt = before
      asked.push(this.#ask(PRUNE, [cell, this.#epoch, before], 0))
    }
    if (this.#namesLeft >= REMOVED_AT_ONCE) {
      this.#namesLeft = 0
      asked.push(this.#ask(REMOVE_NAMES, [cell, this.#epoch], 0))
    }
    if (this.#deleted.size >= REMOVED_AT_ONCE) {
      const keys = [...this.#deleted].slice(0, REMOVED_AT_ONCE)
      for (const key of keys) this.#deleted.delete(key)
      asked.push(this.#ask(REMOVE, [cell, this.#epoch, keys], 0).catch(() => this.foundDeleted(keys)))
    }
    this.#tidying = asked.length === 0 ? undefined : Promise.allSettled(asked)
  }

  #ask(statement: Statement, values: Parameters<Lane['query']>[1], attempt: number): Promise<ResultRow[]> {
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
