// Token balances, supply, and token accounts by owner, delegate and mint.

import type { Bank, KeyedAccount } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { sameBytes } from '../../accounts.ts'
import { ByteReader } from '../bytes.ts'
import { viewAt, viewOf, withContext } from '../context.ts'
import { accountFormOf, encodedAccount } from '../encode/account.ts'
import { isMintData, isTokenAccountData, isTokenProgram, mintDisplay } from '../encode/mint.ts'
import type { MintDisplay } from '../encode/mint.ts'
import { uiTokenAmount } from '../encode/ui-amount.ts'
import { invalidParams } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { addressOf, configAt, isRecord, requireCount, wrongType } from '../params.ts'
import type { Params } from '../params.ts'

const LARGEST_ACCOUNTS = 20
const AMOUNT_OFFSET = 64
const DELEGATE_OFFSET = 72

interface TokenScope {
  readonly program: string
  readonly mint: Uint8Array | null
}

export function tokenMethods(bank: Bank): MethodTable {
  return {
    getTokenAccountBalance: (params) => {
      requireCount(params, 1)
      const address = addressOf(params[0])
      const { slot } = viewAt(bank, params, 1)
      const account = bank.account(address)
      if (account === null) throw invalidParams('Invalid param: could not find account')
      if (!isTokenProgram(encodeBase58(account.owner)) || !isTokenAccountData(account.data)) {
        throw invalidParams('Invalid param: not a Token account')
      }
      const mint = requiredMint(bank, account.data.subarray(0, 32))
      return withContext(slot, uiTokenAmount(amountOf(account.data), mint.decimals, mint.multiplier))
    },
    getTokenSupply: (params) => {
      requireCount(params, 1)
      const address = addressOf(params[0])
      const { slot } = viewAt(bank, params, 1)
      const account = bank.account(address)
      if (account === null) throw invalidParams('Invalid param: could not find account')
      if (!isTokenProgram(encodeBase58(account.owner))) throw invalidParams('Invalid param: not a Token mint')
      if (!isMintData(account.data)) throw invalidParams('Invalid param: mint could not be unpacked')
      const mint = requiredMint(bank, address)
      return withContext(slot, uiTokenAmount(new ByteReader(account.data, 36).u64(), mint.decimals, mint.multiplier))
    },
    getTokenLargestAccounts: (params) => {
      requireCount(params, 1)
      const address = addressOf(params[0])
      const { slot } = viewAt(bank, params, 1)
      const mint = requiredMint(bank, address)
      return withContext(slot, largestAccounts(bank, address, mint))
    },
    getTokenAccountsByOwner: (params) =>
      keyedAccounts(bank, params, (owner, scope) => within(scope, bank.tokenAccountsByOwner(owner))),
    getTokenAccountsByDelegate: (params) =>
      keyedAccounts(bank, params, (delegate, scope) => delegatedTo(bank, delegate, scope)),
  }
}

function amountOf(data: Uint8Array): bigint {
  return new ByteReader(data, AMOUNT_OFFSET).u64()
}

function requiredMint(bank: Bank, address: Uint8Array): MintDisplay {
  const mint = mintDisplay(bank, address)
  if (mint !== null) return mint
  throw invalidParams(
    bank.account(address) === null ? 'Invalid param: could not find mint' : 'Invalid param: not a Token mint',
  )
}

function largestAccounts(bank: Bank, address: Uint8Array, mint: MintDisplay): unknown {
  const balances: { readonly address: Uint8Array; readonly raw: bigint }[] = []
  for (const { address: holder, account } of bank.tokenAccountsByMint(address)) {
    balances.push({ address: holder, raw: amountOf(account.data) })
  }
  balances.sort((left, right) =>
    left.raw === right.raw ? Buffer.compare(right.address, left.address) : left.raw < right.raw ? 1 : -1,
  )
  return balances.slice(0, LARGEST_ACCOUNTS).map((entry) => ({
    address: encodeBase58(entry.address),
    ...uiTokenAmount(entry.raw, mint.decimals, mint.multiplier),
  }))
}

/** Parses `{ mint }` or `{ programId }`. */
function scopeOf(bank: Bank, value: unknown): TokenScope {
  if (!isRecord(value)) throw wrongType(value, 'enum RpcTokenAccountsFilter')
  if (Object.hasOwn(value, 'mint')) {
    const mint = addressOf(value['mint'])
    return { program: requiredMint(bank, mint).program, mint }
  }
  if (!Object.hasOwn(value, 'programId')) throw invalidParams('Invalid params: expected one of `mint`, `programId`.')
  const program = encodeBase58(addressOf(value['programId']))
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id')
  return { program, mint: null }
}

function keyedAccounts(
  bank: Bank,
  params: Params,
  find: (address: Uint8Array, scope: TokenScope) => Iterable<KeyedAccount>,
): unknown {
  requireCount(params, 2)
  const address = addressOf(params[0])
  const config = configAt(params, 2)
  const form = accountFormOf(config, 'binary')
  const { slot } = viewOf(bank, config)
  const matches = [...find(address, scopeOf(bank, params[1]))]
  matches.sort((left, right) => Buffer.compare(left.address, right.address))
  const accounts = matches.map((keyed) => ({
    account: encodedAccount(bank, keyed.account, form),
    pubkey: encodeBase58(keyed.address),
  }))
  return withContext(slot, accounts)
}

function* within(scope: TokenScope, accounts: Iterable<KeyedAccount>): Iterable<KeyedAccount> {
  for (const keyed of accounts) {
    if (encodeBase58(keyed.account.owner) !== scope.program) continue
    if (scope.mint === null || sameBytes(keyed.account.data.subarray(0, 32), scope.mint)) yield keyed
  }
}

function* delegatedTo(bank: Bank, delegate: Uint8Array, scope: TokenScope): Iterable<KeyedAccount> {
  const all =
    scope.mint === null ? bank.accountsByProgram(addressOf(scope.program)) : bank.tokenAccountsByMint(scope.mint)
  for (const keyed of within(scope, all)) {
    const { data } = keyed.account
    if (!isTokenAccountData(data) || data[DELEGATE_OFFSET] !== 1) continue
    if (sameBytes(data.subarray(DELEGATE_OFFSET + 4, DELEGATE_OFFSET + 36), delegate)) yield keyed
  }
}
