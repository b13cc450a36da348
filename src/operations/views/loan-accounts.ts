// The records by which a reader of a loan knows its accounts and instruments: those of the reader, not those of the
// party that named them. Answers and filters both ask here, so a loan is found by the ids that its answers show alone.
import type { AccountRef } from '../../../machines/holding.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import type { Context } from '../context/platform.ts'
import { mayRead, maySee, referTo } from '../lookup/party.ts'

/**
 * The reference to the record of the reader's tenant, else to a shared one. Without an id if the reader sees neither.
 */
export function knownTo(context: Context, reference: AccountRef): AccountRef {
  const named = seen(context, reference.id)
  // A closed record of its own that the loan names remains, also if its address has a new one.
  if (named?.tenant === context.call.tenant) return reference
  const near = referTo(context, reference.address)
  if (seen(context, near.id) !== undefined) return near
  return { address: reference.address, id: named?.id ?? null }
}

/** As `knownTo`, for the escrow and its positions: all parties of the loan know them by the records of the loan. */
export function escrowKnownTo(context: Context, reference: AccountRef): AccountRef {
  return reference.id === null ? referTo(context, reference.address) : reference
}

/** The address of a record by whose id the reader may know an account of a loan; undefined: no loan shows the id. */
export function addressKnownBy(context: Context, id: string): string | undefined {
  const { directory } = context.platform.engine
  const state = directory.resident(id)?.committed
  if (state === undefined || !isHolding(state)) return undefined
  const isShown = maySee(context.call, state) || (state.kind === 'position' && mayRead(directory, context.call, state))
  return isShown ? state.context.address : undefined
}

function seen({ platform, call }: Context, id: string | null): HoldingState | undefined {
  const state = id === null ? undefined : platform.engine.directory.resident(id)?.committed
  return state !== undefined && isHolding(state) && maySee(call, state) ? state : undefined
}
