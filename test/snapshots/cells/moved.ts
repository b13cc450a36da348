// The data that the tests of moves use.
import type { TenantMove } from '../../../snapshots/cells/moving.ts'

export const TENANT = 'ACME'

export const MOVE: TenantMove = {
  tenant: TENANT,
  ...{ from: 'main', to: 'red' },
  facts: {
    names: [`outbox!${TENANT}`, `audit.checkpoint!${TENANT}`],
    numbered: [{ name: `audit.checkpoint!${TENANT}`, every: 1_000 }],
  },
  fact: { from: 'last', to: 'last of red' },
}

/** The later value; repeating the merge has no further effect. */
export const merge = (from: unknown, to: unknown): unknown => Math.max(Number(from ?? 0), Number(to ?? 0))
