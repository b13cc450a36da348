// Audit rows and their hash chain: the hash of each row covers the hash of the previous row. Pure.
import { hash } from 'node:crypto'
import type { Store } from '../../../snapshots/store.ts'

/** An audit entry without a position in the chain of its tenant. */
export interface AuditEntry {
  /** The tenant whose audit log receives the entry. */
  readonly tenant: string
  /** The API key, or the subject of a token. */
  readonly keyId: string
  /** The endpoint, e.g. `POST /api/v1/accounts`. */
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  /** For a refusal: the resource that the request named, whether or not it exists. */
  readonly resource: AuditResource
  readonly requestId: string
  /** Number of refusals the row represents; absent: one. */
  readonly count?: number
}

export interface AuditResource {
  readonly kind: string | null
  readonly onchainId: string | null
  readonly offchainId: string | null
}

/** A row as the interface shows it. `hash` is the SHA-256 (hex) of the RFC 8785 canonical JSON of all other members. */
export interface AuditRow {
  readonly sequence: number
  /** ISO 8601. */
  readonly at: string
  readonly keyId: string
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  readonly resource: AuditResource
  readonly requestId: string
  /** Number of repeats of an earlier refusal that the row represents. */
  readonly count?: number
  readonly previousHash: string
  readonly hash: string
}

/** A row as it is stored; the sequence is in its key. */
export type StoredAuditRow = readonly [
  at: string,
  keyId: string,
  action: string,
  outcome: string,
  kind: string | null,
  onchainId: string | null,
  offchainId: string | null,
  requestId: string,
  previousHash: string,
  hash: string,
  count?: number,
]
const PARTS: ReadonlySet<number> = new Set([10, 11])

/** Previous hash of the first row. */
export const NO_HASH = '0'.repeat(64)

/** RFC 8785: members sorted by name, no whitespace; strings and integers as `JSON.stringify` writes them. */
function canonical({
  action,
  at,
  count,
  keyId,
  outcome,
  previousHash,
  requestId,
  resource,
  sequence,
}: Omit<AuditRow, 'hash'>): string {
  const { kind, offchainId, onchainId } = resource
  return JSON.stringify({
    action,
    at,
    count,
    keyId,
    outcome,
    previousHash,
    requestId,
    resource: { kind, offchainId, onchainId },
    sequence,
  })
}

/** Replaces lone surrogates, which have no canonical form. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  return hash('sha256', canonical(row))
}

/** Builds the row that follows `previousHash`. */
export function buildAuditRow(auditEntry: AuditEntry, sequence: number, at: string, previousHash: string): AuditRow {
  const { keyId, action, outcome, resource, requestId, count } = auditEntry
  // No spread: V8 builds the shape of a copy with additional members anew each time, which takes 8 us.
  const row: { -readonly [Name in keyof AuditRow]: AuditRow[Name] } = {
    sequence,
    at,
    keyId: wellFormed(keyId),
    action,
    outcome,
    resource,
    requestId,
    previousHash,
    hash: '',
  }
  if (count !== undefined) row.count = count
  row.hash = hashOf(row)
  return row
}

export function toStoredRow({
  at,
  keyId,
  action,
  outcome,
  resource,
  requestId,
  previousHash,
  hash: own,
  count,
}: AuditRow): StoredAuditRow {
  const { kind, onchainId, offchainId } = resource
  return count === undefined
    ? [at, keyId, action, outcome, kind, onchainId, offchainId, requestId, previousHash, own]
    : [at, keyId, action, outcome, kind, onchainId, offchainId, requestId, previousHash, own, count]
}

/** Checks the shape of a row, not its content. */
export function isStoredRow(row: unknown): boolean {
  return Array.isArray(row) && PARTS.has(row.length)
}

/** The row as stored; nothing is verified. */
export function fromStoredRow(sequence: number, row: unknown): AuditRow {
  const [at, keyId, action, outcome, kind, onchainId, offchainId, requestId, previousHash, own, count] =
    row as StoredAuditRow
  return {
    sequence,
    at,
    keyId,
    action,
    outcome: outcome as AuditRow['outcome'],
    resource: { kind, onchainId, offchainId },
    requestId,
    ...(count === undefined ? {} : { count }),
    previousHash,
    hash: own,
  }
}

/** The signed head of a tenant's chain. */
export interface Checkpoint {
  readonly sequence: number
  readonly hash: string
  readonly at: string
  /** Base64 of an Ed25519 signature of `checkpointText`. */
  readonly signature: string
}

export const CHECKPOINT_EVERY = 1_000

/** The signed text, RFC 8785. */
export function checkpointText(tenant: string, { at, hash: head, sequence }: Omit<Checkpoint, 'signature'>): string {
  return JSON.stringify({ at, hash: head, sequence, tenant: wellFormed(tenant) })
}

/** Store name of the checkpoint at a multiple of 1,000 rows. */
export const checkpointName = (tenant: string, sequence: number): string => `${lastCheckpointName(tenant)}!${sequence}`
/** Store name of the newest checkpoint between two multiples of 1,000 rows. No two tenants share one of these names. */
export const lastCheckpointName = (tenant: string): string => `audit.checkpoint!${tenant.replace(/[!%]/g, escaped)}`

const escaped = (character: string): string => (character === '!' ? '%21' : '%25')

/**
 * Name in earlier releases, for tenants with `!` or `%` in their names. undefined: there is none, or it may belong to
 * another tenant, whose name equals the part before the number.
 */
export function earlierCheckpointName(tenant: string, sequence?: number): string | undefined {
  if (!/[!%]/.test(tenant) || (sequence === undefined && /!\d+$/.test(tenant))) return undefined
  return `audit.checkpoint!${tenant}${sequence === undefined ? '' : `!${sequence}`}`
}

/** At a multiple of 1,000 rows, or the newest between two. */
export function checkpointIn(store: Pick<Store, 'meta'>, tenant: string, sequence?: number): Checkpoint | undefined {
  const name = sequence === undefined ? lastCheckpointName(tenant) : checkpointName(tenant, sequence)
  const checkpoint = store.meta(name) as Checkpoint | undefined
  const earlier = earlierCheckpointName(tenant, sequence)
  return checkpoint ?? (earlier === undefined ? undefined : (store.meta(earlier) as Checkpoint | undefined))
}
