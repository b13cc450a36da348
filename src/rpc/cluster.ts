// One cluster for reads: endpoints, a cached blockhash and thin typed methods. Sends are in `src/submission/link.ts`.
import { malformed, readAccounts, readContext, readLamports, type ChainAccount } from './account-read.ts'
import { readCut, type AccountCut, type CutQuestion } from './account-cut.ts'
import { BlockhashSource } from './blockhash.ts'
import { ask, askWithMinSlot, type Question } from './asking.ts'
import type { Clock } from '../time/clock.ts'
import type { ClusterSettings } from './cluster-settings.ts'
import { readLanded, type LandedTransaction } from './landed.ts'
import { MAX_HISTORY, readHistory, readChainMovement, type SignatureEntry, type ChainMovement } from './movements.ts'
import { proveExpiryInPool } from './expiry/witnesses.ts'
import type { ExpiryVerdict } from './expiry/prove.ts'
import type { ExpiryRequest } from './expiry/proof.ts'
import { EndpointPool, type WeightedEndpoint, type PoolNotice } from './pool.ts'
import { settleChain } from './settle-chain.ts'
import { isSlot, type Commitment, type StatusAnswer } from './rpc.ts'
import type { SharedQueues } from './shared-queues.ts'
import { simulateMessage, type SimulationAnswer, type SimulationOptions } from './simulation.ts'
import { readTokenAccounts, type OwnedAccounts } from './token-accounts.ts'
import type { CallOptions, Transport } from './transport.ts'
import { askAllForStatuses, askForStatuses } from './status-asking.ts'
import type { Wire, WireSettings } from './wire.ts'

export interface ClusterOptions {
  readonly id: string
  readonly endpoints: readonly WeightedEndpoint[]
  readonly settings: ClusterSettings
  readonly clock: Clock
  /** Genesis hash recorded for this cluster, if any: an endpoint of another chain is not used. */
  readonly genesisHash?: string | undefined
  readonly notice?: ((notice: PoolNotice) => void) | undefined
  /** Replaces HTTP (for a simulator). */
  readonly openWire?: (wire: WireSettings) => Wire
  /** Request queues of the process, shared by all its cells. */
  readonly queues?: SharedQueues | undefined
}

export interface ReadOptions {
  /** Default `confirmed`. */
  readonly commitment?: Commitment
  readonly minContextSlot?: number
}

export interface HistoryBounds {
  /** Only transactions after this one. */
  readonly until?: string | undefined
  /** The node must have reached this slot. */
  readonly minSlot?: number | undefined
}

/** Rent is not a constant and differs between clusters, but changes only at epoch boundaries. */
const RENT_KEPT_MS = 30_000
const FEE_ADDRESSES = 128
/** The most that a node returns at once. */
const HISTORY_PAGE = 1_000
/** A node that lags further is useless, so a minimum slot that is further ahead of all nodes cannot be true. */
const MAX_LAGGING_SLOTS = 512

/** Queries the genesis hash of every endpoint. Rejects with RpcError or TransportError when none answers. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { endpoints, clock, settings, openWire, notice, queues } = options
  const pool = new EndpointPool(endpoints, clock, settings.pool, { openWire, notice, queues })
  try {
    return new Cluster(options, pool, await settleChain(pool, options.genesisHash))
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Every method rejects with RpcError or TransportError. */
export class Cluster {
  readonly id: string
  /** Identifies the chain; the caller compares it with the hash on record. */
  readonly genesisHash: string
  readonly settings: ClusterSettings
  readonly pool: EndpointPool
  readonly blockhash: BlockhashSource
  readonly #clock: Clock
  #seenSlot = -1
  readonly #rent = new Map<number, { readonly lamports: bigint; readonly at: number }>()

  constructor(options: ClusterOptions, pool: EndpointPool, genesisHash: string) {
    this.id = options.id
    this.genesisHash = genesisHash
    this.settings = options.settings
    this.pool = pool
    this.#clock = options.clock
    this.#noteSlot(pool.newestSlot('confirmed'))
    this.blockhash = new BlockhashSource(pool, options.clock, options.settings.blockhash)
  }

  /**
   * The newest slot at which accounts or a landed transaction have been seen; -1 before the first. Records never
   * reflect an older state, so an older response must not change them. A slot that is further ahead of the cluster than
   * a node can lag is wrong; it is discarded after no endpoint has shown it for a while.
   */
  get seenSlot(): number {
    const newest = this.pool.newestSlot('confirmed')
    if (this.#seenSlot > newest + MAX_LAGGING_SLOTS) this.#seenSlot = newest
    return this.#seenSlot
  }

  /**
   * Accounts in the order of `addresses`, all from one endpoint. More than 100 addresses take several responses; `slot`
   * is the oldest of them. Never older than `minContextSlot`: rejects with TransportError BEHIND when no endpoint has
   * reached it.
   */
  async accounts(
    addresses: readonly string[],
    options: ReadOptions = {},
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }> {
    const answer = await askWithMinSlot(this.pool, options.minContextSlot ?? 0, (transport, timeoutMs) =>
      readAccounts(transport, addresses, read(options), timeoutMs),
    )
    if (options.commitment !== 'processed') this.#noteSlot(answer.slot)
    return answer
  }

  /** The token accounts of an owner under both token programs, at `confirmed`; never older than `minContextSlot`. */
  async tokenAccountsOf(owner: string, minContextSlot: number): Promise<OwnedAccounts> {
    const answer = await askWithMinSlot(this.pool, minContextSlot, (transport, timeoutMs) =>
      readTokenAccounts(transport, owner, minContextSlot, timeoutMs),
    )
    this.#noteSlot(answer.slot)
    return answer
  }

  /**
   * Accounts at `confirmed` with statuses read before and after them; never older than `minContextSlot`, like
   * `accounts`.
   */
  async cut(question: CutQuestion): Promise<AccountCut> {
    const { maxRequestBytes } = this.settings.pool
    const answer = await askWithMinSlot(this.pool, question.minContextSlot, (transport, timeoutMs) =>
      readCut(transport, question, maxRequestBytes, timeoutMs),
    )
    this.#noteSlot(answer.slot)
    return answer
  }

  /** Minimum lamports of an account with this much data. Cached for 30 s. */
  async rentExemptLamports(dataLength: number): Promise<bigint> {
    const cached = this.#rent.get(dataLength)
    const at = this.#clock.elapsed()
    if (cached !== undefined && at - cached.at < RENT_KEPT_MS) return cached.lamports
    const lamports = readLamports(await this.#call('getMinimumBalanceForRentExemption', [dataLength]))
    if (this.#rent.size >= 1_000) this.#rent.clear()
    this.#rent.set(dataLength, { lamports, at })
    return lamports
  }

  simulate(message: Uint8Array, options: SimulationOptions = {}): Promise<SimulationAnswer> {
    return this.#ask((transport) => simulateMessage(transport, message, options))
  }

  /**
   * Block height of a node that would accept a transaction with this blockhash now, both at `confirmed`. Null if it
   * would not accept one, which proves nothing.
   */
  heightWhileValid(blockhash: string): Promise<number | null> {
    const commitment = { commitment: 'confirmed' }
    const calls = [
      { method: 'isBlockhashValid', params: [blockhash, commitment] },
      { method: 'getBlockHeight', params: [commitment] },
    ]
    return this.#ask(async (transport, timeoutMs) => {
      const [valid, height] = await transport.batch(calls, { timeoutMs })
      if (!valid!.ok) throw valid!.error
      if (!height!.ok) throw height!.error
      return readContext(valid!.result).value === true ? count(height!.result) : null
    })
  }

  async slot(commitment: Commitment = 'confirmed'): Promise<number> {
    return count(await this.#call('getSlot', [{ commitment }]))
  }

  /** Unix seconds; null when the node does not know it. */
  async blockTime(slot: number): Promise<number | null> {
    const result = await this.#call('getBlockTime', [slot])
    return result === null ? null : count(result)
  }

  /**
   * Recent fees, in micro-lamports per compute unit, of transactions that wrote to any of these accounts (only the
   * first 128 are used).
   */
  async recentPrioritizationFees(
    addresses: readonly string[],
  ): Promise<{ readonly slot: number; readonly microLamports: number }[]> {
    const result = await this.#call('getRecentPrioritizationFees', [addresses.slice(0, FEE_ADDRESSES)])
    if (!Array.isArray(result)) throw malformed('fees')
    return result.map((entry) => {
      const { slot, prioritizationFee } = (entry ?? {}) as Record<string, unknown>
      return { slot: count(slot), microLamports: count(prioritizationFee) }
    })
  }

  /** The chain's record of a landed transaction; null when the node does not know it. */
  async landed(signature: string): Promise<LandedTransaction | null> {
    const options = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
    return readLanded(await this.#call('getTransaction', [signature, options], { exact: true }))
  }

  /**
   * The oldest `MAX_HISTORY` transactions that name the address, at `confirmed`, newest first. All pages are of one
   * node, because another one may lack the transaction at which a page begins.
   */
  async historyOf(address: string, { until, minSlot = 0 }: HistoryBounds = {}): Promise<SignatureEntry[]> {
    const read = async (transport: Transport, timeoutMs: number): Promise<SignatureEntry[]> => {
      let history: SignatureEntry[] = []
      let minContextSlot = minSlot
      for (;;) {
        const place = { before: history.at(-1)?.signature, until, minContextSlot }
        const options = { limit: HISTORY_PAGE, commitment: 'confirmed', ...place }
        const page = readHistory(await transport.call('getSignaturesForAddress', [address, options], { timeoutMs }))
        // A node that ignores `before` would be asked for ever.
        if (page.some(({ signature }) => signature === place.before)) throw malformed('a history')
        if (history.length === 0) minContextSlot = Math.max(minSlot, page.at(0)?.slot ?? 0)
        history = [...history, ...page].slice(-MAX_HISTORY)
        if (page.length < HISTORY_PAGE) return history
      }
    }
    const answer = await askWithMinSlot(this.pool, minSlot, async (transport, timeoutMs) => ({
      slot: minSlot,
      history: await read(transport, timeoutMs),
    }))
    return answer.history
  }

  /** The balance changes of a landed transaction; null: the node does not know it. */
  async movementOf(signature: string): Promise<ChainMovement | null> {
    const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
    return readChainMovement(await this.#call('getTransaction', [signature, options], { exact: true }))
  }

  /**
   * At most 256 signatures.
   * @param searchHistory Queries every usable endpoint, and returns what any of them knows.
   */
  async statuses(signatures: readonly string[], searchHistory: boolean, timeoutMs: number): Promise<StatusAnswer> {
    const answer = await (searchHistory ? askAllForStatuses : askForStatuses)(this.pool, signatures, timeoutMs)
    for (const status of answer.statuses)
      if (status !== null && status.commitment !== 'processed') this.#noteSlot(status.slot)
    return answer
  }

  /**
   * Finalized slot and block height of one endpoint. The confirmed ones are queried too: they bound what the cluster
   * can have reached.
   */
  async progress(timeoutMs: number): Promise<{ readonly slot: number; readonly blockHeight: number }> {
    const result = await ask(this.pool, 'progress', timeoutMs, async (transport, waitMs) => {
      const params = ['finalized', 'confirmed'].map((commitment) => JSON.stringify([{ commitment }]))
      const [finalized] = await transport.group('getEpochInfo', params, { channel: 'status', timeoutMs: waitMs })
      if (!finalized!.ok) throw finalized!.error
      return finalized!.result
    })
    const { absoluteSlot, blockHeight } = (result ?? {}) as { absoluteSlot?: unknown; blockHeight?: unknown }
    return { slot: count(absoluteSlot), blockHeight: count(blockHeight) }
  }

  /** Never rejects. */
  prove(request: ExpiryRequest): Promise<ExpiryVerdict> {
    return proveExpiryInPool(this.pool, this.genesisHash, request, this.#clock)
  }

  async close(): Promise<void> {
    this.blockhash.close()
    await this.pool.close()
  }

  #noteSlot(slot: number): void {
    this.#seenSlot = Math.max(this.#seenSlot, slot)
  }

  #call(method: string, params: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    return this.#ask((transport, timeoutMs) => transport.call(method, params, { ...options, timeoutMs }))
  }

  #ask<T>(question: Question<T>): Promise<T> {
    return ask(this.pool, 'read', this.settings.pool.timeoutMs, question)
  }
}

function read({ commitment = 'confirmed', minContextSlot }: ReadOptions): object {
  return minContextSlot === undefined ? { commitment } : { commitment, minContextSlot }
}

function count(value: unknown): number {
  if (!isSlot(value)) throw malformed('a number')
  return value
}
