// Programs and accounts that the operator supplies, read from files at each start. A program replaces the account at
// its address. An account is created only if it does not exist, because the chain keeps later changes of it.

import { readFile } from 'node:fs/promises'
import type { BankAccount } from './contract.ts'
import { decodeKey } from './base58.ts'

export interface PreloadedState {
  /** Compiled programs (ELF), by address. */
  readonly programs: readonly { readonly address: string; readonly file: string }[]
  /** Files as `solana account --output json` writes them. */
  readonly accounts: readonly string[]
}

export interface GivenAccount {
  /** latin1 of 32 bytes. */
  readonly key: string
  readonly account: BankAccount
  readonly isProgram: boolean
}

/** A file that cannot be used. The message is one sentence. */
export class GivenError extends Error {}

const LOADER = decodeKey('BPFLoader2111111111111111111111111111111111')!
const ELF = Buffer.from('7f454c46', 'hex')
const MAX_U64 = 2n ** 64n - 1n

/** @throws GivenError */
export async function readGiven(
  { programs, accounts }: PreloadedState,
  rentExempt: (length: number) => bigint,
): Promise<GivenAccount[]> {
  const genesisAccounts: GivenAccount[] = []
  for (const { address, file } of programs) {
    const key = decodeKey(address)
    if (key === null) throw new GivenError(`${address} is not an address of a program`)
    const data = await contents(file)
    if (!data.subarray(0, ELF.length).equals(ELF)) throw new GivenError(`${file} is not a compiled program (ELF)`)
    const account = { lamports: rentExempt(data.length), owner: LOADER, data, executable: true }
    genesisAccounts.push({ key: key.toString('latin1'), account, isProgram: true })
  }
  for (const file of accounts) genesisAccounts.push(accountIn(file, await contents(file)))
  return genesisAccounts
}

async function contents(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new GivenError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
  }
}

interface Shape {
  readonly pubkey?: unknown
  readonly account?: {
    readonly lamports?: unknown
    readonly data?: unknown
    readonly owner?: unknown
    readonly executable?: unknown
  } | null
}

function accountIn(file: string, bytes: Buffer): GivenAccount {
  const { pubkey, account } = shapeOf(file, bytes)
  const [text, encoding] = Array.isArray(account?.data) ? (account.data as unknown[]) : []
  const key = decodeKey(String(pubkey))
  const owner = decodeKey(String(account?.owner))
  const lamports = lamportsOf(account?.lamports)
  const data = typeof text === 'string' && encoding === 'base64' ? Buffer.from(text, 'base64') : null
  if (
    key === null ||
    owner === null ||
    lamports === null ||
    data === null ||
    data.toString('base64') !== text ||
    account?.executable === true
  ) {
    throw new GivenError(
      `${file} is not an account as solana account --output json writes it, with base64 data, and not executable`,
    )
  }
  return { key: key.toString('latin1'), account: { lamports, owner, data, executable: false }, isProgram: false }
}

function shapeOf(file: string, bytes: Buffer): Shape {
  try {
    return (JSON.parse(bytes.toString('utf8')) ?? {}) as Shape
  } catch {
    throw new GivenError(`${file} is not JSON`)
  }
}

/** Lamports beyond 2^53 are given as text. */
function lamportsOf(value: unknown): bigint | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !/^[1-9]\d{0,19}$/.test(text)) return null
  const lamports = BigInt(text)
  return lamports <= MAX_U64 ? lamports : null
}
