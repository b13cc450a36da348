// Reads the members of an object of a definition, each once by name and type. `end` rejects members that were not read:
// ignoring a misspelt member would change the result of the job.
import { NotANumber, parseDecimal, type Decimal } from './decimal.ts'
import { JobRefused } from './job.ts'
import { JsonNumber, type Json } from './json.ts'

export class Fields {
  readonly place: string
  readonly #members: Map<string, Json>

  /** @param place names the object in error messages */
  constructor(value: Json, place: string) {
    if (!(value instanceof Map)) throw new JobRefused(`${place} is no object`)
    this.place = place
    this.#members = new Map(value as ReadonlyMap<string, Json>)
  }

  get names(): readonly string[] {
    return [...this.#members.keys()]
  }

  refuse(what: string): JobRefused {
    return new JobRefused(`${this.place}: ${what}`)
  }

  /** Undefined if absent. */
  take(name: string): Json | undefined {
    const value = this.#members.get(name)
    this.#members.delete(name)
    return value
  }

  string(name: string): string | undefined {
    const value = this.take(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.refuse(`${name} must be a string`)
  }

  required(name: string): string {
    const value = this.string(name)
    if (value === undefined || value === '') throw this.refuse(`${name} is required`)
    return value
  }

  boolean(name: string): boolean | undefined {
    const value = this.take(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.refuse(`${name} must be true or false`)
  }

  array(name: string): readonly Json[] | undefined {
    const value = this.take(name)
    if (value === undefined || Array.isArray(value)) return value as readonly Json[] | undefined
    throw this.refuse(`${name} must be an array`)
  }

  number(name: string): Decimal | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    return this.decimal(name, value instanceof JsonNumber ? value.text : '')
  }

  /** A number, or a string with a number: definitions write 64-bit numbers as strings. */
  numeric(name: string): Decimal | undefined {
    const value = this.#members.get(name)
    if (typeof value !== 'string') return this.number(name)
    this.#members.delete(name)
    return this.decimal(name, value)
  }

  /** The number in a text of the member. */
  decimal(name: string, text: string): Decimal {
    try {
      const found = parseDecimal(text)
      if (found !== null) return found
    } catch (error) {
      if (error instanceof NotANumber) throw this.refuse(`${name}: ${error.message}`)
      throw error
    }
    throw this.refuse(`${name} must be a number`)
  }

  integer(name: string, least: number, most: number): number | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    const found = value instanceof JsonNumber ? Number(value.text) : NaN
    if (!Number.isInteger(found) || found < least || found > most)
      throw this.refuse(`${name} must be a whole number from ${least} to ${most}`)
    return found
  }

  /** One of several names, or its number. */
  enumerated<Value extends string>(name: string, values: Readonly<Record<string, Value>>): Value | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    const key = value instanceof JsonNumber ? value.text : value
    const found = typeof key === 'string' && Object.hasOwn(values, key) ? values[key] : undefined
    if (found === undefined) {
      const names = Object.keys(values).filter((each) => !/^\d/.test(each))
      throw this.refuse(`${name} must be one of ${names.join(', ')}`)
    }
    return found
  }

  /** Requires that at most one of the members is present; returns its name. */
  atMostOne(...names: readonly string[]): string | undefined {
    const present = names.filter((name) => this.#members.has(name))
    if (present.length > 1) throw this.refuse(`${present.join(' and ')} exclude each other`)
    return present[0]
  }

  end(): void {
    const [unknown] = this.#members.keys()
    if (unknown !== undefined) throw this.refuse(`${printable(unknown)} is not known here`)
  }
}

/** A name from the client in a form that is safe for messages. */
export function printable(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > 60 ? `${plain.slice(0, 60)}...` : plain
}
