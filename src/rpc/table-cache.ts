// Contents of lookup tables as finalized on the chain, the only list whose indexes a message may be compiled with. A
// table is append-only and its address is never reused, so contents once read stay correct; a table is read again to
// check whether it can still be used.
import type { ChainAccount } from './account-read.ts'
import { FormatError } from '../solana/format-error.ts'
import { RpcError, TransportError } from './rpc-error.ts'
import { decodeLookupTable } from '../solana/system-layout.ts'

export interface WantedTable {
  readonly address: string
  /** Expected number of addresses: the table is read again while fewer are known. */
  readonly count: number
}

export interface TableCacheDependencies {
  /** Accounts at `finalized`, and the slot they are as of. */
  read(
    addresses: readonly string[],
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }>
  /** Newest known slot; never ahead of the chain. */
  slot(): number
}

interface Kept {
  readonly askedAtSlot: number
  /** Empty: the table is not usable. */
  readonly addresses: readonly string[]
}

/**
 * A deactivated table can be used for 513 more slots, and a message is valid for 150 blocks: contents of this age are
 * safe to compile with.
 */
const KEPT_SLOTS = 200

export class TableCache {
  readonly #deps: TableCacheDependencies
  readonly #cache = new Map<string, Kept>()

  constructor(deps: TableCacheDependencies) {
    this.#deps = deps
  }

  /**
   * Contents by address, of those tables that messages can use now. Does not reject when the cluster is unreachable:
   * the result then has fewer tables.
   */
  async contents(wanted: readonly WantedTable[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const stale = wanted.filter((table) => this.#isStale(table)).map(({ address }) => address)
    if (stale.length > 0) await this.#read(stale)
    const contents = new Map<string, readonly string[]>()
    for (const { address } of wanted) {
      const cached = this.#cache.get(address)
      if (cached !== undefined && cached.addresses.length > 0 && this.#isYoung(cached))
        contents.set(address, cached.addresses)
    }
    return contents
  }

  #isStale({ address, count }: WantedTable): boolean {
    const cached = this.#cache.get(address)
    if (cached === undefined || !this.#isYoung(cached)) return true
    return cached.addresses.length < count && this.#deps.slot() > cached.askedAtSlot
  }

  #isYoung({ askedAtSlot }: Kept): boolean {
    return this.#deps.slot() - askedAtSlot <= KEPT_SLOTS
  }

  async #read(addresses: readonly string[]): Promise<void> {
    const askedAtSlot = this.#deps.slot()
    try {
      const { slot, accounts } = await this.#deps.read(addresses)
      for (const [index, address] of addresses.entries())
        this.#cache.set(address, { askedAtSlot, addresses: usable(accounts[index] ?? null, slot) })
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof RpcError)) throw error
    }
  }
}

/** The addresses that a message can look up in any slot after `slot`. */
function usable(account: ChainAccount | null, slot: number): readonly string[] {
  if (account === null) return []
  try {
    const { addresses, deactivationSlot, lastExtendedSlot, lastExtendedStart } = decodeLookupTable(
      account.data,
      account.owner,
    )
    if (deactivationSlot !== null) return []
    return lastExtendedSlot < BigInt(slot) ? addresses : addresses.slice(0, lastExtendedStart)
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}
