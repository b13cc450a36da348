// Row format: JSON text. A record row omits what its key contains: `[kind, version, revision, value, context]`. The
// layout as a whole has one version (`schema.ts`), so rows carry none.

import { CorruptRow } from './errors.ts'
import { recordKey, recordPlace } from './keys.ts'
import type { Envelope, StoreOp } from './store.ts'

/**
 * The text of an operation's row; null deletes the row. Throws `TypeError` for values without a JSON form (bigint,
 * cycles, undefined).
 */
export function textOf(op: StoreOp): string | null {
  switch (op.type) {
    case 'record': {
      const { kind, version, revision, value, context } = op.envelope
      return encode([kind, version, revision, value, context])
    }
    case 'old': {
      const { tenant, cluster, kind, version, revision, value, context } = op.envelope
      return encode([tenant, cluster, kind, version, revision, value, context])
    }
    case 'unloaded':
      return null
    case 'alias':
      return encode(op.id)
    case 'payload':
      return encode(op.payload)
    case 'message':
      return encode(op.transactionId)
    case 'meta':
      return op.value === null ? null : encode(op.value)
    case 'inbox':
      return encode(op.sequence)
    case 'name':
      return op.held ? '' : null
    case 'file':
    case 'outbox':
      return op.row === null ? null : encode(op.row)
    default:
      return encode(op.row)
  }
}

function encode(row: unknown): string {
  // The declared type omits that some values have no JSON form.
  const text = JSON.stringify(row) as string | undefined
  if (text === undefined) throw new TypeError('a row must have a JSON form')
  return text
}

/** Parses a row. Throws `CorruptRow` with the key. */
export function decode(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CorruptRow(key, error)
  }
}

/** Decodes a cold record. Throws `CorruptRow`. */
export function decodeOld(key: string, id: string, text: string): Envelope {
  const [tenant, cluster, ...row] = asArray(decode(key, text))
  if (typeof tenant !== 'string' || typeof cluster !== 'string' || !isRecordRow(row)) {
    throw new CorruptRow(key, new TypeError('not the row of an old record'))
  }
  const [kind, version, revision, value, context] = row
  return { kind, version, revision, tenant, cluster, id, value, context }
}

function asArray(row: unknown): unknown[] {
  return Array.isArray(row) ? row : []
}

/** Decodes the row of a record whose place is known. Throws `CorruptRow`. */
export function recordIn(place: Pick<Envelope, 'tenant' | 'cluster' | 'id'>, text: string): Envelope {
  const { tenant, cluster, id } = place
  try {
    const [kind, version, revision, value, context] = recordRow(JSON.parse(text))
    return { kind, version, revision, tenant, cluster, id, value, context }
  } catch (error) {
    throw new CorruptRow(recordKey(tenant, cluster, id), error)
  }
}

/** Returns a decoder for record rows of one tenant. Names that all records repeat are interned. */
export function recordDecoder(tenant: string): (key: string, text: string) => Envelope {
  const names = new Map<string, string>()
  const once = (name: string): string => {
    const known = names.get(name)
    if (known !== undefined) return known
    names.set(name, name)
    return name
  }
  return (key, text) => {
    const { cluster, id } = recordPlace(key)
    const { kind, version, revision, value, context } = recordIn({ tenant, cluster, id }, text)
    return { kind: once(kind), version, revision, tenant, cluster: once(cluster), id, value: once(value), context }
  }
}

type RecordRow = [kind: string, version: number, revision: number, value: string, context: unknown]

function recordRow(row: unknown): RecordRow {
  if (!isRecordRow(row)) throw new TypeError('not the row of a record')
  return row
}

function isRecordRow(row: unknown): row is RecordRow {
  return (
    Array.isArray(row) &&
    row.length === 5 &&
    typeof row[0] === 'string' &&
    typeof row[1] === 'number' &&
    typeof row[2] === 'number' &&
    typeof row[3] === 'string'
  )
}
