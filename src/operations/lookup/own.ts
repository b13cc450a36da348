// Finds the live record of the caller's organization that a request changes. A record of others is refused like one
// that does not exist.
import type { Entry } from '../../engine/records/entry.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { nothingNamed, resolveRecord, type NotFound } from './account.ts'
import { checkNoEscrow } from './escrows.ts'
import { holdingState } from './party.ts'

export interface OwnRecord {
  readonly entry: Entry
  readonly state: HoldingState
}

const ACCOUNT_NOT_FOUND: NotFound = { code: 'ACCOUNT_NOT_FOUND', refuse: badRequest }

/** Throws 403 `ESCROW_LOCKED`, 400 `CLOSED`, `LOOKUP_MISMATCH`, `LOOKUP_AMBIGUOUS`, and what `missing` says. */
export function ownRecord(
  context: Context,
  lookup: AccountLookup,
  pointer: string,
  missing = ACCOUNT_NOT_FOUND,
): OwnRecord {
  const { platform, call } = context
  const entry = resolveRecord(context, lookup, pointer, missing)
  const state = holdingState(entry)
  checkNoEscrow(platform.engine.directory, call, state.context.address, pointer)
  if (state.tenant !== call.tenant || state.context.organization !== call.organization) {
    throw nothingNamed(missing, pointer)
  }
  if (state.value === 'closed') throw badRequest('CLOSED', `${state.context.address} is closed`, pointer)
  return { entry, state }
}
