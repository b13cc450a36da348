// Records an executed transaction: its ledger row, the changed accounts and the chains of transactions by address, in
// the group that is committed next. Memory changes at once; readers see the changes when they are durable.

import { asBuffer, type Accounts, type StoredAccount } from './accounts.ts'
import type { TransactionErrorJson } from './contract.ts'
import type { BlockRow } from './commit.ts'
import type { Ledger } from './ledger.ts'
import { LedgerRow } from './row-read.ts'
import { writeRow, type TokenChange } from './row-write.ts'
import type { Change, Runtime } from './runtime.ts'
import { mintDecimals } from './tokens.ts'
import type { VmResult } from './vm.ts'
import type { WireTransaction } from './wire.ts'
import type { LoadedKeys } from './lookups.ts'

/**
 * An unchanged account up to this size stores its newest transaction in its own row; a larger account is not rewritten
 * for that.
 */
const SMALL_ACCOUNT_BYTES = 512

export interface Booking {
  readonly transaction: WireTransaction
  readonly signature: string
  readonly loaded: LoadedKeys
  /** Static and looked-up keys in the order of balances. */
  readonly keys: readonly string[]
  readonly error: TransactionErrorJson | null
  readonly result: VmResult
  readonly changes: readonly Change[]
  readonly feeLamports: bigint
  readonly slot: number
  readonly time: number
}

interface TokenSide {
  readonly mint: string
  readonly holder: string
  readonly program: string
  readonly amount: bigint
}

function tokenSide(account: StoredAccount | null): TokenSide | null {
  if (!account || account.mintKey === null || account.holderKey === null) return null
  return {
    mint: account.mintKey,
    holder: account.holderKey,
    program: account.ownerKey,
    amount: asBuffer(account.data).readBigUInt64LE(64),
  }
}

export class Book {
  readonly #ledger: Ledger
  readonly #accounts: Accounts
  readonly #runtime: Runtime
  #lastChunk: number
  #total: number
  #block: BlockRow | null = null

  constructor(
    ledger: Ledger,
    accounts: Accounts,
    runtime: Runtime,
    { lastChunk, total }: { readonly lastChunk: number; readonly total: number },
  ) {
    this.#ledger = ledger
    this.#accounts = accounts
    this.#runtime = runtime
    this.#lastChunk = lastChunk
    this.#total = total
  }

  get transactionCount(): number {
    return this.#total
  }

  /** Adds the transaction to the current group. Returns its row and its block. */
  enter(booking: Booking): { readonly row: LedgerRow; readonly block: BlockRow } {
    const { keys, changes, slot, transaction } = booking
    const group = this.#ledger.group
    const location = group.nextLocation(slot, () => (this.#lastChunk += 1))
    const accounts = this.#accounts
    const before = keys.map((key) => this.#runtime.balanceAccount(key))
    const previous = keys.map((key) => accounts.headOf(key))
    for (const change of changes) {
      accounts.set(change.key, change.after)
      group.account(change.key, change.before, change.after)
    }
    const changed = new Map(changes.map((change) => [change.key, change.after]))
    const after = keys.map((key, i) => {
      const now = changed.get(key)
      return now === undefined ? before[i]! : now
    })
    const row = new LedgerRow(
      writeRow({
        slot,
        time: booking.time,
        bytes: transaction.bytes,
        isV0: transaction.message.version === 0,
        error: booking.error,
        feeLamports: booking.feeLamports,
        computeUnits: booking.result.computeUnits,
        loadedWritable: booking.loaded.writable,
        loadedReadonly: booking.loaded.readonly,
        preBalances: before.map((account) => account?.lamports ?? 0n),
        postBalances: after.map((account) => account?.lamports ?? 0n),
        previous,
        tokens: this.#tokens(before, after),
        inner: booking.result.inner,
        logs: booking.result.logs,
        returnData: booking.result.returnData,
      }),
      location,
      booking.signature,
    )
    for (const key of keys) {
      accounts.setHead(key, location)
      if (changed.get(key)) continue
      const account = accounts.get(key)
      group.head(
        key,
        location,
        account && !account.executable && account.data.length <= SMALL_ACCOUNT_BYTES ? account : null,
      )
    }
    this.#total += 1
    if (this.#block?.slot !== slot)
      this.#block = { slot, firstChunk: this.#lastChunk, lastChunk: this.#lastChunk, total: this.#total }
    this.#block.lastChunk = this.#lastChunk
    this.#block.total = this.#total
    group.transaction(row.row, location, row.bytes.subarray(1, 65), this.#block)
    return { row, block: this.#block }
  }

  /** Subtracts transactions of removed slots from the count. */
  uncount(transactions: number): void {
    this.#total -= transactions
    this.#block = null
  }

  #tokens(before: readonly (StoredAccount | null)[], after: readonly (StoredAccount | null)[]): TokenChange[] {
    const tokens: TokenChange[] = []
    for (let accountIndex = 0; accountIndex < before.length; accountIndex += 1) {
      const pre = tokenSide(before[accountIndex]!)
      const post = before[accountIndex] === after[accountIndex] ? pre : tokenSide(after[accountIndex]!)
      if (pre && post && pre.mint === post.mint && pre.holder === post.holder) {
        tokens.push(this.#tokenChange(accountIndex, pre, pre.amount, post.amount))
        continue
      }
      if (pre) tokens.push(this.#tokenChange(accountIndex, pre, pre.amount, null))
      if (post) tokens.push(this.#tokenChange(accountIndex, post, null, post.amount))
    }
    return tokens
  }

  #tokenChange(accountIndex: number, side: TokenSide, pre: bigint | null, post: bigint | null): TokenChange {
    const mint = this.#accounts.get(side.mint)
    const decimals = mint ? (mintDecimals(mint.ownerKey, mint.data) ?? 0) : 0
    return { accountIndex, mint: side.mint, holder: side.holder, program: side.program, decimals, pre, post }
  }
}
