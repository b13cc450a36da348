// The records of each bulk endpoint, and the parts that contain them: one part for each organization and cluster, and
// one for shared records as other tenants see them. What a caller may see is a union of whole parts, so counts are
// exact.
import type { Source } from '../../../engine/query/read-model.ts'
import type { Resource } from '../../../engine/query/field.ts'
import {
  HOLDING_KINDS,
  isHolding,
  ofKind,
  type HoldingKind,
  type HoldingState,
  type RecordState,
} from '../../../engine/records/record.ts'
import { awaitsSignatureOf, type AwaitedSignature } from '../../../engine/records/signing-request.ts'
import type { Call } from '../../../contract/call.ts'
import { OLD_TRANSACTIONS } from './old-transactions.ts'
import { DATA_SOURCES } from './data-sources.ts'
import { NONCES } from './nonces.ts'
import { fromOutside, withoutId } from './outside.ts'
import { ownRecords } from './own-records.ts'
import { partOf } from './parts.ts'
import { ACCOUNTS, API_KEYS, INSTRUMENTS, LOOKUP_TABLES, ORGANIZATIONS, POSITIONS, TRANSACTIONS } from './resources.ts'
import { awaitingSignature } from './awaiting.ts'
import { WEBHOOKS } from './webhooks.ts'

/** The part with every organization and key of the server. */
export const EVERYTHING: readonly string[] = ['']

const isOpen = ({ value }: HoldingState): boolean => value !== 'closed'

export const ACCOUNT_SOURCE = holdings<HoldingState>(ACCOUNTS, HOLDING_KINDS)
export const INSTRUMENT_SOURCE = holdings<RecordState<'instrument'>>(INSTRUMENTS, ['instrument'])
export const POSITION_SOURCE = holdings<RecordState<'position'>>(POSITIONS, ['position'])
export const LOOKUP_TABLE_SOURCE = holdings<RecordState<'lookupTable'>>(LOOKUP_TABLES, ['lookupTable'])
/** Closed records, and those whose creation failed, are found as accounts only. */
export const NONCE_SOURCE = holdings<RecordState<'nonce'>>(NONCES, ['nonce'], isOpen)
export const DATA_SOURCE_SOURCE = holdings<RecordState<'dataSource'>>(DATA_SOURCES, ['dataSource'], isOpen)

export const TRANSACTION_SOURCE: Source<RecordState<'transaction'>> = {
  resource: TRANSACTIONS,
  kinds: ['transaction'],
  // A transaction is also listed for the organizations of its tenant whose keys it needs. For an organization of
  // another tenant it is listed in a separate part, while it waits for that organization's signature.
  partsOf(state) {
    const transaction = ofKind(state, 'transaction')
    if (transaction === undefined) return []
    const { tenant, cluster, context } = transaction
    const { organization, waitsFor = [] } = context.fixed
    const sameTenant = waitsFor
      .filter((each) => each.tenant === tenant)
      .map((each) => partOf(cluster, tenant, each.organization))
    const otherTenants = waitsFor.filter((each) => each.tenant !== tenant && awaitsSignatureOf(each, transaction))
    return [
      ...new Set([
        partOf(cluster, tenant, organization),
        ...sameTenant,
        ...otherTenants.map((each) => requestPartOf(cluster, each)),
      ]),
    ]
  },
  heldIn(part, state) {
    const { cluster, context } = state
    const isListedHere = (each: AwaitedSignature): boolean =>
      part === partOf(cluster, each.tenant, each.organization) || part === requestPartOf(cluster, each)
    const { waitsFor = [] } = context.fixed
    const isOutside = waitsFor.some((each) => each.tenant !== state.tenant && part === requestPartOf(cluster, each))
    const shown = isOutside ? asOutsiderFinds(state) : state
    return waitsFor.some((each) => isListedHere(each) && awaitsSignatureOf(each, state))
      ? awaitingSignature(shown)
      : shown
  },
  listing: OLD_TRANSACTIONS,
}

/**
 * Other tenants cannot find a signing request by the client's own reference, by its approvers, or by the ids of records
 * of the client. Answers look up the ids of the reader.
 */
function asOutsiderFinds(state: RecordState<'transaction'>): RecordState<'transaction'> {
  const { externalReference: _own, itemReferences: _also, ...visible } = state.context.fixed
  const fixed = {
    ...visible,
    feePayer: withoutId(visible.feePayer),
    accounts: visible.accounts.map(withoutId),
  }
  return { ...state, context: { ...state.context, fixed, approval: null } }
}

/** The part with transactions of other tenants that need a signature of the organization. */
export function requestPart(call: Call): string {
  return requestPartOf(call.cluster, call)
}

/** Transactions of other cells, in the form in which `requestPart` contains transactions. */
export function requestsForPart(
  call: Call,
  transactions: readonly RecordState<'transaction'>[],
): readonly RecordState<'transaction'>[] {
  const part = requestPart(call)
  return transactions
    .filter((state) => awaitsSignatureOf(call, state))
    .map((state) => TRANSACTION_SOURCE.heldIn?.(part, state) ?? state)
}

function requestPartOf(
  cluster: string,
  { tenant, organization }: Pick<AwaitedSignature, 'tenant' | 'organization'>,
): string {
  return partOf(cluster, tenant, organization, 'signing requests')
}

export const WEBHOOK_SOURCE = ownRecords('webhook', WEBHOOKS)

export const ORGANIZATION_SOURCE: Source<RecordState<'organization'>> = {
  resource: ORGANIZATIONS,
  kinds: ['organization'],
  partsOf: ({ kind }) => (kind === 'organization' ? EVERYTHING : []),
}

export const API_KEY_SOURCE: Source<RecordState<'apiKey'>> = {
  resource: API_KEYS,
  kinds: ['apiKey'],
  partsOf: ({ kind }) => (kind === 'apiKey' ? EVERYTHING : []),
}

/** The part with the organization's own records. */
export function ownPart({ cluster, tenant, organization }: Call): string {
  return partOf(cluster, tenant, organization)
}

/** The part with records shared across tenants, as tenants other than the sharing one see them. */
export function sharedPart({ cluster }: Call): string {
  return partOf(cluster)
}

function holdings<State extends HoldingState>(
  resource: Resource<State>,
  kinds: readonly HoldingKind[],
  isListed: (state: HoldingState) => boolean = () => true,
): Source<State> {
  return {
    resource,
    kinds,
    partsOf(state) {
      if (!isHolding(state) || !kinds.includes(state.kind) || !isListed(state)) return []
      const { cluster, tenant, context } = state
      const own = partOf(cluster, tenant, context.organization)
      return context.shared ? [own, partOf(cluster)] : [own]
    },
    heldIn: (part, state) => (part === partOf(state.cluster) ? fromOutside(state) : state),
  }
}
