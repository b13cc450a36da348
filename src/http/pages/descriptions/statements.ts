// Descriptions of statements, and of the discovery of token accounts.
import type { Descriptions } from './describe.ts'

export const STATEMENTS: Descriptions = {
  'NewStatement.account': 'Account: the statement covers its network currency and all positions that it owns.',
  'NewStatement.position':
    'Position, by a position lookup or an account lookup that names it: the statement covers its tokens and the' +
    ' network currency of its token account. By owner and instrument: the latest closed one if none is open.',
  'NewStatement.organization':
    'External id of the organization that the request acts for: the statement covers all of its records.',
  'NewStatement.from':
    'Start, inclusive, ISO 8601. Movements of records older than a release without statements are known from its' +
    ' upgrade on.',
  'NewStatement.to':
    'End, exclusive, ISO 8601. Absent: now. A statement never ends later than its movements are final.',
  'NewStatement.format': 'JSON, or CSV with one row for each opening balance, movement and closing balance.',
  'Statement.from': 'Start, inclusive, ISO 8601 in UTC.',
  'Statement.to':
    'End, exclusive, ISO 8601 in UTC: the end asked for, or the time until which movements are final, if that is earlier.',
  'Statement.balances':
    'One entry for each balance that was not zero at the start or moved. The opening balance and the amounts of the' +
    ' movements add up to the closing balance exactly.',
  'StatementBalance.account': 'Account or token account that holds the balance.',
  'StatementBalance.account.name': 'Name of the record, else its account number or code.',
  'StatementBalance.ownerOnchainId': 'Address of the owner of a token account; null: not a token account.',
  'StatementBalance.financialInstrument': 'Instrument of the balance; null: network currency.',
  'StatementBalance.symbol': 'Symbol of the instrument or of the network currency; null: none known.',
  openingBalance: 'Balance before the first movement.',
  'StatementBalance.movements':
    'Movements of the interval, in order: one for each payment of a transaction, and one for the rest of what it moved.',
  closingBalance: 'Balance after the last movement.',
  'StatementMovement.time': 'Time at which the records took the movement, ISO 8601 in UTC.',
  'StatementMovement.kind':
    "TRANSACTION: of this service, made or signed by the organization's tenant. OUTSIDE: anything else that the chain" +
    ' shows. ONBOARDED: the balance that the account had when its record was made.',
  'StatementMovement.amount':
    'Change of the balance, `fee` and `rent` included; negative for a debit. Fee and rent are in a movement of their own' +
    ' if the transaction made several payments.',
  'StatementMovement.from': 'Parties that gave the amount; empty: not known.',
  'StatementMovement.to': 'Parties that received the amount; empty: not known, or nothing but the fee was paid.',
  'StatementMovement.fee':
    'Fee that the account paid for the transaction, part of the amount, in display units of the network currency.',
  'StatementMovement.rent':
    'Rent that the account paid for other accounts, part of the amount, in display units of the network currency.',
  'StatementMovement.itemReferences':
    'Reference of the item of a batch that the payment belongs to, of all items of the transaction if it concerns them' +
    ' all; empty: none, or not readable by the caller.',
  'StatementMovement.operation':
    'Endpoint that made the transaction; null: not a transaction that the caller may read.',
  'StatementMovement.transaction':
    'Transaction of the movement; null: not one of this service that the tenant made or signed.',
  'StatementMovement.transaction.offchainId':
    'Id of the transaction, a UUID; null: made by another tenant or organization, and not readable by the caller.',
  balanceAfter: 'Balance after the movement.',
  'StatementParty.ownerOnchainId': 'Address of the owner of a token account; null: not a token account, or not known.',
  'Discovery.owner': 'Owner of the token accounts. Without a record: `onchainId` with `offPlatform`.',
  discovered: 'What was found and recorded.',
  'Discovered.owner': 'Owner of the token accounts; `offchainId` is null without a record.',
  'Discovered.foundCount': 'Number of token accounts of the owner on chain, under both token programs.',
  'Discovered.added': 'Token accounts that are on record now, at most 100 for a request.',
  'Discovered.added.offchainId': 'Id of the new record, a UUID; null: dry run.',
  'Discovered.known': 'Token accounts that were on record already.',
  'Discovered.newFinancialInstruments': 'Instruments that were recorded for them.',
  'Discovered.skipped': 'Token accounts that were not recorded, and why.',
  'SkippedAccount.financialInstrumentOnchainId': 'Address of the mint; null: not a token account.',
  'SkippedAccount.reason':
    'NOT_A_TOKEN_ACCOUNT: the node named an account that is none of the owner; INSTRUMENT_NOT_ON_RECORD: recording' +
    ' its instrument requires INSTRUMENTS_WRITE; INSTRUMENT_REFUSED, ACCOUNT_REFUSED: see `message`; LIMIT: repeat the request.',
  'SkippedAccount.message': 'Why the account was not recorded.',
  'DiscoveryDryRun.dryRun': 'What would be recorded. Nothing was changed.',
  'StatementParty.name':
    'Name of the record or of the counterparty at the address, else of the owner; null: none on record.',
}
