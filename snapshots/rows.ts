// Row format: JSON text. A record row omits the members that its key contains: `[kind, version, revision, value,
// context]`. Later changes are one more part (`record-changes.ts`). Rows have no version, because the layout has one
// version as a whole (`schema.ts`). On LevelDB most rows are packed (`packed-row.ts`).

import { CorruptRow } from './errors.ts'
import type { Row } from './group-commit.ts'
import { recordKey, recordPlace } from './keys.ts'
import { packRow } from './packed-row.ts'
import type { Envelope, RecordChange, StoreOp } from './store.ts'

/**
 * The text of an operation's row; null deletes the row. Throws `TypeError` for values without a JSON form (bigint,
 * cycles, undefined).
 */
export function textOf(op: StoreOp): string | null {
  if (op.type === 'name') return op.held ? '' : null
  const row = rowOf(op)
  return row === DELETED ? null : encode(row)
}

/** As `textOf`, but packed if possible: `unpackRow` returns the text. */
export function packedText(op: StoreOp): string | null {
  // A start reads these rows in great numbers, and they are seldom written whole.
  if (op.type === 'name' || (op.type === 'record' && op.envelope.kind !== 'transaction')) return textOf(op)
  const row = rowOf(op)
  return row === DELETED ? null : (packRow(row) ?? encode(row))
}

const DELETED = Symbol('the row is deleted')

function rowOf(op: Exclude<StoreOp, { type: 'name' }>): unknown {
  switch (op.type) {
    case 'record': {
      const { kind, version, revision, value, context } = op.envelope
      return [kind, version, revision, value, context]
    }
    case 'old': {
      const { tenant, cluster, kind, version, revision, value, context } = op.envelope
      return [tenant, cluster, kind, version, revision, value, context]
    }
    case 'change':
      return op.change
    case 'unloaded':
      return DELETED
    case 'alias':
      return op.id
    case 'payload':
      return op.payload
    case 'message':
      return op.transactionId
    case 'meta':
      return op.value === null ? DELETED : op.value
    case 'inbox':
      return op.sequence
    case 'file':
    case 'outbox':
      return op.row === null ? DELETED : op.row
    default:
      return op.row
  }
}

/** The row of an operation, serialized when its batch is written. A class for speed: a transfer has twenty of them. */
export class OpRow implements Row {
  readonly key: string
  readonly #op: StoreOp

  constructor(key: string, op: StoreOp) {
    this.key = key
    this.#op = op
  }

  text(): string | null {
    return textOf(this.#op)
  }

  packed(): string | null {
    return packedText(this.#op)
  }
}

function encode(row: unknown): string {
  // The declared type does not include undefined, which is returned for values without a JSON form.
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

/** The result of `work`. Throws `CorruptRow` if the row is JSON, but does not have the form that `work` expects. */
export function interpretRow<T>(key: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? new CorruptRow(key, error) : error
  }
}

/** Decodes a cold record. Throws `CorruptRow`. */
export function decodeOld(key: string, id: string, text: string): Envelope {
  const [tenant, cluster, ...row] = asArray(decode(key, text))
  if (typeof tenant !== 'string' || typeof cluster !== 'string' || !isRecordRow(row) || row.length > RECORD_PARTS) {
    throw new CorruptRow(key, new TypeError('not the row of an old record'))
  }
  const [kind, version, revision, value, context] = row
  return { kind, version, revision, tenant, cluster, id, value, context }
}

function asArray(row: unknown): unknown[] {
  return Array.isArray(row) ? row : []
}

/** Decodes the row of a record with known tenant, cluster and id. Throws `CorruptRow`. */
export function recordIn(place: Pick<Envelope, 'tenant' | 'cluster' | 'id'>, text: string): Envelope {
  const { tenant, cluster, id } = place
  try {
    const [kind, version, revision, value, context] = recordRow(JSON.parse(text))
    return { kind, version, revision, tenant, cluster, id, value, context }
  } catch (error) {
    throw new CorruptRow(recordKey(tenant, cluster, id), error)
  }
}

/** Returns a decoder for record rows of one tenant. Strings that many records repeat are interned. */
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

type RecordRow = readonly [
  kind: string,
  version: number,
  revision: number,
  value: string,
  context: unknown,
  ...changes: unknown[],
]

const RECORD_PARTS = 5

/** Applies the last change, which includes the earlier ones. */
function recordRow(row: unknown): RecordRow {
  if (!isRecordRow(row)) throw new TypeError('not the row of a record')
  if (row.length === RECORD_PARTS) return row
  const [kind, version, revision, value, context] = row
  const change = row.at(-1)
  if (!isChange(change) || !Array.isArray(context)) throw new TypeError('not the change of a record')
  const [now, since, state, ...members] = change
  if (since !== revision) throw new TypeError(`a change from revision ${since} on a row of revision ${revision}`)
  return [kind, version, now, state ?? value, changedContext(context, members)]
}

function isRecordRow(row: unknown): row is RecordRow {
  return (
    Array.isArray(row) &&
    row.length >= RECORD_PARTS &&
    typeof row[0] === 'string' &&
    typeof row[1] === 'number' &&
    typeof row[2] === 'number' &&
    typeof row[3] === 'string'
  )
}

function isChange(change: unknown): change is RecordChange {
  return (
    Array.isArray(change) &&
    change.length % 2 === 1 &&
    typeof change[0] === 'number' &&
    typeof change[1] === 'number' &&
    (change[2] === null || typeof change[2] === 'string')
  )
}

function changedContext(context: readonly unknown[], members: readonly unknown[]): unknown[] {
  const changed = [...context]
  for (let at = 0; at < members.length; at += 2) {
    const place = members[at] as number
    const part = members[at + 1]
    changed[Math.abs(place)] = place < 0 ? [...(changed[-place] as unknown[]), ...(part as unknown[])] : part
  }
  return changed
}
