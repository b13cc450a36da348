// Maps a transaction's change of state to its effects on the balances of the records it touches. Pure.
import type { Movement } from '../../../machines/protocol.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { RecordState } from './record.ts'

/**
 * Effects of a change of state:
 * - `apply`: the transaction succeeded (`confirmed`); movements and facts take effect
 * - `undo`: the fork that contained the transaction was dropped
 * - `charge`: the transaction failed finally; all reservations are released and the fee is spent
 * - `release`: the transaction provably never lands; all reservations are released
 * - `abandon`: the transaction ended before it reserved anything; only claims that waited for it are released
 */
export type Consequence = 'apply' | 'undo' | 'charge' | 'release' | 'abandon'

type Transaction = RecordState<'transaction'>

export function consequences(previous: Transaction, next: Transaction): Consequence[] {
  const effects: Consequence[] = []
  if (landedWell(previous) && !landedWell(next)) effects.push('undo')
  if (!landedWell(previous) && landedWell(next)) effects.push('apply')
  if (previous.value !== next.value) {
    if (next.value === 'blockchainError') effects.push('charge')
    else if (neverLands(next)) effects.push(reserves(previous) ? 'release' : 'abandon')
  }
  return effects
}

function landedWell(transaction: Transaction): boolean {
  return (transaction.value === 'confirmed' || transaction.value === 'finalized') && transaction.context.error === null
}

function neverLands(transaction: Transaction): boolean {
  return (
    transaction.value === 'expired' || transaction.value === 'cancelled' || transaction.value === 'nonBlockchainError'
  )
}

/** The effects on records of the transaction's tenant. What has not been reserved is not released. */
export function ownEntries({ tenant, context: { fixed, unreserved = [] } }: Transaction): readonly BookEntry[] {
  const own = fixed.entries.filter((entry) => entry.tenant === tenant)
  if (unreserved.length === 0) return own
  return own.map((entry) => {
    if (!unreserved.includes(entry.record)) return entry
    return { ...entry, movements: entry.movements.map(releasingNothing), charge: entry.charge.map(releasingNothing) }
  })
}

const releasingNothing = (movement: Movement): Movement => ({ ...movement, released: '0' })

/** True from this service's first signature until the transaction ends. */
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
