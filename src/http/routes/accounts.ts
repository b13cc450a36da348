// Routes of accounts.
import { accountBalance } from '../../operations/accounts/balance.ts'
import { accountDetails } from '../../operations/accounts/details.ts'
import { accountPrivateKey } from '../../operations/accounts/private-key.ts'
import { createAccount } from '../../operations/accounts/create.ts'
import { inactivateAccount } from '../../operations/accounts/inactivate.ts'
import { ACCOUNTS } from '../../operations/views/bulk/resources.ts'
import { fetchAccounts } from '../../operations/views/fetch-bulk.ts'
import { updateAccount } from '../../operations/accounts/update.ts'
import { discoverAccounts } from '../../operations/positions/discover.ts'
import { group, read, write, type Route } from '../route.ts'
import * as accounts from '../../contract/schemas/account.ts'
import * as answers from '../../contract/schemas/answers.ts'
import * as levels from '../../contract/schemas/levels.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import { discovered, discovery, discoveryDryRun } from '../../contract/schemas/discovery.ts'
import { accountLookup, keyLookup } from '../../contract/values/lookup.ts'
import { accountToCreate } from '../../contract/schemas/new-account.ts'

export const ACCOUNT_ROUTES: readonly Route[] = group(
  { tag: 'Accounts', path: '/api/v1/accounts', reads: ['ACCOUNTS_READ'], writes: ['ACCOUNTS_WRITE'] },
  [
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
      alsoBare: true,
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
      hasEffects: true,
      notFound: true,
      answer: answers.privateKeyAnswer,
    }),
  ],
)
