// Packed rows, for LevelDB only: a row in 60 % of the characters of its JSON text. Reads return the text. A packed row
// is a string of 7-bit characters, which LevelDB's driver handles as fast as text. Rows that a start reads in great
// numbers stay text (`rows.ts`), so a start takes no longer.
//
// `PACKED`, then one value, which begins with a tag:
//   0x00-0x1f  integers from 0       0x30-0x4f  strings of 0 to 31 characters, which follow
//   0x20-0x2f  arrays of 0 to 15     0x50-0x74  words of the list
// and those of `TAGS`. Numbers have 6 bits per character, the lowest first, with 0x40 set in all but the last. Bit
// strings have 7 bits per character, the highest first, padded with zeros. `unpackRow` returns exactly the text of the
// row. It returns an invalid packed row unchanged: that is not JSON, so decoding it reports the damage.

const PACKED = 0x01
const ARRAYS = 0x20
const STRINGS = 0x30
const WORDS = 0x50
const TAGS = {
  /** 128 bits. */
  uuid: 0x75,
  /** A string of 64 hexadecimal digits: 256 bits. */
  hash: 0x76,
  /** A base64 string: three times the number of its characters plus the number of trailing `=`, then the bits. */
  base64: 0x77,
  /** `2026-11-26T08:28:11.581Z`: milliseconds since 1970. */
  time: 0x78,
  /** A string of decimal digits: the number. */
  digits: 0x79,
  integer: 0x7a,
  /** An integer below 0: the number without its sign. */
  negative: 0x7b,
  /** A string: the number of its characters, then the characters. */
  string: 0x7c,
  /** An array: the number of its values, then the values. */
  array: 0x7d,
  /** An object: the number of its members, then name and value of each. */
  object: 0x7e,
} as const

/** Words in the order of their tags. New words must be appended, because tags are stored. */
const LIST: readonly unknown[] = [
  ...[null, true, false, 'transaction', 'signed', 'confirmed', 'finalized', 'CHAIN_DEVNET', 'CHAIN_MAINNET'],
  ...['POST /api/v1/positions/transfer', '+positions/transfer', '2 of 2 signatures', '1 of 1 signatures', 'DONE'],
  ...['SET_COMPUTE_UNIT_LIMIT', 'TRANSFER_CHECKED', 'TRANSFER', 'MANAGED', 'FEES', 'lamports', 'tokens', 'judged'],
  ...['maxFee', 'digest', 'outcome', 'members', 'transactions', 'shape', 'bare', 'awaited', 'externalReference'],
  ...['itemReferences', 'account', 'position', 'instrument'],
]
const WORD_TAGS = new Map(LIST.map((word, at) => [word, WORDS + at]))
const WORD_TEXTS = LIST.map((word) => JSON.stringify(word))
const MAX_WORD_LENGTH = 31

const MAX_DEPTH = 64
const MAX_DIGITS = 15
const TIME_LENGTH = 24
const MIN_BASE64 = 32
const UUID_LENGTH = 36
const UUID_DIGITS = 32
const HASH_LENGTH = 64
const MINUTE_LENGTH = 17
const MINUTE_MS = 60_000
const DASHES: readonly number[] = [8, 13, 18, 23]
/** Flag in a character of a number: more bits follow. */
const MORE = 0x40
const [QUOTE, MINUS, POINT, ZERO, NINE, EQUALS] = [0x22, 0x2d, 0x2e, 0x30, 0x39, 0x3d] as const
const [ZULU, BACKSLASH] = [0x5a, 0x5c] as const

/** An alphabet whose characters encode `width` bits each. */
interface Digits {
  readonly width: number
  readonly characters: string
  readonly numbers: Int8Array
}

function digitsOf(width: number, characters: string): Digits {
  const numbers = new Int8Array(0x80).fill(-1)
  for (let at = 0; at < characters.length; at += 1) numbers[characters.charCodeAt(at)] = at
  return { width, characters, numbers }
}

const HEX = digitsOf(4, '0123456789abcdef')
const BASE64 = digitsOf(6, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')

/** Buffer reused for every row. `end` also counts the bytes that do not fit and are not written. */
let out = Buffer.allocUnsafeSlow(1 << 16)
let end = 0

/** Runs `write`, again with a larger buffer if the row did not fit. Returns undefined if `write` returns false. */
function textFrom(write: () => boolean): string | undefined {
  for (;;) {
    end = 0
    if (!write()) return undefined
    if (end <= out.length) return out.toString('latin1', 0, end)
    out = Buffer.allocUnsafeSlow(2 * end)
  }
}

/** undefined: the row contains a value that cannot be packed, and perhaps has no JSON form. */
export function packRow(row: unknown): string | undefined {
  return textFrom(() => {
    out[end++] = PACKED
    return pack(row, 0)
  })
}

function pack(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return packString(value)
  if (typeof value === 'number') return packNumber(value)
  if (typeof value === 'object' && value !== null)
    return depth < MAX_DEPTH && (Array.isArray(value) ? packArray(value, depth + 1) : packObject(value, depth + 1))
  const tag = WORD_TAGS.get(value)
  if (tag === undefined) return false
  out[end++] = tag
  return true
}

function packArray(values: readonly unknown[], depth: number): boolean {
  packCount(values.length, ARRAYS, STRINGS, TAGS.array)
  for (let at = 0; at < values.length; at += 1) if (!pack(values[at], depth)) return false
  return true
}

function packObject(object: object, depth: number): boolean {
  const members = object as Readonly<Record<string, unknown>>
  if (typeof members['toJSON'] === 'function') return false
  let count = 0
  for (const name in members) if (members[name] !== undefined) count += 1
  out[end++] = TAGS.object
  packInteger(count)
  for (const name in members) {
    const member = members[name]
    if (member !== undefined && !(packString(name) && pack(member, depth))) return false
  }
  return true
}

/** Writes a small count within the tag, from `first` up to `beyond` (exclusive); a larger one after `tag`. */
function packCount(count: number, first: number, beyond: number, tag: number): void {
  if (first + count < beyond) out[end++] = first + count
  else {
    out[end++] = tag
    packInteger(count)
  }
}

function packInteger(integer: number): void {
  let rest = integer
  for (; rest >= MORE; rest = rest <= 0x7fff_ffff ? rest >> 6 : Math.floor(rest / MORE))
    out[end++] = MORE | (rest % MORE)
  out[end++] = rest
}

function packNumber(value: number): boolean {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return false
  if (value < 0) {
    out[end++] = TAGS.negative
    packInteger(-value)
  } else packCount(value, 0, ARRAYS, TAGS.integer)
  return true
}

/** False: the text is not ASCII, or has an escape in JSON. */
function packString(text: string): boolean {
  const { length } = text
  const before = end
  if (packShape(text)) return true
  end = before
  const tag = length <= MAX_WORD_LENGTH ? WORD_TAGS.get(text) : undefined
  if (tag !== undefined) {
    out[end++] = tag
    return true
  }
  packCount(length, STRINGS, WORDS, TAGS.string)
  const bytes = out
  const from = end
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at)
    if (!isPlain(unit)) return false
    bytes[from + at] = unit
  }
  end = from + length
  return true
}

const isPlain = (unit: number): boolean => unit >= 0x20 && unit < 0x80 && unit !== QUOTE && unit !== BACKSLASH

/** Writes the text in a shorter form. False: there is none, and the caller must reset `end`. */
function packShape(text: string): boolean {
  const { length } = text
  if (length <= MAX_DIGITS) return packDigits(text)
  if (length === TIME_LENGTH) return packTime(text)
  const before = end
  if (length === UUID_LENGTH && hasDashes(text)) {
    out[end++] = TAGS.uuid
    return packBits(text, length, HEX) === UUID_DIGITS
  }
  if (length === HASH_LENGTH) {
    out[end++] = TAGS.hash
    if (packBits(text, length, HEX) === length) return true
    end = before
  }
  return length >= MIN_BASE64 && packBase64(text)
}

function hasDashes(text: string): boolean {
  for (let at = 0; at < DASHES.length; at += 1) if (text.charCodeAt(DASHES[at]!) !== MINUS) return false
  return true
}

function packDigits(text: string): boolean {
  if (text === '' || (text.charCodeAt(0) === ZERO && text.length > 1)) return false
  let number = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < ZERO || unit > NINE) return false
    number = number * 10 + unit - ZERO
  }
  out[end++] = TAGS.digits
  packInteger(number)
  return true
}

/** The latest time up to its minute: rows written together mostly have the same minute. */
let minute = '?'
let minuteMs = 0

function packTime(text: string): boolean {
  if (!text.startsWith(minute)) {
    const ms = Date.parse(text)
    if (!(ms >= 0) || new Date(ms).toISOString() !== text) return false
    minute = text.slice(0, MINUTE_LENGTH)
    minuteMs = ms - (ms % MINUTE_MS)
  }
  // The rest of the text after the minute: `11.581Z`.
  const [tens, hundreds] = [digitAt(text, 17), digitAt(text, 20)]
  const ms = ((tens * 10 + digitAt(text, 18)) * 10 + hundreds) * 100 + digitAt(text, 21) * 10 + digitAt(text, 22)
  if (!(tens < 6 && ms >= 0) || text.charCodeAt(19) !== POINT || text.charCodeAt(23) !== ZULU) return false
  out[end++] = TAGS.time
  packInteger(minuteMs + ms)
  return true
}

/** NaN: the character is no digit. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

function packBase64(text: string): boolean {
  let { length } = text
  while (length > text.length - 2 && text.charCodeAt(length - 1) === EQUALS) length -= 1
  out[end++] = TAGS.base64
  packInteger(3 * length + text.length - length)
  return packBits(text, length, BASE64) === length
}

/** Skips dashes. Returns the number of digits; -1: the text has another character. */
function packBits(text: string, length: number, { width, numbers }: Digits): number {
  const bytes = out
  let at = end
  let count = 0
  let pending = 0
  let bits = 0
  for (let place = 0; place < length; place += 1) {
    const unit = text.charCodeAt(place)
    if (unit === MINUS) continue
    const number = unit < 0x80 ? numbers[unit]! : -1
    if (number < 0) return -1
    count += 1
    pending = (pending << width) | number
    bits += width
    if (bits < 7) continue
    bits -= 7
    bytes[at] = (pending >>> bits) & 0x7f
    at += 1
  }
  if (bits > 0) bytes[at] = (pending << (7 - bits)) & 0x7f
  end = bits > 0 ? at + 1 : at
  return count
}

let source = ''
let next = 0

export const isPacked = (stored: string): boolean => stored.charCodeAt(0) === PACKED

/** The text of a stored row, packed or not. */
export function unpackRow(stored: string): string {
  if (!isPacked(stored)) return stored
  try {
    const text = textFrom(() => {
      source = stored
      next = 1
      unpack()
      return next === stored.length
    })
    return text ?? stored
  } catch (error) {
    if (error instanceof RangeError) return stored
    throw error
  }
}

function take(): number {
  const unit = source.charCodeAt(next)
  if (!(unit < 0x80)) throw new RangeError('a packed row that ends early')
  next += 1
  return unit
}

function takeInteger(): number {
  let integer = 0
  for (let factor = 1; ; factor *= MORE) {
    const unit = take()
    integer += (unit % MORE) * factor
    if (!Number.isSafeInteger(integer)) throw new RangeError('a number that is too great')
    if (unit < MORE) return integer
  }
}

function unpack(): void {
  const tag = take()
  if (tag < ARRAYS) add(String(tag))
  else if (tag < STRINGS) unpackValues(tag - ARRAYS, '[]')
  else if (tag < WORDS) unpackString(tag - STRINGS)
  else if (tag < WORDS + WORD_TEXTS.length) add(WORD_TEXTS[tag - WORDS]!)
  else {
    const read = READ[tag]
    if (read === undefined) throw new RangeError('an unknown tag')
    read()
  }
}

const READ: Readonly<Record<number, () => void>> = {
  [TAGS.uuid]: () => unpackBits(UUID_DIGITS, HEX, DASHES),
  [TAGS.hash]: () => unpackBits(HASH_LENGTH, HEX),
  [TAGS.base64]() {
    const length = takeInteger()
    unpackBits(Math.floor(length / 3), BASE64)
    end -= 1
    add('='.repeat(length % 3) + '"')
  },
  [TAGS.time]: () => add(`"${new Date(takeInteger()).toISOString()}"`),
  [TAGS.digits]: () => add(`"${takeInteger()}"`),
  [TAGS.integer]: () => add(String(takeInteger())),
  [TAGS.negative]: () => add(String(-takeInteger())),
  [TAGS.string]: () => unpackString(takeInteger()),
  [TAGS.array]: () => unpackValues(takeInteger(), '[]'),
  [TAGS.object]: () => unpackValues(2 * takeInteger(), '{}'),
}

function add(text: string): void {
  for (let at = 0; at < text.length; at += 1) out[end++] = text.charCodeAt(at)
}

/** @param around the brackets of an array, or the braces of an object, whose names and values alternate */
function unpackValues(count: number, around: '[]' | '{}'): void {
  add(around.charAt(0))
  for (let at = 0; at < count; at += 1) {
    if (at > 0) add(around === '{}' && at % 2 === 1 ? ':' : ',')
    unpack()
  }
  add(around.charAt(1))
}

function unpackString(length: number): void {
  out[end++] = QUOTE
  for (let at = 0; at < length; at += 1) {
    const unit = take()
    if (!isPlain(unit)) throw new RangeError('a string with an escape')
    out[end++] = unit
  }
  out[end++] = QUOTE
}

/** @param dashes positions of dashes in the string */
function unpackBits(count: number, { width, characters }: Digits, dashes?: readonly number[]): void {
  out[end++] = QUOTE
  const start = end
  let pending = 0
  let bits = 0
  for (let digit = 0; digit < count; digit += 1) {
    if (bits < width) {
      pending = (pending << 7) | take()
      bits += 7
    }
    bits -= width
    if (dashes?.includes(end - start) === true) out[end++] = MINUS
    out[end++] = characters.charCodeAt((pending >>> bits) & ((1 << width) - 1))
  }
  if ((pending & ((1 << bits) - 1)) !== 0) throw new RangeError('bits after the last')
  out[end++] = QUOTE
}
