// Query parameters of endpoints that take others than `chainClusterId`. Each may be given once.
import { badRequest } from '../contract/refusal.ts'

const DIGITS = /^\d{1,16}$/

export class Parameters {
  readonly #given: URLSearchParams

  constructor(query: string) {
    this.#given = new URLSearchParams(query)
  }

  /** Throws a Refusal (400) unless the parameter is absent or an integer within the inclusive bounds. */
  wholeNumber(name: string, { from, to }: { readonly from: number; readonly to: number }, fallback: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = DIGITS.test(text) ? Number(text) : NaN
    if (!(value >= from && value <= to))
      throw badRequest('MALFORMED_PARAMETER', `${name} must be a whole number from ${from} to ${to}`)
    return value
  }

  /** Throws a Refusal (400) if the parameter is repeated or empty. */
  text(name: string): string | undefined {
    const values = this.#given.getAll(name)
    this.#given.delete(name)
    if (values.length > 1) throw badRequest('MALFORMED_PARAMETER', `${name} is given more than once`)
    if (values[0] === '') throw badRequest('MALFORMED_PARAMETER', `${name} must not be empty`)
    return values[0]
  }

  /** The query without the parameters read so far. */
  rest(): string {
    return this.#given.toString()
  }
}
