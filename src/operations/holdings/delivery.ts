// A transfer of an instrument between two positions: its preconditions and its instruction.
import { transferChecked } from '../../solana/instructions/token.ts'
import type { Instruction } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Party } from '../lookup/party.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { tokenProgramAndMint, type Destination } from './destination.ts'
import { hookAccountsOf } from './hooking.ts'
import { checkNotPaused } from './movable.ts'
import type { Source } from './source.ts'

/**
 * Throws 400 `INSTRUMENT_MISMATCH`, `SAME_POSITION`, `INSTRUMENT_PAUSED`. `from` and `to` are the JSON pointers of
 * the two members.
 */
export function checkPair(
  source: Pick<Source, 'address' | 'instrument'>,
  destination: Destination,
  from: string,
  to: string,
): void {
  if (destination.instrument.context.address !== source.instrument.context.address) {
    throw badRequest('INSTRUMENT_MISMATCH', 'source and destination hold different financial instruments', to)
  }
  if (destination.address === source.address)
    throw badRequest('SAME_POSITION', 'source and destination are the same position', to)
  checkNotPaused(source.instrument, from)
}

export function deliver(
  known: KnownAccounts,
  source: Pick<Source, 'address' | 'instrument'>,
  destination: Destination,
  { authority, amount, pointer }: { readonly authority: Party; readonly amount: bigint; readonly pointer: string },
): Instruction {
  const { address, instrument } = source
  const leg = {
    source: address,
    destination: destination.address,
    newOwner: destination.creation.length === 0 ? null : (destination.position.owner?.address ?? null),
    authority: authority.address,
    amount,
  }
  return transferChecked({
    ...tokenProgramAndMint(instrument),
    source: address,
    destination: destination.address,
    authority: authority.address,
    amount,
    hookAccounts: hookAccountsOf(known, instrument, leg, pointer),
  })
}
