// PATCH /accounts/inactivate: empties a wallet or a durable nonce account that nothing depends on, and closes its
// record permanently.
import { withdrawNonce } from '../../solana/instructions/nonce.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import { underNonceKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { type HoldingState, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Outcome } from '../../contract/call.ts'
import { checkNotInUse } from '../authorization/closing-accounts.ts'
import { checkNotFrozen } from '../authorization/signers.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { InactivateAccountInput } from '../../contract/schemas/account.ts'
import type { ChainTransactionConfig, TransactionBody } from '../../contract/values/chain-config.ts'
import { openTouches } from '../reconcile/moving.ts'
import { readNonces } from '../reconcile/nonces.ts'
import type { Write, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import { alongWith } from '../../contract/together.ts'
import { optionalParty, resolveParty } from '../lookup/account.ts'
import { managedAt } from '../lookup/nonce.ts'
import type { Party } from '../lookup/party.ts'
import { ownRecord, type OwnRecord } from '../lookup/own.ts'
import type { Budget } from '../transactions/budget.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf, isPlainWallet } from '../transactions/fee-payer.ts'
import { entireLamports, ownFee } from '../holdings/entire-lamports.ts'
import { freeNonce, isDurable } from '../transactions/nonces/free.ts'
import { transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'inactivatedAccount'>

const COMPUTE_UNITS = 20_000
const POINTER = '/itemData/account'
const REFUND = '/itemData/refundDestination'

export const inactivateAccount: Write<TransactionBody<InactivateAccountInput>, Members> = async (context, body) => {
  const { platform, call } = context
  const { itemData, chainTransactionConfig: config } = body
  const receiver = (): Party | null => optionalParty(context, itemData.refundDestination, REFUND)
  const found = alongWith(() => ownRecord(context, itemData.account, POINTER), receiver)
  await reconcile(platform, call.cluster, [found.state])
  if (found.state.kind === 'nonce') await readNonces(platform, call.cluster, [found.entry])
  const { state } = alongWith(() => inactivatable(context, itemData), receiver)
  const members = { inactivatedAccount: { onchainId: state.context.address, offchainId: state.id } }
  if (!mustBeEmptied(context, state)) {
    await touchesFinal(context, state)
    return await close(context, itemData, members)
  }
  // In the block that has set its value, the runtime refuses a withdrawal of everything.
  if (state.kind === 'nonce') await touchesFinal(context, state)
  return await transact(context, config, (budget) => {
    const own = alongWith(() => inactivatable(context, itemData), receiver)
    const { address } = own.state.context
    const destination = receiver()
    if (destination === null) throw refundRequired(own.state)
    if (address === destination.address)
      throw badRequest('SAME_ACCOUNT', 'refundDestination must not be the account that is closed', REFUND)
    const feePayer = feePayerOf(context, config)
    const autoSign = itemData.account.autoSign ?? true
    return {
      ...(own.state.kind === 'nonce'
        ? emptiedNonce(context, config, own.state, { to: destination.address, autoSign })
        : emptiedWallet(context, config, own.state, { ...own, feePayer, budget, to: destination.address, autoSign })),
      feePayer,
      refundPointer: REFUND,
      closes: new Set([address]),
      computeUnits: COMPUTE_UNITS,
      members,
      shape: 'member',
    }
  })
}

type Emptied = Pick<Draft, 'instructions' | 'parties' | 'lifetime'>

interface Emptying {
  /** Address of the receiver. */
  readonly to: string
  readonly autoSign: boolean
}

function emptiedWallet(
  context: Context,
  config: ChainTransactionConfig | undefined,
  wallet: RecordState<'account'>,
  terms: Emptying & { readonly entry: Entry; readonly feePayer: Party; readonly budget: Budget },
): Emptied {
  if (!isPlainWallet(wallet))
    throw badRequest(
      'ACCOUNT_HAS_DATA',
      'network currency cannot be transferred out of an account that holds data',
      POINTER,
    )
  const { to, autoSign, entry, feePayer, budget } = terms
  const { address } = wallet.context
  const paysItself = feePayer.address === address
  const fee = paysItself ? ownFee(context, config, address, { budget, computeUnits: COMPUTE_UNITS }) : 0n
  const amount = entireLamports(wallet, fee, POINTER)
  return { instructions: [transferLamports(address, to, amount)], parties: [{ address, entry, autoSign }] }
}

/** A transaction cannot be valid under the nonce that it withdraws from: it would find a value that it has just set. */
function emptiedNonce(
  context: Context,
  config: ChainTransactionConfig | undefined,
  nonce: RecordState<'nonce'>,
  { to, autoSign }: Emptying,
): Emptied {
  const { address, authority } = nonce.context
  const amount = entireLamports(nonce, 0n, POINTER)
  return {
    instructions: [withdrawNonce(address, authority.address, to, amount)],
    parties: [resolveParty(context, { onchainId: authority.address, offPlatform: true, autoSign }, POINTER)],
    ...(isDurable(config) ? { lifetime: freeNonce(context, address) } : {}),
  }
}

type Inactivatable = RecordState<'account'> | RecordState<'nonce'>

/**
 * The record, if nothing depends on it. Throws 400 `ACCOUNT_IN_USE` naming the dependents, `NONCE_LEASED`,
 * `USE_SPECIALISED_ENDPOINT`, `NOT_CLOSABLE`, and 403 `FROZEN` also for a record that is closed without a signature.
 */
function inactivatable(
  context: Context,
  { account }: InactivateAccountInput,
): OwnRecord & { readonly state: Inactivatable } {
  const { entry, state } = ownRecord(context, account, POINTER)
  if (state.kind !== 'account' && state.kind !== 'nonce') throw closedElsewhere(state)
  checkNotFrozen(context.platform.engine.directory, state)
  if (state.kind === 'nonce') checkUnused(context, state)
  checkNotInUse(context.platform, state, POINTER)
  return { entry, state }
}

/**
 * Throws 400 `NONCE_LEASED`, also after the lease while the end of a transaction is not proven: no proof could be made
 * once the nonce account is gone.
 */
function checkUnused({ platform }: Context, { id, context: { lease } }: RecordState<'nonce'>): void {
  const user = lease?.transactionId ?? platform.engine.directory.first(underNonceKey(id))?.head.id
  if (user === undefined) return
  throw badRequest('NONCE_LEASED', `transaction ${user} may still land under the nonce, or has not ended yet`, POINTER)
}

const CLOSED_BY: Partial<Record<HoldingState['kind'], string>> = {
  position: 'a position is closed with PATCH /api/v1/positions/close',
  instrument: 'a financial instrument is closed with PATCH /api/v1/financial-instruments/close',
  lookupTable: 'an address lookup table is closed with PATCH /api/v1/address-lookup-tables',
}

function closedElsewhere({ kind }: HoldingState): Error {
  const where = CLOSED_BY[kind]
  return where === undefined
    ? badRequest('NOT_CLOSABLE', 'the record of a data source cannot be closed', POINTER)
    : badRequest('USE_SPECIALISED_ENDPOINT', where, POINTER)
}

/** An account whose key is not managed here is not emptied; nor is a nonce account, if its authority is not either. */
function mustBeEmptied(context: Context, state: Inactivatable): boolean {
  const { managed, lamports } = state.context
  if (state.value !== 'active' || lamports.balance === '0') return false
  return managed || (state.kind === 'nonce' && managedAt(context, state.context.authority.address) !== undefined)
}

function refundRequired({ context }: Inactivatable): Error {
  return badRequest(
    'REFUND_DESTINATION_REQUIRED',
    `the account holds ${context.lamports.balance} lamports: refundDestination is required`,
    REFUND,
  )
}

/** Waits at most `waitMs` until the transactions that touch the account are final. */
async function touchesFinal({ platform, call }: Context, state: Inactivatable): Promise<void> {
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
    unit.send<'account' | 'nonce'>(entry, { type: 'command.inactivate' })
    return { members }
  })
}
