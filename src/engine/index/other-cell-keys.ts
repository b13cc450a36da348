// Names by which only other cells look up records; records of the own cell are found without them. They are short, so
// that the table of names stores them unhashed, because records are listed by prefixes of their names.
import { hash } from 'node:crypto'
import { awaitsSignatureOf, otherOrganizationsAsked } from '../records/signing-request.ts'
import type { RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'
/** Prefix of the names of transactions, whose payloads are read with them. */
const REQUEST_PREFIX = `tx${SEPARATOR}`
const LIST_PREFIX = `list${SEPARATOR}`
const SUSPENSIONS_PREFIX = `lanes${SEPARATOR}`

/** Kinds of records that the operator lists across all tenants. */
export type ListedKind = 'organization' | 'apiKey'

/** Prefix of the names of all records of a kind. */
export function listBeginning(kind: ListedKind): string {
  return `${LIST_PREFIX}${kind}${SEPARATOR}`
}

/** Suspensions of submission lanes of a tenant, also those that have ended. */
export function tenantSuspensionsKey(tenant: string): string {
  return SUSPENSIONS_PREFIX + digest(tenant)
}

/** A transaction that asks other tenants for signatures. */
export function requestIdKey(id: string): string {
  return `${REQUEST_PREFIX}id${SEPARATOR}${id}`
}

export function requestSignatureKey(cluster: string, signature: string): string {
  return `${REQUEST_PREFIX}signature${SEPARATOR}${cluster}${SEPARATOR}${signature}`
}

export function requestMessageKey(cluster: string, messageHash: string): string {
  return `${REQUEST_PREFIX}message${SEPARATOR}${cluster}${SEPARATOR}${messageHash}`
}

/** The transactions that wait for a signature of an organization. */
export function requestsToKey(
  cluster: string,
  { tenant, organization }: { readonly tenant: string; readonly organization: string },
): string {
  return `${REQUEST_PREFIX}to${SEPARATOR}${cluster}${SEPARATOR}${digest(tenant, organization)}`
}

/** The names of a record that only other cells look up: none for nearly every record. */
export function otherCellKeys(state: RecordState): readonly string[] {
  switch (state.kind) {
    case 'organization':
    case 'apiKey':
      return [listBeginning(state.kind) + state.id]
    case 'suspension': {
      const { tenant } = (state as RecordState<'suspension'>).context.scope
      return tenant === null ? NONE : [tenantSuspensionsKey(tenant)]
    }
    case 'transaction':
      return requestKeys(state as RecordState<'transaction'>)
    default:
      return NONE
  }
}

const NONE: readonly string[] = []

function requestKeys(transaction: RecordState<'transaction'>): readonly string[] {
  const organizations = otherOrganizationsAsked(transaction)
  if (organizations.length === 0) return NONE
  const { cluster, id, context } = transaction
  const { signature, fixed } = context
  const waiting = organizations.filter((each) => awaitsSignatureOf(each, transaction))
  return [
    requestIdKey(id),
    requestMessageKey(cluster, fixed.messageHash),
    ...(signature === null ? [] : [requestSignatureKey(cluster, signature)]),
    ...new Set(waiting.map((each) => requestsToKey(cluster, each))),
  ]
}

function digest(...names: readonly string[]): string {
  return hash('sha256', names.join(SEPARATOR), 'hex')
}
