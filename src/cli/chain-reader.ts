// Reads the chain directly over JSON-RPC, not through the service: `tour` verifies results only against the chain.
import { setTimeout as delay } from 'node:timers/promises'
import { TourFailed } from './tour-failed.ts'

const CONFIRMATION_WAIT_MS = 30_000
const POLL_MS = 100

interface SignatureStatus {
  readonly err: unknown
  readonly confirmationStatus: string
}

/** A mint as returned by the chain's own parser. */
export interface MintOnChain {
  readonly owner: string
  readonly decimals: number
  readonly mintAuthority: string | null
  /** The metadata inside the mint; null when it has none. */
  readonly metadata: {
    readonly name: string
    readonly symbol: string
    readonly additionalMetadata: readonly (readonly string[])[]
  } | null
}

interface ParsedMint {
  readonly owner: string
  readonly data: {
    readonly parsed: {
      readonly info: {
        readonly decimals: number
        readonly mintAuthority: string | null
        readonly extensions?: readonly { readonly extension: string; readonly state: unknown }[]
      }
    }
  }
}

export class ChainReader {
  readonly url: string
  readonly #waitMs: number

  constructor(url: string, waitMs = CONFIRMATION_WAIT_MS) {
    this.url = url
    this.#waitMs = waitMs
  }

  async lamports(address: string): Promise<bigint> {
    return BigInt((await this.#ask<{ value: number }>('getBalance', [address, { commitment: 'confirmed' }])).value)
  }

  /** Raw units of a token account; null when the account does not exist. */
  async tokens(address: string): Promise<bigint | null> {
    if ((await this.#account(address)) === null) return null
    const { value } = await this.#ask<{ value: { amount: string } }>('getTokenAccountBalance', [
      address,
      { commitment: 'confirmed' },
    ])
    return BigInt(value.amount)
  }

  async mint(address: string): Promise<MintOnChain | null> {
    const account = (await this.#account(address)) as ParsedMint | null
    if (account === null) return null
    const { decimals, mintAuthority, extensions = [] } = account.data.parsed.info
    const metadata = extensions.find(({ extension }) => extension === 'tokenMetadata')?.state ?? null
    return { owner: account.owner, decimals, mintAuthority, metadata: metadata as MintOnChain['metadata'] }
  }

  /** Requests free network currency of a test chain; confirmed when this resolves. */
  async airdrop(address: string, lamports: bigint): Promise<string> {
    const signature = await this.#ask<string>('requestAirdrop', [address, Number(lamports)])
    await this.confirmed(signature)
    return signature
  }

  /** @throws TourFailed if the transaction failed or is not confirmed in time */
  async confirmed(signature: string): Promise<void> {
    const deadline = performance.now() + this.#waitMs
    while (performance.now() < deadline) {
      const { value } = await this.#ask<{ value: readonly (SignatureStatus | null)[] }>('getSignatureStatuses', [
        [signature],
      ])
      const [status = null] = value
      if (status !== null && status.err !== null)
        throw new TourFailed(`on chain, ${signature} failed: ${JSON.stringify(status.err)}`)
      if (status !== null && status.confirmationStatus !== 'processed') return
      await delay(POLL_MS)
    }
    throw new TourFailed(`the chain at ${this.url} has no transaction ${signature}`)
  }

  async #account(address: string): Promise<unknown> {
    const options = { commitment: 'confirmed', encoding: 'jsonParsed' }
    return (await this.#ask<{ value: unknown }>('getAccountInfo', [address, options])).value
  }

  async #ask<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } }
    if (error !== undefined) throw new TourFailed(`the chain refused ${method}: ${error.message}`)
    return result as Result
  }
}
