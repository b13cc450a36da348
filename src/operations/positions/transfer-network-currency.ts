// POST /positions/transfer-network-currency: transfers lamports between wallets.
import { memo, memoUnits } from '../../solana/instructions/memo.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { rawAmount } from '../lookup/amounts.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { TransferNetworkCurrencyInput } from '../../contract/schemas/position.ts'
import type { Context, Write } from '../context/platform.ts'
import { NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import { alongWith } from '../../contract/together.ts'
import { payee, resolveParty } from '../lookup/account.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import type { Party } from '../lookup/party.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { entireLamports, ownFee } from '../holdings/entire-lamports.ts'
import { feePayerOf, isPlainWallet } from '../transactions/fee-payer.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 50_000
const SOURCE = '/itemData/source'
const TO = '/itemData/destination'

export const transferNetworkCurrency: Write<TransactionBody<TransferNetworkCurrencyInput>> = async (context, body) => {
  const { platform, call } = context
  const { itemData, chainTransactionConfig } = body
  const payer = (): Party => sourceNamed(context, itemData.source)
  const receiver = (): Party => resolveParty(context, payee(itemData.destination), TO)
  if (itemData.transferEntireBalance === true) {
    const { entry } = alongWith(payer, receiver)
    if (entry !== null) await reconcile(platform, call.cluster, [entry.head])
  }
  return await transact(context, chainTransactionConfig, (budget) => {
    const feePayer = alongWith(() => feePayerOf(context, chainTransactionConfig, payer), payer, receiver)
    const source = alongWith(payer, receiver)
    const destination = receiver()
    const state = walletOf(source)
    if (state !== null && !isPlainWallet(state))
      throw badRequest(
        'ACCOUNT_HAS_DATA',
        'network currency cannot be transferred out of an account that holds data',
        SOURCE,
      )
    if (source.address === destination.address)
      throw badRequest('SAME_ACCOUNT', 'source and destination are the same account', TO)
    const memos = itemData.memo === undefined ? [] : [memo(itemData.memo)]
    const units = COMPUTE_UNITS + memoUnits(memos)
    const paysItself = feePayer.address === source.address
    const amount =
      itemData.transferEntireBalance === true
        ? entireLamports(
            bookedWallet(state),
            paysItself ? ownFee(context, chainTransactionConfig, source.address, { budget, computeUnits: units }) : 0n,
            '/itemData/transferEntireBalance',
          )
        : rawAmount(itemData, NETWORK_DECIMALS, '/itemData')
    return {
      instructions: [transferLamports(source.address, destination.address, amount), ...memos],
      feePayer,
      parties: [source],
      covered: itemData.offchainBalanceAvailabilityPrecheck ?? true,
      computeUnits: COMPUTE_UNITS,
      shape: 'bare',
    }
  })
}

/** Throws 403 `ESCROW_LOCKED` before the balance of an escrow decides anything, 400 `ACCOUNT_NOT_FOUND`. */
function sourceNamed(context: Context, lookup: AccountLookup): Party {
  const source = resolveParty(context, lookup, SOURCE)
  checkNoEscrow(recordIndexOf(context), context.call, source.address, SOURCE)
  return source
}

/**
 * null: an address without a record of the tenant, whose key signs outside. Throws 400 `ACCOUNT_NOT_FOUND` for a
 * record of another kind.
 */
function walletOf({ entry }: Party): RecordState<'account'> | null {
  if (entry === null) return null
  const state = ofKind(entry.head, 'account')
  if (state === undefined)
    throw badRequest('ACCOUNT_NOT_FOUND', 'the source of network currency must be a wallet', SOURCE)
  return state
}

/** The entire balance is known only for a recorded account. Throws 400 `ACCOUNT_NOT_FOUND`. */
function bookedWallet(state: RecordState<'account'> | null): RecordState<'account'> {
  if (state === null)
    throw badRequest(
      'ACCOUNT_NOT_FOUND',
      'the entire balance can be transferred only from a wallet of the tenant',
      '/itemData/transferEntireBalance',
    )
  return state
}
