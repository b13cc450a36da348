// Decides whose records answer a lookup. This table is the only place that decides it: every lookup and every decision
// reads the records of an address through the functions below. The documentation prints the table as a page.
//
// Reason for the strictness: any tenant can create a record of any address, with any references, and keep the record
// from following the chain. A record of another tenant is therefore never a reason to pay; the state of the chain is.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { closedAddressKey, SHARED_SCOPE } from '../../engine/index/index-keys.ts'
import {
  isHolding,
  ofKind,
  type HoldingKind,
  type HoldingState,
  type RecordState,
} from '../../engine/records/record.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'

/**
 * The caller of a lookup. `organization` null: the tenant itself, for decisions that are the same for all of its
 * organizations.
 */
export interface Asker {
  readonly tenant: string
  readonly organization: string | null
}

/** Relations of a record to the asker, nearest first. */
export const RELATIONS = {
  OWN_ORGANIZATION: 'The organization acted for.',
  OWN_TENANT: 'Another organization of its tenant.',
  SHARED: 'The system tenant, shared across tenants.',
  GRANTED:
    'Another tenant, which lists the organization in `orgsAllowedToSignWithPrivateKey` or `globalFeePayerForOrgs` of the account.',
  STRANGER: 'Another tenant, without a grant.',
} as const

export type Relation = keyof typeof RELATIONS

/** How a record answers a lookup. */
export const ANSWERS = {
  RECORD: 'The record answers.',
  SIGNER:
    'The record answers as a signer, because its owner granted that. As a destination only its address answers; the rest is read from the chain.',
  ADDRESS:
    'Only its address answers. Owner, mint, authorities, state and data are read from the chain, as for an address without a record.',
  NONE: 'The answer is the same as without the record.',
} as const

export type LookupAnswer = keyof typeof ANSWERS

interface Form {
  /** How a request names the record. */
  readonly title: string
  readonly answers: Readonly<Record<Relation, LookupAnswer>>
  readonly note: string
}

const EXACT = {
  OWN_ORGANIZATION: 'RECORD',
  OWN_TENANT: 'RECORD',
  SHARED: 'RECORD',
  GRANTED: 'SIGNER',
  STRANGER: 'ADDRESS',
} as const
const NEAR = {
  OWN_ORGANIZATION: 'RECORD',
  OWN_TENANT: 'RECORD',
  SHARED: 'RECORD',
  GRANTED: 'NONE',
  STRANGER: 'NONE',
} as const
const OWN = {
  OWN_ORGANIZATION: 'RECORD',
  OWN_TENANT: 'NONE',
  SHARED: 'NONE',
  GRANTED: 'NONE',
  STRANGER: 'NONE',
} as const

export const FORMS = {
  OFFCHAIN_ID: { title: '`offchainId`', answers: EXACT, note: 'Names one record.' },
  ONCHAIN_ID: {
    title: '`onchainId`',
    answers: { ...EXACT, STRANGER: 'NONE' },
    note: 'Of several records of one address the nearest answers. `offPlatform: true` is needed for an address without such a record and never overrides a record, so that an address of a stranger and an unknown address give the same answer. The address of an organization that accepts signing requests needs no `offPlatform`.',
  },
  PAID_ADDRESS: {
    title: '`onchainId` of a destination',
    answers: EXACT,
    note: 'The address of a stranger needs no `offPlatform`.',
  },
  REFERENCES: {
    title: '`offchainReferences`',
    answers: NEAR,
    note: 'Records of the organization acted for; if none matches, records of its tenant; if none of those matches, shared records. `LOOKUP_AMBIGUOUS` counts only the nearest group.',
  },
  PRIVATE_REFERENCES: {
    title: '`alId`, `accountNumber` or `name` of `offchainReferences`',
    answers: { ...NEAR, SHARED: 'NONE', GRANTED: 'SIGNER' },
    note: 'Other tenants do not see these references of a shared record and cannot find the record by them, even beside an id.',
  },
  OTHER_TENANT: {
    title: '`offchainReferences` and `otherTenantOrganizationExternalId`',
    answers: { ...NEAR, GRANTED: 'SIGNER' },
    note: 'Only records of the organization named.',
  },
  OWNER_AND_INSTRUMENT: {
    title: '`owner` and `financialInstrument` (a position)',
    answers: NEAR,
    note: 'Where no such record exists, the associated token account of owner and instrument, as the chain shows it.',
  },
  AUTHORITY: {
    title: '`mintAuthority` or `freezeAuthority` (a position, without its instrument)',
    answers: NEAR,
    note: 'Finds the instrument.',
  },
  AT_ADDRESS: {
    title: 'An address in a message or on chain (owner, mint, authority)',
    answers: NEAR,
    note: 'Without such a record, the decision reads the address from the chain.',
  },
  PRICE_FEED: {
    title: 'Data source of a strategy, not named',
    answers: OWN,
    note: 'The only `PRICE` feed of the instrument.',
  },
  FREE_NONCE: {
    title: 'Durable nonce account, not named',
    answers: OWN,
    note: 'The account that has been free the longest.',
  },
  LOOKUP_TABLES: {
    title: 'Address lookup tables, not named',
    answers: OWN,
    note: 'The tables that make the transaction smaller.',
  },
} as const satisfies Readonly<Record<string, Form>>

export type LookupForm = keyof typeof FORMS

/** Rank of each relation; 0 is the nearest. */
const NEARNESS = Object.fromEntries(Object.keys(RELATIONS).map((relation, index) => [relation, index])) as Readonly<
  Record<Relation, number>
>

function relationOf({ tenant, organization }: Asker, state: HoldingState): Relation {
  const { context } = state
  if (state.tenant === tenant)
    return organization === null || context.organization === organization ? 'OWN_ORGANIZATION' : 'OWN_TENANT'
  if (state.tenant === SYSTEM_TENANT && context.shared) return 'SHARED'
  return organization !== null && isGranted(state, organization) ? 'GRANTED' : 'STRANGER'
}

function isGranted({ context }: HoldingState, organization: string): boolean {
  return (
    context.orgsAllowedToSignWithPrivateKey?.includes(organization) === true ||
    context.globalFeePayerForOrgs?.includes(organization) === true
  )
}

export function answerOf(form: LookupForm, asker: Asker, state: HoldingState): LookupAnswer {
  return FORMS[form].answers[relationOf(asker, state)]
}

/**
 * The records of the nearest relation that has an answer. `enough`: the search stops after this many records of the
 * asker's own organization.
 */
export function nearestThatAnswer(
  form: LookupForm,
  asker: Asker,
  entries: Iterable<Entry>,
  enough = Number.POSITIVE_INFINITY,
): readonly Entry[] {
  let nearest: Entry[] = []
  let nearness = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    const { head } = entry
    if (!isHolding(head)) continue
    const relation = relationOf(asker, head)
    if (FORMS[form].answers[relation] === 'NONE' || NEARNESS[relation] > nearness) continue
    if (NEARNESS[relation] < nearness) nearest = [entry]
    else nearest.push(entry)
    nearness = NEARNESS[relation]
    if (nearness === 0 && nearest.length >= enough) break
  }
  return nearest
}

/** The first of `nearestThatAnswer` at an address, of any kind or of one. */
function nearestAtAddress(asker: Asker, entries: readonly Entry[], kind?: HoldingKind): Entry | undefined {
  let nearest: Entry | undefined
  let nearness = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    const { head } = entry
    if (!isHolding(head) || (kind !== undefined && head.kind !== kind)) continue
    const relation = relationOf(asker, head)
    if (FORMS.AT_ADDRESS.answers[relation] === 'NONE' || NEARNESS[relation] >= nearness) continue
    nearness = NEARNESS[relation]
    nearest = entry
  }
  return nearest
}

// Every cell has the records of its tenants and of the system tenant. No other record answers AT_ADDRESS.

/**
 * The record that describes an address to the asker: one of its organization, else of its tenant, else a shared one.
 */
export function recordAt(directory: RecordIndex, asker: Asker, cluster: string, address: string): Entry | undefined {
  return nearestAtAddress(asker, directory.ownAtAddress(cluster, address))
}

/**
 * The record of one kind that describes an address to the asker. A closed record is returned only if no live one
 * answers.
 */
export function stateAt<K extends HoldingKind>(
  directory: RecordIndex,
  asker: Asker,
  cluster: string,
  { address, kind }: { readonly address: string; readonly kind: K },
): RecordState<K> | undefined {
  const entry =
    nearestAtAddress(asker, directory.ownAtAddress(cluster, address), kind) ??
    nearestAtAddress(asker, directory.findOwn(closedAddressKey(cluster, address)), kind)
  return ofKind(entry?.head, kind)
}

/** As `stateAt`, of live records, also for an asker of another cell, as committed a moment ago. Throws `NotAtHand`. */
export function liveStateAt<K extends HoldingKind>(
  directory: RecordIndex,
  asker: Asker,
  cluster: string,
  { address, kind }: { readonly address: string; readonly kind: K },
): RecordState<K> | undefined {
  return ofKind(nearestAtAddress(asker, directory.atAddress(cluster, address), kind)?.head, kind)
}

/** The index scopes of the records that may answer an asker. */
export function scopesOf({ tenant }: Asker): readonly string[] {
  return tenant === SYSTEM_TENANT ? [tenant] : [tenant, SHARED_SCOPE]
}

/** All live records of an address that belong to the tenant. */
export function ownRecordsAt(
  directory: Pick<RecordIndex, 'ownAtAddress'>,
  tenant: string,
  cluster: string,
  address: string,
): readonly Entry[] {
  const isOwn = ({ head }: Entry): boolean => head.tenant === tenant
  const entries = directory.ownAtAddress(cluster, address)
  return entries.every(isOwn) ? entries : entries.filter(isOwn)
}

/** The first of `ownRecordsAt`. */
export function ownStateAt(
  directory: RecordIndex,
  tenant: string,
  cluster: string,
  address: string,
): HoldingState | undefined {
  for (const { head } of directory.ownAtAddress(cluster, address))
    if (head.tenant === tenant && isHolding(head)) return head
  return undefined
}

/** As `ownRecordsAt`, also for a tenant of another cell, as committed a moment ago. Throws `NotAtHand`. */
export function recordsOfTenantAt(
  directory: RecordIndex,
  tenant: string,
  cluster: string,
  address: string,
): readonly Entry[] {
  return directory.atAddress(cluster, address).filter(({ head }) => head.tenant === tenant)
}
