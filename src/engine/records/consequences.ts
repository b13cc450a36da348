// What a transaction's change of state means for the books of the records it touches. Pure.
import type { RecordState } from './record.ts'

/**
 * - `apply`: it landed well; movements and facts take effect (at `confirmed`)
 * - `undo`: the fork it landed on died
 * - `charge`: it failed, finally: everything reserved is released, the fee is gone
 * - `release`: it provably never landed: everything reserved is released
 * - `abandon`: it ended before it reserved anything: only what waited for it is given up
 */
export type Consequence = 'apply' | 'undo' | 'charge' | 'release' | 'abandon'

type Transaction = RecordState<'transaction'>

export function consequences(previous: Transaction, next: Transaction): Consequence[] {
  const found: Consequence[] = []
  if (landedWell(previous) && !landedWell(next)) found.push('undo')
  if (!landedWell(previous) && landedWell(next)) found.push('apply')
  if (previous.value !== next.value) {
    if (next.value === 'blockchainError') found.push('charge')
    else if (neverLands(next)) found.push(reserves(previous) ? 'release' : 'abandon')
  }
  return found
}

function landedWell(transaction: Transaction): boolean {
  return (transaction.value === 'confirmed' || transaction.value === 'finalized') && transaction.context.error === null
}

function neverLands(transaction: Transaction): boolean {
  return transaction.value === 'expired' || transaction.value === 'cancelled' || transaction.value === 'nonBlockchainError'
}

/** A transaction holds reservations from our first signature on, and until it ends. */
export function reserves(transaction: Transaction): boolean {
  switch (transaction.value) {
    case 'signed':
    case 'submitted':
    case 'processed':
      return true
    case 'partiallySigned':
      return transaction.context.ourSignature
    case 'confirmed':
      return transaction.context.error !== null
    default:
      return false
  }
}
