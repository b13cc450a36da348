// Which statement of the service a text is. What its conditions are is read from the text, so that a condition that is
// missing there is missing here, too.
import type { Statement } from '../../../snapshots/postgres/connection.ts'

const READS = {
  last: /ORDER BY key DESC LIMIT 1$/,
  rows: /^SELECT key, value FROM holdfast\.row WHERE key = ANY/,
  between: /^SELECT key, value FROM holdfast\.row WHERE key >= /,
  after: /^SELECT key, value FROM holdfast\.row WHERE key > /,
  value: /^SELECT value FROM holdfast\.row WHERE key = \$1$/,
  one: /^SELECT 1$/,
  nameless: /^SELECT tenant FROM holdfast\.tenant WHERE cell = \$1 AND names/,
  tenants: /^SELECT tenant FROM holdfast\.tenant WHERE cell/,
  head: /^SELECT head, commit_id FROM holdfast\.step/,
  outcome: /^SELECT \(SELECT commit_id FROM holdfast\.step/,
  nodes: /^SELECT id, incarnation::text, url/,
  cells: /^SELECT cell\.cell, cell\.epoch::text/,
} as const

const WRITES = {
  commit: /INSERT INTO holdfast\.step \(cell, head, commit_id\)/,
  settle: /^INSERT INTO holdfast\.row/,
  confirm: /^UPDATE holdfast\.step SET commit_id = commit_id/,
  prune: /DELETE FROM holdfast\.step/,
  removeNames: /DELETE FROM holdfast\.name/,
  remove: /DELETE FROM holdfast\.row/,
  lost: /^UPDATE holdfast\.cell SET lost_history/,
  join: /^INSERT INTO holdfast\.node AS node/,
  renew: /^UPDATE holdfast\.node SET expires_at = now\(\) \+/,
  leave: /^UPDATE holdfast\.node SET expires_at = now\(\) WHERE/,
  claim: /^UPDATE holdfast\.cell SET epoch = epoch(?: \+ 1)?, node = \$2/,
  handOver: /^UPDATE holdfast\.cell SET epoch = epoch \+ 1, wanted = NULL/,
} as const

export type ReadKind = keyof typeof READS
export type WriteKind = keyof typeof WRITES

type Known = { readonly does: 'read'; readonly kind: ReadKind } | { readonly does: 'write'; readonly kind: WriteKind }

const knownKinds = new Map<string, Known>()

export function kindOf({ text }: Statement): Known {
  const before = knownKinds.get(text)
  if (before !== undefined) return before
  const kind = find(text.trim())
  knownKinds.set(text, kind)
  return kind
}

function find(text: string): Known {
  for (const [kind, form] of Object.entries(READS)) if (form.test(text)) return { does: 'read', kind: kind as ReadKind }
  for (const [kind, form] of Object.entries(WRITES))
    if (form.test(text)) return { does: 'write', kind: kind as WriteKind }
  throw new Error(`the simulated database does not know the statement ${text}`)
}

/** What the text of a commit asks for. */
export function conditionsOf(text: string): { readonly isFenced: boolean; readonly isChained: boolean } {
  return { isFenced: text.includes('AND c.epoch = a.epoch'), isChained: text.includes('= a.head - 1') }
}

export const raisesEpoch = (text: string): boolean => text.includes('epoch = epoch + 1')
