// Methods that read accounts: one, many, a balance, all of a program.

import type { Bank, BankAccount, KeyedAccount } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { viewAt, viewOf, withContext } from '../context.ts'
import { accountFormOf, encodedAccount } from '../encode/account.ts'
import type { AccountForm } from '../encode/account.ts'
import { isTokenProgram } from '../encode/mint.ts'
import { invalidParams } from '../error.ts'
import { filtersOf, passesFilters } from '../filters.ts'
import type { Filter } from '../filters.ts'
import type { MethodTable } from '../method.ts'
import { addressOf, arrayOf, booleanOf, configAt, requireCount } from '../params.ts'
import type { Params } from '../params.ts'

const MAX_ACCOUNTS = 100
const TOKEN_OWNER_OFFSET = 32
const TOKEN_MINT_OFFSET = 0

export function accountMethods(bank: Bank): MethodTable {
  const encoded = (account: BankAccount | null, form: AccountForm): unknown =>
    account === null ? null : encodedAccount(bank, account, form)

  return {
    getAccountInfo: (params) => {
      requireCount(params, 1)
      const address = addressOf(params[0])
      const config = configAt(params, 1)
      const form = accountFormOf(config, 'binary')
      return withContext(viewOf(bank, config).slot, encoded(bank.account(address), form))
    },
    getMultipleAccounts: (params) => {
      requireCount(params, 1)
      const texts = arrayOf(params[0])
      if (texts.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`)
      const addresses = texts.map(addressOf)
      const config = configAt(params, 1)
      const form = accountFormOf(config, 'base64')
      const accounts = addresses.map((address) => encoded(bank.account(address), form))
      return withContext(viewOf(bank, config).slot, accounts)
    },
    getBalance: (params) => {
      requireCount(params, 1)
      const address = addressOf(params[0])
      return withContext(viewAt(bank, params, 1).slot, bank.account(address)?.lamports ?? 0n)
    },
    getProgramAccounts: (params) => programAccounts(bank, params),
  }
}

function programAccounts(bank: Bank, params: Params): unknown {
  requireCount(params, 1)
  const program = addressOf(params[0])
  const config = configAt(params, 1)
  const form = accountFormOf(config, 'binary')
  const filters = filtersOf(config['filters'])
  const contextWanted = booleanOf(config['withContext'], false)
  const sorted = booleanOf(config['sortResults'], true)
  const { slot } = viewOf(bank, config)
  const matches: KeyedAccount[] = []
  for (const keyed of candidates(bank, program, filters)) if (passesFilters(filters, keyed.account)) matches.push(keyed)
  if (sorted) matches.sort((left, right) => Buffer.compare(left.address, right.address))
  const accounts = matches.map(({ address, account }) => ({
    account: encodedAccount(bank, account, form),
    pubkey: encodeBase58(address),
  }))
  return contextWanted ? withContext(slot, accounts) : accounts
}

// A filter for the mint or the owner of token accounts uses their index instead of scanning the whole program.
function* candidates(bank: Bank, program: Uint8Array, filters: readonly Filter[]): Iterable<KeyedAccount> {
  const programText = encodeBase58(program)
  const index = isTokenProgram(programText) ? tokenIndex(bank, filters) : null
  if (index === null) yield* bank.accountsByProgram(program)
  else for (const keyed of index) if (encodeBase58(keyed.account.owner) === programText) yield keyed
}

function tokenIndex(bank: Bank, filters: readonly Filter[]): Iterable<KeyedAccount> | null {
  const tokenAccountsOnly = filters.some(
    (filter) => filter.kind === 'tokenAccountState' || (filter.kind === 'dataSize' && filter.size === 165),
  )
  if (!tokenAccountsOnly) return null
  for (const filter of filters) {
    if (filter.kind !== 'memcmp' || filter.bytes.length !== 32) continue
    if (filter.offset === TOKEN_OWNER_OFFSET) return bank.tokenAccountsByOwner(filter.bytes)
    if (filter.offset === TOKEN_MINT_OFFSET) return bank.tokenAccountsByMint(filter.bytes)
  }
  return null
}
