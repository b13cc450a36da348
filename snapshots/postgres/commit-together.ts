// Commits of several cells in one statement. Each has a claim, a head and an id of its own, which are checked as when
// the cell commits alone: what fails for one cell leaves the others alone, and what is not applied here, or may not be,
// its cell asks for again under the same id.

import type { ResultRow, Statement, Value } from './connection.ts'
import { RowsUnwritten } from './errors.ts'

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
  /** Of the names that the tenants have. */
  readonly namesVersion: number
}

/** `refused`: not by this statement; an earlier one may have applied it. */
export type CommitOutcome = 'applied' | 'refused'

/**
 * Of all cells before a row of any is written, which may have to wait: otherwise a cell that commits by itself
 * meanwhile could overtake this statement.
 */
const ALL_TAKEN = '(SELECT count(*) FROM heads) > 0'
/**
 * The conditions are those of the statement for one cell. A cell whose row is locked, by a claim or a move, is left
 * out: were it waited for, all cells would wait, and the statement could be overtaken by later commits of theirs. `at`:
 * the place of the commit, from 1.
 */
const PARTS = `WITH owner AS MATERIALIZED (
  SELECT a.cell, a.head, a.id, a.at
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[]) WITH ORDINALITY AS a (cell, epoch, head, id, at)
  JOIN holdfast.cell AS c ON c.cell = a.cell AND c.epoch = a.epoch
  WHERE (SELECT max(s.head) FROM holdfast.step AS s WHERE s.cell = a.cell) = a.head - 1
  FOR SHARE OF c SKIP LOCKED),
heads AS (
  INSERT INTO holdfast.step (cell, head, commit_id) SELECT cell, head, id FROM owner
  ON CONFLICT DO NOTHING RETURNING cell),
fence AS MATERIALIZED (SELECT owner.cell, owner.head, owner.at FROM heads JOIN owner ON owner.cell = heads.cell),
born AS (
  INSERT INTO holdfast.tenant (tenant, cell, names) SELECT t.tenant, fence.cell, $10::int
  FROM fence JOIN unnest($8::text[], $9::int[]) AS t (tenant, at) ON t.at = fence.at AND ${ALL_TAKEN}
  ON CONFLICT (tenant) DO UPDATE SET cell = CASE WHEN tenant.cell = excluded.cell THEN excluded.cell END),
put AS (
  INSERT INTO holdfast.row AS known (key, value, head) SELECT r.key, r.value, fence.head
  FROM fence JOIN unnest($5::text[], $6::text[], $7::int[]) AS r (key, value, at) ON r.at = fence.at AND ${ALL_TAKEN}
  ON CONFLICT (key) DO UPDATE SET value = excluded.value,
    head = CASE WHEN known.key LIKE 'h!%' AND known.value <> excluded.value THEN NULL ELSE excluded.head END
  RETURNING 1)`
const COMMIT = {
  name: 'holdfast-commit-together',
  text: `${PARTS} SELECT fence.at, (SELECT count(*) FROM put) FROM fence`,
}
const COMMIT_WITH_NAMES = {
  name: 'holdfast-commit-names-together',
  text: `${PARTS},
named AS (
  INSERT INTO holdfast.name (key, tenant, id, held) SELECT n.key, n.tenant, n.id, n.held
  FROM fence JOIN unnest($11::text[], $12::text[], $13::text[], $14::boolean[], $15::int[])
    AS n (key, tenant, id, held, at) ON n.at = fence.at AND ${ALL_TAKEN}
  ON CONFLICT (key, tenant, id) DO UPDATE SET held = excluded.held RETURNING 1)
SELECT fence.at, (SELECT count(*) FROM put) + (SELECT count(*) FROM named) FROM fence`,
}

/**
 * No cell may have two of the commits, and all must be of one version of names. Rejects with `NoAnswer` (each may be
 * applied, or none) or `StatementRefused`; with `RowsUnwritten` when what was applied is not whole.
 */
export async function commitTogether(
  ask: (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>,
  commits: readonly CellCommit[],
): Promise<readonly CommitOutcome[]> {
  const column = (pick: (commit: CellCommit) => string | number): string[] => commits.map((each) => String(pick(each)))
  const all = <T>(pick: (commit: CellCommit) => readonly T[]): T[] => commits.flatMap(pick)
  const places = (pick: (commit: CellCommit) => readonly unknown[]): string[] =>
    commits.flatMap((commit, at) => pick(commit).map(() => String(at + 1)))
  const values: Value[] = [
    ...[column(({ cell }) => cell), column(({ epoch }) => epoch), column(({ head }) => head), column(({ id }) => id)],
    ...[all(({ keys }) => keys), all(({ texts }) => texts), places(({ keys }) => keys)],
    ...[all(({ tenants }) => tenants), places(({ tenants }) => tenants), commits[0]?.namesVersion ?? 0],
  ]
  const hasNames = commits.some(({ names }) => names.keys.length > 0)
  if (hasNames)
    values.push(
      ...[all(({ names }) => names.keys), all(({ names }) => names.tenants), all(({ names }) => names.places)],
      ...[all(({ names }) => names.held), places(({ names }) => names.keys)],
    )
  const rows = await ask(hasNames ? COMMIT_WITH_NAMES : COMMIT, values)
  const applied = new Set(rows.map(([at]) => Number(at) - 1))
  const written = Number(rows[0]?.[1] ?? 0)
  const expected = commits.reduce(
    (sum, { keys, names }, at) => (applied.has(at) ? sum + keys.length + names.keys.length : sum),
    0,
  )
  if (written !== expected) throw new RowsUnwritten(written, expected)
  return commits.map((_, at) => (applied.has(at) ? 'applied' : 'refused'))
}
