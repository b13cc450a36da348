// The source of a bulk endpoint whose records only their organization lists.
import type { Resource } from '../../../engine/query/field.ts'
import type { Listing } from '../../../engine/query/listing.ts'
import type { Source } from '../../../engine/query/read-model.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { ContextOf, Kind } from '../../../../machines/kinds.ts'
import { partOf } from './parts.ts'

/** Kinds of records that name their organization. */
type OwnKind = { [K in Kind]: ContextOf<K> extends { readonly organization: string } ? K : never }[Kind]

/** @param listing absent: records of this kind are never evicted */
export function ownRecords<K extends OwnKind>(
  kind: K,
  resource: Resource<RecordState<K>>,
  listing?: Listing<RecordState<K>>,
): Source<RecordState<K>> {
  return {
    resource,
    kinds: [kind],
    partsOf(state) {
      const record = ofKind<OwnKind>(state, kind)
      return record === undefined ? [] : [partOf(record.cluster, record.tenant, record.context.organization)]
    },
    ...(listing === undefined ? {} : { listing }),
  }
}
