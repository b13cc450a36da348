// Shared records as other tenants find them: by the fields that they may see (completion 14.11); any other field is null.
import type { Field, NullableField } from '../../../engine/query/field.ts'
import type { HoldingState } from '../../../engine/records/record.ts'

interface FromOutside {
  readonly fromOutside: true
}

/** The record as it stands in the part for other tenants. */
export function fromOutside<State extends HoldingState>(state: State): State & FromOutside {
  return { ...state, fromOutside: true }
}

/** The fields, of which those not named read nothing of another tenant's record. */
export function visibleOutside<State extends HoldingState>(fields: readonly Field<State>[], names: readonly string[]): Field<State>[] {
  return fields.map((field) => (names.includes(field.name) ? field : hiddenOutside(field)))
}

function hiddenOutside<State extends HoldingState>(field: Field<State>): NullableField<State> {
  return { ...field, nullable: true, read: (state) => ('fromOutside' in state ? null : field.read(state)) }
}
