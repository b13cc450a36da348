// PATCH /positions/close: burns or transfers the remaining balance and closes the token account. Rent owed to a payer
// returns to that payer; lamports above the rent go to the owner.
import { burnChecked } from '../../solana/instructions/token.ts'
import { closeTokenAccount } from '../../solana/instructions/token-account.ts'
import type { Instruction } from '../../solana/message.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { disagreement } from '../lookup/amounts.ts'
import type { ClosePositionInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { Write, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest, busy, notFound } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import { optionalParty, resolveParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { knownPosition, resolvePaidPosition, resolvePosition, type ResolvedPosition } from '../lookup/position.ts'
import { HOOK_UNITS, checkPair, deliver, isHooked } from '../holdings/delivery.ts'
import {
  destinationOf,
  NO_CHAIN_READ,
  loadDestination,
  tokenProgramAndMint,
  type Destination,
} from '../holdings/destination.ts'
import { authorityParty, checkNotPaused, freezeInstructions } from '../holdings/freezing.ts'
import { refundOf } from '../holdings/refund.ts'
import { sourceOf, type TokenSource } from '../holdings/source.ts'
import { checkSupplyOpen } from '../holdings/units.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'

const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: notFound }
const COMPUTE_UNITS = 200_000
const POINTER = '/itemData/position'
const REFUND = '/itemData/refundSolDestination'
const FREEZER = '/itemData/freezeAuthority'
const TARGET = '/itemData/transferRemainingTokenBalanceTo'

export const closePosition: Write<TransactionBody<ClosePositionInput>> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const named = (): ResolvedPosition => resolvePosition(context, itemData.position, POINTER, POSITION_NOT_FOUND)
  const remainder = itemData.transferRemainingTokenBalanceTo
  const [, { state: before }] = together(
    () => checkExclusive(itemData),
    () => {
      checkNoEscrow(platform.engine.directory, call, named().address, POINTER)
      return knownPosition(named(), POINTER, POSITION_NOT_FOUND)
    },
    () => (remainder === undefined ? null : resolvePaidPosition(context, remainder, TARGET)),
    () => optionalParty(context, itemData.freezeAuthority, FREEZER),
    () => optionalParty(context, itemData.refundSolDestination, REFUND),
  )
  const initialize = itemData.initializeDestinationPositionIfNeeded ?? false
  const loaded = remainder === undefined ? null : await loadDestination(context, remainder, initialize, TARGET)
  // The whole balance has to go, so tokens received and freezes made outside of this service must be known first.
  await reconcile(platform, call.cluster, [before])
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const { state } = knownPosition(named(), POINTER, POSITION_NOT_FOUND)
      const source = sourceOf(context, itemData.position, NO_CHAIN_READ, POINTER)
      const { instrument, owner, address, frozen } = source
      const balance = closableBalance(state)
      const thaw = balance > 0n && frozen && itemData.unfreezeIfNeeded === true
      const [, target, authority, requested] = together(
        () => checkThaw(itemData, source, balance),
        () =>
          remainder === undefined || loaded === null
            ? null
            : destinationOf(context, remainder, loaded, { feePayer, pointer: TARGET, initialize }),
        () => freezerOf(context, itemData, source),
        () => requestedRefund(context, itemData, feePayer),
      )
      const freeze = freezeInstructions(context, instrument, address, {
        frozen,
        wanted: { thaw, freeze: false },
        named: authority,
        pointer: itemData.freezeAuthority === undefined ? '/itemData/unfreezeIfNeeded' : FREEZER,
      })
      const refund = refundOf(state, { requested, feePayer: feePayer.address, holder: owner })
      const { program } = tokenProgramAndMint(instrument)
      const closing = { program, account: address, destination: refund.destination, authority: owner.address }
      const emptied = balance === 0n ? NOTHING_TO_MOVE : disposal(known, itemData, source, { amount: balance, target })
      return {
        instructions: [...freeze.before, ...emptied.instructions, closeTokenAccount(closing), ...refund.instructions],
        feePayer,
        refundPointer: REFUND,
        parties: [owner, freeze.authority],
        rents: emptied.rents,
        computeUnits: COMPUTE_UNITS + (isHooked(instrument) ? HOOK_UNITS : 0),
        prepare: (unit) => emptied.prepare?.(unit),
        shape: 'bare',
      }
    }),
  )
}

/** Throws 400 `TOKEN_2022_REQUIRED`, `POSITION_FROZEN`. */
function checkThaw({ unfreezeIfNeeded = false }: ClosePositionInput, source: TokenSource, balance: bigint): void {
  const { instrument, frozen } = source
  const pointer = '/itemData/unfreezeIfNeeded'
  if (unfreezeIfNeeded && instrument.context.version !== 'TOKEN_2022')
    throw badRequest('TOKEN_2022_REQUIRED', 'unfreezeIfNeeded requires a TOKEN_2022 instrument', pointer)
  if (balance > 0n && frozen && !unfreezeIfNeeded) {
    const message = 'the position is frozen and holds a balance: set unfreezeIfNeeded'
    throw badRequest('POSITION_FROZEN', message, pointer)
  }
}

/**
 * The account named to sign as freeze authority; null: none. It must be the authority even if the position is not
 * frozen. The mint may have been closed since.
 */
function freezerOf(context: Context, { freezeAuthority }: ClosePositionInput, source: TokenSource): Party | null {
  if (freezeAuthority === undefined) return source.position.freezeAuthority
  const named = resolveParty(context, freezeAuthority, FREEZER)
  if (source.instrument.value !== 'closed')
    authorityParty(context, source.instrument, 'freezeAuthority', { named, pointer: FREEZER })
  return named
}

/** The remaining balance in raw units. Throws 400 `POSITION_BUSY` while the balance is uncertain. */
function closableBalance({ value, context }: RecordState<'position'>): bigint {
  const { balance, reserved } = context.tokens
  if (value === 'pending') throw busy('POSITION_BUSY', 'the creation of the position is under way', POINTER)
  if (reserved !== '0') throw busy('POSITION_BUSY', 'a transaction that takes from the position is under way', POINTER)
  if (BigInt(balance) < 0n)
    throw busy('POSITION_BUSY', 'the balance of the position is being reconciled with the chain', POINTER)
  return BigInt(balance)
}

function checkExclusive(itemData: ClosePositionInput): void {
  if (itemData.burnRemainingTokenBalance === true && itemData.transferRemainingTokenBalanceTo !== undefined) {
    throw badRequest(
      'MUTUALLY_EXCLUSIVE',
      'only one of burnRemainingTokenBalance and transferRemainingTokenBalanceTo may be given',
      '/itemData/transferRemainingTokenBalanceTo',
    )
  }
}

type Disposal = Pick<Destination, 'rents' | 'prepare'> & { readonly instructions: readonly Instruction[] }

const NOTHING_TO_MOVE: Disposal = { instructions: [], rents: new Map(), prepare: null }

/**
 * Instructions that empty the position. Throws 400 `POSITION_FROZEN`, `POSITION_NOT_EMPTY`, and the refusals of a
 * transfer or burn.
 */
function disposal(
  known: KnownAccounts,
  itemData: ClosePositionInput,
  source: TokenSource,
  { amount, target }: { readonly amount: bigint; readonly target: Destination | null },
): Disposal {
  const { instrument, owner, address } = source
  if (target !== null) {
    checkPair(source, target, POINTER, TARGET)
    if (target.frozen) throw badRequest('POSITION_FROZEN', 'the destination of the balance is frozen', TARGET)
    const { creation, rents, prepare } = target
    return {
      instructions: [...creation, deliver(known, source, target, { authority: owner, amount, pointer: POINTER })],
      rents,
      prepare,
    }
  }
  if (itemData.burnRemainingTokenBalance !== true) {
    throw badRequest(
      'POSITION_NOT_EMPTY',
      'the position has a balance: set burnRemainingTokenBalance or transferRemainingTokenBalanceTo',
      '/itemData/burnRemainingTokenBalance',
    )
  }
  checkSupplyOpen(instrument, POINTER)
  checkNotPaused(instrument, POINTER)
  const burn = burnChecked({ source: address, authority: owner.address, amount, ...tokenProgramAndMint(instrument) })
  return { ...NOTHING_TO_MOVE, instructions: [burn] }
}

/**
 * Address of the requested refund destination; null: none. Throws 400 if both members of the request name different
 * accounts.
 */
function requestedRefund(
  context: Context,
  { refundSolDestination, refundSolToFeePayer }: ClosePositionInput,
  feePayer: Party,
): string | null {
  if (refundSolDestination === undefined) return refundSolToFeePayer === true ? feePayer.address : null
  const { address } = resolveParty(context, refundSolDestination, REFUND)
  if (refundSolToFeePayer === true && address !== feePayer.address) throw disagreement('refundSolToFeePayer', REFUND)
  return address
}
