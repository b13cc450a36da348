// The rows of evicted records in the lists of the store: the members that the fields of bulk queries read.
import type { Listing } from '../../../engine/query/listing.ts'
import type { RecordState } from '../../../engine/records/record.ts'

type Kind = RecordState['kind']
type Context<K extends Kind> = RecordState<K>['context']

/** @param by the field that sorts the lists */
export function shortRows<K extends Kind>(
  kind: K,
  by: string,
  members: readonly (keyof Context<K>)[],
): Listing<RecordState<K>> {
  return {
    by,
    prefix: kind,
    pack: ({ value, context }) => [value, Object.fromEntries(members.map((member) => [member, context[member]]))],
    unpack(id, row) {
      const [value, context] = row as readonly [string, Context<K>]
      return { kind, id, value, context } as unknown as RecordState<K>
    },
  }
}
