// Merges several drafts into one: their instructions in order, in one transaction, unless one of them changes the state
// that another was planned on.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import type { Instruction } from '../../solana/message.ts'
import type { Draft } from '../transactions/draft.ts'

/**
 * Up to `GENEROUS_UNITS`, the compute units of a draft are a generous bound for a transaction of its own. In a shared
 * transaction such a draft counts as `SHARED_UNITS` at most, which is still above its actual use.
 */
const GENEROUS_UNITS = 200_000
const SHARED_UNITS = 60_000

/** Compute units that an item counts as in a shared transaction. */
export function unitsOf({ computeUnits }: Draft): number {
  return computeUnits > GENEROUS_UNITS ? computeUnits : Math.min(computeUnits, SHARED_UNITS)
}

/**
 * Accounts that no other draft of the same transaction may touch: those that this draft creates, and the one that it
 * freezes or thaws. Each draft was planned on the current state of these accounts.
 */
export function exclusiveAddresses({ rents, instructions }: Draft, isSwitch: boolean): readonly string[] {
  return [...(rents?.keys() ?? []), ...(isSwitch ? instructions.flatMap(firstAccount) : [])]
}

function firstAccount({ accounts }: Instruction): string[] {
  return accounts.slice(0, 1).map(({ address }) => address)
}

/**
 * A single draft is returned unchanged, with its reference, which becomes that of the transaction if the batch has
 * none.
 *
 * @param referenceByItem external references of the items, in the order of the drafts
 */
export function mergeDrafts(drafts: readonly Draft[], referenceByItem: readonly (string | null)[]): Draft {
  const [first] = drafts
  if (first === undefined) throw new Error('nothing to merge')
  const references = [...new Set(referenceByItem)].filter((each) => each !== null)
  const [reference] = references
  if (drafts.length === 1)
    return reference === undefined ? first : { ...first, externalReference: reference, itemReferences: references }
  const rents = new Map(drafts.flatMap((draft) => [...(draft.rents ?? [])]))
  return {
    instructions: drafts.flatMap(({ instructions }) => instructions),
    feePayer: first.feePayer,
    parties: drafts.flatMap(({ parties }) => parties),
    freshKeys: drafts.flatMap(({ freshKeys }) => freshKeys ?? []),
    rents,
    walletRent: drafts.reduce((sum, { walletRent = 0n }) => sum + walletRent, 0n),
    covered: drafts.every(({ covered }) => covered ?? true),
    computeUnits: Math.min(
      MAX_COMPUTE_UNITS,
      drafts.reduce((sum, draft) => sum + unitsOf(draft), 0),
    ),
    prepare: (unit, transactionId) => {
      for (const draft of drafts) draft.prepare?.(unit, transactionId)
    },
    itemReferences: references,
    ...(references.length === 0 || references.length === drafts.length
      ? {}
      : { referenceOfItem: referenceByItem.map((each) => (each === null ? null : references.indexOf(each))) }),
    shape: 'bare',
  }
}
