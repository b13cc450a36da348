// The state of the chain, read with the standard libraries over a separate connection, without the service.
import { PublicKey } from '@solana/web3.js'
import type { AccountInfo, Connection, VersionedTransactionResponse } from '@solana/web3.js'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, unpackAccount, unpackMint } from '@solana/spl-token'
import type { Account, Mint } from '@solana/spl-token'
import { connectionTo } from '../connection.ts'

export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

export type Version = 'SPL' | 'TOKEN_2022'

export function programOf(version: Version): PublicKey {
  return version === 'SPL' ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID
}

export class Onchain {
  readonly connection: Connection

  constructor(rpcUrl: string) {
    this.connection = connectionTo(rpcUrl, { commitment: 'confirmed' })
    // The library would use a blockhash for 30 s, which is longer than its lifetime on a chain of short slots.
    Object.assign(this.connection, { _disableBlockhashCaching: true })
  }

  account(address: string): Promise<AccountInfo<Buffer> | null> {
    return this.connection.getAccountInfo(new PublicKey(address))
  }

  /** 0 if the account does not exist. */
  async lamports(address: string): Promise<bigint> {
    return BigInt(await this.connection.getBalance(new PublicKey(address)))
  }

  async exists(address: string): Promise<boolean> {
    return (await this.account(address)) !== null
  }

  /** The token account as the library of its owning program reads it. */
  async token(address: string): Promise<Account> {
    const key = new PublicKey(address)
    const info = await this.connection.getAccountInfo(key)
    return unpackAccount(key, info, info?.owner)
  }

  /** Raw units; 0 if the token account does not exist. */
  async tokens(address: string): Promise<bigint> {
    const key = new PublicKey(address)
    const info = await this.connection.getAccountInfo(key)
    return info === null ? 0n : unpackAccount(key, info, info.owner).amount
  }

  async mint(address: string): Promise<Mint> {
    const key = new PublicKey(address)
    const info = await this.connection.getAccountInfo(key)
    return unpackMint(key, info, info?.owner)
  }

  async supply(mint: string): Promise<bigint> {
    return (await this.mint(mint)).supply
  }

  async rent(bytes: number): Promise<bigint> {
    return BigInt(await this.connection.getMinimumBalanceForRentExemption(bytes))
  }

  async transaction(signature: string): Promise<VersionedTransactionResponse> {
    const transaction = await this.connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    if (transaction === null) throw new Error(`no transaction ${signature} on chain`)
    return transaction
  }

  /** Texts of the transaction's memo instructions. */
  async memos(signature: string): Promise<string[]> {
    const { message } = (await this.transaction(signature)).transaction
    const keys = message.staticAccountKeys
    return message.compiledInstructions
      .filter(({ programIdIndex }) => keys[programIdIndex]?.toBase58() === MEMO_PROGRAM)
      .map(({ data }) => Buffer.from(data).toString('utf8'))
  }

  async fee(signature: string): Promise<bigint> {
    return BigInt((await this.transaction(signature)).meta?.fee ?? 0)
  }

  /** Signatures that touched the address, newest first. */
  async signatures(address: string): Promise<string[]> {
    const signatures = await this.connection.getSignaturesForAddress(
      new PublicKey(address),
      { limit: 1000 },
      'confirmed',
    )
    return signatures.map(({ signature }) => signature)
  }

  /** Airdropped lamports, confirmed. */
  async airdrop(address: string, lamports: bigint): Promise<void> {
    const before = await this.lamports(address)
    await this.connection.requestAirdrop(new PublicKey(address), Number(lamports))
    while ((await this.lamports(address)) < before + lamports) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
