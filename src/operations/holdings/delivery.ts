// A transfer of an instrument between two positions: its preconditions, its instruction, and the accounts of a transfer
// hook.
import { transferChecked } from '../../solana/instructions/token.ts'
import type { AccountMeta, Instruction } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Party } from '../lookup/party.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { type Destination, tokenProgramAndMint } from './destination.ts'
import { checkNotPaused } from './freezing.ts'
import type { TokenSource } from './source.ts'
import { FormatError } from '../../solana/format-error.ts'
import { decodeMint } from '../../solana/mint-layout.ts'
import { newTokenAccount } from '../../solana/token-layout.ts'
import { extraAccountListAddress, hookAccounts } from '../../solana/transfer-hook.ts'
import type { RecordState } from '../../engine/records/record.ts'

/**
 * Throws 400 `INSTRUMENT_MISMATCH`, `SAME_POSITION`, `INSTRUMENT_PAUSED`. `from` and `to` are the JSON pointers of
 * the two members.
 */
export function checkPair(
  source: Pick<TokenSource, 'address' | 'instrument'>,
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
  source: Pick<TokenSource, 'address' | 'instrument'>,
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
    source: address,
    destination: destination.address,
    authority: authority.address,
    amount,
    hookAccounts: hookAccountsOf(known, instrument, leg, pointer),
    ...tokenProgramAndMint(instrument),
  })
}

/** Compute units for the hook program if the caller names no limit; its consumption is unknown. */
export const HOOK_UNITS = 400_000

export interface HookedLeg {
  readonly source: string
  readonly destination: string
  /** Owner of a destination that does not exist yet; null if it exists. */
  readonly newOwner: string | null
  readonly authority: string
  readonly amount: bigint
}

export function isHooked({ context }: RecordState<'instrument'>): boolean {
  return context.extensions.includes('TRANSFER_HOOK')
}

/**
 * The accounts that follow the authority of the transfer; none if the mint names no program.
 *
 * Throws 400 `TRANSFER_HOOK_UNAVAILABLE` if the program does not exist or its account list cannot be resolved,
 * `TRANSFER_HOOK_REFUSED` if it requires signatures.
 */
export function hookAccountsOf(
  known: Pick<KnownAccounts, 'get' | 'all'>,
  instrument: RecordState<'instrument'>,
  leg: HookedLeg,
  pointer: string,
): readonly AccountMeta[] {
  if (!isHooked(instrument)) return []
  const mint = instrument.context.address
  const account = known.get(mint)
  const program =
    account === null ? null : (decodeMint(account.data, account.owner).extensions.transferHook?.program ?? null)
  if (program === null) return []
  const listAddress = extraAccountListAddress(mint, program)
  const [code, list] = known.all([program, listAddress])
  if (code?.executable !== true)
    throw badRequest(
      'TRANSFER_HOOK_UNAVAILABLE',
      `the transfer hook of the instrument, ${program}, is not a program on the cluster`,
      pointer,
    )
  const dataOf = (address: string): Uint8Array | null => {
    const account = known.get(address)
    if (account !== null || address !== leg.destination || leg.newOwner === null) return account?.data ?? null
    return newTokenAccount(mint, leg.newOwner)
  }
  try {
    const accounts = hookAccounts({ ...leg, program, mint }, list?.owner === program ? list.data : null, dataOf)
    const signing = accounts.find(({ signer }) => signer)
    if (signing === undefined) return accounts
    throw badRequest(
      'TRANSFER_HOOK_REFUSED',
      `the transfer hook ${program} requires the signature of ${signing.address}, which it may not use`,
      pointer,
    )
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw badRequest(
      'TRANSFER_HOOK_UNAVAILABLE',
      `the accounts of the transfer hook ${program} cannot be determined: ${error.message}`,
      pointer,
    )
  }
}
