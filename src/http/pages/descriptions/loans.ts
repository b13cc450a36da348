// Descriptions of loans and lending strategies.
import type { Descriptions } from './describe.ts'

const RATE = 'In hundredths of a basis point: 1000000 is 100 %.'
const POLICY = 'To change: also requires the role ACCOUNT_POLICY_WRITE.'
const ITEM_AMOUNT = 'Give `amount` or `lamports`, or both if they agree.'

export const LOANS: Descriptions = {
  'NewOnchainDataSource.defiProtocol': 'Provider of the feed: PUBLISHED_FEED, the built-in one.',
  'OnchainDataSource.defiProtocol': 'Provider of the feed: PUBLISHED_FEED, the built-in one.',
  defiProtocol: 'Lending protocol: ESCROW_VAULT, the built-in one, or another that the service has an adapter for.',
  'LoanDuration.code': 'Unit of time. A month is 30 days, a year 365 days.',
  'LoanDuration.unit': 'Number of units of time, 1 to 100000, and at most 1000 years.',
  'NewLoan.duration': 'Term of the loan; at most, and by default, the term of the strategy.',
  'RefinanceLoan.duration': 'New term of the loan; at most, and by default, the term of the strategy.',
  'NewLoanStrategy.duration': 'The longest term, and the default term, of a loan of this strategy.',
  'LoanStrategyChanges.duration':
    'The longest term, and the default term, of new loans. Existing loans keep their' + ' term.',
  'LoanStrategy.duration': 'The longest term, and the default term, of a loan of this strategy.',

  strategy: 'Reference to the strategy.',
  'strategy.offchainId': 'Id of the strategy, a UUID.',
  strategyAccount: 'The vault: a managed wallet that owns the position in the principal instrument.',
  'NewLoanStrategy.financialInstrument':
    'The principal instrument, which the vault lends. A vault has one strategy' + ' per principal instrument.',
  'LoanStrategy.financialInstrument': 'The principal instrument, which the vault lends.',
  collateral:
    `The instruments accepted as collateral, with the terms of each. A loan keeps the terms of its` +
    ` origination. ${POLICY}`,
  'collateral.financialInstrument': 'Instrument that can be pledged.',
  'collateral.apy':
    `Yearly interest rate of a loan secured by this instrument; with several, the highest applies.` + ` ${RATE}`,
  'collateral.loanToValueRatio':
    'Part of the value of the collateral that may be owed (principal and interest of' +
    ' the whole term) at' +
    ` origination, withdrawal and refinance. At most \`liquidationRatio\` (400 STRATEGY_TERMS_INVALID). ${RATE}`,
  'collateral.liquidationRatio': `Part of the value of the collateral above which a debt can be liquidated. ${RATE}`,
  maxPriceAgeSeconds: 'Age in seconds above which the price of the instrument is stale (400 PRICE_STALE).',
  'collateral.onchainDataSource':
    'Price feed of the collateral. Default: the only PRICE feed of the organization of' +
    ' the strategy for the instrument; none or several: 400.',
  'NewLoanStrategy.onchainDataSource':
    'Price feed of the principal. Default: the only PRICE feed of the' +
    ' organization of the strategy for the instrument; none or several: 400. All feeds of a strategy are in one' +
    ' unit of account.',
  'LoanStrategyChanges.onchainDataSource': `New price feed of the principal. ${POLICY}`,
  'LoanStrategy.onchainDataSource': 'Price feed of the principal.',
  borrowers:
    'Organizations that may borrow. Absent or null: the organizations of the tenant of the strategy. An' +
    ' organization of another tenant requires a `cap`.',
  'StrategyBorrower.organizationExternalId': 'External id of the organization.',
  'borrowers.organizationExternalId': 'External id of the organization.',
  cap: 'The largest outstanding principal of the organization, in display units. null: no limit.',
  exemptFromDebitLimits: 'True: what the vault lends does not count against its debit limits.',
  originationsEnabled: 'False: the strategy makes no new loans.',
  originationCap: 'The largest principal of one loan, in display units (400 INSUFFICIENT_PRINCIPAL). null: no limit.',
  liquidityBuffer:
    `Part of all principal, lent or not, that must remain in the vault (400 INSUFFICIENT_PRINCIPAL).` +
    ` null: 0. ${RATE}`,
  'LoanStrategy.offchainId': 'Id of the strategy, a UUID.',
  newStrategy: 'Ids of the created strategy: `offchainId` of the strategy, `onchainId` of the vault.',
  updatedStrategy: 'Ids of the changed strategy: `offchainId` of the strategy, `onchainId` of the vault.',

  lendingDetails: 'Who lends, and the terms that the borrower expects.',
  loanStrategyAddress: 'Address of the vault that lends. Each borrowed item takes the strategy of its instrument.',
  expectedLoanValues: 'The terms that the borrower expects. Worse terms of the strategy: 400 LOAN_TERMS_CHANGED.',
  itemsToBorrow: 'What is borrowed, one item per instrument. A loan holds at most 5 items.',
  itemsToPledge: 'What is pledged as collateral, transferred to the escrow. A loan holds at most 5 items.',
  itemsToDeposit: 'Collateral to add, transferred from the borrower to the escrow.',
  itemsToWithdraw:
    'Collateral to withdraw, transferred from the escrow to the borrower. The loan must remain within' +
    ' its ratios (400 LOAN_UNHEALTHY, LTV_EXCEEDED).',
  itemsToRepay: 'What is repaid from the borrower to the vault. A payment settles interest first.',
  itemsToRelease: 'Collateral to release, transferred from the escrow to the borrower.',
  positionLookup: 'Position of the borrower in the instrument of the item.',
  transferTo: 'Position that receives the borrowed amount in place of the position of the borrower.',
  transferFrom:
    'Position that supplies the amount in place of the position of the borrower; its owner signs.' +
    ' Rejected on creation for instruments whose positions are frozen by default.',
  mintAsset:
    'True: the amount is minted to the supplying position first; the mint authority signs. Default false.' +
    ' Rejected on creation for instruments whose positions are frozen by default.',
  'ItemToBorrow.amount': `Amount to borrow. ${ITEM_AMOUNT}`,
  'ItemToBorrow.lamports': `Amount to borrow. ${ITEM_AMOUNT}`,
  'LoanItem.amount': `Amount of the item. ${ITEM_AMOUNT}`,
  'LoanItem.lamports': `Amount of the item. ${ITEM_AMOUNT}`,
  'ItemToRepay.amount': `Amount to repay. ${ITEM_AMOUNT} Exactly one of an amount and \`repayAll\` is required.`,
  'ItemToRepay.lamports': `Amount to repay. ${ITEM_AMOUNT} Exactly one of an amount and \`repayAll\` is required.`,
  repayAll: 'True: repay principal and interest in full, to the instant the transaction is built. Default false.',
  escrow: 'The escrow account that identifies the loan.',
  'NewLoan.escrow':
    'The escrow account to create, which holds the collateral. Its key is made by the service: a' +
    ' key, an `onchainId` or `managed: false` is rejected with 400.',
  computeEstimatedInterestUntil: 'Instant that `estimatedInterest` is computed for, ISO 8601. Default: now.',
  newLoan: 'Ids of the escrow of the new loan.',
  updatedLoan: 'Ids of the escrow of the changed loan.',
  closedLoan: 'Ids of the escrow of the closed loan.',

  'Loan.status': 'OPEN, or CLOSED after Close Loan.',
  lifecycleState:
    'PENDING: nothing is lent yet; ACTIVE; OVERDUE: debt remains after the term; LIQUIDATABLE: the' +
    ' debt exceeds the liquidation ratio at fresh prices; REPAID: no debt is left; CLOSED.',
  'Loan.escrow': 'The escrow account that holds the collateral.',
  pledgedItems: 'The collateral that the escrow holds.',
  pledgedAmount: 'Amount of the instrument in the escrow, in display units.',
  'pledgedItems.accountDetails': 'Position of the escrow in the instrument.',
  borrowedItems: 'The debts of the loan, one per borrowed instrument.',
  'borrowedItems.apy': `Yearly interest rate, linear on a 365-day year. ${RATE}`,
  'borrowedItems.loanToValueRatio': `The lowest loan-to-value ratio among the pledged instruments. ${RATE}`,
  'borrowedItems.liquidationRatio': `The lowest liquidation ratio among the pledged instruments. ${RATE}`,
  principalDue: 'Principal of the debt, in display units.',
  principalRepaid: 'Principal that has been repaid, in display units.',
  interestPerSecond: 'Interest that accrues in a second on the outstanding principal, in display units.',
  'borrowedItems.duration': 'Term of the debt.',
  lastInterestUpdateTime: 'Instant that interest was last settled to, ISO 8601 in UTC.',
  startTime: 'Start of the term, ISO 8601 in UTC.',
  endTime: 'End of the term, ISO 8601 in UTC.',
  'borrowedItems.accountDetails': 'Position of the borrower in the instrument.',
  marketData: 'Latest prices of the instruments of the loan.',
  'marketData.financialInstrument': 'The instrument that the price is of.',
  oracle: 'The price feed.',
  'marketData.price': 'Price of one display unit in the unit of account; null: none published.',
  priceAt: 'Time of the price, ISO 8601 in UTC; null: none published.',
  'marketData.stale': 'True if the price is missing or older than the terms of the loan allow.',
  currentLoanToValue:
    `Debt (principal and interest of the whole term) relative to the value of the collateral; null` +
    ` without prices, or for collateral worth next to nothing. ${RATE}`,
}
