// Resolves the data source that a request changes.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { checkNotFrozen } from '../authorization/signers.ts'
import type { Context } from '../context/platform.ts'
import { nothingNamed } from '../lookup/account.ts'
import { SOURCE_NOT_FOUND, SOURCE_POINTER, type DataSource } from '../lookup/named-source.ts'
import { ownRecord } from '../lookup/own.ts'

export interface NamedSource {
  readonly entry: Entry
  readonly state: DataSource
}

/** Throws 400 `DATA_SOURCE_NOT_FOUND`, `CLOSED`, 403 `FROZEN` before a job runs. */
export function ownSource(context: Context, lookup: AccountLookup): NamedSource {
  const { entry, state } = ownRecord(context, lookup, SOURCE_POINTER, SOURCE_NOT_FOUND)
  const source = ofKind(state, 'dataSource')
  if (source === undefined) throw nothingNamed(SOURCE_NOT_FOUND, SOURCE_POINTER)
  checkNotFrozen(context.platform.engine.directory, source)
  return { entry, state: source }
}
