// Layout of all keys. Keys are printable ASCII: a letter for the type of row, then its parts, separated by `!`.
//   a!tenant!sequence           audit row              m!name                      service-wide fact
//   b!tenant!cluster!id         file of a record       n!tenant!sender             inbox: last row taken
//   e!tenant!sequence           event                  o!tenant!sequence           outbox row
//   f!tenant                    fence: owner's epoch   p!tenant!cluster!id         payload of a transaction
//   g!cluster!name              alias -> id            r!tenant!cluster!id         record
//   h!cluster!hash              message -> transaction s!schema                    the store's own: layout version
//   i!tenant!cluster!scope      idempotency record     t!id                        cold record: not loaded at a start
//   k!tenant!cluster!id         encrypted key          w!sequence                  batch, until it is archived
//   l!list!time!id              cold record as listed, newest first
//   s!heard!cell                epoch of a cell, and what it has applied of the tenant that it follows
//   r!tenant!cluster!id!+       changes of a record since its row was written (`record-changes.ts`)
//   v!tenant!record!asset!stamp movement of a balance
//   u!tenant!record!asset!stamp copy of a movement that reverses one of a dropped fork
//   s!cell!cell                 a cell with a directory of its own; in the directory of the first cell
//   s!changes                   present if there are rows of changes of records
//   s!epoch                     epoch of the last claim of this directory's cell
//   s!move                      tenant that is being moved between directories; in the directory of the first cell
//   s!names                     version of the names in all directories; in the directory of the first cell
//   x!name!tenant!cluster!id    name of a record for other cells; on PostgreSQL a row of the table of names instead
// Parts are percent-escaped and contain no `!`. Different names therefore never share a key, and no name falls into the
// range of another. Keys are also ASCII because the driver's shared key buffer measures its size in bytes and may cut a
// key within a multi-byte character.

import { createHash } from 'node:crypto'
import type { Range } from './disk.ts'
import type { RowKey } from './not-at-hand.ts'
import type { BookedBalance, StoreOp } from './store.ts'

export const SCHEMA_KEY = 's!schema'
/** Internal to the store: the archive that follows it. */
export const ARCHIVE_KEY = 's!archive'

/** Internal to a store with a directory per cell. */
export const EPOCH_KEY = 's!epoch'
export const CHANGES_KEY = 's!changes'
export const MOVE_KEY = 's!move'
export const NAMES_KEY = 's!names'

const SEPARATOR = '!'
/** The character after the separator: upper bound of the range of a prefix. */
const AFTER_SEPARATOR = '"'
const PLAIN = /^[A-Za-z0-9._~-]*$/
/** Digits of the largest safe integer, so that keys sort like numbers. */
const SEQUENCE_DIGITS = 16

/**
 * Escapes a name. Injective for every string, including lone surrogates (not representable in UTF-8), which become
 * `%uXXXX`.
 */
export function escapePart(name: string): string {
  if (PLAIN.test(name)) return name
  return name.replace(/[^A-Za-z0-9._~-]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    return code >= 0xd800 && code <= 0xdfff ? `%u${code.toString(16).toUpperCase()}` : encodeURIComponent(character)
  })
}

/** Inverse of `escapePart`. Throws `URIError` for text that it cannot have produced. */
export function unescapePart(part: string): string {
  if (!part.includes('%')) return part
  return part
    .split(/%u([0-9A-F]{4})/)
    .map((piece, at) => (at % 2 === 0 ? decodeURIComponent(piece) : String.fromCharCode(Number.parseInt(piece, 16))))
    .join('')
}

function join(letter: string, ...names: readonly string[]): string {
  let key = letter
  for (const name of names) key += SEPARATOR + escapePart(name)
  return key
}

/** A sequence number as a key part. Throws `RangeError` unless it is a safe integer of at least 0. */
export function sequencePart(sequence: number): string {
  if (!Number.isSafeInteger(sequence) || sequence < 0) throw new RangeError(`${sequence} cannot be a sequence number`)
  return String(sequence).padStart(SEQUENCE_DIGITS, '0')
}

/** Cached middle part of keys of records and payloads, because most rows belong to a few tenants and clusters. */
const places = new Map<string, Map<string, string>>()
const MAX_TENANTS = 10_000

function placePart(tenant: string, cluster: string): string {
  const known = places.get(tenant)?.get(cluster)
  if (known !== undefined) return known
  if (places.size === MAX_TENANTS) places.clear()
  const part = join('', tenant, cluster) + SEPARATOR
  const clusters = places.get(tenant) ?? new Map<string, string>()
  places.set(tenant, clusters.set(cluster, part))
  return part
}

export const recordKey = (tenant: string, cluster: string, id: string): string =>
  'r' + placePart(tenant, cluster) + escapePart(id)
/** Key parts never contain a plus sign. The row directly follows that of its record, because ids have no separator. */
const CHANGE = SEPARATOR + '+'
export const changeKey = (ofRecord: string): string => ofRecord + CHANGE
export const isChangeKey = (key: string): boolean => key.endsWith(CHANGE)
export const payloadKey = (tenant: string, cluster: string, id: string): string =>
  'p' + placePart(tenant, cluster) + escapePart(id)
export const secretKey = (tenant: string, cluster: string, id: string): string => join('k', tenant, cluster, id)
export const fileKey = (tenant: string, cluster: string, id: string): string => join('b', tenant, cluster, id)
export const idempotencyKey = (tenant: string, cluster: string, scope: string): string =>
  join('i', tenant, cluster, scope)
export const messageKey = (cluster: string, hash: string): string => join('h', cluster, hash)
export const metaKey = (name: string): string => join('m', name)
/** Escaping works per character, so names with a common prefix have keys with a common prefix. */
export const metasFrom = (prefix: string): Range => ({ gte: metaKey(prefix), lt: metaKey(prefix) + '\u007f' })
export const oldKey = (id: string): string => join('t', id)
export const isOldKey = (key: string): boolean => key.startsWith('t!')
/** All cold records. */
export const ALL_OLD: Required<Range> = everythingUnder('t')
export const aliasKey = (cluster: string, name: string): string => join('g', cluster, name)
export const inboxKey = (tenant: string, sender: string): string => join('n', tenant, sender)
export const fenceKey = (tenant: string): string => join('f', tenant)

/** Key letters of the logs of a tenant. */
export const LOG_LETTERS = { event: 'e', audit: 'a', outbox: 'o' } as const
export type LogName = keyof typeof LOG_LETTERS

export const logKey = (log: LogName, tenant: string, sequence: number): string =>
  join(LOG_LETTERS[log], tenant) + SEPARATOR + sequencePart(sequence)

/** Rows of all outboxes. */
export const MESSAGES: Range = everythingUnder(LOG_LETTERS.outbox)
/** The sender of a message, from the key of its row. */
export const outboxSender = (key: string): string => unescapePart(key.split(SEPARATOR)[1] ?? '')

/** Subtracting a time (Unix milliseconds, also before 1970) from this makes the newest row sort first. */
const LATEST_MS = 4_000_000_000_000_000
const newestFirst = (atMs: number): string => sequencePart(LATEST_MS - atMs)

const listedKey = (list: string, atMs: number, id: string): string =>
  join('l', list) + SEPARATOR + newestFirst(atMs) + SEPARATOR + escapePart(id)

/** The rows of a list between two times, both inclusive; null: unbounded. */
export function listedBetween(list: string, fromMs: number | null, toMs: number | null): Range {
  const all = everythingUnder(join('l', list))
  return {
    gte: toMs === null ? all.gte : all.gte + newestFirst(toMs) + SEPARATOR,
    lt: fromMs === null ? all.lt : all.gte + newestFirst(fromMs) + AFTER_SEPARATOR,
  }
}

/** Time and id of a list row, from its key. */
export function listedPlace(key: string): { atMs: number; id: string } {
  const [id = '', time = ''] = key.split(SEPARATOR).reverse()
  return { atMs: LATEST_MS - Number(time), id: unescapePart(id) }
}

/** Key letters of the movements of a balance, and of copies of the movements that reverse one of a dropped fork. */
const MOVEMENT_LETTERS = { movement: 'v', reversal: 'u' } as const
export type MovementLogName = keyof typeof MOVEMENT_LETTERS

const movementsOf = (log: MovementLogName, { tenant, record, asset }: BookedBalance): string =>
  join(MOVEMENT_LETTERS[log], tenant, record, asset)

const movementKey = (log: MovementLogName, balance: BookedBalance, stamp: number): string =>
  movementsOf(log, balance) + SEPARATOR + sequencePart(stamp)

export const movementsOfTenant = (log: MovementLogName, tenant: string): Range =>
  everythingUnder(join(MOVEMENT_LETTERS[log], tenant))

/** The rows of a balance from one stamp (inclusive) to another (exclusive). */
export const movementsBetween = (
  log: MovementLogName,
  balance: BookedBalance,
  from: number,
  to: number,
): Required<Range> => {
  const all = everythingUnder(movementsOf(log, balance))
  return { gte: all.gte + sequencePart(from), lt: all.gte + sequencePart(to) }
}

/** Maximum length in the table of names, since an index entry has a size limit. */
const MAX_NAME_CHARACTERS = 500

/** A name in the form of the table of names: escaped, or a hash with the prefix `~` if it is too long. */
export function nameText(name: string): string {
  const text = escapePart(name)
  if (text.length <= MAX_NAME_CHARACTERS && !text.startsWith('~')) return text
  return '~' + createHash('sha256').update(text).digest('hex')
}

const NAMES = 'x' + SEPARATOR
export const isNameKey = (key: string): boolean => key.startsWith(NAMES)
export const ALL_NAMES: Required<Range> = everythingUnder('x')
/** The records that have a name. */
export const rowsOfName = (name: string): Required<Range> => everythingUnder(NAMES + name)

/** @param beginning a prefix of names, in the form of the table of names */
export const namesUnder = (beginning: string): Required<Range> => ({
  gte: NAMES + beginning,
  lt: NAMES + beginning + '\u007f',
})

const APPLIED = 's!heard'
/** What a cell has applied of the tenant that it follows; only in a database. */
export const appliedKey = (cell: string): string => join(APPLIED, cell)
export const isAppliedKey = (key: string): boolean => key.startsWith(APPLIED + SEPARATOR)

const CELL = 's!cell'
/** The cells other than the first. */
export const CELLS: Required<Range> = everythingUnder(CELL)
export const cellKey = (cell: string): string => join(CELL, cell)

/** The columns of the table of names. `place`: the part of the record's key after the tenant. */
export interface NameRow {
  readonly name: string
  readonly tenant: string
  readonly place: string
}

/** Inverse of the key of a name. */
export function nameRowOf(key: string): NameRow {
  const [, name = '', tenant = '', ...place] = key.split(SEPARATOR)
  return { name, tenant, place: place.join(SEPARATOR) }
}

/** Rows of batches that may not be archived yet. */
export const redoKey = (sequence: number): string => 'w' + SEPARATOR + sequencePart(sequence)
export const redoAfter = (after: number): Range => ({
  gte: 'w' + SEPARATOR + sequencePart(after) + AFTER_SEPARATOR,
  lt: 'w' + AFTER_SEPARATOR,
})
export const isArchiving = (key: string): boolean => key === ARCHIVE_KEY || key.startsWith('w' + SEPARATOR)

/** The key of an operation's row. */
export function keyOf(op: StoreOp): string {
  switch (op.type) {
    case 'record':
      return recordKey(op.envelope.tenant, op.envelope.cluster, op.envelope.id)
    case 'unloaded':
      return recordKey(op.tenant, op.cluster, op.id)
    case 'change':
      return changeKey(recordKey(op.tenant, op.cluster, op.id))
    case 'old':
      return oldKey(op.envelope.id)
    case 'alias':
      return aliasKey(op.cluster, op.name)
    case 'listed':
      return listedKey(op.list, op.atMs, op.id)
    case 'payload':
      return payloadKey(op.tenant, op.cluster, op.id)
    case 'secret':
      return secretKey(op.tenant, op.cluster, op.id)
    case 'file':
      return fileKey(op.tenant, op.cluster, op.id)
    case 'idempotency':
      return idempotencyKey(op.tenant, op.cluster, op.scope)
    case 'message':
      return messageKey(op.cluster, op.hash)
    case 'inbox':
      return inboxKey(op.tenant, op.sender)
    case 'meta':
      return metaKey(op.name)
    case 'movement':
    case 'reversal':
      return movementKey(op.type, op, op.stamp)
    case 'name':
      return NAMES + nameText(op.name) + SEPARATOR + [op.tenant, op.cluster, op.id].map(escapePart).join(SEPARATOR)
    default:
      return logKey(op.type, op.tenant, op.sequence)
  }
}

/** The key of a row for synchronous reads. */
export function keyOfCold(cold: RowKey): string {
  switch (cold.read) {
    case 'idempotency':
      return idempotencyKey(cold.tenant, cold.cluster, cold.scope)
    case 'payload':
      return payloadKey(cold.tenant, cold.cluster, cold.id)
    case 'secret':
      return secretKey(cold.tenant, cold.cluster, cold.id)
    case 'file':
      return fileKey(cold.tenant, cold.cluster, cold.id)
    case 'message':
      return messageKey(cold.cluster, cold.hash)
    case 'old':
      return oldKey(cold.id)
    case 'alias':
      return aliasKey(cold.cluster, cold.name)
  }
}

/** Inverse of `keyOfCold`. Throws `TypeError` for keys of rows without synchronous reads. */
export function coldOf(key: string): RowKey {
  const [letter, ...parts] = key.split(SEPARATOR)
  const [one = '', two = '', three = ''] = parts.map(unescapePart)
  switch (letter) {
    case 'i':
      return { read: 'idempotency', tenant: one, cluster: two, scope: three }
    case 'p':
      return { read: 'payload', tenant: one, cluster: two, id: three }
    case 'k':
      return { read: 'secret', tenant: one, cluster: two, id: three }
    case 'b':
      return { read: 'file', tenant: one, cluster: two, id: three }
    case 'h':
      return { read: 'message', cluster: one, hash: two }
    case 't':
      return { read: 'old', id: one }
    case 'g':
      return { read: 'alias', cluster: one, name: two }
    default:
      throw new TypeError(`${key} is not read by itself`)
  }
}

const COLD_LETTERS = new Set(['i', 'p', 'k', 'b', 'h', 't', 'g'])
export const isCold = (key: string): boolean => COLD_LETTERS.has(key.charAt(0))
/** Service-wide facts and inbox cursors: a store holds all of them in memory. */
export const ALWAYS_AT_HAND: readonly Range[] = [everythingUnder('m'), everythingUnder('n')]
export const isAlwaysAtHand = (key: string): boolean => key.startsWith('m!') || key.startsWith('n!')
/** The key of the payload, if the record with this key is a transaction. */
export const payloadBeside = (key: string): string => 'p' + key.slice(1)

export function everythingUnder(prefix: string): Required<Range> {
  return { gte: prefix + SEPARATOR, lt: prefix + AFTER_SEPARATOR }
}

export const recordsOf = (tenant: string): Range => everythingUnder(join('r', tenant))
export const FENCES: Range = everythingUnder('f')
/** Ranges of idempotency records and messages: nearly every lookup is for a key that does not exist. */
export const MOSTLY_NEW_RANGES = [everythingUnder('i'), everythingUnder('h')] as const
export const isMostlyNew = (key: string): boolean =>
  key.startsWith(MOSTLY_NEW_RANGES[0].gte) || key.startsWith(MOSTLY_NEW_RANGES[1].gte)

/** The rows of a log after a sequence number; `after` -1: all rows. */
export function logAfter(log: LogName, tenant: string, after: number): Range {
  const all = everythingUnder(join(LOG_LETTERS[log], tenant))
  return after < 0 ? all : { gte: all.gte + sequencePart(after) + AFTER_SEPARATOR, lt: all.lt }
}

/** Tenant of a record, from its key. */
export const recordTenant = (key: string): string => unescapePart(key.split(SEPARATOR)[1] ?? '')

/** Cluster and id of a record, from its key. */
export function recordPlace(key: string): { cluster: string; id: string } {
  const parts = key.split(SEPARATOR)
  if (parts.length !== 4) throw new TypeError(`${key} is not the key of a record`)
  return { cluster: unescapePart(parts[2]!), id: unescapePart(parts[3]!) }
}

/** The last part of a key, unescaped. */
export const lastPart = (key: string): string => unescapePart(key.slice(key.lastIndexOf(SEPARATOR) + 1))
