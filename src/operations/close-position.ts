// PATCH /positions/close: what remains is burned or moved, and the rent goes back to whoever it belongs to.
import { burnChecked, transferChecked } from '../chain/instructions/token.ts'
import { closeTokenAccount } from '../chain/instructions/token-account.ts'
import type { Instruction } from '../chain/message.ts'
import type { RecordState } from '../engine/record.ts'
import type { Call } from './call.ts'
import type { ClosePositionInput, TransactionBody } from './input.ts'
import type { Platform, Write } from './platform.ts'
import { badRequest, notFound } from './refusal.ts'
import { resolveParty } from './resolve/account.ts'
import type { Party } from './resolve/party.ts'
import { knownPosition, resolvePosition } from './resolve/position.ts'
import { destinationOf, isFrozen, survey, tokenProgramAndMint, type Destination } from './tokens/destination.ts'
import { freezing } from './tokens/freezing.ts'
import { knownSource, refreshed } from './tokens/source.ts'
import { feePayerOf } from './transact/fee-payer.ts'
import { transact } from './transact/transact.ts'

const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: notFound }
const COMPUTE_UNITS = 200_000

export const closePosition: Write<TransactionBody<ClosePositionInput>> = async (platform, call, { itemData, chainTransactionConfig }) => {
  checkExclusive(itemData)
  knownPosition(
    resolvePosition(platform, call, itemData.position, '/itemData/position', POSITION_NOT_FOUND),
    '/itemData/position',
    POSITION_NOT_FOUND,
  )
  const remainder = itemData.transferRemainingTokenBalanceTo
  const surveyed =
    remainder === undefined ? null : await survey(platform, call, remainder, false, '/itemData/transferRemainingTokenBalanceTo')
  await refreshed(platform, call, itemData.position, '/itemData/position')
  return await transact(platform, call, chainTransactionConfig, () => {
    const feePayer = feePayerOf(platform, call, chainTransactionConfig)
    const position = resolvePosition(platform, call, itemData.position, '/itemData/position', POSITION_NOT_FOUND)
    knownPosition(position, '/itemData/position', POSITION_NOT_FOUND)
    const { state, instrument, owner } = knownSource(position, '/itemData/position')
    const { address, tokens } = state.context
    if (state.value === 'pending') throw badRequest('POSITION_BUSY', 'the creation of the position is under way', '/itemData/position')
    if (tokens.reserved !== '0')
      throw badRequest('POSITION_BUSY', 'a transaction that takes from the position is under way', '/itemData/position')
    if (itemData.unfreezeIfNeeded === true && instrument.context.version !== 'TOKEN_2022') {
      throw badRequest('TOKEN_2022_REQUIRED', 'unfreezeIfNeeded needs a TOKEN_2022 instrument', '/itemData/unfreezeIfNeeded')
    }
    const balance = BigInt(tokens.balance)
    if (balance < 0n) throw badRequest('POSITION_BUSY', 'the books of the position are being brought up to the chain', '/itemData/position')
    const target =
      remainder === undefined || surveyed === null
        ? null
        : destinationOf(platform, call, remainder, surveyed, feePayer, '/itemData/transferRemainingTokenBalanceTo')
    const frozen = isFrozen(state, instrument)
    const thaw = balance > 0n && frozen && itemData.unfreezeIfNeeded === true
    if (balance > 0n && frozen && !thaw)
      throw badRequest('POSITION_FROZEN', 'the position is frozen and holds a balance: set unfreezeIfNeeded', '/itemData/unfreezeIfNeeded')
    const named =
      itemData.freezeAuthority === undefined
        ? position.freezeAuthority
        : resolveParty(platform, call, itemData.freezeAuthority, '/itemData/freezeAuthority')
    const freeze = freezing(platform, call, instrument, address, frozen, { thaw, freeze: false }, named, '/itemData/unfreezeIfNeeded')
    const refund = refundTo(platform, call, itemData, state, feePayer)
    const closing = { program: tokenProgramAndMint(instrument).program, account: address, destination: refund, authority: owner.address }
    return {
      instructions: [
        ...freeze.before,
        ...disposal(itemData, state, instrument, owner.address, balance, target),
        closeTokenAccount(closing),
      ],
      feePayer,
      parties: [owner, freeze.authority],
      computeUnits: COMPUTE_UNITS,
      shape: 'bare',
    }
  })
}

function checkExclusive(itemData: ClosePositionInput): void {
  if (itemData.burnRemainingTokenBalance === true && itemData.transferRemainingTokenBalanceTo !== undefined) {
    throw badRequest(
      'MUTUALLY_EXCLUSIVE',
      'the remaining balance is burned or transferred, not both',
      '/itemData/transferRemainingTokenBalanceTo',
    )
  }
  if (itemData.refundSolToFeePayer === true && itemData.refundSolDestination !== undefined) {
    throw badRequest(
      'MUTUALLY_EXCLUSIVE',
      'the refund goes to the fee payer or to a destination, not both',
      '/itemData/refundSolDestination',
    )
  }
}

/** Instructions that empty the position. */
function disposal(
  itemData: ClosePositionInput,
  state: RecordState<'position'>,
  instrument: RecordState<'instrument'>,
  authority: string,
  amount: bigint,
  target: Destination | null,
): Instruction[] {
  if (amount === 0n) return []
  const common = { ...tokenProgramAndMint(instrument), source: state.context.address, authority, amount }
  if (target !== null) {
    if (target.instrument.context.address !== instrument.context.address) {
      throw badRequest(
        'INSTRUMENT_MISMATCH',
        'the remaining balance can only go to a position of the same instrument',
        '/itemData/transferRemainingTokenBalanceTo',
      )
    }
    if (target.address === state.context.address)
      throw badRequest('SAME_POSITION', 'the balance would stay in the position', '/itemData/transferRemainingTokenBalanceTo')
    return [...target.creation, transferChecked({ ...common, destination: target.address })]
  }
  if (itemData.burnRemainingTokenBalance !== true) {
    throw badRequest('POSITION_NOT_EMPTY', 'a balance remains: burn it or say where it goes', '/itemData/burnRemainingTokenBalance')
  }
  return [burnChecked(common)]
}

/** Rent that another organization's fee payer paid goes back there and nowhere else. */
function refundTo(platform: Platform, call: Call, itemData: ClosePositionInput, state: RecordState<'position'>, feePayer: Party): string {
  const asked =
    itemData.refundSolDestination === undefined
      ? itemData.refundSolToFeePayer === true
        ? feePayer.address
        : null
      : resolveParty(platform, call, itemData.refundSolDestination, '/itemData/refundSolDestination').address
  const { rentPayer } = state.context
  if (rentPayer === null) return asked ?? feePayer.address
  if (asked !== null && asked !== rentPayer.address) {
    throw badRequest('RENT_OWED', `the rent was paid by ${rentPayer.address} and returns there`, '/itemData/refundSolDestination')
  }
  return rentPayer.address
}
