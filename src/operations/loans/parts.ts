// Divides a loan change over the transactions that carry it out, so that the books always match what has settled on
// chain, even if a later transaction fails.
import type { Step } from '../../solana/step.ts'
import type { ChangeWithoutId } from './change-draft.ts'

type Transfer = Extract<Step, { readonly kind: 'transfer' }>

/**
 * One part for each transaction. Effects without a transfer of their own belong to the last one.
 * @param steps of each transaction, in order
 */
export function loanParts(
  change: ChangeWithoutId,
  { escrow, vault }: { readonly escrow: string; readonly vault: string },
  steps: readonly (readonly Step[])[],
): readonly ChangeWithoutId[] {
  const carriedBy = (isIt: (step: Transfer) => boolean): number => {
    const index = steps.findIndex((part) => part.some((step) => step.kind === 'transfer' && isIt(step)))
    return index === -1 ? steps.length - 1 : index
  }
  const depositPositions = new Set(change.deposits.map(({ position }) => position.address))
  const deposits = change.deposits.map(({ position }) => carriedBy(({ to }) => to === position.address))
  const withdrawals = change.withdrawals.map(({ instrument }) =>
    carriedBy(({ authority, mint }) => authority === escrow && mint === instrument),
  )
  const payments = change.payments.map(({ instrument }) =>
    carriedBy(
      ({ authority, mint, to }) =>
        mint === instrument && authority !== escrow && authority !== vault && !depositPositions.has(to),
    ),
  )
  const debts = (change.lending?.debts ?? []).map(({ instrument }) =>
    carriedBy(({ authority, mint }) => authority === vault && mint === instrument.address),
  )
  return steps.map((_, index) => {
    const itemsHere = <T>(items: readonly T[], places: readonly number[]): readonly T[] =>
      items.filter((_item, place) => places[place] === index)
    const lending = debts.includes(index) ? change.lending : null
    return {
      at: change.at,
      deposits: itemsHere(change.deposits, deposits),
      withdrawals: itemsHere(change.withdrawals, withdrawals),
      payments: itemsHere(change.payments, payments),
      // New debts replace all previous ones, so they include those of the earlier transactions.
      lending:
        lending === null
          ? null
          : { ...lending, debts: lending.debts.filter((_debt, item) => (debts[item] ?? 0) <= index) },
    }
  })
}
