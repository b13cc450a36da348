// Descriptions of positions, and of the operations that move tokens and network currency.
import type { Descriptions } from './describe.ts'

const THAWS = 'TOKEN_2022 instruments with a freeze authority only. Default false.'
const AMOUNT = 'Give `amount` or `lamports`, or both if they agree.'

export const POSITIONS: Descriptions = {
  'PositionLookup.position': 'The token account itself. Has precedence over `owner` and `financialInstrument`.',
  'TradeSide.position': 'The token account itself. Has precedence over `owner` and `financialInstrument`.',
  'PositionLookup.owner':
    'Owner of the position. With `financialInstrument`: the position of that owner in that' +
    ' instrument; without a record: the associated token account.',
  'TradeSide.owner': 'Owner of the position; alone on both sides: the account that pays or receives network currency.',
  'PositionLookup.financialInstrument': 'The instrument that the position holds.',
  'TradeSide.financialInstrument': 'The instrument that the position holds.',
  'PositionLookup.mintAuthority':
    'The account that signs as mint authority. Must be the authority on chain (400' +
    ' LOOKUP_MISMATCH). Identifies the instrument only if neither `position` nor `financialInstrument` is given' +
    ' and one instrument matches.',
  'TradeSide.mintAuthority': 'Mint authority of the instrument; must be the authority on chain (400 LOOKUP_MISMATCH).',
  'PositionLookup.freezeAuthority':
    'The account that signs as freeze authority. Must be the authority on chain (400' +
    ' LOOKUP_MISMATCH). Default: found from the instrument.',
  'TradeSide.freezeAuthority':
    'Freeze authority of the instrument; must be the authority on chain (400' + ' LOOKUP_MISMATCH).',
  'NewPosition.position':
    'The token account to create. Absent, or with `isDerived: true`: the associated token' + ' account.',
  'NewPosition.owner': 'Owner of the new position.',
  'NewPosition.financialInstrument': 'The instrument that the position holds.',
  owner: 'Owner of the position. Of an account that the caller may not see, only the address.',
  financialInstrument: 'The financial instrument.',
  'Position.financialInstrument':
    'The instrument that the position holds. Of one that the caller may not see, only' + ' the address.',
  closeAuthority: 'Account that may close the position if that is not the owner; null: the owner.',
  delegate: 'Account that may move tokens of the position besides the owner; null: none.',
  'Position.state': 'INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.',
  'PositionCompact.state': 'INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.',
  'PositionIdentifiers.state': 'INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.',
  balance: 'Tokens in the books of the service.',
  reserved: 'Tokens that open transactions may still debit.',
  available: 'Balance minus reservations: what a new transaction can debit.',
  'balance.amount': 'In display units; null in a shared position of another tenant.',
  'balance.lamports': 'In raw integer units; null in a shared position of another tenant.',
  'reserved.amount': 'In display units; null in a shared position of another tenant.',
  'reserved.lamports': 'In raw integer units; null in a shared position of another tenant.',
  'available.amount': 'In display units; null in a shared position of another tenant.',
  'available.lamports': 'In raw integer units; null in a shared position of another tenant.',
  newPosition: 'Ids of the created position.',
  updatedPosition: 'Ids of the changed position.',
  'SwitchPosition.position': 'The position to freeze or unfreeze.',
  'SwitchPosition.freezeAuthority': 'Freeze authority that signs. Default: found from the instrument.',

  'Mint.amount': `Amount to mint. ${AMOUNT}`,
  'Mint.lamports': `Amount to mint. ${AMOUNT}`,
  'Burn.amount': `Amount to burn. ${AMOUNT} Exactly one of an amount and \`burnEntireBalance\` is required.`,
  'Burn.lamports': `Amount to burn. ${AMOUNT} Exactly one of an amount and \`burnEntireBalance\` is required.`,
  'Transfer.amount':
    `Amount to transfer. ${AMOUNT} Exactly one of an amount and \`transferEntireBalance\` is` + ` required.`,
  'Transfer.lamports':
    `Amount to transfer. ${AMOUNT} Exactly one of an amount and \`transferEntireBalance\` is` + ` required.`,
  'TransferNetworkCurrency.amount':
    `Amount to transfer. ${AMOUNT} Exactly one of an amount and` + ` \`transferEntireBalance\` is required.`,
  'TransferNetworkCurrency.lamports':
    `Amount to transfer. ${AMOUNT} Exactly one of an amount and` + ` \`transferEntireBalance\` is required.`,
  'TradeLeg.amount': `Amount that the leg moves. ${AMOUNT}`,
  'TradeLeg.lamports': `Amount that the leg moves. ${AMOUNT}`,
  'Mint.destination': 'Position that receives the minted tokens.',
  'Mint.mintAuthority': 'Mint authority that signs. Default: found from the instrument.',
  'Burn.source': 'Position whose tokens are burned.',
  burnEntireBalance: 'True: burn the whole balance, in place of an amount. Default false.',
  'Transfer.source': 'Position that pays. Its owner signs.',
  'Transfer.destination': 'Position that receives. Must hold the same instrument (400 INSTRUMENT_MISMATCH).',
  'TransferNetworkCurrency.source': 'Account that pays; it signs.',
  'TransferNetworkCurrency.destination': 'Account that receives the network currency.',
  transferEntireBalance: 'True: transfer the whole balance, in place of an amount. Default false.',
  permanentDelegate:
    'True: the permanent delegate of the instrument signs in place of the owner, under its own' +
    ' rights and limits. Default false.',
  unfreezeSource: `True: unfreeze the source in the same transaction before the operation. ${THAWS}`,
  freezeSource: `True: freeze the source in the same transaction after the operation. ${THAWS}`,
  unfreezeDestination: `True: unfreeze the destination in the same transaction before the operation. ${THAWS}`,
  freezeDestination: `True: freeze the destination in the same transaction after the operation. ${THAWS}`,
  offchainBalanceAvailabilityPrecheck:
    'True (default): reject the request if the available balance in the books is' +
    ' too small. False: leave the balance check to the chain. Debit limits always apply.',
  initializeDestinationPositionIfNeeded:
    'True: create the associated token account of the destination in the same' +
    ' transaction if it does not exist. Default false.',
  idempotencyId:
    'Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys:' + ' 400.',
  legs:
    'The movements, 2 to 8, executed in order in one transaction: all of them happen, or none. A later leg may' +
    ' spend what an earlier leg receives.',
  'TradeLeg.source':
    'Who pays. A leg moves an instrument if either side names a position or an instrument,' +
    ' otherwise network currency.',
  'TradeLeg.destination': 'Who receives, in the same instrument or network currency as the source.',

  'ClosePosition.position': 'The position to close. Not found: 404.',
  refundSolToFeePayer:
    'True: the fee payer receives the network currency of the closed position. The default if no' +
    ' `refundSolDestination` is given.',
  refundSolDestination:
    'Account that receives the network currency of the closed position. Default: the fee payer.' +
    ' Rent that a fee payer of another organization paid must return there (400 RENT_OWED).',
  burnRemainingTokenBalance:
    'True: burn the remaining tokens. Excludes `transferRemainingTokenBalanceTo`. Default' + ' false.',
  transferRemainingTokenBalanceTo: 'Position that receives the remaining tokens. Excludes `burnRemainingTokenBalance`.',
  unfreezeIfNeeded:
    'True: unfreeze a frozen position that has a balance, in the same transaction. TOKEN_2022 only.' +
    ' Default false.',
  'ClosePosition.freezeAuthority':
    'Freeze authority that signs if the position is unfrozen. Default: found from the' + ' instrument.',
  'PositionChanges.position': 'The position to change.',
  'PositionChanges.tokenDebitApiKeys':
    'Ids of the only API keys that may debit tokens of the position. null or []:' +
    ' no restriction. Requires the role PLATFORM_UPDATE_DEBIT_API_KEYS.',
}
