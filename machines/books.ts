// All balances of one record: lamports always, tokens on positions, supply on instruments. All movements apply, or
// none.
import { accept, refuse, type RuleOutcome } from './answer.ts'
import { isNegative, observe, release, settle, undo } from './book.ts'
import type { Book } from './holding.ts'
import type { Asset, Movement, Raw } from './protocol.ts'

/** Kinds without tokens or supply lack the member. */
export interface Books {
  readonly lamports: Book
  readonly tokens?: Book
  readonly supply?: Book
}

/** The balances that change. */
export type BooksPatch = Partial<Books>

const ASSETS: readonly Asset[] = ['lamports', 'tokens', 'supply']

export const settleAll = (books: Books, movements: readonly Movement[]): RuleOutcome<BooksPatch> =>
  apply(books, movements, settle)

/** Exact reverse of `settleAll` for the same movements. */
export const undoAll = (books: Books, movements: readonly Movement[]): RuleOutcome<BooksPatch> =>
  apply(books, movements, undo)

export const releaseAll = (books: Books, movements: readonly Movement[]): RuleOutcome<BooksPatch> =>
  apply(books, movements, release)

/** Replaces balances with those read from the chain; absent assets keep theirs. */
export function observeAll(books: Books, read: { readonly [asset in Asset]?: Raw }): RuleOutcome<BooksPatch> {
  const patch: { [asset in Asset]?: Book } = {}
  for (const asset of ASSETS) {
    const balance = read[asset]
    if (balance === undefined) continue
    const book = books[asset]
    if (book === undefined) return noBook(asset)
    const next = observe(book, balance)
    if (!next.ok) return next
    patch[asset] = next.value
  }
  return accept(patch)
}

/** True if a balance is below zero: the record misses a movement that happened on chain. */
export function anyNegative(books: Books): boolean {
  return (
    isNegative(books.lamports) ||
    (books.tokens !== undefined && isNegative(books.tokens)) ||
    (books.supply !== undefined && isNegative(books.supply))
  )
}

/** The assets with a balance or a reservation, to be named in a rejection. */
export function notEmpty(books: Books): Asset[] {
  return ASSETS.filter((asset) => {
    const book = books[asset]
    return book !== undefined && (book.balance !== '0' || book.reserved !== '0')
  })
}

function apply(
  books: Books,
  movements: readonly Movement[],
  step: (book: Book, movement: Movement) => RuleOutcome<Book>,
): RuleOutcome<BooksPatch> {
  const patch: { [asset in Asset]?: Book } = {}
  for (const movement of movements) {
    const book = patch[movement.asset] ?? books[movement.asset]
    if (book === undefined) return noBook(movement.asset)
    const next = step(book, movement)
    if (!next.ok) return next
    patch[movement.asset] = next.value
  }
  return accept(patch)
}

function noBook(asset: string) {
  return refuse('NO_SUCH_BOOK', `this record keeps no ${asset}`)
}
