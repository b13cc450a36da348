// Records that match offchain references, of those that may answer (whose-records.ts). Only matches of the asker's own tenant, shared ones
// and, where another organization is named, what that one has granted are ever looked at.
import type { Directory } from '../../engine/index/directory.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { childrenKey, grantKey, REFERENCE_MEMBERS, referenceKey, SHARED_SCOPE, typeKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import { ACCOUNT_TYPES } from '../../contract/holding-types.ts'
import type { Call } from '../../contract/call.ts'
import type { OffchainReferencesInput } from '../../contract/input.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { answerOf, nearestThatAnswer, scopesOf } from './whose-records.ts'

export interface ReferenceLookup {
  readonly references: OffchainReferencesInput
  /** Only records of this organization. */
  readonly of: string | undefined
}

type Where = Pick<Call, 'tenant' | 'organization' | 'cluster'>
type Admits = (entry: Entry) => boolean

/** A second one makes the lookup ambiguous. */
const ENOUGH = 2

/** Of the records that may answer and that `admits` lets through: the nearest that match, two being as good as many. */
export function byReferences(directory: Directory, where: Where, { references, of }: ReferenceLookup, admits: Admits): readonly Entry[] {
  const matching = function* (pool: Iterable<Entry>): Iterable<Entry> {
    for (const entry of pool) if (matches(entry, where, references, of) && admits(entry)) yield entry
  }
  for (const scope of scopesOf(where)) {
    const found = nearestThatAnswer('REFERENCES', where, matching(poolOf(directory, scope, where, references)), ENOUGH)
    if (found.length > 0) return found
  }
  if (of === undefined) return []
  return nearestThatAnswer('OTHER_TENANT', where, matching(directory.each(grantKey(where.cluster, of, where.organization))))
}

/** The smallest set of records of a scope that surely has all matches. */
function* poolOf(directory: Directory, scope: string, { cluster, organization }: Where, references: OffchainReferencesInput): Iterable<Entry> {
  const member = REFERENCE_MEMBERS.find((each) => references[each] !== undefined)
  if (member !== undefined) {
    yield* directory.each(referenceKey(scope, cluster, member, references[member] ?? ''))
    return
  }
  const named = references.organizationExternalId
  const organizations = named === undefined ? organizationsOf(directory, scope, organization) : [named]
  const types = references.type === undefined ? ACCOUNT_TYPES : [references.type]
  for (const each of organizations) for (const type of types) yield* directory.each(typeKey(scope, cluster, each, type))
}

/** A tenant is a root organization and those directly under it. The one acted for comes first. */
function organizationsOf(directory: Directory, scope: string, first: string): ReadonlySet<string> {
  const root = scope === SHARED_SCOPE ? SYSTEM_TENANT : scope
  const children = directory.find(childrenKey(root)).flatMap(({ head }) => ofKind(head, 'organization')?.context.externalId ?? [])
  return new Set([first, root, ...children])
}

function matches({ head }: Entry, where: Where, wanted: OffchainReferencesInput, of: string | undefined): boolean {
  return isHolding(head) && head.cluster === where.cluster && (of === undefined || head.context.organization === of) && hasReferences(where, head, wanted)
}

/** References that the owner of a shared record keeps to itself. */
const PRIVATE = ['alId', 'accountNumber', 'name'] as const satisfies (keyof OffchainReferencesInput)[]

/** The record has all references wanted, and the asker may find it by them. */
export function hasReferences(where: Where, state: HoldingState, wanted: OffchainReferencesInput): boolean {
  const asksPrivate = PRIVATE.some((member) => wanted[member] !== undefined)
  if (asksPrivate && answerOf('PRIVATE_REFERENCES', where, state) === 'NONE') return false
  const actual = state.context.references
  return (Object.keys(wanted) as (keyof OffchainReferencesInput)[]).every(
    (member) => wanted[member] === undefined || actual[member] === wanted[member],
  )
}
