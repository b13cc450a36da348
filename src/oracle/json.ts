// JSON with numbers as text: a number from a host is never converted to a double. Strict (RFC 8259), and bounded in
// depth. Objects are maps, so that no name has a special meaning.

/** A number literal. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | ReadonlyMap<string, Json>

/** Names the position and the cause, and quotes nothing of the text. */
export class JsonMalformed extends Error {
  override readonly name = 'JsonMalformed'
}

export interface JsonRules {
  readonly maxDepth: number
  /** For a duplicate name: reject it, or use the last value. */
  readonly duplicates: 'refuse' | 'last'
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const BLANK = /[ \t\n\r]*/y
/** A string with its quotes and escapes; a control character is not allowed in it. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const LITERALS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Throws JsonMalformed. */
export function parseJson(text: string, rules: JsonRules): Json {
  return new Parser(text, rules).document()
}

class Parser {
  readonly #text: string
  readonly #rules: JsonRules
  #at = 0

  constructor(text: string, rules: JsonRules) {
    this.#text = text
    this.#rules = rules
  }

  document(): Json {
    const value = this.#value(0)
    this.#blank()
    if (this.#at < this.#text.length) throw this.#malformed('something follows the value')
    return value
  }

  #value(depth: number): Json {
    if (depth > this.#rules.maxDepth) throw this.#malformed(`it is nested deeper than ${this.#rules.maxDepth}`)
    this.#blank()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      default:
        return this.#scalar()
    }
  }

  #object(depth: number): Json {
    const members = new Map<string, Json>()
    this.#at += 1
    if (this.#take('}')) return members
    do {
      this.#blank()
      const name = this.#string()
      if (members.has(name) && this.#rules.duplicates === 'refuse')
        throw this.#malformed('a name comes twice in an object')
      if (!this.#take(':')) throw this.#malformed('a colon is missing')
      members.set(name, this.#value(depth + 1))
    } while (this.#take(','))
    if (!this.#take('}')) throw this.#malformed('an object does not end')
    return members
  }

  #array(depth: number): Json {
    const items: Json[] = []
    this.#at += 1
    if (this.#take(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#take(','))
    if (!this.#take(']')) throw this.#malformed('an array does not end')
    return items
  }

  #string(): string {
    const found = this.#match(STRING)
    if (found === null) throw this.#malformed('a string is expected')
    return found.includes('\\') ? (JSON.parse(found) as string) : found.slice(1, -1)
  }

  #scalar(): Json {
    for (const [word, value] of LITERALS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    const number = this.#match(NUMBER)
    if (number === null) throw this.#malformed('a value is expected')
    return new JsonNumber(number)
  }

  #take(mark: string): boolean {
    this.#blank()
    if (this.#text[this.#at] !== mark) return false
    this.#at += 1
    return true
  }

  #blank(): void {
    this.#match(BLANK)
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? null
    if (found !== null) this.#at += found.length
    return found
  }

  #malformed(what: string): JsonMalformed {
    return new JsonMalformed(`${what} (at character ${this.#at})`)
  }
}

/** Prints numbers as they were written. */
export function printJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printJson).join(',')}]`
  if (value instanceof Map) {
    return `{${[...(value as ReadonlyMap<string, Json>)].map(([name, member]) => `${JSON.stringify(name)}:${printJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** RFC 8785: names sorted by UTF-16 units, numbers and text as ECMAScript prints them. */
export function canonicalText(value: Json): string {
  if (value instanceof JsonNumber) return JSON.stringify(Number(value.text))
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalText).join(',')}]`
  if (value instanceof Map) {
    const names = [...(value as ReadonlyMap<string, Json>).keys()].sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText((value as ReadonlyMap<string, Json>).get(name) ?? null)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
