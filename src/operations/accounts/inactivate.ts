// PATCH /accounts/inactivate: empties an account that nothing depends on, and closes its record permanently.
import { transferLamports } from '../../solana/instructions/system.ts'
import { loanPartyKey, ownerKey, ownNoncesKey, openPaymentRequestsKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Outcome } from '../../contract/call.ts'
import { feedsInUseOf } from '../authorization/feed-use.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { InactivateAccountInput } from '../../contract/schemas/account.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { openTouches } from '../reconcile/moving.ts'
import type { Write, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { ownRecord, type OwnRecord } from '../lookup/own.ts'
import { ownMessages } from '../lookup/own-messages.ts'
import { feePayerOf, isPlainWallet } from '../transactions/fee-payer.ts'
import { entireLamports, ownFee } from '../holdings/entire-lamports.ts'
import { transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'inactivatedAccount'>

const COMPUTE_UNITS = 20_000
const POINTER = '/itemData/account'

export const inactivateAccount: Write<TransactionBody<InactivateAccountInput>, Members> = async (context, body) => {
  const { platform, call } = context
  const { itemData, chainTransactionConfig } = body
  await reconcile(platform, call.cluster, [ownRecord(context, itemData.account, POINTER).state])
  const { state } = inactivatable(context, itemData)
  const members = { inactivatedAccount: { onchainId: state.context.address, offchainId: state.id } }
  if (!mustBeEmptied(state)) {
    await touchesFinal(context, state)
    return await close(context, itemData, members)
  }
  return await transact(context, chainTransactionConfig, (budget) => {
    const { entry, state: account } = inactivatable(context, itemData)
    if (itemData.refundDestination === undefined) throw refundRequired(account)
    if (!isPlainWallet(account))
      throw badRequest(
        'ACCOUNT_HAS_DATA',
        'network currency cannot be transferred out of an account that holds data',
        POINTER,
      )
    const destination = resolveParty(context, itemData.refundDestination, '/itemData/refundDestination')
    const source = { address: account.context.address, entry, autoSign: itemData.account.autoSign ?? true }
    if (source.address === destination.address) {
      throw badRequest(
        'SAME_ACCOUNT',
        'refundDestination must not be the account that is closed',
        '/itemData/refundDestination',
      )
    }
    const feePayer = feePayerOf(context, chainTransactionConfig)
    const paysItself = feePayer.address === source.address
    const fee = paysItself
      ? ownFee(context, chainTransactionConfig, source.address, { budget, computeUnits: COMPUTE_UNITS })
      : 0n
    const amount = entireLamports(account, fee, POINTER)
    return {
      instructions: [transferLamports(source.address, destination.address, amount)],
      feePayer,
      parties: [source],
      closes: new Set([source.address]),
      computeUnits: COMPUTE_UNITS,
      members,
      shape: 'member',
    }
  })
}

/**
 * The record, if nothing depends on it. Throws 400 `ACCOUNT_IN_USE` naming the dependents,
 * `USE_SPECIALISED_ENDPOINT`.
 */
function inactivatable(
  context: Context,
  { account }: InactivateAccountInput,
): OwnRecord & { readonly state: RecordState<'account'> } {
  const { platform, call } = context
  const { entry, state } = ownRecord(context, account, POINTER)
  const wallet = ofKind(state, 'account')
  if (wallet === undefined)
    throw badRequest(
      'USE_SPECIALISED_ENDPOINT',
      `a record of kind ${state.kind} must be closed with its own endpoint`,
      POINTER,
    )
  const { directory } = platform.engine
  const positions = directory
    .find(ownerKey(call.tenant, call.cluster, wallet.context.address))
    .filter(({ head }) => head.value !== 'closed')
    .map(({ head }) => `position ${head.id}`)
  const open = ownMessages(directory, wallet).map(({ head }) =>
    head.kind === 'transaction' ? `transaction ${head.id}` : 'a transaction of another tenant',
  )
  const nonces = directory
    .find(ownNoncesKey(call.tenant, call.cluster))
    .flatMap(({ head }) => ofKind(head, 'nonce') ?? [])
    .filter(({ context }) => context.lease !== null && context.authority.address === wallet.context.address)
    .map(({ id }) => `durable nonce account ${id}`)
  // Loans that other tenants have among themselves do not depend on the caller's record of the address.
  const loans = directory
    .find(loanPartyKey(call.cluster, wallet.context.address))
    .flatMap(({ head }) => ofKind(head, 'loan') ?? [])
    .filter(({ tenant, context: { lender, owner } }) => [tenant, lender.tenant, owner?.tenant].includes(call.tenant))
    .map(({ id, context }) => `loan ${context.escrow.id ?? id}`)
  const feeds = feedsInUseOf(platform, call, wallet.context.address).map((id) => `data source ${id}`)
  const inUse = [...positions, ...nonces, ...loans, ...feeds, ...paymentRequestsOf(context, wallet), ...open]
  if (inUse.length > 0)
    throw badRequest('ACCOUNT_IN_USE', `the account is in use by ${inUse.slice(0, 10).join(', ')}`, POINTER)
  return { entry, state: wallet }
}

/** Those that can still be paid: their payers would pay an account whose record is closed. */
function paymentRequestsOf({ platform, call }: Context, wallet: RecordState<'account'>): readonly string[] {
  return platform.engine.directory
    .find(openPaymentRequestsKey(call.tenant))
    .flatMap(({ head }) => ofKind(head, 'paymentRequest') ?? [])
    .filter(({ context }) => context.endedAt === null && context.destination.id === wallet.id)
    .map(({ id }) => `payment request ${id}`)
}

/** An account whose key is not managed here is not emptied. */
function mustBeEmptied({ context, value }: RecordState<'account'>): boolean {
  return context.managed && value === 'active' && context.lamports.balance !== '0'
}

function refundRequired({ context }: RecordState<'account'>): Error {
  return badRequest(
    'REFUND_DESTINATION_REQUIRED',
    `the account holds ${context.lamports.balance} lamports: refundDestination is required`,
    '/itemData/refundDestination',
  )
}

/** Waits at most `waitMs` until the transactions that touch the account are final. */
async function touchesFinal({ platform, call }: Context, state: RecordState<'account'>): Promise<void> {
  const isFinal = (transaction: RecordState): boolean => ofKind(transaction, 'transaction')?.context.finalAt !== null
  await Promise.all(
    openTouches(platform, state).map(({ id }) => platform.engine.waiters.wait(id, isFinal, call.waitMs)),
  )
}

async function close(context: Context, itemData: InactivateAccountInput, members: Members): Promise<Outcome<Members>> {
  const { platform, call } = context
  return await changeRecords(context, (unit) => {
    const { entry, state } = inactivatable(context, itemData)
    // A record closed without a transaction could not follow a fork that undoes the creation or the emptying of the
    // account.
    const open = openTouches(platform, state)
    if (open.length > 0) {
      // Transactions of other tenants are not named.
      const named = open.filter(({ tenant }) => tenant === call.tenant).map(({ id }) => id)
      const which = named.length === 0 ? 'a transaction' : `transaction ${named.join(', ')}`
      throw badRequest('ACCOUNT_IN_USE', `${which} is not final yet`, POINTER)
    }
    unit.send<'account'>(entry, { type: 'command.inactivate' })
    return { members }
  })
}
