// One cluster as operations use it: values known synchronously, queries to the chain, and the submission of signed
// transactions.
import type { AccountCut } from '../rpc/account-cut.ts'
import type { ChainAccount } from '../rpc/account-read.ts'
import type { RecentBlockhash } from '../rpc/blockhash.ts'
import type { Cluster } from '../rpc/cluster.ts'
import type { ClusterLink, Submission, WatchState } from './submission.ts'
import type { AddressedAccount } from '../rpc/token-accounts.ts'
import type { HistoryBounds } from '../rpc/cluster.ts'
import type { SignatureEntry, ChainMovement } from '../rpc/movements.ts'
import { TableCache, type WantedTable } from '../rpc/table-cache.ts'

export class ClusterAccess {
  readonly id: string
  readonly genesisHash: string
  readonly #cluster: Cluster
  readonly #link: ClusterLink
  readonly #tables: TableCache

  constructor(cluster: Cluster, link: ClusterLink) {
    this.id = cluster.id
    this.genesisHash = cluster.genesisHash
    this.#cluster = cluster
    this.#link = link
    this.#tables = new TableCache({
      read: (addresses) => cluster.accounts(addresses, { commitment: 'finalized' }),
      slot: () => cluster.blockhash.lastKnown()?.slot ?? 0,
    })
  }

  get simulates(): boolean {
    return this.#cluster.settings.simulate
  }

  get confirmsOnDisk(): boolean {
    return this.#cluster.settings.confirmsOnDisk
  }

  currentBlockhash(): RecentBlockhash | null {
    return this.#cluster.blockhash.current()
  }

  freshBlockhash(): Promise<RecentBlockhash> {
    return this.#cluster.blockhash.fresh()
  }

  blockhashAfter(known: string): Promise<RecentBlockhash | null> {
    return this.#cluster.blockhash.after(known)
  }

  rentExemptLamports(dataLength: number): Promise<bigint> {
    return this.#cluster.rentExemptLamports(dataLength)
  }

  async accounts(addresses: readonly string[]): Promise<readonly (ChainAccount | null)[]> {
    return (await this.accountsAsOf(addresses)).accounts
  }

  /**
   * Account data never older than what the records may already reflect: at least `leastSlot`, and at least any slot
   * seen of this cluster.
   */
  accountsAsOf(
    addresses: readonly string[],
    leastSlot = 0,
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }> {
    return this.#cluster.accounts(addresses, { minContextSlot: Math.max(leastSlot, this.#cluster.seenSlot, 0) })
  }

  /** Like `accountsAsOf`, with the statuses of transactions; see `inclusion.ts`. At most 100 addresses. */
  cut(addresses: readonly string[], signatures: readonly string[], leastSlot = 0): Promise<AccountCut> {
    return this.#cluster.cut({ addresses, signatures, minContextSlot: Math.max(leastSlot, this.#cluster.seenSlot, 0) })
  }

  /** The token accounts of an owner, never older than any slot seen of this cluster. */
  async tokenAccountsOf(owner: string): Promise<readonly AddressedAccount[]> {
    return (await this.#cluster.tokenAccountsOf(owner, Math.max(this.#cluster.seenSlot, 0))).accounts
  }

  finalizedAccounts(
    addresses: readonly string[],
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }> {
    return this.#cluster.accounts(addresses, { commitment: 'finalized' })
  }

  lookupTables(wanted: readonly WantedTable[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#tables.contents(wanted)
  }

  async simulate(
    message: Uint8Array,
  ): Promise<{ readonly error: string | null; readonly computeUnits: number; readonly logs: readonly string[] }> {
    const { error, computeUnits, logs } = await this.#cluster.simulate(message, { replaceBlockhash: true })
    return { error, computeUnits: computeUnits ?? 0, logs }
  }

  recentPrioritizationFees(addresses: readonly string[]): Promise<readonly { readonly microLamports: number }[]> {
    return this.#cluster.recentPrioritizationFees(addresses)
  }

  /** Throws LaneFull. */
  admit(tenant: string, lane: string, transactionId: string): () => void {
    return this.#link.admit(tenant, lane, transactionId)
  }

  submit(submission: Submission): void {
    this.#link.submit(submission)
  }

  watch(submission: Submission): void {
    this.#link.watch(submission)
  }

  release(transactionId: string): void {
    this.#link.release(transactionId)
  }

  forget(transactionId: string): void {
    this.#link.forget(transactionId)
  }

  recall(transactionId: string): void {
    this.#link.recall(transactionId)
  }

  checkNow(transactionId: string): void {
    this.#link.checkNow(transactionId)
  }

  state(transactionId: string): WatchState | null {
    return this.#link.state(transactionId)
  }

  async landed(signature: string): Promise<{
    readonly slot: number
    readonly blockTime: number | null
    readonly computeUnits: number | null
  } | null> {
    const landed = await this.#cluster.landed(signature)
    if (landed === null) return null
    const { slot, blockTime, computeUnits } = landed
    return { slot, blockTime, computeUnits }
  }

  historyOf(address: string, bounds?: HistoryBounds): Promise<readonly SignatureEntry[]> {
    return this.#cluster.historyOf(address, bounds)
  }

  movementOf(signature: string): Promise<ChainMovement | null> {
    return this.#cluster.movementOf(signature)
  }

  blockHeight(): number | null {
    return this.#cluster.blockhash.lastKnown()?.blockHeight ?? null
  }

  heightWhileValid(blockhash: string): Promise<number | null> {
    return this.#cluster.heightWhileValid(blockhash)
  }
}
