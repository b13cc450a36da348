// Checks that a row of the store can be read; used by verification.
import { batchOf } from '../archive/batch.ts'
import { CorruptRow } from '../errors.ts'
import { lastPart, LOG_LETTERS, unescapePart } from '../keys.ts'
import { decode, decodeOld, recordDecoder } from '../rows.ts'
import type { Envelope } from '../store.ts'

export type CheckedRow =
  | { readonly type: 'record'; readonly envelope: Envelope }
  | { readonly type: 'event'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /** The row of an encrypted key. */
  | { readonly type: 'secret'; readonly id: string; readonly row: unknown }
  | { readonly type: 'other' }

/** Number of key parts per letter (see `keys.ts`). */
const PARTS: Readonly<Record<string, number>> = {
  a: 3,
  b: 4,
  e: 3,
  f: 2,
  g: 3,
  h: 3,
  i: 4,
  k: 4,
  l: 4,
  m: 2,
  n: 3,
  o: 3,
  p: 4,
  r: 4,
  s: 2,
  t: 2,
  u: 5,
  v: 5,
  w: 2,
  x: 5,
}
/** Rows of the store's own that are of one cell each, which is a third part. */
const OF_CELLS: ReadonlySet<string> = new Set(['cell', 'heard'])

function isKnown(letter: string, parts: readonly string[]): boolean {
  const expected = letter === 's' && OF_CELLS.has(parts[0] ?? '') ? 3 : PARTS[letter]
  return expected === parts.length + 1
}

/** Throws CorruptRow. */
export function checkRow(key: string, text: string): CheckedRow {
  const [letter = '', ...parts] = key.split('!')
  if (!isKnown(letter, parts)) throw new CorruptRow(key, new TypeError('no row of the store has such a key'))
  const tenant = unescapePart(parts[0]!)
  switch (letter) {
    case 'r':
      return { type: 'record', envelope: recordDecoder(tenant)(key, text) }
    case 't':
      return { type: 'record', envelope: decodeOld(key, tenant, text) }
    case 'k':
      return { type: 'secret', id: lastPart(key), row: decode(key, text) }
    case LOG_LETTERS.event:
      return { type: 'event', tenant, sequence: Number(parts[1]), row: decode(key, text) }
    case 'w':
      batchOf(Number(parts[0]), text)
      return { type: 'other' }
    default:
      decode(key, text)
      return { type: 'other' }
  }
}
