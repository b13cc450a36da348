// Merges several drafts into one: their instructions in order, in one transaction, unless one of them changes the state
// that another was planned on.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import type { Instruction } from '../../solana/message.ts'
import type { Draft } from '../transactions/draft.ts'

/**
 * The bound of an operation by itself is generous; beside others each item counts for what it takes at most, which is
 * far less.
 */
const GENEROUS_UNITS = 200_000
const SHARED_UNITS = 60_000

/** Compute units that an item may take beside others. */
export function unitsOf({ computeUnits }: Draft): number {
  return computeUnits > GENEROUS_UNITS ? computeUnits : Math.min(computeUnits, SHARED_UNITS)
}

/**
 * What no other draft of the transaction may touch too: accounts that it creates, and the account that it freezes or
 * thaws. Each such draft was planned on the account as it is now.
 */
export function exclusiveAddresses({ rents, instructions }: Draft, isSwitch: boolean): readonly string[] {
  return [...(rents?.keys() ?? []), ...(isSwitch ? instructions.flatMap(firstAccount) : [])]
}

function firstAccount({ accounts }: Instruction): string[] {
  return accounts.slice(0, 1).map(({ address }) => address)
}

/** One draft stays as it is. `references`: those of the items, each once. */
export function mergeDrafts(drafts: readonly Draft[], references: readonly string[]): Draft {
  const [first] = drafts
  if (first === undefined) throw new Error('nothing to merge')
  const [reference] = references
  if (drafts.length === 1) return reference === undefined ? first : { ...first, externalReference: reference }
  const rents = new Map(drafts.flatMap((draft) => [...(draft.rents ?? [])]))
  return {
    instructions: drafts.flatMap(({ instructions }) => instructions),
    feePayer: first.feePayer,
    parties: drafts.flatMap(({ parties }) => parties),
    freshKeys: drafts.flatMap(({ freshKeys }) => freshKeys ?? []),
    rents,
    covered: drafts.every(({ covered }) => covered ?? true),
    computeUnits: Math.min(
      MAX_COMPUTE_UNITS,
      drafts.reduce((sum, draft) => sum + unitsOf(draft), 0),
    ),
    prepare: (unit, transactionId) => {
      for (const draft of drafts) draft.prepare?.(unit, transactionId)
    },
    itemReferences: references,
    shape: 'bare',
  }
}
