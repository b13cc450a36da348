// Whether the balance of an account, as read from the chain, includes a transaction: the rule by which money from outside is told from what
// our own transactions have moved.
//
// The question is one request to one endpoint, its calls in this order: the statuses of the transactions (`before`), the accounts at
// `confirmed`, whose answer is as of slot S, the statuses once more (`after`).
//
//   1. The account of the transaction's durable nonce, read together with the balance, still holds the value that was signed: excluded.
//   2. `after` is null, as of a slot that is not before S, and so is `before`: excluded.
//   3. `after` shows it in a slot behind S, and `before` no other slot: excluded.
//   4. `before` and `after` both show it at `confirmed` or better, in the same slot, which is not behind S: included.
//   5. On the embedded chain alone: `after` shows it at `processed`, and `before` no other slot: excluded.
//   6. Anything else is undecided: nothing is concluded, and the question is asked again.
//
// Why that is so. On a cluster an answer at `confirmed` as of S shows the whole of the block of S and all blocks below it, so a transaction is
// included exactly if it landed in one of those. Landing advances the nonce, so 1 holds. The status of a transaction that landed in a slot up to
// S is not null in an answer as of S or later, as long as status caches reach back to where it can have landed, so 2 holds; `nullCounts` says
// whether they do. Confirmed blocks are of one fork, so a confirmed transaction in a slot up to S is in a block below S or in that of S: 4.
// A transaction is in one block of a fork only: 3. A transaction that is merely `processed` may be on a fork that S is not on: 6.
// On the embedded chain the block of S is still open: the balance shows what is on disk at the instant of the read, and `confirmed` means on
// disk. What was confirmed before the read is in it (4), what was not on the chain after the read is not (2), what landed in a later slot is
// not (3), what was not on disk after the read was not before it (5: or a busy account would be undecided whenever one of its transactions
// is being written), and what came to disk between the two is neither: 6. For slots alone would not do there: S is the slot of both.
// A fork that dies between the calls makes `before` and `after` differ: 6. Only a block that comes and dies within one request, for which a
// confirmed block of a cluster would have to die, is not told from none; the next reading is right again.
import type { SignatureStatus } from './rpc.ts'
import { CACHE_SLOTS } from './judge.ts'

export type Inclusion = 'included' | 'excluded' | 'undecided'

export interface Sighting {
  readonly before: SignatureStatus | null
  readonly after: SignatureStatus | null
  /** Slot that `after` is as of. */
  readonly afterSlot: number
  /** S: the slot that the accounts are as of. */
  readonly slot: number
  /** It cannot have landed before this slot. */
  readonly sinceSlot: number
  /** Whether the account of its nonce still held the value that was signed; null: it has no nonce, or that account was not read. */
  readonly nonceUnused: boolean | null
  /** The embedded chain: `confirmed` means on disk, and a balance shows what is on disk. */
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

/** Nodes remember statuses for some slots: a null says nothing about what may have landed before those. */
function nullCounts({ afterSlot, slot, sinceSlot }: Sighting): boolean {
  return afterSlot >= slot && afterSlot - sinceSlot <= CACHE_SLOTS
}
