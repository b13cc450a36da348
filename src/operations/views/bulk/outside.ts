// Shared records in bulk queries of other tenants: the fields that these may see; any other field is null. The lists of
// organizations differ between tenants: only a query that names them reads them, record by record.
import type { Field, NullableField, Query } from '../../../engine/query/field.ts'
import type { AccountRef, Holding } from '../../../../machines/holding.ts'
import type { HoldingState } from '../../../engine/records/record.ts'

interface FromOutside {
  readonly fromOutside: true
  /** True if the lists of organizations have those of the reader's tenant only. */
  readonly forOneTenant?: true
}

/** Fields that depend on the tenant of the reader. */
const LISTS_OF_ORGANIZATIONS: ReadonlySet<string> = new Set([
  'orgsIsGlobalFeePayerFor',
  'orgsAllowedToSignWithPrivateKey',
])

/** True if the query reads fields whose values in shared records depend on the tenant of the reader. */
export function readsOrganizations({ filter = [], sort = [] }: Query): boolean {
  return [...filter, ...sort].some(({ fieldName }) => LISTS_OF_ORGANIZATIONS.has(fieldName))
}

/** Marks the record in the part for other tenants. */
export function fromOutside<State extends HoldingState>(state: State): State & FromOutside {
  return { ...state, fromOutside: true }
}

/** A shared record with those organizations in its lists that the reader sees there. */
export function forReader<State extends HoldingState>(
  organizations: Pick<Holding, 'globalFeePayerForOrgs' | 'orgsAllowedToSignWithPrivateKey'>,
  state: State,
): State & FromOutside {
  const marks: FromOutside = { fromOutside: true, forOneTenant: true }
  return Object.assign({ ...state, context: { ...state.context, ...organizations } }, marks)
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
  const isHidden = (state: State): boolean =>
    'fromOutside' in state && !('forOneTenant' in state && LISTS_OF_ORGANIZATIONS.has(field.name))
  return { ...field, ...nulls, nullable: true, read: (state) => (isHidden(state) ? null : field.read(state)) }
}
