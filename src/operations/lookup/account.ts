// Resolves account lookups to a record or an address: finds the records that
// match a lookup, among those that may answer it (`whose-records.ts`), and selects one of them.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { recordIndexOf } from './request-records.ts'
import { type LookupForm, answerOf, nearestThatAnswer } from './whose-records.ts'
import type { Context } from '../context/platform.ts'
import { type Refusal, badRequest } from '../../contract/refusal.ts'
import { acceptsRequests, needOwners } from './signing-requests.ts'
import { type Party, holdingState, mayRead, maySignWith } from './party.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { closedAddressKey } from '../../engine/index/index-keys.ts'
import { byReferences, hasReferences } from './by-references.ts'

/**
 * The refusal for a record that does not exist and for a record of another organization. Both look the same to the
 * caller.
 */
export interface NotFound {
  readonly code: string
  readonly refuse: (code: string, message: string, pointer?: string) => Refusal
}

/** The refusal of a lookup that matches no record of the requested kind, or none that the caller may use. */
export function nothingNamed({ code, refuse }: NotFound, pointer: string): Refusal {
  return refuse(code, 'the lookup matches no record that this organization may use here', pointer)
}

const ACCOUNT_NOT_FOUND: NotFound = { code: 'ACCOUNT_NOT_FOUND', refuse: badRequest }

/**
 * Resolves a lookup to a party that a transaction may name. An account of another tenant, which only an exact id can
 * name, resolves to its address alone, unless the caller's organization may sign with it.
 *
 * Throws 400 `ACCOUNT_NOT_FOUND` (the same for an absent record and a record of others), `LOOKUP_MISMATCH`,
 * `LOOKUP_AMBIGUOUS`.
 */
export function resolveParty(
  context: Context,
  lookup: PartyLookup,
  pointer: string,
  missing = ACCOUNT_NOT_FOUND,
): Party {
  const { call } = context
  const records = recordIndexOf(context)
  const autoSign = lookup.autoSign ?? true
  const live = recordsNamed(records, call, lookup, { pointer, admits: admitsAll }).filter(isLive)
  const form = partyFormOf(lookup)
  const entry = nearest(call, form, live, pointer)
  if (entry !== undefined) {
    const state = holdingState(entry)
    const answer = answerOf(form, call, state)
    const describes = answer === 'RECORD' || (answer === 'SIGNER' && state.kind === 'account')
    const isUsable = state.tenant === call.tenant || maySignWith(call, state)
    const party = { address: state.context.address, entry: describes ? entry : null, autoSign }
    return isUsable ? party : { ...party, unlessSigner: unlessAccepted(context, state, { missing, pointer }) }
  }
  if (
    lookup.offPlatform === true &&
    lookup.onchainId !== undefined &&
    lookup.offchainId === undefined &&
    lookup.offchainReferences === undefined
  ) {
    return { address: lookup.onchainId, entry: null, autoSign }
  }
  if (form === 'ONCHAIN_ID' && lookup.onchainId !== undefined) {
    needOwners(records, call, [lookup.onchainId])
    if (live.some((each) => isOpen(context, each))) return { address: lookup.onchainId, entry: null, autoSign }
  }
  throw nothingNamed(missing, pointer)
}

/** As `resolveParty`; null: no lookup is given. */
export function optionalParty(
  context: Context,
  lookup: AccountLookup | undefined,
  pointer: string,
  missing = ACCOUNT_NOT_FOUND,
): Party | null {
  return lookup === undefined ? null : resolveParty(context, lookup, pointer, missing)
}

const admitsAll = (): boolean => true
const isLive = ({ head }: Entry): boolean => head.value !== 'closed'

/**
 * Evaluated only when the signature is needed, which is rare: the record of the organization may be in another cell.
 */
function unlessAccepted(
  context: Context,
  state: HoldingState,
  { missing, pointer }: { readonly missing: NotFound; readonly pointer: string },
): () => Refusal | null {
  return () => (acceptsRequests(recordIndexOf(context), state) ? null : nothingNamed(missing, pointer))
}

export interface PartyLookup extends AccountLookup {
  readonly isPaid?: true
}

/**
 * The lookup of an account that is paid, or listed in a lookup table. In these roles an account of another tenant
 * resolves by its exact address as by its id. In other roles its address needs `offPlatform`; otherwise a caller could
 * distinguish addresses that other tenants have on record from those that no one has.
 */
export const payee = (lookup: AccountLookup): PartyLookup => ({ ...lookup, isPaid: true })

function partyFormOf(lookup: PartyLookup): LookupForm {
  const form = formOf(lookup)
  const isPaidAddress =
    lookup.isPaid === true &&
    form === 'ONCHAIN_ID' &&
    lookup.offchainReferences === undefined &&
    lookup.offPlatform !== true
  return isPaidAddress ? 'PAID_ADDRESS' : form
}

/**
 * True if an account of another tenant resolves by its address: its organization accepts signing requests, or the
 * caller is the lender of its loan.
 */
function isOpen(context: Context, { head }: Entry): boolean {
  const { call } = context
  const directory = recordIndexOf(context)
  return isHolding(head) && (acceptsRequests(directory, head) || mayRead(directory, call, head))
}

/** Resolves a lookup to a record that the caller may read, closed records included. */
export function resolveRecord(
  { platform, call }: Context,
  lookup: AccountLookup,
  pointer: string,
  missing: NotFound,
): Entry {
  const { directory } = platform.engine
  const isVisible = (entry: Entry): boolean =>
    entry.committed !== undefined && mayRead(directory, call, holdingState(entry))
  const visible = recordsNamed(directory, call, lookup, { pointer, admits: isVisible })
  const live = visible.filter(isLive)
  const entry = live.length > 0 ? nearest(call, admittedFormOf(lookup), live, pointer) : visible.at(-1)
  if (entry === undefined) throw nothingNamed(missing, pointer)
  return entry
}

/** Resolves a lookup to a live record that `admits` accepts, of any tenant. */
export function resolveAdmitted(
  { platform, call }: Context,
  lookup: AccountLookup,
  pointer: string,
  admits: (entry: Entry) => boolean,
): Entry | undefined {
  const named = recordsNamed(platform.engine.directory, call, lookup, { pointer, admits })
  const live = named.filter(isLive)
  return nearest(call, admittedFormOf(lookup), live, pointer)
}

function formOf({ offchainId, onchainId, otherTenantOrganizationExternalId }: AccountLookup): LookupForm {
  if (offchainId !== undefined) return 'OFFCHAIN_ID'
  if (onchainId !== undefined) return 'ONCHAIN_ID'
  return otherTenantOrganizationExternalId === undefined ? 'REFERENCES' : 'OTHER_TENANT'
}

/** For records that the caller may read or administer, an address is as exact as an id. */
function admittedFormOf(lookup: AccountLookup): LookupForm {
  const form = formOf(lookup)
  return form === 'ONCHAIN_ID' ? 'OFFCHAIN_ID' : form
}

const addressIn = (entry: Entry): string => holdingState(entry).context.address

/** Throws 400 `LOOKUP_AMBIGUOUS` if the nearest records have different addresses. */
function nearest(call: Call, form: LookupForm, live: readonly Entry[], pointer: string): Entry | undefined {
  const entries = nearestThatAnswer(form, call, live)
  const first = entries[0]
  for (let index = 1; index < entries.length; index += 1)
    if (addressIn(entries[index]!) !== addressIn(first!))
      throw badRequest('LOOKUP_AMBIGUOUS', 'the lookup matches more than one record', pointer)
  return first
}

/**
 * The first present member, in the order of resolution, selects the record; the others must match it. If the first
 * member matches no record, there is no mismatch.
 *
 * `admits` is applied before members are compared: a record that the caller may not use causes no mismatch. Throws 400
 * `LOOKUP_EMPTY`, `LOOKUP_MISMATCH`.
 */
function recordsNamed(
  directory: RecordIndex,
  call: Call,
  lookup: AccountLookup,
  { pointer, admits }: { readonly pointer: string; readonly admits: (entry: Entry) => boolean },
): readonly Entry[] {
  const { offchainId, onchainId, offchainReferences, otherTenantOrganizationExternalId: of } = lookup
  if (offchainId === undefined && onchainId === undefined) {
    if (offchainReferences === undefined)
      throw badRequest('LOOKUP_EMPTY', 'a lookup requires offchainId, onchainId or offchainReferences', pointer)
    return byReferences(directory, call, { references: offchainReferences, of }, admits)
  }
  const usable: Entry[][] = []
  const use = (entries: Iterable<Entry>, set: Entry[]): void => {
    for (const entry of entries) if (isInScope(entry, call.cluster, of) && admits(entry)) set.push(entry)
  }
  if (offchainId !== undefined) {
    const byId = directory.anywhere(offchainId)
    usable.push(byId !== undefined && isInScope(byId, call.cluster, of) && admits(byId) ? [byId] : [])
  }
  if (onchainId !== undefined) {
    const atAddress: Entry[] = []
    use(directory.find(closedAddressKey(call.cluster, onchainId)), atAddress)
    use(directory.atAddress(call.cluster, onchainId), atAddress)
    usable.push(atAddress)
  }
  // A single member cannot mismatch.
  if (usable.length === 1 && offchainReferences === undefined) return usable[0]!
  const common = usable.reduce((left, right) => left.filter((entry) => right.includes(entry)))
  const matching =
    offchainReferences === undefined ? common : common.filter((entry) => hasGivenReferences(entry, call, lookup))
  const isOurs = usable[0]?.some((entry) => answersTo('REFERENCES', call, entry)) === true
  // Records of other tenants cause no mismatch; a mismatch would reveal that another tenant has a record of the
  // address.
  const areOurs = usable.every((set) => set.some((entry) => answersTo('REFERENCES', call, entry)))
  if (matching.length === 0 && (isOurs || (common.length === 0 && areOurs)))
    throw badRequest('LOOKUP_MISMATCH', 'the members of the lookup refer to different records', pointer)
  return matching
}

function isInScope({ head }: Entry, cluster: string, of: string | undefined): boolean {
  return isHolding(head) && head.cluster === cluster && (of === undefined || head.context.organization === of)
}

/**
 * A lookup may contain references beside an id. They are compared only if the record would also answer a lookup by
 * references; the caller does not see the references of any other record.
 */
function hasGivenReferences(
  entry: Entry,
  call: Call,
  { offchainReferences, otherTenantOrganizationExternalId: of }: AccountLookup,
): boolean {
  const { head } = entry
  const form = of === undefined ? 'REFERENCES' : 'OTHER_TENANT'
  return (
    offchainReferences !== undefined &&
    isHolding(head) &&
    answersTo(form, call, entry) &&
    hasReferences(call, head, offchainReferences)
  )
}

function answersTo(form: LookupForm, call: Call, { head }: Entry): boolean {
  return isHolding(head) && answerOf(form, call, head) !== 'NONE'
}
