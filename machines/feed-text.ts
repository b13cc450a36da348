// The text of a published value on chain, of fixed width so that the account keeps its size. Formatting and parsing are
// exact.
// Numbers: `v1|` sign and 39 digits `|` sign and 2 digits of the exponent; texts: `v1t|` and 40 characters. Both
// continue with `|` slot, 20 digits `|` unix seconds, 12 digits `|` sequence, 20 digits `|` first 32 hex digits of the
// hash of the jobs.
import type { Publication } from './data-source.ts'

/** Metadata key of the text. */
export const FEED_KEY = 'q'
/** Length in characters (and bytes) of the text of a price, the longer of the two forms. */
export const FEED_WIDTH = 135
const RATING_WIDTH = 40

const DIGITS = 39
const MAX_EXPONENT = 99
const I128_MAX = 2n ** 127n - 1n

const PLAIN = /^(-?)(\d{1,300})(?:\.(\d{1,300}))?$/
const NUMBER = /^v1\|([+-])(\d{39})\|([+-])(\d{2})\|(\d{20})\|(\d{12})\|(\d{20})\|([0-9a-f]{32})$/
const TEXT = /^v1t\|([^|]{40})\|(\d{20})\|(\d{12})\|(\d{20})\|([0-9a-f]{32})$/
const PRINTABLE = /^[!-{}~](?:[ -{}~]{0,38}[!-{}~])?$/

export interface FeedText {
  readonly kind: 'PRICE' | 'RATING'
  readonly publication: Publication
  /** First 32 hex digits of the SHA-256 of the canonical jobs. */
  readonly jobHash: string
}

/** True if a rating can be published: up to 40 ASCII characters, without `|`, without leading or trailing spaces. */
export function isRatingText(text: string): boolean {
  return PRINTABLE.test(text)
}

/**
 * @returns null if the value does not fit: a price of more than 39 digits or an exponent of more than two, or a rating
 * with other characters
 */
export function feedText({ kind, publication, jobHash }: FeedText): string | null {
  const { value, slot, asOf, sequence } = publication
  const head = kind === 'PRICE' ? numberText(value) : isRatingText(value) ? `v1t|${value.padEnd(RATING_WIDTH)}` : null
  if (head === null) return null
  return [head, padded(slot, 20), padded(asOf, 12), padded(sequence, 20), jobHash].join('|')
}

/** @returns null for any other text */
export function readFeedText(text: string): FeedText | null {
  const number = NUMBER.exec(text)
  if (number !== null) {
    const [, sign = '', digits = '', exponentSign = '', exponent = '', slot, asOf, sequence, jobHash = ''] = number
    const units = BigInt(digits)
    if (units > I128_MAX || (units === 0n && sign === '-')) return null
    const value = plainDecimal(sign === '-' ? -units : units, Number(`${exponentSign}${exponent}`))
    return completed('PRICE', value, slot, { asOf, sequence, jobHash })
  }
  const rating = TEXT.exec(text)
  if (rating === null) return null
  const [, value = '', slot, asOf, sequence, jobHash = ''] = rating
  const trimmed = value.trimEnd()
  return isRatingText(trimmed) ? completed('RATING', trimmed, slot, { asOf, sequence, jobHash }) : null
}

function completed(
  kind: FeedText['kind'],
  value: string,
  slot = '',
  {
    asOf = '',
    sequence = '',
    jobHash,
  }: { readonly asOf?: string | undefined; readonly sequence?: string | undefined; readonly jobHash: string },
): FeedText | null {
  const publication = { value, asOf: Number(asOf), slot: Number(slot), sequence: Number(sequence) }
  const exact = Number.isSafeInteger(publication.slot) && Number.isSafeInteger(publication.sequence)
  return exact ? { kind, publication, jobHash } : null
}

function numberText(value: string): string | null {
  const match = PLAIN.exec(value)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = ''] = match
  const written = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = written.replace(/0+$/, '')
  let units = BigInt(digits === '' ? '0' : digits)
  let exponent = digits === '' ? 0 : written.length - digits.length - fraction.length
  if (exponent > MAX_EXPONENT) {
    units *= 10n ** BigInt(exponent - MAX_EXPONENT)
    exponent = MAX_EXPONENT
  }
  if (units > I128_MAX || exponent < -MAX_EXPONENT) return null
  const negative = sign === '-' && units !== 0n
  return `v1|${negative ? '-' : '+'}${padded(units, DIGITS)}|${exponent < 0 ? '-' : '+'}${padded(Math.abs(exponent), 2)}`
}

/** units x 10^exponent in plain digits, without trailing zeros in the fraction. */
export function plainDecimal(units: bigint, exponent: number): string {
  const negative = units < 0n
  const digits = (negative ? -units : units).toString()
  if (exponent >= 0) return `${negative ? '-' : ''}${units === 0n ? '0' : digits + '0'.repeat(exponent)}`
  const filled = digits.padStart(1 - exponent, '0')
  const fraction = filled.slice(exponent).replace(/0+$/, '')
  return `${negative ? '-' : ''}${filled.slice(0, exponent)}${fraction === '' ? '' : `.${fraction}`}`
}

function padded(count: number | bigint, width: number): string {
  return count.toString().padStart(width, '0')
}
