// One cluster as the service reads it: endpoints, a blockhash at hand, and thin typed methods. What sends is in `link.ts`.
import { Connection } from '@solana/web3.js'
import { malformed, readAccount, readContext, readLamports, type ChainAccount } from './account-read.ts'
import { BlockhashSource } from './blockhash.ts'
import type { Clock } from './clock.ts'
import type { ClusterSettings } from './cluster-settings.ts'
import { readLanded, type Landed } from './landed.ts'
import { EndpointPool } from './pool.ts'
import { isSlot, type Commitment } from './rpc.ts'
import { simulateMessage, type Simulated, type SimulationOptions } from './simulation.ts'
import type { CallOptions } from './transport.ts'
import { web3Fetch } from './web3-fetch.ts'
import type { Wire, WireSettings } from './wire.ts'

export interface ClusterOptions {
  readonly id: string
  /** URLs; the first serves while it is trusted. */
  readonly endpoints: readonly string[]
  readonly settings: ClusterSettings
  readonly clock: Clock
  /** Another carrier than HTTP (a simulator). */
  readonly openWire?: (wire: WireSettings) => Wire
}

export interface ReadOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment
  readonly minContextSlot?: number
}

/** Rent is no constant and differs per cluster, but it changes at epoch boundaries only. */
const RENT_KEPT_MS = 30_000
const ACCOUNTS_PER_CALL = 100
const FEE_ADDRESSES = 128

/** Asks for the genesis hash, and so rejects (RpcError, TransportError) when the cluster is out of reach. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { endpoints, clock, settings, openWire } = options
  const pool = new EndpointPool(endpoints, clock, settings.pool, openWire)
  try {
    const genesisHash = await pool.pick().transport.call('getGenesisHash', [])
    if (typeof genesisHash !== 'string') throw malformed('a genesis hash')
    return new Cluster(options, pool, genesisHash)
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Every method rejects with RpcError or TransportError. */
export class Cluster {
  readonly id: string
  /** Names the chain itself; the caller compares it with the one on record. */
  readonly genesisHash: string
  readonly settings: ClusterSettings
  readonly pool: EndpointPool
  readonly blockhash: BlockhashSource
  readonly #clock: Clock
  readonly #rent = new Map<number, { readonly lamports: bigint; readonly at: number }>()
  #connection: Connection | null = null

  constructor(options: ClusterOptions, pool: EndpointPool, genesisHash: string) {
    this.id = options.id
    this.genesisHash = genesisHash
    this.settings = options.settings
    this.pool = pool
    this.#clock = options.clock
    this.blockhash = new BlockhashSource(pool, options.clock, options.settings.blockhash)
  }

  /** web3.js over the same connections, for cold paths. Lamports over 2^53 lose digits in it, and its websocket leads nowhere. */
  get connection(): Connection {
    const { name, transport } = this.pool.pick()
    this.#connection ??= new Connection(name, {
      commitment: 'confirmed',
      disableRetryOnRateLimit: true,
      fetch: web3Fetch(transport) as unknown as typeof fetch,
    })
    return this.#connection
  }

  async account(address: string, options: ReadOptions = {}): Promise<{ readonly slot: number; readonly account: ChainAccount | null }> {
    const result = await this.#call('getAccountInfo', [address, { encoding: 'base64', ...read(options) }], { exact: true })
    const { slot, value } = readContext(result)
    return { slot, account: readAccount(value) }
  }

  /** In the order asked for. Over 100 addresses they come from several answers; `slot` is the oldest of them. */
  async accounts(
    addresses: readonly string[],
    options: ReadOptions = {},
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }> {
    const portions: string[][] = []
    for (let at = 0; at < addresses.length; at += ACCOUNTS_PER_CALL) portions.push(addresses.slice(at, at + ACCOUNTS_PER_CALL))
    const parts = await Promise.all(
      portions.map(async (portion) => {
        const result = await this.#call('getMultipleAccounts', [portion, { encoding: 'base64', ...read(options) }], { exact: true })
        const { slot, value } = readContext(result)
        if (!Array.isArray(value) || value.length !== portion.length) throw malformed('accounts')
        return { slot, accounts: value.map(readAccount) }
      }),
    )
    return { slot: Math.min(...parts.map((part) => part.slot)), accounts: parts.flatMap((part) => part.accounts) }
  }

  /** Least lamports an account with this much data must hold. Kept for 30 s. */
  async rentExemptLamports(dataLength: number): Promise<bigint> {
    const kept = this.#rent.get(dataLength)
    const at = this.#clock.elapsed()
    if (kept !== undefined && at - kept.at < RENT_KEPT_MS) return kept.lamports
    const lamports = readLamports(await this.#call('getMinimumBalanceForRentExemption', [dataLength]))
    if (this.#rent.size >= 1_000) this.#rent.clear()
    this.#rent.set(dataLength, { lamports, at })
    return lamports
  }

  /** Lamports; null when the node does not know the message's blockhash (any more). */
  async feeForMessage(message: Uint8Array): Promise<bigint | null> {
    const params = [Buffer.from(message).toString('base64'), { commitment: 'confirmed' }]
    const result = await this.#call('getFeeForMessage', params, { exact: true })
    const { value } = readContext(result)
    return value === null ? null : readLamports(value)
  }

  simulate(message: Uint8Array, options: SimulationOptions = {}): Promise<Simulated> {
    return simulateMessage(this.pool.pick().transport, message, options)
  }

  /** True while a transaction with this blockhash could be accepted now. Its false proves nothing. */
  async blockhashValid(blockhash: string): Promise<boolean> {
    return readContext(await this.#call('isBlockhashValid', [blockhash, { commitment: 'confirmed' }])).value === true
  }

  async slot(commitment: Commitment = 'confirmed'): Promise<number> {
    return count(await this.#call('getSlot', [{ commitment }]))
  }

  async blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return count(await this.#call('getBlockHeight', [{ commitment }]))
  }

  /** Unix seconds; null when the node does not know it. */
  async blockTime(slot: number): Promise<number | null> {
    const result = await this.#call('getBlockTime', [slot])
    return result === null ? null : count(result)
  }

  /** Micro-lamports per compute unit paid of late by transactions that wrote to any of these accounts (the first 128 count). */
  async recentPrioritizationFees(addresses: readonly string[]): Promise<{ readonly slot: number; readonly microLamports: number }[]> {
    const result = await this.#call('getRecentPrioritizationFees', [addresses.slice(0, FEE_ADDRESSES)])
    if (!Array.isArray(result)) throw malformed('fees')
    return result.map((entry) => {
      const { slot, prioritizationFee } = (entry ?? {}) as Record<string, unknown>
      return { slot: count(slot), microLamports: count(prioritizationFee) }
    })
  }

  /** What the chain keeps of a landed transaction; null when the node does not know it. */
  async landed(signature: string, commitment: 'confirmed' | 'finalized' = 'confirmed'): Promise<Landed | null> {
    const options = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 1 }
    return readLanded(await this.#call('getTransaction', [signature, options], { exact: true }))
  }

  /** Signature of the airdrop. Test clusters and the embedded chain only. */
  async requestAirdrop(address: string, lamports: bigint): Promise<string> {
    const [answer] = await this.pool.pick().transport.group('requestAirdrop', [`[${JSON.stringify(address)},${lamports}]`])
    if (!answer!.ok) throw answer!.error
    if (typeof answer!.result !== 'string') throw malformed('a signature')
    return answer!.result
  }

  async close(): Promise<void> {
    this.blockhash.close()
    await this.pool.close()
  }

  #call(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown> {
    return this.pool.pick().transport.call(method, params, options)
  }
}

function read({ commitment = 'confirmed', minContextSlot }: ReadOptions): object {
  return minContextSlot === undefined ? { commitment } : { commitment, minContextSlot }
}

function count(value: unknown): number {
  if (!isSlot(value)) throw malformed('a number')
  return value
}
