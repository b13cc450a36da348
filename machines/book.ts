// One balance at `confirmed`, and the reservations of open transactions against it. Exact integers; a reservation is
// never negative. Facts alone may take a balance below zero (the chain moved more than was recorded); nothing is
// clamped, so an undo is exact.
import { accept, refuse, type RuleOutcome } from './answer.ts'
import type { Book } from './holding.ts'
import type { Movement, Raw } from './protocol.ts'

const DIGITS = /^\d+$/
const SIGNED_DIGITS = /^-?\d+$/

/** `text` as raw units; null if it is not a plain non-negative integer. */
export function parseRaw(text: Raw): bigint | null {
  return DIGITS.test(text) ? BigInt(text) : null
}

/** Balance minus reservations: the amount available to new debits. Negative if the record misses a movement. */
export function available(book: Book): bigint {
  return BigInt(book.balance) - BigInt(book.reserved)
}

export function isNegative(book: Book): boolean {
  return book.balance.startsWith('-')
}

/**
 * Reserves `amount`.
 *
 * @param covered true: rejects with INSUFFICIENT_BALANCE if less is available; false: the chain decides later
 */
export function reserve(book: Book, amount: Raw, covered: boolean): RuleOutcome<Book> {
  const units = parseRaw(amount)
  if (units === null) return malformed(amount)
  const free = available(book)
  if (covered && free < units) return refuse('INSUFFICIENT_BALANCE', `${units} raw units asked, ${free} available`)
  return accept({ balance: book.balance, reserved: (BigInt(book.reserved) + units).toString() })
}

/** Applies a landed movement: reduces the reservation and changes the balance in one step. */
export function settle(book: Book, movement: Movement): RuleOutcome<Book> {
  return move(book, movement, 1n)
}

/** Exact reverse of `settle`, for a movement whose fork was dropped. */
export function undo(book: Book, movement: Movement): RuleOutcome<Book> {
  return move(book, movement, -1n)
}

/** Releases the reservation of a movement that provably never happens. */
export function release(book: Book, movement: Movement): RuleOutcome<Book> {
  return move(book, { ...movement, debited: '0', credited: '0' }, 1n)
}

/**
 * Replaces the balance with one read from the chain, less the effects of open transactions, which count here when they
 * settle. The result may be negative. Reservations stay.
 */
export function observe(book: Book, balance: Raw): RuleOutcome<Book> {
  if (!SIGNED_DIGITS.test(balance)) return malformed(balance)
  return accept({ balance: BigInt(balance).toString(), reserved: book.reserved })
}

function move(book: Book, movement: Movement, sign: 1n | -1n): RuleOutcome<Book> {
  const released = parseRaw(movement.released)
  const debited = parseRaw(movement.debited)
  const credited = parseRaw(movement.credited)
  if (released === null || debited === null || credited === null) return malformed(JSON.stringify(movement))
  const reserved = BigInt(book.reserved) - sign * released
  // More released than reserved: the caller applied something twice, and this must not be hidden.
  if (reserved < 0n)
    return refuse('BOOK_NEGATIVE', `${released} released of ${book.reserved} reserved ${movement.asset}`)
  return accept({
    balance: (BigInt(book.balance) + sign * (credited - debited)).toString(),
    reserved: reserved.toString(),
  })
}

function malformed(text: string) {
  return refuse('MALFORMED_AMOUNT', `not a count of raw units: ${text}`)
}
