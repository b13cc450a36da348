// All routes of the service; those of loans and of operators are in files of their own.
import { accountBalance } from '../operations/accounts/balance.ts'
import { accountDetails } from '../operations/accounts/details.ts'
import { accountPrivateKey } from '../operations/accounts/private-key.ts'
import { approveTransaction } from '../operations/signing/approve.ts'
import { attestTransaction } from '../operations/signing/attest.ts'
import { burnTokens } from '../operations/positions/burn.ts'
import { changeAuthorities } from '../operations/instruments/change-authorities.ts'
import { circulatingSupply } from '../operations/instruments/circulating-supply.ts'
import { closeInstrument } from '../operations/instruments/close.ts'
import { closePosition } from '../operations/positions/close.ts'
import { createAccount } from '../operations/accounts/create.ts'
import { createDataSource } from '../operations/market-data/create.ts'
import { createInstrument } from '../operations/instruments/create.ts'
import { createLookupTable } from '../operations/lookup-tables/create.ts'
import { createNonces } from '../operations/nonces/create.ts'
import { dataSourceDetails } from '../operations/market-data/data-source-details.ts'
import { extendLookupTable } from '../operations/lookup-tables/extend.ts'
import { fetchDataSources } from '../operations/market-data/fetch.ts'
import { fetchHolders } from '../operations/instruments/holders.ts'
import { fetchNonces } from '../operations/nonces/fetch.ts'
import { inactivateAccount } from '../operations/accounts/inactivate.ts'
import { initializePosition } from '../operations/positions/initialize.ts'
import { instrumentDetails } from '../operations/instruments/details.ts'
import { lookupTableDetails } from '../operations/lookup-tables/details.ts'
import { mintTokens } from '../operations/positions/mint.ts'
import { positionBalance } from '../operations/positions/balance.ts'
import { positionDetails } from '../operations/positions/details.ts'
import { refreshDataSource } from '../operations/market-data/refresh.ts'
import { cancelTransaction } from '../operations/signing/cancel.ts'
import { DATA_SOURCES } from '../operations/views/bulk/data-sources.ts'
import { NONCES } from '../operations/views/bulk/nonces.ts'
import { ACCOUNTS, INSTRUMENTS, LOOKUP_TABLES, POSITIONS, TRANSACTIONS } from '../operations/views/bulk/resources.ts'
import {
  fetchAccounts,
  fetchInstruments,
  fetchLookupTables,
  fetchPositions,
  fetchTransactions,
} from '../operations/views/fetch-bulk.ts'
import { extensionsCalculator } from '../operations/instruments/extensions-calculator.ts'
import { explainTransaction } from '../operations/signing/explain.ts'
import { signTransaction } from '../operations/signing/sign.ts'
import { submitTransaction } from '../operations/signing/submit.ts'
import { pauseInstrument, unpauseInstrument } from '../operations/instruments/switch.ts'
import { freezePosition, unfreezePosition } from '../operations/positions/switch.ts'
import { transactionDetails } from '../operations/signing/details.ts'
import { transactionStatus } from '../operations/signing/status.ts'
import { transferTokens } from '../operations/positions/transfer.ts'
import { trade } from '../operations/positions/trade/trade.ts'
import { transferNetworkCurrency } from '../operations/positions/transfer-network-currency.ts'
import { updateAccount } from '../operations/accounts/update.ts'
import { updateDataSource } from '../operations/market-data/update.ts'
import { updateInstrument } from '../operations/instruments/update.ts'
import { updateLookupTable } from '../operations/lookup-tables/update.ts'
import { discoverAccounts } from '../operations/positions/discover.ts'
import { updatePosition } from '../operations/positions/update.ts'
import { APPROVAL_ROUTES } from './routes-approvals.ts'
import { BATCH_ROUTES } from './routes-batches.ts'
import { DISTRIBUTION_ROUTES } from './routes-distributions.ts'
import { COUNTERPARTY_ROUTES } from './routes-counterparties.ts'
import { LOAN_ROUTES } from './routes-loans.ts'
import { PAYMENT_REQUEST_ROUTES } from './routes-payment-requests.ts'
import { SCHEDULE_ROUTES } from './routes-schedules.ts'
import { OPERATOR_ROUTES } from './routes-operator.ts'
import { STATEMENT_ROUTES } from './routes-statements.ts'
import { group, read, write, type Route } from './route.ts'
import * as accounts from './schemas/account.ts'
import * as answers from './schemas/answers.ts'
import * as levels from './schemas/levels.ts'
import { authorityChanges } from './schemas/authorities.ts'
import { bulkBody } from './schemas/bulk.ts'
import { itemBody, transactionBody } from './schemas/chain-config.ts'
import { discovered, discovery, discoveryDryRun } from './schemas/discovery.ts'
import { holders, holdersBody } from './schemas/holder.ts'
import * as instruments from './schemas/instrument.ts'
import { accountLookup, keyLookup, positionLookup } from './schemas/lookup.ts'
import { accountToCreate } from './schemas/new-account.ts'
import * as tables from './schemas/lookup-table.ts'
import * as marketData from './schemas/market-data.ts'
import * as nonces from './schemas/nonce.ts'
import * as positions from './schemas/position.ts'
import * as transactions from './schemas/transaction.ts'
import { transactionReference } from './schemas/transaction.ts'

export const routes: readonly Route[] = [
  ...group({ tag: 'Accounts', path: '/api/v1/accounts', reads: ['ACCOUNTS_READ'], writes: ['ACCOUNTS_WRITE'] }, [
    write({
      method: 'POST',
      path: '',
      summary: 'Create an account',
      schema: transactionBody(accountToCreate),
      operation: createAccount,
      status: 201,
      transaction: 'if requested',
      conflict: true,
      answer: answers.created('newAccount'),
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update an account',
      schema: itemBody(accounts.accountChanges),
      operation: updateAccount,
      status: 200,
      transaction: 'never',
      answer: answers.changed('updatedAccount'),
    }),
    write({
      method: 'PATCH',
      path: '/inactivate',
      summary: 'Inactivate an account',
      schema: transactionBody(accounts.inactivateAccount),
      operation: inactivateAccount,
      status: 200,
      transaction: 'if requested',
      answer: answers.created('inactivatedAccount'),
    }),
    write({
      method: 'POST',
      path: '/discover',
      summary: 'Record the token accounts of an owner',
      schema: itemBody(discovery),
      operation: discoverAccounts,
      status: 200,
      transaction: 'never',
      answer: discovered,
      dryRunAnswer: discoveryDryRun,
    }),
    read({
      path: '/single',
      summary: 'Fetch an account',
      schema: itemBody(accountLookup),
      operation: accountDetails,
      notFound: true,
      answer: answers.account,
    }),
    read({
      path: '/single/balance',
      summary: 'Fetch the balance of an account',
      schema: itemBody(accountLookup),
      operation: accountBalance,
      notFound: true,
      answer: answers.balance,
    }),
    read({
      path: '/bulk/{detail-level}',
      summary: 'Fetch accounts',
      schema: bulkBody(ACCOUNTS),
      operation: fetchAccounts,
      answer: levels.accounts,
    }),
    read({
      path: '/single/private-key',
      summary: 'Fetch the private key of an account',
      roles: ['PRIVATE_KEY_EXPORT'],
      schema: itemBody(keyLookup),
      operation: accountPrivateKey,
      notFound: true,
      answer: answers.privateKey,
    }),
  ]),

  ...group(
    {
      tag: 'Financial instruments',
      path: '/api/v1/financial-instruments',
      reads: ['INSTRUMENTS_READ'],
      writes: ['INSTRUMENTS_WRITE'],
    },
    [
      write({
        method: 'POST',
        path: '',
        summary: 'Create a financial instrument',
        schema: transactionBody(instruments.newInstrument),
        operation: createInstrument,
        status: 201,
        transaction: 'if requested',
        conflict: true,
        answer: answers.createdInstrument,
      }),
      write({
        method: 'PATCH',
        path: '',
        summary: 'Update a financial instrument',
        schema: transactionBody(instruments.instrumentChanges),
        operation: updateInstrument,
        status: 200,
        transaction: 'if requested',
        notFound: true,
        answer: answers.createdByPlan('updatedFinancialInstrument'),
      }),
      write({
        method: 'PATCH',
        path: '/authorities',
        summary: 'Hand authorities of a financial instrument on, or give them up',
        schema: transactionBody(authorityChanges),
        operation: changeAuthorities,
        status: 200,
        transaction: 'always',
        answer: answers.created('updatedFinancialInstrument'),
      }),
      write({
        method: 'PATCH',
        path: '/pause',
        summary: 'Pause a financial instrument',
        schema: transactionBody(instruments.switchInstrument),
        operation: pauseInstrument,
        status: 200,
        transaction: 'always',
        answer: answers.transactionResult,
      }),
      write({
        method: 'PATCH',
        path: '/unpause',
        summary: 'Unpause a financial instrument',
        schema: transactionBody(instruments.switchInstrument),
        operation: unpauseInstrument,
        status: 200,
        transaction: 'always',
        answer: answers.transactionResult,
      }),
      write({
        method: 'PATCH',
        path: '/close',
        summary: 'Close a financial instrument',
        schema: transactionBody(instruments.closeInstrument),
        operation: closeInstrument,
        status: 200,
        transaction: 'always',
        answer: answers.created('closedFinancialInstrument'),
      }),
      read({
        path: '/single/circulating-supply',
        summary: 'Fetch the circulating supply of a financial instrument',
        schema: itemBody(instruments.circulatingSupply),
        operation: circulatingSupply,
        answer: answers.circulatingSupply,
      }),
      read({
        path: '/holders/bulk',
        summary: 'Fetch the holders of a financial instrument',
        roles: ['POSITIONS_READ'],
        schema: holdersBody,
        operation: fetchHolders,
        answer: holders,
      }),
      read({
        path: '/single',
        summary: 'Fetch a financial instrument',
        schema: itemBody(accountLookup),
        operation: instrumentDetails,
        notFound: true,
        answer: answers.instrument,
      }),
      read({
        path: '/token-extensions-calculator',
        summary: 'Calculate the size and the rent of a mint',
        schema: instruments.extensionsCalculator,
        operation: extensionsCalculator,
        answer: answers.mintSizes,
      }),
      read({
        path: '/bulk/{detail-level}',
        summary: 'Fetch financial instruments',
        schema: bulkBody(INSTRUMENTS),
        operation: fetchInstruments,
        answer: levels.instruments,
      }),
    ],
  ),

  ...group({ tag: 'Positions', path: '/api/v1/positions', reads: ['POSITIONS_READ'], writes: ['POSITIONS_WRITE'] }, [
    write({
      method: 'POST',
      path: '',
      summary: 'Initialize a position',
      schema: transactionBody(positions.newPosition),
      operation: initializePosition,
      status: 201,
      transaction: 'if requested',
      conflict: true,
      answer: answers.created('newPosition'),
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update a position',
      schema: itemBody(positions.positionChanges),
      operation: updatePosition,
      status: 200,
      transaction: 'never',
      answer: answers.changed('updatedPosition'),
    }),
    write({
      method: 'PATCH',
      path: '/freeze',
      summary: 'Freeze a position',
      schema: transactionBody(positions.switchPosition),
      operation: freezePosition,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/unfreeze',
      summary: 'Unfreeze a position',
      schema: transactionBody(positions.switchPosition),
      operation: unfreezePosition,
      status: 200,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/mint',
      summary: 'Mint to a position',
      schema: transactionBody(positions.mint),
      operation: mintTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/burn',
      summary: 'Burn from a position',
      schema: transactionBody(positions.burn),
      operation: burnTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/transfer',
      summary: 'Transfer a financial instrument',
      schema: transactionBody(positions.transfer),
      operation: transferTokens,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/transfer-network-currency',
      summary: 'Transfer network currency',
      schema: transactionBody(positions.transferNetworkCurrency),
      operation: transferNetworkCurrency,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/trade',
      summary: 'Trade: execute several movements atomically',
      schema: transactionBody(positions.trade),
      operation: trade,
      status: 201,
      transaction: 'always',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/close',
      summary: 'Close a position',
      schema: transactionBody(positions.closePosition),
      operation: closePosition,
      status: 200,
      transaction: 'always',
      notFound: true,
      answer: answers.transactionResult,
    }),
    read({
      path: '/single',
      summary: 'Fetch a position',
      schema: itemBody(positionLookup),
      operation: positionDetails,
      notFound: true,
      answer: answers.position,
    }),
    read({
      path: '/single/balance',
      summary: 'Fetch the balance of a position',
      schema: itemBody(positionLookup),
      operation: positionBalance,
      notFound: true,
      answer: answers.balance,
    }),
    read({
      path: '/bulk/{detail-level}',
      summary: 'Fetch positions',
      schema: bulkBody(POSITIONS),
      operation: fetchPositions,
      answer: levels.positions,
    }),
  ]),

  ...BATCH_ROUTES,
  ...DISTRIBUTION_ROUTES,

  ...APPROVAL_ROUTES,

  ...SCHEDULE_ROUTES,

  ...COUNTERPARTY_ROUTES,

  ...PAYMENT_REQUEST_ROUTES,

  ...LOAN_ROUTES,

  ...group(
    {
      tag: 'Address lookup tables',
      path: '/api/v1/address-lookup-tables',
      reads: ['LOOKUP_TABLES_READ'],
      writes: ['LOOKUP_TABLES_WRITE'],
    },
    [
      write({
        method: 'POST',
        path: '',
        summary: 'Create an address lookup table',
        schema: transactionBody(tables.newLookupTable),
        operation: createLookupTable,
        status: 201,
        transaction: 'if requested',
        answer: answers.createdByPlan('newAddressLookupTable'),
      }),
      write({
        method: 'PATCH',
        path: '/extend',
        summary: 'Extend an address lookup table',
        schema: transactionBody(tables.lookupTableExtension),
        operation: extendLookupTable,
        status: 200,
        transaction: 'always',
        answer: answers.createdByPlan('extendedAddressLookupTable'),
      }),
      write({
        method: 'PATCH',
        path: '',
        summary: 'Update, freeze, deactivate or close an address lookup table',
        schema: transactionBody(tables.lookupTableChanges),
        operation: updateLookupTable,
        status: 200,
        transaction: 'if requested',
        answer: answers.created('updatedAddressLookupTable'),
      }),
      read({
        path: '/single',
        summary: 'Fetch an address lookup table',
        schema: itemBody(accountLookup),
        operation: lookupTableDetails,
        answer: answers.lookupTable,
      }),
      read({
        path: '/bulk',
        summary: 'Fetch address lookup tables',
        schema: bulkBody(LOOKUP_TABLES),
        operation: fetchLookupTables,
        answer: answers.page(answers.lookupTable),
      }),
    ],
  ),

  ...group(
    {
      tag: 'Durable nonce accounts',
      path: '/api/v1/durable-nonce-accounts',
      reads: ['NONCES_READ'],
      writes: ['NONCES_WRITE'],
    },
    [
      write({
        method: 'POST',
        path: '',
        summary: 'Create durable nonce accounts',
        schema: transactionBody(nonces.newNonces),
        operation: createNonces,
        status: 201,
        transaction: 'if requested',
        answer: answers.newNonces,
      }),
      read({
        path: '/single',
        summary: 'Fetch durable nonce account details',
        schema: nonces.nonceDetails,
        operation: fetchNonces,
        answer: answers.page(answers.nonceDetails),
      }),
      read({
        path: '/bulk',
        summary: 'Fetch durable nonce accounts',
        schema: bulkBody(NONCES),
        operation: fetchNonces,
        answer: answers.page(answers.nonce),
      }),
    ],
  ),

  ...group(
    {
      tag: 'Market data',
      path: '/api/v1/market-data/onchain-data-source',
      reads: ['MARKET_DATA_READ'],
      writes: ['MARKET_DATA_WRITE'],
    },
    [
      write({
        method: 'POST',
        path: '',
        summary: 'Create an onchain data source',
        schema: transactionBody(marketData.newDataSource),
        operation: createDataSource,
        status: 201,
        transaction: 'always',
        answer: answers.created('newOnchainDataSource'),
      }),
      write({
        method: 'PATCH',
        path: '',
        summary: 'Update the definition of a data source',
        schema: transactionBody(marketData.dataSourceChanges),
        operation: updateDataSource,
        status: 200,
        transaction: 'if requested',
        answer: answers.created('updatedOnchainDataSource'),
      }),
      write({
        method: 'PATCH',
        path: '/refresh',
        summary: 'Refresh a data source',
        schema: transactionBody(marketData.namedDataSource.meta({ id: 'RefreshOnchainDataSource' })),
        operation: refreshDataSource,
        status: 200,
        transaction: 'always',
        answer: answers.refreshedDataSource,
      }),
      read({
        path: '/single',
        summary: 'Fetch a data source',
        schema: itemBody(marketData.namedDataSource),
        operation: dataSourceDetails,
        answer: answers.dataSource,
      }),
      read({
        path: '/bulk',
        summary: 'Fetch data sources',
        schema: bulkBody(DATA_SOURCES),
        operation: fetchDataSources,
        answer: answers.page(answers.dataSource),
      }),
    ],
  ),

  ...group(
    { tag: 'Transactions', path: '/api/v1/transactions', reads: ['TRANSACTIONS_READ'], writes: ['TRANSACTIONS_WRITE'] },
    [
      read({
        path: '/status',
        summary: 'Fetch the status of a transaction',
        schema: itemBody(transactionReference),
        operation: transactionStatus,
        answer: answers.transactionResult,
      }),
      read({
        path: '/single',
        summary: 'Fetch a transaction',
        schema: itemBody(transactionReference),
        operation: transactionDetails,
        answer: answers.transactionRecord,
      }),
      read({
        path: '/bulk/{detail-level}',
        summary: 'Fetch transactions',
        schema: bulkBody(TRANSACTIONS),
        operation: fetchTransactions,
        answer: levels.transactions,
      }),
      read({
        path: '/explain',
        summary: 'Explain a transaction',
        schema: itemBody(transactionReference),
        operation: explainTransaction,
        answer: answers.explanation,
      }),
      write({
        method: 'POST',
        path: '/sign',
        summary: 'Sign a transaction',
        schema: itemBody(transactions.signTransaction),
        operation: signTransaction,
        status: 200,
        transaction: 'never',
        answer: answers.transactionResult,
      }),
      write({
        method: 'POST',
        path: '/submit',
        summary: 'Submit a transaction',
        schema: itemBody(transactions.submitTransaction),
        operation: submitTransaction,
        status: 200,
        transaction: 'never',
        answer: answers.transactionResult,
      }),
      write({
        method: 'POST',
        path: '/approve',
        summary: 'Approve a transaction that exceeds debit limits',
        roles: ['DEBIT_LIMIT_APPROVE'],
        schema: itemBody(transactions.approveTransaction),
        operation: approveTransaction,
        status: 200,
        transaction: 'never',
        answer: answers.transactionResult,
      }),
      write({
        method: 'PATCH',
        path: '/attest',
        summary: 'Attest the outcome of a transaction',
        roles: ['PLATFORM_ADMIN'],
        schema: itemBody(transactions.attestTransaction),
        operation: attestTransaction,
        status: 200,
        transaction: 'never',
        answer: answers.transactionResult,
      }),
      write({
        method: 'PATCH',
        path: '/cancel',
        summary: 'Cancel a transaction',
        roles: ['TRANSACTIONS_WRITE', 'DEBIT_LIMIT_APPROVE'],
        schema: itemBody(transactions.cancelTransaction),
        operation: cancelTransaction,
        status: 200,
        transaction: 'never',
        answer: answers.transactionResult,
      }),
    ],
  ),

  ...STATEMENT_ROUTES,

  ...OPERATOR_ROUTES,
]
