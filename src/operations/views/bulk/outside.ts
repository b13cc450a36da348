// Shared records in bulk queries of other tenants: the fields that these may see; any other field is
// null.
import type { Field, NullableField } from '../../../engine/query/field.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { HoldingState } from '../../../engine/records/record.ts'

interface FromOutside {
  readonly fromOutside: true
}

/** Marks the record in the part for other tenants. */
export function fromOutside<State extends HoldingState>(state: State): State & FromOutside {
  return { ...state, fromOutside: true }
}

/** The address alone: other tenants do not find a record by ids that its answers do not show. */
export function withoutId({ address }: AccountRef): AccountRef {
  return { address, id: null }
}

/** Hides every field that is not in `names` from other tenants. */
export function visibleOutside<State extends HoldingState>(
  fields: readonly Field<State>[],
  names: readonly string[],
): Field<State>[] {
  return fields.map((field) => (names.includes(field.name) ? field : hiddenOutside(field)))
}

function hiddenOutside<State extends HoldingState>(field: Field<State>): NullableField<State> {
  const nulls = field.nullable === true ? {} : ({ nullWhereHidden: true } as const)
  return { ...field, ...nulls, nullable: true, read: (state) => ('fromOutside' in state ? null : field.read(state)) }
}
