// The statement that commits: of one cell, or of several cells of a process at once. Each commit has a claim, a head
// and an id of its own, and what fails for one cell leaves the others alone: what is not applied here, or may not be,
// its cell asks for again under the same id.

import type { ResultRow, Statement, Value } from './connection.ts'
import { RowsUnwritten } from './errors.ts'
import { fenced } from './fence.ts'

/** Columns of the rows of one commit. */
export interface CommitColumns {
  readonly keys: readonly string[]
  /** Null: the row is deleted. */
  readonly texts: readonly (string | null)[]
  /** Of which these are the first rows, or the first under this claim. */
  readonly tenants: readonly string[]
  /** As in the table of names. */
  readonly names: NameColumns
}

export interface NameColumns {
  readonly keys: readonly string[]
  readonly tenants: readonly string[]
  readonly places: readonly string[]
  readonly held: readonly string[]
}

export interface CellCommit extends CommitColumns {
  readonly cell: string
  readonly epoch: number
  /** After the commit. */
  readonly head: number
  readonly id: string
  /** Of the names that the tenants have; 0: they have none. */
  readonly namesVersion: number
}

/** `refused`: not by this statement; an earlier one may have applied it. */
export type CommitOutcome = 'applied' | 'refused'

type Ask = (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>

export interface CommitForm {
  /** Of several cells: each row says whose it is. Otherwise there is one cell, and no row says so. */
  readonly isShared: boolean
  /** Few commits change names: the others do not pay for it. */
  readonly hasNames: boolean
}

/** Where the statement finds the commits, as `a`, and the rows of those that are in `fence`. */
interface Sources {
  readonly commits: (columns: Columns) => string
  readonly rows: (name: string, columns: Columns) => string
  readonly parameter: (type: string) => string
}

/** Names of columns, with their types. */
type Columns = Readonly<Record<string, string>>

/** Of all cells before a row of any is written, which may have to wait. */
const ALL_TAKEN = '(SELECT count(*) FROM fence) > 0'

/** Numbers the parameters in the order in which they are asked for, of which the first must be those of the commits. */
function sourcesOf(isShared: boolean): Sources {
  let count = 0
  const parameter = (type: string): string => `$${String((count += 1))}::${type}`
  const list = (columns: Columns, suffix: string): string =>
    Object.values(columns)
      .map((type) => parameter(type + suffix))
      .join(', ')
  const named = (name: string, columns: readonly string[]): string => `AS ${name} (${columns.join(', ')})`
  return {
    parameter,
    commits(columns) {
      const source = isShared ? `unnest(${list(columns, '[]')})` : `(VALUES (${list(columns, '')}))`
      return `${source} ${named('a', Object.keys(columns))}`
    },
    rows(name, columns) {
      const names = Object.keys(columns)
      if (!isShared) return `fence, unnest(${list(columns, '[]')}) ${named(name, names)}`
      // `at`: the place of the commit, from 1.
      const source = `unnest(${list({ ...columns, at: 'int' }, '[]')})`
      return `fence JOIN ${source} ${named(name, [...names, 'at'])}
    ON fence.cell = ($1::text[])[${name}.at] AND ${ALL_TAKEN}`
    },
  }
}

/**
 * `max(head)` refuses a late copy of a statement whose step is already pruned; two copies at the same time meet at the
 * key of `step`. Each table is changed once. For a tenant of another cell, `born` gives a null that the column refuses:
 * the statement then fails as a whole. So it does for a message that belongs to another transaction.
 *
 * Of several cells, one whose row is locked, by a claim or a move, is left out: were it waited for, all would wait,
 * and later commits of theirs could overtake the statement. None does while it waits for a row: it has all heads then.
 */
export function commitStatement({ isShared, hasNames }: CommitForm): Statement {
  const { commits, rows, parameter } = sourcesOf(isShared)
  const asked = commits({ cell: 'text', epoch: 'bigint', head: 'bigint', id: 'uuid' })
  const condition = '(SELECT max(s.head) FROM holdfast.step AS s WHERE s.cell = a.cell) = a.head - 1'
  const owner = fenced({ asked, condition, skipsLocked: isShared })
  const put = rows('r', { key: 'text', value: 'text' })
  const born = rows('t', { tenant: 'text' })
  const parts = [
    owner,
    `fence AS (
  INSERT INTO holdfast.step (cell, head, commit_id) SELECT cell, head, id FROM owner
  ON CONFLICT DO NOTHING RETURNING cell, head)`,
    `born AS (
  INSERT INTO holdfast.tenant (tenant, cell, names) SELECT t.tenant, fence.cell, ${parameter('int')}
  FROM ${born}
  ON CONFLICT (tenant) DO UPDATE SET cell = CASE WHEN tenant.cell = excluded.cell THEN excluded.cell END)`,
    `put AS (
  INSERT INTO holdfast.row AS known (key, value, head) SELECT r.key, r.value, fence.head
  FROM ${put}
  ON CONFLICT (key) DO UPDATE SET value = excluded.value,
    head = CASE WHEN known.key LIKE 'h!%' AND known.value <> excluded.value THEN NULL ELSE excluded.head END
  RETURNING 1)`,
  ]
  if (hasNames)
    parts.push(`named AS (
  INSERT INTO holdfast.name (key, tenant, id, held) SELECT n.key, n.tenant, n.id, n.held
  FROM ${rows('n', { key: 'text', tenant: 'text', id: 'text', held: 'boolean' })}
  ON CONFLICT (key, tenant, id) DO UPDATE SET held = excluded.held RETURNING 1)`)
  const written = `(SELECT count(*) FROM put)${hasNames ? ' + (SELECT count(*) FROM named)' : ''}`
  return {
    name: `holdfast-commit${hasNames ? '-names' : ''}${isShared ? '-together' : ''}`,
    text: `${parts.join(',\n')}\nSELECT ${written}${isShared ? ', cell' : ''} FROM fence`,
  }
}

const STATEMENTS = [false, true].map((isShared) =>
  [false, true].map((hasNames) => commitStatement({ isShared, hasNames })),
)

/**
 * Waits for the lock of the cell. Rejects with `NoAnswer` (it may be applied) or `StatementRefused`; with
 * `RowsUnwritten` when what was applied is not whole.
 */
export async function commitAlone(ask: Ask, commit: CellCommit): Promise<CommitOutcome> {
  return (await apply(ask, [commit], false))[0]!
}

/**
 * No cell may have two of the commits, and all must be of one version of names. Rejects as for one cell: with
 * `NoAnswer` each may be applied, or none.
 */
export function commitTogether(ask: Ask, commits: readonly CellCommit[]): Promise<readonly CommitOutcome[]> {
  return apply(ask, commits, true)
}

async function apply(ask: Ask, commits: readonly CellCommit[], isShared: boolean): Promise<readonly CommitOutcome[]> {
  const hasNames = commits.some(({ names }) => names.keys.length > 0)
  const statement = STATEMENTS[Number(isShared)]![Number(hasNames)]!
  const rows = await ask(statement, valuesOf(commits, { isShared, hasNames }))
  // A cell that commits alone is not named in the answer.
  const applied = new Set(rows.map(([, cell = commits[0]?.cell]) => cell))
  const written = Number(rows[0]?.[0] ?? 0)
  const expected = commits.reduce(
    (sum, { cell, keys, names }) => (applied.has(cell) ? sum + keys.length + names.keys.length : sum),
    0,
  )
  if (written !== expected) throw new RowsUnwritten(written, expected)
  return commits.map(({ cell }) => (applied.has(cell) ? 'applied' : 'refused'))
}

/** In the order of the parameters. */
function valuesOf(commits: readonly CellCommit[], { isShared, hasNames }: CommitForm): readonly Value[] {
  const each = (pick: (commit: CellCommit) => string | number): Value =>
    isShared ? commits.map((commit) => String(pick(commit))) : pick(commits[0]!)
  const rows = (...columns: ((commit: CellCommit) => readonly (string | null)[])[]): Value[] => {
    const values = columns.map((pick) => commits.flatMap(pick))
    if (isShared) values.push(commits.flatMap((commit, at) => columns[0]!(commit).map(() => String(at + 1))))
    return values
  }
  return [
    ...[each(({ cell }) => cell), each(({ epoch }) => epoch), each(({ head }) => head), each(({ id }) => id)],
    ...rows(
      ({ keys }) => keys,
      ({ texts }) => texts,
    ),
    ...[...rows(({ tenants }) => tenants), commits[0]?.namesVersion ?? 0],
    ...(hasNames ? rows(...NAME_COLUMNS) : []),
  ]
}

const NAME_COLUMNS = (['keys', 'tenants', 'places', 'held'] as const).map(
  (column) =>
    ({ names }: CellCommit): readonly string[] =>
      names[column],
)
