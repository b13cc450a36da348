// Decides whether the balance of an account, as read from the chain, includes a transaction. This separates deposits
// from outside from the effects of the service's own transactions.
//
// The query is one request to one endpoint with its calls in this order: the statuses of the transactions (`before`),
// the accounts at `confirmed`, as of slot S, and the statuses again (`after`).
//
//     1. The account of the transaction's durable nonce, read as of S or later, still has the signed value: excluded.
//     2. `after` is null, as of a slot not before S, and so is `before`: excluded.
//     3. `after` shows a slot later than S, and `before` shows no other slot: excluded.
//     4. `before` and `after` both show `confirmed` or better in the same slot, which is not later than S: included.
//     5. Embedded chain only: `after` shows `processed`, and `before` shows no other slot: excluded.
//     6. Anything else is undecided: nothing is concluded, and the query is repeated.
//
// Justification. On a cluster, a response at `confirmed` as of S reflects the whole block of S and all blocks below it,
// so a transaction is included exactly if it landed in one of those. Landing advances the nonce: 1. The status of a
// transaction that landed in a slot up to S is not null in a response as of S or later, provided the status cache
// reaches back to where the transaction can have landed (`nullCounts`): 2. A transaction is in only one block of a
// fork: 3. Confirmed blocks are of one fork, so a confirmed transaction in a slot up to S is in the block of S or in
// one below it: 4. A transaction that is only `processed` may be on a fork without S: 6.
//
// On the embedded chain the block of S is still open: the balance reflects what is on disk at the instant of the read,
// and `confirmed` means on disk. A transaction that was confirmed before the read is included (4). One that was not on
// the chain after the read is not (2), nor is one that landed in a later slot (3). One that was not on disk after the
// read was not on disk before it (5; without this rule a busy account would be undecided whenever one of its
// transactions is being written). One that reached the disk between the two status queries is undecided (6): slots
// cannot decide it, since S is the slot of both.
//
// A fork that is abandoned between the calls makes `before` and `after` differ: 6. The one undetected case is a block
// that appears and is abandoned within one request. This would require that a confirmed block of a cluster is
// abandoned, and the next reading is correct again.
import type { SignatureStatus } from './rpc.ts'
import { CACHE_SLOTS } from './status-verdict.ts'

export type Inclusion = 'included' | 'excluded' | 'undecided'

export interface Sighting {
  readonly before: SignatureStatus | null
  readonly after: SignatureStatus | null
  /** Context slot of `after`. */
  readonly afterSlot: number
  /** S: the slot that the accounts are as of. */
  readonly slot: number
  /** The transaction cannot have landed before this slot. */
  readonly sinceSlot: number
  /** Whether the nonce account still had the signed value; null: no nonce, or the account was not read. */
  readonly nonceUnused: boolean | null
  /** The embedded chain: `confirmed` means on disk, and a balance reflects what is on disk. */
  readonly confirmsOnDisk: boolean
}

export function inclusion(sighting: Sighting): Inclusion {
  const { before, after, slot, nonceUnused, confirmsOnDisk } = sighting
  if (nonceUnused === true) return 'excluded'
  if (after === null) return before === null && nullCounts(sighting) ? 'excluded' : 'undecided'
  if (before !== null && before.slot !== after.slot) return 'undecided'
  if (after.slot > slot || (confirmsOnDisk && after.commitment === 'processed')) return 'excluded'
  const isSettled = before !== null && before.commitment !== 'processed' && after.commitment !== 'processed'
  return isSettled ? 'included' : 'undecided'
}

/** Nodes remember statuses for a limited number of slots: a null proves nothing about earlier ones. */
function nullCounts({ afterSlot, slot, sinceSlot }: Sighting): boolean {
  return afterSlot >= slot && afterSlot - sinceSlot <= CACHE_SLOTS
}
