// Resolves the lookup table of a request that changes it.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Platform, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { nothingNamed, resolveParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { recordAt } from '../lookup/whose-records.ts'

export const TABLE_NOT_FOUND = { code: 'ADDRESS_LOOKUP_TABLE_NOT_FOUND', refuse: badRequest }

export interface NamedTable {
  readonly entry: Entry
  readonly state: RecordState<'lookupTable'>
}

/** A live table of the caller's organization. Throws 400 `ADDRESS_LOOKUP_TABLE_NOT_FOUND`. */
export function namedTable(context: Context, lookup: AccountLookup, pointer: string): NamedTable {
  const { call } = context
  const { entry } = resolveParty(context, lookup, pointer, TABLE_NOT_FOUND)
  const state = ofKind(entry?.head, 'lookupTable')
  if (
    entry === null ||
    state === undefined ||
    state.tenant !== call.tenant ||
    state.context.organization !== call.organization
  ) {
    throw nothingNamed(TABLE_NOT_FOUND, pointer)
  }
  return { entry, state }
}

/** As `namedTable`, after reconciling the record with the chain. */
export async function currentTable(context: Context, lookup: AccountLookup, pointer: string): Promise<NamedTable> {
  const { platform, call } = context
  await reconcile(platform, call.cluster, [namedTable(context, lookup, pointer).state])
  return namedTable(context, lookup, pointer)
}

/**
 * The authority that signs a change of the table: the live record of its address. Without one it signs outside of this
 * service, as the authority of an instrument does.
 *
 * Throws 400 `TABLE_BUSY` (its creation is under way), `TABLE_FROZEN`.
 */
export function authorityOf(
  platform: Platform,
  { tenant, cluster, value, context }: RecordState<'lookupTable'>,
  pointer: string,
): Party {
  if (value === 'pending') throw busy('TABLE_BUSY', 'the creation of the table is under way', pointer)
  const { authority } = context
  if (authority === null)
    throw badRequest('TABLE_FROZEN', 'the table is frozen: it cannot be changed or closed', pointer)
  const { address } = authority
  const asker = { tenant, organization: context.organization }
  return { address, entry: recordAt(platform.engine.directory, asker, cluster, address) ?? null, autoSign: true }
}
