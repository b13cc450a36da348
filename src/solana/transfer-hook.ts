/**
 * Resolves the extra accounts that a transfer needs for the mint's hook program (transfer hook interface and TLV
 * account resolution of the SPL): the accounts of the program's list for the mint, in order, then the program and the
 * list itself. Pure: the caller provides the account data.
 */
import { hash } from 'node:crypto'
import { addressBytes, addressOf } from './address.ts'
import { AccountBytes } from './account-bytes.ts'
import { programAddress } from './derive.ts'
import { FormatError } from './format-error.ts'
import type { AccountMeta } from './message.ts'

const EXECUTE = hash('sha256', 'spl-transfer-hook-interface:execute', 'buffer').subarray(0, 8)
const LIST_SEED = Buffer.from('extra-account-metas')
const ENTRY_BYTES = 35
const MAX_ACCOUNTS = 64
const CONFIGURATION_BYTES = 32
/** An entry derived from another program: the account at this index, less 128. */
const OTHER_PROGRAM = 128

export interface HookedTransfer {
  readonly program: string
  readonly mint: string
  readonly source: string
  readonly destination: string
  readonly authority: string
  /** Raw units. */
  readonly amount: bigint
}

/** Data of an account; null if the account does not exist. */
export type AccountData = (address: string) => Uint8Array | null

/** Address of the account in which a hook program lists the extra accounts for transfers of a mint. */
export function extraAccountListAddress(mint: string, program: string): string {
  return programAddress([LIST_SEED, addressBytes(mint)], program).address
}

/**
 * @param list data of the list's account; null if there is none: then only the program is needed
 * @throws FormatError LAYOUT_MALFORMED when the list cannot be resolved
 */
export function hookAccounts(transfer: HookedTransfer, list: Uint8Array | null, dataOf: AccountData): AccountMeta[] {
  const program: AccountMeta = { address: transfer.program, signer: false, writable: false }
  if (list === null) return [program]
  const listAt: AccountMeta = {
    address: extraAccountListAddress(transfer.mint, transfer.program),
    signer: false,
    writable: false,
  }
  // The program receives these read-only and without their signatures, whatever rights the transfer has.
  const accounts = [transfer.source, transfer.mint, transfer.destination, transfer.authority].map(
    (address): AccountMeta => ({ address, signer: false, writable: false }),
  )
  accounts.push(listAt)
  const given = accounts.length
  const data = executeData(transfer.amount)
  for (const entry of entriesOf(new AccountBytes(list))) {
    const address = resolve(entry, transfer.program, accounts, { data, dataOf })
    accounts.push(deEscalated({ address, signer: entry.flag(33), writable: entry.flag(34) }, accounts))
  }
  return [...accounts.slice(given), program, listAt]
}

/** The data the token program passes to the hook: its instruction, and the amount. */
function executeData(amount: bigint): AccountBytes {
  const data = Buffer.alloc(16)
  EXECUTE.copy(data)
  data.writeBigUInt64LE(amount, 8)
  return new AccountBytes(data)
}

/**
 * The list is a TLV entry of the account: 8 bytes that name the instruction, length u32, then a count and the entries.
 */
function entriesOf(account: AccountBytes): AccountBytes[] {
  for (let at = 0; at + 12 <= account.length;) {
    const length = account.u32(at + 8)
    if (matches(account, at)) return split(account.part(at + 12, length))
    at += 12 + length
  }
  throw malformed('the list of extra accounts is not one for transfers')
}

function matches(account: AccountBytes, at: number): boolean {
  return EXECUTE.every((byte, index) => account.u8(at + index) === byte)
}

function split(list: AccountBytes): AccountBytes[] {
  const count = list.u32(0)
  if (4 + count * ENTRY_BYTES > list.length) throw malformed('the list names more accounts than it holds')
  if (count > MAX_ACCOUNTS) throw malformed('the list names more accounts than a transaction can hold')
  return Array.from({ length: count }, (_, index) => list.part(4 + index * ENTRY_BYTES, ENTRY_BYTES))
}

/** The first byte of an entry determines how the next 32 are read. */
function resolve(
  entry: AccountBytes,
  program: string,
  accounts: readonly AccountMeta[],
  { data, dataOf }: { readonly data: AccountBytes; readonly dataOf: AccountData },
): string {
  const kind = entry.u8(0)
  if (kind === 0) return entry.address(1)
  const configuration = entry.part(1, CONFIGURATION_BYTES)
  const read: Sources = { accounts, data, dataOf }
  if (kind === 1) return programAddress(seedsOf(configuration, read), program).address
  if (kind === 2) return addressIn(configuration, read)
  if (kind >= OTHER_PROGRAM)
    return programAddress(seedsOf(configuration, read), accountAt(read, kind - OTHER_PROGRAM)).address
  throw malformed('an extra account is of no known kind')
}

interface Sources {
  readonly accounts: readonly AccountMeta[]
  readonly data: AccountBytes
  readonly dataOf: AccountData
}

function accountAt({ accounts }: Sources, index: number): string {
  const account = accounts[index]
  if (account === undefined) throw malformed('an extra account is derived from one that comes later')
  return account.address
}

function dataAt(sources: Sources, index: number): AccountBytes {
  const address = accountAt(sources, index)
  const found = sources.dataOf(address)
  if (found === null)
    throw malformed(`an extra account is derived from the data of ${address}, where there is no account`)
  return new AccountBytes(found)
}

/**
 * Packed seeds up to a zero byte or the end: literals, slices of the instruction or of an account's data, addresses of
 * accounts.
 */
function seedsOf(configuration: AccountBytes, sources: Sources): Uint8Array[] {
  const seeds: Uint8Array[] = []
  for (let at = 0; at < configuration.length;) {
    const kind = configuration.u8(at)
    if (kind === 0) break
    if (kind === 1) {
      const length = configuration.u8(at + 1)
      seeds.push(configuration.bytes(at + 2, length))
      at += 2 + length
    } else if (kind === 2) {
      seeds.push(sources.data.bytes(configuration.u8(at + 1), configuration.u8(at + 2)))
      at += 3
    } else if (kind === 3) {
      seeds.push(addressBytes(accountAt(sources, configuration.u8(at + 1))))
      at += 2
    } else if (kind === 4) {
      seeds.push(dataAt(sources, configuration.u8(at + 1)).bytes(configuration.u8(at + 2), configuration.u8(at + 3)))
      at += 4
    } else throw malformed('a seed of an extra account is of no known kind')
  }
  return seeds
}

/** An address stored in the instruction's data, or in an account's. */
function addressIn(configuration: AccountBytes, sources: Sources): string {
  const kind = configuration.u8(0)
  if (kind === 1) return addressOf(sources.data.bytes(configuration.u8(1), 32))
  if (kind === 2) return addressOf(dataAt(sources, configuration.u8(1)).bytes(configuration.u8(2), 32))
  throw malformed('the place of an extra account is of no known kind')
}

/** An account that is already present gets no more rights than it has. */
function deEscalated(account: AccountMeta, before: readonly AccountMeta[]): AccountMeta {
  const same = before.filter(({ address }) => address === account.address)
  if (same.length === 0) return account
  return {
    address: account.address,
    signer: account.signer && same.some(({ signer }) => signer),
    writable: account.writable && same.some(({ writable }) => writable),
  }
}

function malformed(what: string): FormatError {
  return new FormatError('LAYOUT_MALFORMED', what)
}
