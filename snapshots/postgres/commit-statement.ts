// The commit statement, for one cell or for several cells of a process. Each commit has its own claim, head and id. A
// commit that the statement does not apply does not affect the commits of other cells: its cell retries it alone, with
// the same id.

import type { ResultRow, Statement, Value } from './connection.ts'
import { RowsUnwritten } from './errors.ts'
import { fenceClause } from './fence.ts'

/** Columns of the rows of one commit. */
export interface CommitColumns {
  readonly keys: readonly string[]
  /** Null deletes the row. */
  readonly texts: readonly (string | null)[]
  /** Escaped tenants whose first rows, or first rows under this claim, the commit contains. */
  readonly tenants: readonly string[]
  /** Columns of the table `name`. */
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
  /** Number of the cell's last commit once this one is applied. */
  readonly head: number
  readonly id: string
  /** Version of the names of new tenants; 0: their records have no names. */
  readonly namesVersion: number
}

/** `refused`: this statement did not apply the commit; an earlier attempt may have. */
export type CommitOutcome = 'applied' | 'refused'

type Ask = (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>

interface CommitForm {
  /** The statement commits several cells: each of its rows has the position of its commit. */
  readonly isShared: boolean
  /** The statement writes names. Few commits change names, so the others use a cheaper statement. */
  readonly hasNames: boolean
}

/** SQL sources of the statement: the commits, as `a`, and the rows of the commits that passed `fence`. */
interface Sources {
  readonly commits: (columns: Columns) => string
  readonly rows: (name: string, columns: Columns) => string
  readonly parameter: (type: string) => string
}

/** Column types by column name. */
type Columns = Readonly<Record<string, string>>

/** Takes the heads of all cells before it writes any row, because writing a row may wait for a lock. */
const ALL_HEADS_TAKEN = '(SELECT count(*) FROM fence) > 0'

/** Numbers the parameters in the order of the calls. `commits` must be called first. */
function sourcesOf(isShared: boolean): Sources {
  let count = 0
  const parameter = (type: string): string => `$${String((count += 1))}::${type}`
  const list = (columns: Columns): string => Object.values(columns).map(parameter).join(', ')
  const lists = (columns: Columns): string =>
    Object.values(columns)
      .map((type) => `${parameter('text[]')}${type === 'text' ? '' : `::${type}[]`}`)
      .join(', ')
  const alias = (name: string, columns: readonly string[]): string => `AS ${name} (${columns.join(', ')})`
  return {
    parameter,
    commits(columns) {
      const source = isShared ? `unnest(${lists(columns)})` : `(VALUES (${list(columns)}))`
      return `${source} ${alias('a', Object.keys(columns))}`
    },
    rows(name, columns) {
      const names = Object.keys(columns)
      if (!isShared) return `fence, unnest(${lists(columns)}) ${alias(name, names)}`
      // `at`: the position of the commit, from 1.
      const source = `unnest(${lists({ ...columns, at: 'int' })})`
      return `fence JOIN ${source} ${alias(name, [...names, 'at'])}
    ON fence.cell = ($1::text[])[${name}.at] AND ${ALL_HEADS_TAKEN}`
    },
  }
}

/**
 * Builds the statement. The condition on `max(head)` rejects a late copy of a statement whose step is already pruned;
 * two concurrent copies conflict at the primary key of `step`. The statement changes each table once. For a tenant of
 * another cell, `born` yields a null in a NOT NULL column, which fails the whole statement. `put` does the same for a
 * message that belongs to another transaction.
 *
 * A statement for several cells skips a cell whose row is locked by a claim or a move. If it waited for the lock, all
 * its cells would wait, and their later commits could overtake the statement. Waiting for the lock of a row to write is
 * safe, because the statement has taken the heads of all its cells by then.
 */
function commitStatement({ isShared, hasNames }: CommitForm): Statement {
  const { commits, rows, parameter } = sourcesOf(isShared)
  const sources = commits({ cell: 'text', epoch: 'bigint', head: 'bigint', id: 'uuid' })
  const condition = '(SELECT max(s.head) FROM holdfast.step AS s WHERE s.cell = a.cell) = a.head - 1'
  const owner = fenceClause({ sources, condition, skipsLocked: isShared })
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
 * Commits one cell; waits for the lock of the cell. Rejects with `NoAnswer` (the commit may be applied), with
 * `StatementRefused`, or with `RowsUnwritten` if the commit was applied without some of its rows.
 */
export async function commitAlone(ask: Ask, commit: CellCommit): Promise<CommitOutcome> {
  return (await apply(ask, [commit], false))[0]!
}

/**
 * Commits several cells. Each cell may have one commit, and all commits must have the same version of names. Rejects as
 * `commitAlone` does. After `NoAnswer`, either the statement was applied or nothing was.
 */
export function commitTogether(ask: Ask, commits: readonly CellCommit[]): Promise<readonly CommitOutcome[]> {
  return apply(ask, commits, true)
}

async function apply(ask: Ask, commits: readonly CellCommit[], isShared: boolean): Promise<readonly CommitOutcome[]> {
  const hasNames = commits.some(({ names }) => names.keys.length > 0)
  const statement = STATEMENTS[Number(isShared)]![Number(hasNames)]!
  const rows = await ask(statement, valuesOf(commits, { isShared, hasNames }))
  // The answer names the cells only if there are several.
  const applied = new Set(rows.map(([, cell = commits[0]?.cell]) => cell))
  const written = Number(rows[0]?.[0] ?? 0)
  const expected = commits.reduce(
    (sum, { cell, keys, names }) => (applied.has(cell) ? sum + keys.length + names.keys.length : sum),
    0,
  )
  if (written !== expected) throw new RowsUnwritten(written, expected)
  return commits.map(({ cell }) => (applied.has(cell) ? 'applied' : 'refused'))
}

/** The values of the parameters, in the order of `commitStatement`. */
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
