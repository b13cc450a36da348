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
}

/** Throws CorruptRow. */
export function checkRow(key: string, text: string): CheckedRow {
  const [letter = '', ...parts] = key.split('!')
  if (PARTS[letter] !== parts.length + 1) throw new CorruptRow(key, new TypeError('no row of the store has such a key'))
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
