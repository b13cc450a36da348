// Reads movements: the balance of a record as of an instant, and the movements between two instants. A movement of a
// dropped fork and its reversal are both omitted. "As of" an instant means before it, so the closing balance of one
// interval is the opening balance of the next.
import type { BookedBalance, MovementWalk, Store } from '../../../snapshots/store.ts'
import type { Asset } from '../../../machines/protocol.ts'
import { balancesOf, type CauseKind } from '../records/balance-change.ts'
import type { Entry } from '../records/entry.ts'
import type { RecordState } from '../records/record.ts'
import { MovementLog } from './movements.ts'
import { placeOf, readMovement, STAMPS_PER_MS, type MovementRead } from './row.ts'

export interface BookedMovement {
  /** Unix milliseconds. */
  readonly atMs: number
  readonly delta: bigint
  readonly after: bigint
  readonly cause: CauseKind
  /** A transaction that the tenant owns or countersigned; if `cause` is `others`, another tenant's, never shown. */
  readonly transactionId: string | null
}

/** Reversals of a balance, by transaction, ascending. */
type Reversals = ReadonlyMap<string, readonly number[]>

export class Movements {
  readonly log: MovementLog
  readonly #store: Store
  readonly #entryOf: (id: string) => Entry | undefined

  constructor(
    { store, cell }: { readonly store: Store; readonly cell: string | undefined },
    clock: { now(): number },
    entryOf: (id: string) => Entry | undefined,
  ) {
    this.log = new MovementLog(store, clock, cell)
    this.#store = store
    this.#entryOf = entryOf
  }

  /**
   * Time from which all movements are known, in Unix milliseconds; 0: always. Above 0 only in a store that an earlier
   * release has written, and only for records of that time.
   */
  get knownSinceMs(): number {
    return Math.ceil(this.log.since / STAMPS_PER_MS)
  }

  /** Movements before this time are final: a dropped fork cannot reverse them. Unix milliseconds. */
  finalUntilMs(cluster: string): number {
    return Math.trunc(this.log.finalUntil(cluster) / STAMPS_PER_MS)
  }

  /** Reports a finalized slot, because a service without transactions of its own learns of none otherwise. */
  learnFinal(cluster: string, slot: number): void {
    this.log.finalized(cluster, slot)
  }

  /** Resolves when every movement so far can be read. */
  async caughtUp(): Promise<void> {
    await this.#store.commit([])
  }

  /** False if the record may have had an unknown balance at the time. */
  isKnown({ context }: RecordState, atMs: number): boolean {
    const { madeAt } = context as { readonly madeAt?: string }
    return atMs >= this.knownSinceMs || (madeAt !== undefined && Date.parse(madeAt) >= this.knownSinceMs)
  }

  /** The balance before an instant; null: unknown (`isKnown`). Zero before the record was created. */
  async balanceAt(record: RecordState, asset: Asset, atMs: number): Promise<bigint | null> {
    if (!this.isKnown(record, atMs)) return null
    const at = atMs * STAMPS_PER_MS
    const entry = this.#entryOf(record.id)
    if (this.#hasNotMovedSince(record, at)) return present(entry, record, asset)
    const balance = await this.#bookedAt(record, asset, at, entry)
    return balance - (await this.#sinceReversed(record, asset, at))
  }

  /**
   * As `balanceAt`, for many records of one tenant, in their order: one pass over the movements of the tenant instead
   * of several reads per record.
   */
  async balancesAt(records: readonly RecordState[], asset: Asset, atMs: number): Promise<(bigint | null)[]> {
    const at = atMs * STAMPS_PER_MS
    const balances = records.map((): bigint | null => null)
    const toRead: { readonly index: number; readonly record: RecordState; readonly now: bigint }[] = []
    for (const [index, record] of records.entries()) {
      if (!this.isKnown(record, atMs)) continue
      const entry = this.#entryOf(record.id)
      const now = present(entry, record, asset)
      if (this.#hasNotMovedSince(record, at)) balances[index] = now
      // The balance is read before the rows, so every movement that it includes is among the rows.
      else toRead.push({ index, record, now })
    }
    const [first] = toRead
    if (first === undefined) return balances
    toRead.sort(({ record: { id: one } }, { record: { id: other } }) => (one < other ? -1 : 1))
    const booked = this.#store.movementWalk('movement', first.record.tenant)
    const reversed = this.#store.movementWalk('reversal', first.record.tenant)
    try {
      for (const { index, record, now } of toRead) {
        const balance = await bookedIn(booked, reversed, placeOf(record, asset), at)
        balances[index] = balance === 'present' ? now : (balance ?? (await this.balanceAt(record, asset, atMs)))
      }
    } finally {
      await Promise.all([booked.close(), reversed.close()])
    }
    return balances
  }

  /** Movements from one time (inclusive) to another (exclusive), in order, in pages. */
  async *between(
    record: RecordState,
    asset: Asset,
    fromMs: number,
    toMs: number,
  ): AsyncGenerator<readonly BookedMovement[], void, undefined> {
    const from = Math.max(fromMs * STAMPS_PER_MS, this.log.since)
    if (this.#hasNotMovedSince(record, from)) return
    const place = placeOf(record, asset)
    const reversals = await this.#reversals(record, asset, from)
    let balance: bigint | null = null
    for await (const page of this.#store.movements('movement', place, from, toMs * STAMPS_PER_MS)) {
      const movements = page.map(readMovement).filter((each) => each.cause !== 'undone' && !isReversed(each, reversals))
      const first = movements[0]
      if (first === undefined) continue
      balance ??= (await this.balanceAt(record, asset, Math.ceil(from / STAMPS_PER_MS))) ?? first.after - first.delta
      const shown: BookedMovement[] = []
      for (const { stamp, delta, cause, transactionId } of movements) {
        balance += delta
        shown.push({ atMs: Math.trunc(stamp / STAMPS_PER_MS), delta, after: balance, cause, transactionId })
      }
      yield shown
    }
  }

  /** Answers without a read, for instants since the start of this process. */
  #hasNotMovedSince({ id }: RecordState, stamp: number): boolean {
    const entry = this.#entryOf(id)
    return entry !== undefined && stamp > this.log.startedAt && (this.log.lastOf(entry) ?? 0) < stamp
  }

  async #bookedAt(record: RecordState, asset: Asset, at: number, entry: Entry | undefined): Promise<bigint> {
    const place = placeOf(record, asset)
    const before = await this.#store.lastMovement(place, at)
    if (before !== undefined) return readMovement(before).after
    // The balance is read before the rows, so every movement that it includes is among the rows.
    const now = present(entry, record, asset)
    for await (const page of this.#store.movements('movement', place, at, Number.MAX_SAFE_INTEGER)) {
      const first = readMovement(page[0]!)
      return first.after - first.delta
    }
    return now
  }

  /** Sum of the movements before `at` that were reversed at or after it. */
  async #sinceReversed(record: RecordState, asset: Asset, at: number): Promise<bigint> {
    let sum = 0n
    for (const [transactionId, [first = at]] of await this.#reversals(record, asset, at)) {
      if (await this.#isWithin(record, asset, transactionId, { from: at, to: first })) continue
      sum += await this.#newestOf(record, asset, transactionId, at)
    }
    return sum
  }

  async #isWithin(
    record: RecordState,
    asset: Asset,
    transactionId: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<boolean> {
    for await (const page of this.#store.movements('movement', placeOf(record, asset), from, to)) {
      if (page.map(readMovement).some((each) => each.transactionId === transactionId && each.cause !== 'undone'))
        return true
    }
    return false
  }

  /** Delta of a transaction's newest movement before a stamp. Few rows are read: reversals follow before finality. */
  async #newestOf(record: RecordState, asset: Asset, transactionId: string, before: number): Promise<bigint> {
    for (let to = before; ;) {
      const row = await this.#store.lastMovement(placeOf(record, asset), to)
      if (row === undefined) return 0n
      const movement = readMovement(row)
      if (movement.transactionId === transactionId) return movement.cause === 'undone' ? 0n : movement.delta
      to = row.stamp
    }
  }

  async #reversals(record: RecordState, asset: Asset, from: number): Promise<Reversals> {
    const reversals = new Map<string, number[]>()
    for await (const page of this.#store.movements('reversal', placeOf(record, asset), from, Number.MAX_SAFE_INTEGER)) {
      for (const { stamp, transactionId } of page.map(readMovement)) {
        const stamps = reversals.get(transactionId ?? '')
        if (stamps === undefined) reversals.set(transactionId ?? '', [stamp])
        else stamps.push(stamp)
      }
    }
    return reversals
  }
}

/** Maximum number of movements that a pass reads per balance. With more, the last movement is read separately. */
const MAX_BEFORE = 64

/** null: the balance has too many movements for a pass, or a reversed one. `present`: it has no movement. */
async function bookedIn(
  booked: MovementWalk,
  reversed: MovementWalk,
  place: BookedBalance,
  at: number,
): Promise<bigint | 'present' | null> {
  if ((await reversed.take(place, at, Number.MAX_SAFE_INTEGER, 1)).length > 0) return null
  const before = await booked.take(place, 0, at, MAX_BEFORE)
  if (before.length === MAX_BEFORE) return null
  const last = before.at(-1)
  if (last !== undefined) return readMovement(last).after
  const [after] = await booked.take(place, at, Number.MAX_SAFE_INTEGER, 1)
  if (after === undefined) return 'present'
  const { after: balance, delta } = readMovement(after)
  return balance - delta
}

function isReversed({ stamp, transactionId }: MovementRead, reversals: Reversals): boolean {
  return transactionId !== null && (reversals.get(transactionId) ?? []).some((reversed) => reversed > stamp)
}

function present(entry: Entry | undefined, record: RecordState, asset: Asset): bigint {
  return BigInt(balancesOf(entry?.committed ?? record)[asset]?.balance ?? '0')
}
