// Resolves account lookups (interface 2.2, completion 2 "Lookups") to a record or an address. `whose-records.ts`
// decides which records may answer.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { recordsNamed } from './named.ts'
import { recordsOf } from './request-records.ts'
import { answerOf, nearestThatAnswer, type LookupForm } from './whose-records.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { acceptsRequests, needOwners } from './signing-requests.ts'
import { holdingState, mayRead, maySignWith, type Party } from './party.ts'

/**
 * The refusal for a record that does not exist and for a record of another organization. Both look the same to the
 * caller.
 */
export interface NotFound {
  readonly code: string
  readonly refuse: (code: string, message: string, pointer?: string) => Refusal
}

/** The refusal of a lookup that names nothing of the requested kind, or nothing that the caller may use. */
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
  lookup: AccountLookup,
  pointer: string,
  missing = ACCOUNT_NOT_FOUND,
): Party {
  const { call } = context
  const records = recordsOf(context)
  const autoSign = lookup.autoSign ?? true
  const live = recordsNamed(records, call, lookup, { pointer, admits: () => true }).filter(
    ({ head }) => head.value !== 'closed',
  )
  const found = nearest(call, formOf(lookup), live, pointer)
  if (found !== undefined) {
    const state = holdingState(found)
    const answer = answerOf(formOf(lookup), call, state)
    const describes = answer === 'RECORD' || (answer === 'SIGNER' && state.kind === 'account')
    const isUsable = state.tenant === call.tenant || maySignWith(call, state)
    const party = { address: state.context.address, entry: describes ? found : null, autoSign }
    // Decided when its signature is needed, which is rare: what its organization accepts may be known in another cell.
    const unlessSigner = (): Refusal | null => (acceptsRequests(records, state) ? null : nothingNamed(missing, pointer))
    return isUsable ? party : { ...party, unlessSigner }
  }
  if (
    lookup.offPlatform === true &&
    lookup.onchainId !== undefined &&
    lookup.offchainId === undefined &&
    lookup.offchainReferences === undefined
  ) {
    return { address: lookup.onchainId, entry: null, autoSign }
  }
  if (formOf(lookup) === 'ONCHAIN_ID' && lookup.onchainId !== undefined) {
    needOwners(records, call, [lookup.onchainId])
    if (live.some((entry) => isOpen(context, entry))) return { address: lookup.onchainId, entry: null, autoSign }
  }
  throw nothingNamed(missing, pointer)
}

/**
 * The lookup of an account that is paid, or listed in a lookup table. In these roles an account of another tenant
 * resolves by its exact address, like an address without a record. In other roles it needs `offPlatform`; otherwise a
 * caller could distinguish addresses that other tenants have on record from those that no one has.
 */
export function payee(context: Context, lookup: AccountLookup, pointer: string): AccountLookup {
  const { call } = context
  if (formOf(lookup) !== 'ONCHAIN_ID' || lookup.offchainReferences !== undefined) return lookup
  const answers = ({ head }: Entry): boolean =>
    isHolding(head) && head.value !== 'closed' && answerOf('PAID_ADDRESS', call, head) !== 'NONE'
  return recordsNamed(recordsOf(context), call, lookup, { pointer, admits: () => true }).some(answers)
    ? { ...lookup, offPlatform: true }
    : lookup
}

/**
 * True if an account of another tenant resolves by its address: its organization accepts signing requests, or the
 * caller is the lender of its loan.
 */
function isOpen(context: Context, { head }: Entry): boolean {
  const { call } = context
  const directory = recordsOf(context)
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
  const live = visible.filter(({ head }) => head.value !== 'closed')
  const found = live.length > 0 ? nearest(call, admittedFormOf(lookup), live, pointer) : visible.at(-1)
  if (found === undefined) throw nothingNamed(missing, pointer)
  return found
}

/** Resolves a lookup to a live record that `admits` accepts, of any tenant. */
export function resolveAdmitted(
  { platform, call }: Context,
  lookup: AccountLookup,
  pointer: string,
  admits: (entry: Entry) => boolean,
): Entry | undefined {
  const named = recordsNamed(platform.engine.directory, call, lookup, { pointer, admits })
  const live = named.filter(({ head }) => head.value !== 'closed')
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

/** Throws 400 `LOOKUP_AMBIGUOUS` if the nearest records have different addresses. */
function nearest(call: Call, form: LookupForm, live: readonly Entry[], pointer: string): Entry | undefined {
  const found = nearestThatAnswer(form, call, live)
  const addresses = new Set(found.map((entry) => holdingState(entry).context.address))
  if (addresses.size > 1) throw badRequest('LOOKUP_AMBIGUOUS', 'the lookup matches more than one record', pointer)
  return found[0]
}
