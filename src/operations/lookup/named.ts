// Finds the records that an account lookup names, among the records that may answer it (`whose-records.ts`).
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { closedAddressKey } from '../../engine/index/index-keys.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { badRequest } from '../../contract/refusal.ts'
import { byReferences, hasReferences } from './by-references.ts'
import { answerOf, type LookupForm } from './whose-records.ts'

/**
 * The first member given, in the order of resolution, names the record; the others must match it. If the first member
 * names nothing, there is no mismatch.
 *
 * `admits` is applied before members are compared: a record that the caller may not use causes no mismatch. Throws 400
 * `LOOKUP_EMPTY`, `LOOKUP_MISMATCH`.
 */
export function recordsNamed(
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
  const sets: Entry[][] = []
  const byId = offchainId === undefined ? undefined : directory.anywhere(offchainId)
  if (offchainId !== undefined) sets.push(byId === undefined ? [] : [byId])
  if (onchainId !== undefined)
    sets.push([
      ...directory.find(closedAddressKey(call.cluster, onchainId)),
      ...directory.atAddress(call.cluster, onchainId),
    ])
  const usable = sets.map((set) => set.filter((entry) => isMeant(entry, call.cluster, of) && admits(entry)))
  // Nothing can differ from a single member.
  if (usable.length === 1 && offchainReferences === undefined) return usable[0]!
  const common = usable.reduce((left, right) => left.filter((entry) => right.includes(entry)))
  const found = offchainReferences === undefined ? common : common.filter((entry) => hasThem(entry, call, lookup))
  const isOurs = usable[0]?.some((entry) => answersTo('REFERENCES', call, entry)) === true
  // Records of other tenants cause no mismatch; a mismatch would reveal that another tenant has a record of the
  // address.
  const areOurs = usable.every((set) => set.some((entry) => answersTo('REFERENCES', call, entry)))
  if (found.length === 0 && (isOurs || (common.length === 0 && areOurs)))
    throw badRequest('LOOKUP_MISMATCH', 'the members of the lookup refer to different records', pointer)
  return found
}

function isMeant({ head }: Entry, cluster: string, of: string | undefined): boolean {
  return isHolding(head) && head.cluster === cluster && (of === undefined || head.context.organization === of)
}

/**
 * References beside an id are compared only if the record would also answer a lookup by references. Any other record
 * has no references for the caller.
 */
function hasThem(
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
