// Finds texts in the context of a record's row without parsing it. The scan reads every character, so it detects a row
// that is not JSON. It gives up on unusual rows (escapes, fractions, unexpected members), which must then be parsed.

/**
 * How a member is scanned: its text is stored in a slot (number), it is an object with these members, it is one of
 * several forms, or it is skipped.
 */
export type MemberScan = number | ScannedMembers | OneOf | 'skip'

/** The allowed forms of a member. The scan gives up on any other form. */
export class OneOf {
  readonly words: readonly string[]
  /** How a text is scanned. */
  readonly text: number | 'skip' | undefined
  readonly object: ScannedMembers | undefined
  readonly isArray: boolean

  constructor(
    words: readonly string[],
    others: { readonly text?: number | 'skip'; readonly object?: ScannedMembers; readonly array?: true } = {},
  ) {
    this.words = words
    this.text = others.text
    this.object = others.object
    this.isArray = others.array === true
  }
}

/** The allowed members of an object. */
export class ScannedMembers {
  readonly #byLength: (readonly (readonly [name: string, scanned: MemberScan])[] | undefined)[] = []

  constructor(members: Readonly<Record<string, MemberScan>>) {
    for (const member of Object.entries(members)) {
      const { length } = member[0]
      this.#byLength[length] = [...(this.#byLength[length] ?? []), member]
    }
  }

  find(text: string, from: number, to: number): MemberScan | undefined {
    const candidates = this.#byLength[to - from]
    if (candidates === undefined) return undefined
    for (const [name, scanned] of candidates) if (text.startsWith(name, from)) return scanned
    return undefined
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const ZERO = 0x30
const NINE = 0x39
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d
const SPACE = 0x20
const WORDS = ['true', 'false', 'null'] as const

export class RowScan {
  /** Start and end of the text of each slot; `from` 0: it is absent or null. */
  readonly from: Int32Array
  readonly to: Int32Array
  #text = ''
  #at = 0

  constructor(slots: number) {
    this.from = new Int32Array(slots)
    this.to = new Int32Array(slots)
  }

  /**
   * Scans an object that begins at `at` and is the last element of an array that ends with the text. False: the row
   * must be parsed.
   */
  read(text: string, at: number, members: ScannedMembers): boolean {
    this.from.fill(0)
    this.to.fill(0)
    this.#text = text
    this.#at = at
    return this.#object(members) && this.#take(BRACKET_END) && this.#at === text.length
  }

  /**
   * As `read`, but scans an array with these elements, and optionally an object with the members `others` as the last
   * one. A change of the record may follow (`snapshots/record-changes.ts`).
   */
  readPlaces(text: string, at: number, places: readonly MemberScan[], others: ScannedMembers): boolean {
    this.from.fill(0)
    this.to.fill(0)
    this.#text = text
    this.#at = at
    if (!this.#take(BRACKET)) return false
    for (let place = 0; place < places.length; place += 1)
      if ((place > 0 && !this.#take(COMMA)) || !this.#value(places[place]!)) return false
    if (this.#take(COMMA) && !this.#object(others)) return false
    if (!this.#take(BRACKET_END)) return false
    while (this.#take(COMMA)) if (!this.#change(places)) return false
    return this.#take(BRACKET_END) && this.#at === text.length
  }

  /** Scans a `RecordChange` that does not change the state. */
  #change(places: readonly MemberScan[]): boolean {
    if (!this.#take(BRACKET) || !this.#integer() || !this.#take(COMMA) || !this.#integer()) return false
    if (!this.#take(COMMA) || !this.#word('null')) return false
    while (this.#take(COMMA)) {
      const from = this.#at
      if (!this.#integer()) return false
      const scanned = places[Number(this.#text.slice(from, this.#at))]
      if (scanned === undefined || !this.#forget(scanned) || !this.#take(COMMA) || !this.#value(scanned)) return false
    }
    return this.#take(BRACKET_END)
  }

  /** Clears the slot of a member before its changed value is scanned. False: the member may use several slots. */
  #forget(scanned: MemberScan): boolean {
    if (typeof scanned === 'number') this.from[scanned] = 0
    else if (scanned instanceof OneOf) return typeof scanned.text !== 'number' && scanned.object === undefined
    return true
  }

  #object(members: ScannedMembers | undefined): boolean {
    if (!this.#take(BRACE)) return false
    if (this.#take(BRACE_END)) return true
    do {
      const from = this.#at + 1
      if (!this.#string()) return false
      const scanned = members === undefined ? 'skip' : members.find(this.#text, from, this.#at - 1)
      if (scanned === undefined || !this.#take(COLON) || !this.#value(scanned)) return false
    } while (this.#take(COMMA))
    return this.#take(BRACE_END)
  }

  #value(scanned: MemberScan): boolean {
    if (scanned === 'skip') return this.#any()
    if (scanned instanceof OneOf) return this.#oneOf(scanned)
    if (typeof scanned !== 'number') return this.#object(scanned)
    const from = this.#at + 1
    // A repeated member name: the last value would count, but the slot has the first.
    if (this.from[scanned] !== 0) return false
    if (!this.#string()) return this.#word('null')
    this.from[scanned] = from
    this.to[scanned] = this.#at - 1
    return true
  }

  #oneOf({ words, text, object, isArray }: OneOf): boolean {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE:
        return text !== undefined && this.#value(text)
      case BRACE:
        return object !== undefined && this.#object(object)
      case BRACKET:
        return isArray && this.#array()
      default:
        return words.some((word) => this.#word(word))
    }
  }

  #any(): boolean {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE:
        return this.#string()
      case BRACE:
        return this.#object(undefined)
      case BRACKET:
        return this.#array()
      default:
        return this.#integer() || WORDS.some((word) => this.#word(word))
    }
  }

  #array(): boolean {
    this.#at += 1
    if (this.#take(BRACKET_END)) return true
    do if (!this.#any()) return false
    while (this.#take(COMMA))
    return this.#take(BRACKET_END)
  }

  /** Scans a string without escapes. */
  #string(): boolean {
    const text = this.#text
    let at = this.#at
    if (text.charCodeAt(at) !== QUOTE) return false
    for (at += 1; ; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) break
      // At the end of the text, `unit` is NaN.
      if (unit === BACKSLASH || !(unit >= SPACE)) return false
    }
    this.#at = at + 1
    return true
  }

  #integer(): boolean {
    const text = this.#text
    const first = text.charCodeAt(this.#at) === MINUS ? this.#at + 1 : this.#at
    let at = first
    while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1
    if (at === first || (text.charCodeAt(first) === ZERO && at > first + 1)) return false
    this.#at = at
    return true
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #take(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false
    this.#at += 1
    return true
  }
}
