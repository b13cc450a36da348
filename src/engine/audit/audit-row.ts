// A row of the audit log, and what makes a chain of them: each row's hash covers the hash of the row before. Pure.
import { hash } from 'node:crypto'

/** What is known of a deed before it has its place in the chain of its tenant. */
export interface Deed {
  /** The tenant's log it belongs to. */
  readonly tenant: string
  /** The API key, or the subject of a token. */
  readonly keyId: string
  /** The endpoint: `POST /api/v1/accounts`. */
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  /** Of a refusal: what the request named, whether it is there or not. */
  readonly resource: AuditResource
  readonly requestId: string
  /** Refusals that the row stands for; absent: one. */
  readonly count?: number
}

export interface AuditResource {
  readonly kind: string | null
  readonly onchainId: string | null
  readonly offchainId: string | null
}

/** As it is shown. `hash` is the SHA-256 (hex) of the RFC 8785 canonical JSON of all the other members. */
export interface AuditRow {
  readonly sequence: number
  /** ISO 8601. */
  readonly at: string
  readonly keyId: string
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  readonly resource: AuditResource
  readonly requestId: string
  /** Of a row that stands for repeats of an earlier refusal: how many. */
  readonly count?: number
  readonly previousHash: string
  readonly hash: string
}

/** As it is stored; the sequence is in its key. */
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

/** Stands for the row before the first. */
export const NO_HASH = '0'.repeat(64)

/** RFC 8785: members in the order of their names, no blanks; its texts and integers are those of `JSON.stringify`. */
function canonical({ action, at, count, keyId, outcome, previousHash, requestId, resource, sequence }: Omit<AuditRow, 'hash'>): string {
  const { kind, offchainId, onchainId } = resource
  return JSON.stringify({ action, at, count, keyId, outcome, previousHash, requestId, resource: { kind, offchainId, onchainId }, sequence })
}

/** What is hashed has to have a canonical form: a lone half of a surrogate pair has none. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  return hash('sha256', canonical(row))
}

/** The row that follows `previousHash`. */
export function chained(deed: Deed, sequence: number, at: string, previousHash: string): AuditRow {
  const { keyId, action, outcome, resource, requestId, count } = deed
  const counted = count === undefined ? {} : { count }
  const row = { sequence, at, keyId: wellFormed(keyId), action, outcome, resource, requestId, ...counted, previousHash }
  return { ...row, hash: hashOf(row) }
}

export function stored({ at, keyId, action, outcome, resource, requestId, previousHash, hash: own, count }: AuditRow): StoredAuditRow {
  const counted = count === undefined ? ([] as const) : ([count] as const)
  return [at, keyId, action, outcome, resource.kind, resource.onchainId, resource.offchainId, requestId, previousHash, own, ...counted]
}

/** Whether it has the members of a row, whatever they say. */
export function isStoredRow(row: unknown): boolean {
  return Array.isArray(row) && PARTS.has(row.length)
}

/** As it stands on disk, whether that is true or not. */
export function restored(sequence: number, row: unknown): AuditRow {
  const [at, keyId, action, outcome, kind, onchainId, offchainId, requestId, previousHash, own, count] = row as StoredAuditRow
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

/** The head of a tenant's chain under a signature. */
export interface Checkpoint {
  readonly sequence: number
  readonly hash: string
  readonly at: string
  /** Base64 of an Ed25519 signature of `checkpointText`. */
  readonly signature: string
}

export const CHECKPOINT_EVERY = 1_000

/** RFC 8785 too. */
export function checkpointText(tenant: string, { at, hash: head, sequence }: Omit<Checkpoint, 'signature'>): string {
  return JSON.stringify({ at, hash: head, sequence, tenant: wellFormed(tenant) })
}

/** Name of the fact that holds the checkpoint of a full thousand. */
export const checkpointName = (tenant: string, sequence: number): string => `audit.checkpoint!${tenant}!${sequence}`
/** Name of the fact that holds the newest checkpoint between two thousands. */
export const lastCheckpointName = (tenant: string): string => `audit.checkpoint!${tenant}`
