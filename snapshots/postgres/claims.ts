// Claims of names, stored in the database under the epoch of the claiming cell.
import type { ClaimTable } from '../disk.ts'
import { nameText } from '../keys.ts'
import type { Database } from './database.ts'
import { fenceClause } from './fence.ts'

/**
 * A claim is valid while its cell has the epoch of the claim. The comparison is `<=`, because the snapshot of this
 * statement may show the other cell with an older epoch than the one under which it claimed the name.
 */
const TAKE = {
  name: 'holdfast-take-claims',
  text: `${fenceClause()}
INSERT INTO holdfast.claim AS known (name, cell, epoch, token)
SELECT n, $1, $2::bigint, $4::uuid FROM owner, unnest($3::text[]) AS n ORDER BY n
ON CONFLICT (name) DO UPDATE SET cell = excluded.cell, epoch = excluded.epoch, token = excluded.token
WHERE known.cell = excluded.cell OR NOT EXISTS (
  SELECT 1 FROM holdfast.cell AS c WHERE c.cell = known.cell AND c.epoch <= known.epoch)
RETURNING name`,
}
const LEAVE = { name: 'holdfast-leave-claims', text: 'DELETE FROM holdfast.claim WHERE token = $1::uuid' }

export function claimsOf(database: Database, cell: string, epoch: () => number): ClaimTable {
  return {
    async take(names, token) {
      const byText = new Map(names.map((name) => [nameText(name), name]))
      const rows = await database.read(TAKE, [cell, epoch(), [...byText.keys()], token])
      return rows.flatMap(([text]) => byText.get(text ?? '') ?? [])
    },
    async leave(token) {
      await database.read(LEAVE, [token])
    },
  }
}
