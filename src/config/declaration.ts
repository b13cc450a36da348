// How a setting is declared.
import type { Parser } from './parse.ts'

export interface Declaration<T> {
  readonly name: string
  /** Text of the default, parsed like any other; null: absent unless given. */
  readonly fallback: string | null
  readonly about: string
  readonly parse: Parser<T>
  /** Also available as `<name>_FILE`, the path of a file with the value. */
  readonly secret?: boolean
}

export function secret<T>(declaration: Declaration<T>): Declaration<T> {
  return { ...declaration, secret: true }
}

export function declare<T>(name: string, fallback: string, about: string, parse: Parser<T>): Declaration<T> {
  return { name: `HOLDFAST_${name}`, fallback, about, parse }
}

export function optional<T>(name: string, about: string, parse: Parser<T>): Declaration<T | null> {
  return { name: `HOLDFAST_${name}`, fallback: null, about, parse }
}
