// Finds records by offchain references, among those that may answer (`whose-records.ts`). Searches only records of the
// asker's own tenant, shared records and, if the lookup names another organization, records that this organization has
// granted.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import {
  childrenKey,
  grantKey,
  REFERENCE_MEMBERS,
  referenceKey,
  SHARED_SCOPE,
  typeKey,
} from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import { ACCOUNT_TYPES } from '../../contract/holding-types.ts'
import type { Call } from '../../contract/call.ts'
import type { OffchainReferencesInput } from '../../contract/values/lookup.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { answerOf, nearestThatAnswer, scopesOf } from './whose-records.ts'

export interface ReferenceLookup {
  readonly references: OffchainReferencesInput
  /** Only records of this organization. */
  readonly of: string | undefined
}

type Where = Pick<Call, 'tenant' | 'organization' | 'cluster'>
type Admits = (entry: Entry) => boolean

/** Two matches already make a lookup ambiguous. */
const AMBIGUOUS_COUNT = 2

/**
 * The nearest matching records that may answer and that `admits` accepts. The search of the own organization stops at
 * two.
 */
export function byReferences(
  directory: RecordIndex,
  where: Where,
  { references, of }: ReferenceLookup,
  admits: Admits,
): readonly Entry[] {
  const matching = function* (pool: Iterable<Entry>): Iterable<Entry> {
    for (const entry of pool) if (matches(entry, where, references, of) && admits(entry)) yield entry
  }
  for (const scope of scopesOf(where)) {
    const entries = nearestThatAnswer(
      'REFERENCES',
      where,
      matching(poolOf(directory, scope, where, references)),
      AMBIGUOUS_COUNT,
    )
    if (entries.length > 0) return entries
  }
  if (of === undefined) return []
  return nearestThatAnswer(
    'OTHER_TENANT',
    where,
    matching(directory.each(grantKey(where.cluster, of, where.organization))),
  )
}

/** The smallest indexed set of a scope that contains all matches. */
function* poolOf(
  directory: RecordIndex,
  scope: string,
  { cluster, organization }: Where,
  references: OffchainReferencesInput,
): Iterable<Entry> {
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

/** A tenant is a root organization and the organizations directly below it. The caller's organization comes first. */
function organizationsOf(directory: RecordIndex, scope: string, first: string): ReadonlySet<string> {
  const root = scope === SHARED_SCOPE ? SYSTEM_TENANT : scope
  const children = directory
    .find(childrenKey(root))
    .flatMap(({ head }) => ofKind(head, 'organization')?.context.externalId ?? [])
  return new Set([first, root, ...children])
}

function matches({ head }: Entry, where: Where, wanted: OffchainReferencesInput, of: string | undefined): boolean {
  return (
    isHolding(head) &&
    head.cluster === where.cluster &&
    (of === undefined || head.context.organization === of) &&
    hasReferences(where, head, wanted)
  )
}

/** References that only the owner of a shared record sees. */
const PRIVATE = ['alId', 'accountNumber', 'name'] as const satisfies (keyof OffchainReferencesInput)[]

/** True if the record has all the references, and the asker may find it by them. */
export function hasReferences(where: Where, state: HoldingState, wanted: OffchainReferencesInput): boolean {
  const hasPrivateReference = PRIVATE.some((member) => wanted[member] !== undefined)
  if (hasPrivateReference && answerOf('PRIVATE_REFERENCES', where, state) === 'NONE') return false
  const actual = state.context.references
  return (Object.keys(wanted) as (keyof OffchainReferencesInput)[]).every(
    (member) => wanted[member] === undefined || actual[member] === wanted[member],
  )
}
