// One book: a balance at `confirmed`, and what open transactions may still take of it. Exact integers, never negative reservations.
// A balance may go below zero by facts alone (the chain moved more than the books knew); nothing is clamped, so undoing is exact.
import { fine, refuse, type Outcome } from './answer.ts'
import type { Book } from './holding.ts'
import type { Movement, Raw } from './protocol.ts'

export const EMPTY_BOOK: Book = { balance: '0', reserved: '0' }

const DIGITS = /^\d+$/
const SIGNED_DIGITS = /^-?\d+$/

/** `text` as raw units, or null when it is not a plain non-negative integer. */
export function rawUnits(text: Raw): bigint | null {
  return DIGITS.test(text) ? BigInt(text) : null
}

/** What a new debit may take: balance less reservations. Below zero when the books miss something. */
export function available(book: Book): bigint {
  return BigInt(book.balance) - BigInt(book.reserved)
}

export function isNegative(book: Book): boolean {
  return book.balance.startsWith('-')
}

/** Set `amount` aside. `covered`: refuse with INSUFFICIENT_BALANCE when less is available; otherwise the chain decides later. */
export function reserve(book: Book, amount: Raw, covered: boolean): Outcome<Book> {
  const units = rawUnits(amount)
  if (units === null) return malformed(amount)
  const free = available(book)
  if (covered && free < units) return refuse('INSUFFICIENT_BALANCE', `${units} raw units asked, ${free} available`)
  return fine({ balance: book.balance, reserved: (BigInt(book.reserved) + units).toString() })
}

/** A movement that landed: the reservation shrinks and the balance moves, in one step. */
export function settle(book: Book, movement: Movement): Outcome<Book> {
  return move(book, movement, 1n)
}

/** The exact reverse of `settle`: the fork it landed on died. */
export function undo(book: Book, movement: Movement): Outcome<Book> {
  return move(book, movement, -1n)
}

/** A movement that provably never happens: only its reservation is given back. */
export function release(book: Book, movement: Movement): Outcome<Book> {
  return move(book, { ...movement, debited: '0', credited: '0' }, 1n)
}

/**
 * A balance read from the chain replaces ours; reservations stay. Below zero when the balance read already holds credits of open
 * transactions that the book counts only when they settle.
 */
export function observe(book: Book, balance: Raw): Outcome<Book> {
  if (!SIGNED_DIGITS.test(balance)) return malformed(balance)
  return fine({ balance: BigInt(balance).toString(), reserved: book.reserved })
}

function move(book: Book, movement: Movement, sign: 1n | -1n): Outcome<Book> {
  const released = rawUnits(movement.released)
  const debited = rawUnits(movement.debited)
  const credited = rawUnits(movement.credited)
  if (released === null || debited === null || credited === null) return malformed(JSON.stringify(movement))
  const reserved = BigInt(book.reserved) - sign * released
  // More released than was ever reserved: the caller applied something twice. The books must not hide that.
  if (reserved < 0n) return refuse('BOOK_NEGATIVE', `${released} released of ${book.reserved} reserved ${movement.asset}`)
  return fine({ balance: (BigInt(book.balance) + sign * (credited - debited)).toString(), reserved: reserved.toString() })
}

function malformed(text: string) {
  return refuse('MALFORMED_AMOUNT', `not a count of raw units: ${text}`)
}
