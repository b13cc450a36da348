// Account lookups (interface 2.2, completion 2 "Lookups"): which record, or which address, a request means.
import type { Entry } from '../../engine/entry.ts'
import { addressKey, closedAddressKey, referenceKey, REFERENCE_MEMBERS } from '../../engine/index-keys.ts'
import { isHolding, type HoldingState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { AccountLookup, OffchainReferencesInput } from '../input.ts'
import type { Platform } from '../platform.ts'
import { badRequest, type Refusal } from '../refusal.ts'
import { holdingState, mayRead, maySignWith, type Party } from './party.ts'

/** What is not there and what is another's: one answer, in one set of words. */
export interface NotFound {
  readonly code: string
  readonly refuse: (code: string, message: string, pointer?: string) => Refusal
}

/** The refusal of a lookup that names nothing of the kind asked for, or nothing of the caller's. */
export function nothingNamed({ code, refuse }: NotFound, pointer: string): Refusal {
  return refuse(code, 'the lookup names nothing of the kind that this organization may use here', pointer)
}

const ACCOUNT_NOT_FOUND: NotFound = { code: 'ACCOUNT_NOT_FOUND', refuse: badRequest }

/**
 * Resolves a lookup to a party a transaction may name: any tenant's account by exact id or address, one's own by references.
 *
 * Throws 400 `ACCOUNT_NOT_FOUND` (the same answer for "not there" and "not yours"), `LOOKUP_MISMATCH`, `LOOKUP_AMBIGUOUS`.
 */
export function resolveParty(platform: Platform, call: Call, lookup: AccountLookup, pointer: string, missing = ACCOUNT_NOT_FOUND): Party {
  const autoSign = lookup.autoSign ?? true
  const candidates = candidatesOf(platform, call, lookup, pointer).filter(({ head }) => head.value !== 'closed')
  const found = closest(call, candidates, pointer)
  if (found !== undefined) return { address: holdingState(found).context.address, entry: found, autoSign }
  if (
    lookup.offPlatform === true &&
    lookup.onchainId !== undefined &&
    lookup.offchainId === undefined &&
    lookup.offchainReferences === undefined
  ) {
    return { address: lookup.onchainId, entry: null, autoSign }
  }
  throw nothingNamed(missing, pointer)
}

/** Resolves a lookup to a record the caller may read, closed ones included. */
export function resolveRecord(platform: Platform, call: Call, lookup: AccountLookup, pointer: string, missing: NotFound): Entry {
  const isVisible = (entry: Entry): boolean => entry.committed !== undefined && mayRead(platform.engine.directory, call, holdingState(entry))
  const visible = candidatesOf(platform, call, lookup, pointer, isVisible)
  const live = visible.filter(({ head }) => head.value !== 'closed')
  const found = live.length > 0 ? closest(call, live, pointer) : visible.at(-1)
  if (found === undefined) throw nothingNamed(missing, pointer)
  return found
}

/**
 * The first member given, in the order of resolution, names the record; the others must match it. Where it names nothing, there is nothing
 * to disagree with.
 *
 * `admitted` comes before members are compared: what the caller may not see does not disagree with anything.
 */
function candidatesOf(
  platform: Platform,
  call: Call,
  lookup: AccountLookup,
  pointer: string,
  admitted: (entry: Entry) => boolean = () => true,
): Entry[] {
  const { directory } = platform.engine
  const sets: Entry[][] = []
  if (lookup.offchainId !== undefined) {
    const entry = directory.byId(lookup.offchainId)
    sets.push(entry === undefined ? [] : [entry])
  }
  if (lookup.onchainId !== undefined) {
    sets.push([
      ...directory.find(closedAddressKey(call.cluster, lookup.onchainId)),
      ...directory.find(addressKey(call.cluster, lookup.onchainId)),
    ])
  }
  if (lookup.offchainReferences !== undefined) sets.push(byReferences(platform, call, lookup.offchainReferences))
  if (sets.length === 0) throw badRequest('LOOKUP_EMPTY', 'a lookup needs offchainId, onchainId or offchainReferences', pointer)
  const usable = sets.map((set) => set.filter((entry) => isCandidate(call, lookup, entry) && admitted(entry)))
  const common = usable.reduce((left, right) => left.filter((entry) => right.includes(entry)))
  const named = usable[0]?.some((entry) => reachableByReferences(call, holdingState(entry))) === true
  if (common.length === 0 && (named || usable.every((set) => set.length > 0))) {
    throw badRequest('LOOKUP_MISMATCH', 'the members of the lookup do not name one record', pointer)
  }
  return common
}

function isCandidate(call: Call, lookup: AccountLookup, entry: Entry): boolean {
  if (!isHolding(entry.head) || entry.head.cluster !== call.cluster) return false
  const wanted = lookup.otherTenantOrganizationExternalId
  return wanted === undefined || entry.head.context.organization === wanted
}

function byReferences(platform: Platform, call: Call, references: OffchainReferencesInput): Entry[] {
  const { directory } = platform.engine
  const indexed = REFERENCE_MEMBERS.find((member) => references[member] !== undefined)
  const pool = indexed === undefined ? directory.entries() : directory.find(referenceKey(call.cluster, indexed, references[indexed] ?? ''))
  return [...pool].filter((entry) => isHolding(entry.head) && reachableByReferences(call, entry.head) && matches(entry.head, references))
}

function reachableByReferences(call: Call, state: HoldingState): boolean {
  return state.tenant === call.tenant || state.context.shared || maySignWith(call, state)
}

function matches(state: HoldingState, wanted: OffchainReferencesInput): boolean {
  const actual = state.context.references
  return (Object.keys(wanted) as (keyof OffchainReferencesInput)[]).every(
    (member) => wanted[member] === undefined || actual[member] === wanted[member],
  )
}

/** Prefers the caller's own records, then its tenant's; two of the same closeness are ambiguous. */
function closest(call: Call, candidates: readonly Entry[], pointer: string): Entry | undefined {
  if (candidates.length <= 1) return candidates[0]
  const nearest = closestSet(call, candidates)
  const distinct = new Set(nearest.map((entry) => holdingState(entry).context.address))
  if (distinct.size > 1) throw badRequest('LOOKUP_AMBIGUOUS', `the lookup matches ${distinct.size} records`, pointer)
  return nearest[0]
}

/** Of records that were not named by id or address: those within reach that are closest to the caller, one an address. */
export function nearestOf(call: Call, candidates: readonly Entry[]): Entry[] {
  const within = candidates.filter((entry) => reachableByReferences(call, holdingState(entry)))
  return [...new Map(closestSet(call, within).map((entry) => [holdingState(entry).context.address, entry])).values()]
}

function closestSet(call: Call, candidates: readonly Entry[]): readonly Entry[] {
  const tenant = candidates.filter(({ head }) => head.tenant === call.tenant)
  const own = tenant.filter(({ head }) => isHolding(head) && head.context.organization === call.organization)
  return own.length > 0 ? own : tenant.length > 0 ? tenant : candidates
}
