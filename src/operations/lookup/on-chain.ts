// Decodes accounts without a record. null: the account is of another kind.
import { FormatError } from '../../solana/format-error.ts'
import { decodeMint, type Mint } from '../../solana/mint-layout.ts'
import { decodeTokenAccount, type TokenAccount } from '../../solana/token-layout.ts'
import type { ChainAccount } from '../context/platform.ts'

export function tokenAccountIn(account: ChainAccount | null): TokenAccount | null {
  return account === null ? null : decodeOrNull(() => decodeTokenAccount(account.data, account.owner))
}

export function mintIn(account: ChainAccount | null): Mint | null {
  return account === null ? null : decodeOrNull(() => decodeMint(account.data, account.owner))
}

/** null if the data have another format. */
export function decodeOrNull<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
