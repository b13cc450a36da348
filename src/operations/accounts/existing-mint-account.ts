// A mint account allocated in advance with Create Account: still owned by the system program, with exactly the size
// of the mint.
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ChainAccount, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest, busy, conflict } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { namedAsInstrument } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { clusterOf } from '../transactions/transact.ts'
import { checkNotFrozen } from '../authorization/signers.ts'
import type { MintSize } from '../../solana/mint-size.ts'

export const EXISTING = '/itemData/existingMintAccount'

export interface ExistingAccount {
  readonly party: Party
  /** null: no record, so its key signs outside of this service. */
  readonly record: { readonly entry: Entry; readonly state: RecordState<'account'> } | null
}

/** Throws 409 `ALREADY_EXISTS`, 403 `FROZEN` also if its key signs nothing, 400 `ACCOUNT_NOT_FOUND`, `ACCOUNT_BUSY`. */
export function existingAccount(context: Context, lookup: AccountLookup): ExistingAccount {
  const { call } = context
  const party = resolveParty(context, namedAsInstrument(context, lookup), EXISTING)
  const { entry } = party
  if (entry === null) return { party, record: null }
  const missing = badRequest('ACCOUNT_NOT_FOUND', 'the lookup matches no account of this organization', EXISTING)
  const state = ofKind(entry.head, 'account')
  if (ofKind(entry.head, 'instrument') !== undefined && entry.head.tenant === call.tenant)
    throw conflict('ALREADY_EXISTS', 'the account is a financial instrument already', EXISTING)
  if (state === undefined || state.tenant !== call.tenant || state.context.organization !== call.organization)
    throw missing
  checkNotFrozen(context.platform.engine.directory, state)
  if (state.value === 'pending') throw busy('ACCOUNT_BUSY', 'the creation of the account is under way', EXISTING)
  return { party, record: { entry, state } }
}

/** The account on chain, after its record has been reconciled. Throws 400 `ACCOUNT_NOT_ONCHAIN`. */
export async function existingOnChain(context: Context, { party, record }: ExistingAccount): Promise<ChainAccount> {
  const { platform, call } = context
  if (record !== null) await reconcile(platform, call.cluster, [record.state])
  const [account] = await clusterOf(context).accounts([party.address])
  if (account === null || account === undefined)
    throw badRequest('ACCOUNT_NOT_ONCHAIN', `account ${party.address} does not exist on the cluster`, EXISTING)
  return account
}

/**
 * Throws 409 `ALREADY_EXISTS`, and 400 `MINT_ACCOUNT_UNUSABLE`, `MINT_SIZE_MISMATCH` if the token program would not
 * accept the account.
 */
export function checkUnused(account: ChainAccount, { allocationBytes, finalBytes }: MintSize): void {
  const { owner, data } = account
  if (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM)
    throw conflict(
      'ALREADY_EXISTS',
      'the account belongs to a token program: set alreadyOnChain to onboard an existing token',
      EXISTING,
    )
  if (owner !== SYSTEM_PROGRAM)
    throw badRequest('MINT_ACCOUNT_UNUSABLE', `the account belongs to the program ${owner}`, EXISTING)
  if (data.length !== allocationBytes) {
    const rest =
      finalBytes === allocationBytes ? '' : ` (${finalBytes} with its metadata, which the token program adds itself)`
    throw badRequest(
      'MINT_SIZE_MISMATCH',
      `the account has ${data.length} bytes, and the mint requires exactly ${allocationBytes}${rest}`,
      EXISTING,
    )
  }
  if (data.some((byte) => byte !== 0))
    throw badRequest('MINT_ACCOUNT_UNUSABLE', 'the account holds data already', EXISTING)
}
