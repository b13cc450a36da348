// The store on a `Disk`: converts operations to rows, enforces fences and the uniqueness of messages, and reads rows
// back. A read returns durable rows only, and a row that cannot be read is never treated as absent.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { FRESH_MS } from './at-hand.ts'
import type { Disk, RowPage, SharedDisk } from './disk.ts'
import { CellClaims } from './claims.ts'
import { ForeignRow, MessageTaken, StaleEpoch, StoreClosed } from './errors.ts'
import { namesOn } from './names.ts'
import { GroupCommit } from './group-commit.ts'
import type { Row } from './group-commit.ts'
import * as keys from './keys.ts'
import type { ColdKey } from './not-at-hand.ts'
import { decode, decodeOld, OpRow, recordDecoder, textOf } from './rows.ts'
import { ChangeRows, withChanges } from './record-changes.ts'
import { settleSchema } from './schema.ts'
import { SeenKeys } from './seen-keys.ts'
import type {
  BookedBalance,
  Envelope,
  MovementWalk,
  Names,
  OpenOptions,
  SequencedRow,
  StampedRow,
  Store,
  StoreOp,
  StoreStats,
  StoreView,
  TenantBatch,
} from './store.ts'
import { openView } from './view.ts'

export interface DiskOptions extends Omit<OpenOptions, 'lockWaitMs'> {
  /** Resolves in the next turn of the event loop. Replaced only by simulations. */
  readonly turn?: () => Promise<void>
}

const FIRST_EPOCH = 1

/** Opens a store on a disk that has no other writer. Rejects with `UnknownSchema`, or with the disk's own error. */
export async function openStoreOn(disk: Disk, options: DiskOptions): Promise<Store> {
  await settleSchema(disk, options.path)
  return new DiskStore(disk, await epochsOn(disk), options)
}

/** Opens the store on a disk that other processes also write. `claim` must be the first call on it. */
export function openStoreOnShared(disk: Disk & { readonly shared: SharedDisk }, options: DiskOptions): Store {
  return new DiskStore(disk, new Map(), options)
}

/** Epoch of the owner that last wrote, by tenant. */
async function epochsOn(disk: Disk): Promise<Map<string, number>> {
  const epochs = new Map<string, number>()
  const owned = disk.shared === undefined ? undefined : new Set((await disk.shared.tenants()).map(keys.unescapePart))
  for await (const page of disk.pages(keys.FENCES)) {
    for (const [key, text] of page) {
      const tenant = keys.lastPart(key)
      if (owned?.has(tenant) !== false) epochs.set(tenant, Number(decode(key, text)))
    }
  }
  return epochs
}

class DiskStore implements Store {
  readonly #disk: Disk
  readonly #group: GroupCommit
  /** Epoch of the owner that last wrote, by tenant; queued or durable. */
  #epochs: Map<string, number>
  #epoch: number
  #claimed = false
  /** Messages queued and not yet durable, by key. */
  readonly #messages = new Map<string, string>()
  /** Keys of `MOSTLY_NEW_RANGES` ranges; queued or durable. */
  readonly #seen = new SeenKeys()
  /** Absent: records are written whole. */
  readonly #changes?: ChangeRows
  readonly #turn: () => Promise<void>
  readonly keepsChanges: boolean
  readonly names?: Names
  readonly #claims?: CellClaims
  #learning: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(disk: Disk, epochs: Map<string, number>, { onFatal, turn = nextTurn }: DiskOptions) {
    this.#disk = disk
    this.#epochs = epochs
    // The process that opened an unshared disk owns it, under the epoch of the last write.
    this.#epoch = disk.shared === undefined ? newestOf(epochs) : 0
    this.#turn = turn
    this.keepsChanges = disk.shared === undefined
    if (this.keepsChanges) this.#changes = new ChangeRows(disk)
    this.#group = new GroupCommit(disk.write, onFatal, disk.beforeWrite ?? turn, disk.packs)
    const table = disk.shared?.names
    if (table === undefined) return
    this.#claims = new CellClaims({ table: table.claims, written: () => this.#group.add([]) })
    this.names = namesOn(table, this.#claims, () => this.#assertUsable())
  }

  get epoch(): number {
    return this.#epoch
  }

  async claim(): Promise<number> {
    this.#assertUsable()
    const { shared } = this.#disk
    if (shared !== undefined) {
      this.#epoch = await shared.claim()
      this.#epochs = await epochsOn(this.#disk)
    } else if (this.#claimed) {
      this.#epoch += 1
      const raised = [...this.#epochs.keys()].map((tenant) => this.#fence(tenant))
      await this.#group.add(raised)
    }
    this.#claimed = true
    return this.#epoch
  }

  async commit(parts: readonly TenantBatch[]): Promise<void> {
    // No await before the unit is queued, so that the order of the calls is the order of the writes.
    this.#assertUsable()
    const rows: Row[] = []
    let claims: Map<string, string> | undefined
    let raised: Set<string> | undefined
    const { shared } = this.#disk
    for (const part of parts) {
      if (part.epoch !== this.#epoch) throw epochError(part.epoch, this.#epoch)
      if (this.#epochs.get(part.tenant) !== part.epoch) (raised ??= new Set()).add(part.tenant)
      for (const op of part.ops) {
        if (op.type !== 'meta') assertOwn(op, part.tenant)
        const key = keys.keyOf(op)
        if (op.type === 'message') this.#claim((claims ??= new Map<string, string>()), key, op)
        if (shared === undefined && keys.isMostlyNew(key)) this.#seen.add(key)
        rows.push(new OpRow(key, op))
        this.#changes?.add(rows, op, key)
      }
    }
    if (raised !== undefined) for (const tenant of raised) rows.push(this.#fence(tenant))
    if (claims !== undefined) for (const [key, transactionId] of claims) this.#messages.set(key, transactionId)
    await this.#group.add(rows)
    if (claims !== undefined) for (const key of claims.keys()) this.#messages.delete(key)
  }

  async settle(tenant: string, ops: readonly StoreOp[]): Promise<void> {
    const { shared } = this.#disk
    const rows = ops.map((op) => ({ key: keys.keyOf(op), text: textOf(op) ?? '' }))
    this.#assertUsable()
    if (shared !== undefined) await shared.settle(rows)
    else if (this.#disk.get(rows[0]!.key) === undefined) await this.commit([{ tenant, epoch: this.#epoch, ops }])
    this.#assertUsable()
  }

  async *load(tenant: string): AsyncGenerator<Envelope[], void, undefined> {
    const decodeRecord = recordDecoder(tenant)
    for await (const page of this.loadRows(tenant)) yield page.map(([key, text]) => decodeRecord(key, text))
  }

  async *loadRows(tenant: string): AsyncGenerator<RowPage, void, undefined> {
    this.#assertUsable()
    for await (const page of withChanges(this.#disk.pages(keys.recordsOf(tenant)))) {
      yield page
      this.#assertUsable()
    }
  }

  async tenants(): Promise<string[]> {
    this.#assertUsable()
    const { shared } = this.#disk
    if (shared !== undefined) return (await shared.tenants()).map(keys.unescapePart)
    const tenants: string[] = []
    for await (const page of this.#disk.pages(keys.FENCES)) for (const [key] of page) tenants.push(keys.lastPart(key))
    return tenants
  }

  /** On an unshared disk every row is available without a fetch. */
  async fetch(coldKeys: readonly ColdKey[], keptMs = FRESH_MS): Promise<void> {
    const { shared } = this.#disk
    if (shared === undefined) return
    this.#assertUsable()
    const names: string[] = []
    const claimed: string[] = []
    const rows: string[] = []
    for (const key of coldKeys) {
      if (key.read === 'name') names.push(key.name)
      else if (key.read === 'claim') claimed.push(key.name)
      else rows.push(keys.keyOfCold(key))
    }
    const isClaiming = claimed.length > 0
    // The claim comes first, so that the fetch below reads what earlier holders of the claim wrote.
    const hold = isClaiming ? await this.#claims?.take(claimed) : undefined
    const others = names.length === 0 ? undefined : shared.names?.elsewhere.fetch(names, keptMs)
    await Promise.all([rows.length === 0 ? undefined : shared.fetch(rows, isClaiming), others])
    hold?.()
    this.#assertUsable()
  }

  idempotency(tenant: string, cluster: string, scope: string): unknown {
    return this.#read(keys.idempotencyKey(tenant, cluster, scope))
  }

  transactionOfMessage(cluster: string, hash: string): string | undefined {
    return this.#holderOf(keys.messageKey(cluster, hash))
  }

  payload(tenant: string, cluster: string, id: string): unknown {
    return this.#read(keys.payloadKey(tenant, cluster, id))
  }

  secret(tenant: string, cluster: string, id: string): unknown {
    return this.#read(keys.secretKey(tenant, cluster, id))
  }

  file(tenant: string, cluster: string, id: string): unknown {
    return this.#read(keys.fileKey(tenant, cluster, id))
  }

  meta(name: string): unknown {
    return this.#read(keys.metaKey(name))
  }

  old(id: string): Envelope | undefined {
    this.#assertUsable()
    const key = keys.oldKey(id)
    const text = this.#disk.get(key)
    return text === undefined ? undefined : decodeOld(key, id, text)
  }

  async oldMany(ids: readonly string[]): Promise<readonly (Envelope | undefined)[]> {
    this.#assertUsable()
    const rowKeys = ids.map(keys.oldKey)
    const texts = await this.#disk.getMany(rowKeys)
    this.#assertUsable()
    return texts.map((text, at) => (text === undefined ? undefined : decodeOld(rowKeys[at]!, ids[at]!, text)))
  }

  async payloadMany(
    places: readonly { readonly tenant: string; readonly cluster: string; readonly id: string }[],
  ): Promise<readonly unknown[]> {
    this.#assertUsable()
    const rowKeys = places.map(({ tenant, cluster, id }) => keys.payloadKey(tenant, cluster, id))
    const texts = await this.#disk.getMany(rowKeys)
    this.#assertUsable()
    return texts.map((text, at) => (text === undefined ? undefined : decode(rowKeys[at]!, text)))
  }

  alias(cluster: string, name: string): string | undefined {
    return this.#read(keys.aliasKey(cluster, name)) as string | undefined
  }

  view(): StoreView {
    this.#assertUsable()
    return openView(this.#disk.snapshot(), () => this.#assertUsable())
  }

  events(tenant: string, after: number, limit: number): Promise<SequencedRow[]> {
    return this.#log('event', tenant, after, limit)
  }

  audit(tenant: string, after: number, limit: number): Promise<SequencedRow[]> {
    return this.#log('audit', tenant, after, limit)
  }

  async lastSequence(log: 'event' | 'audit', tenant: string): Promise<number> {
    this.#assertUsable()
    const key = await this.#disk.lastKey(keys.logAfter(log, tenant, -1))
    return key === undefined ? 0 : Number(keys.lastPart(key))
  }

  async *movements(
    log: keys.MovementLogName,
    balance: BookedBalance,
    from: number,
    to: number,
  ): AsyncGenerator<readonly StampedRow[], void, undefined> {
    this.#assertUsable()
    for await (const page of this.#disk.pages(keys.movementsBetween(log, balance, from, to))) {
      yield page.map(stampedOf)
      this.#assertUsable()
    }
  }

  async lastMovement(balance: BookedBalance, before: number): Promise<StampedRow | undefined> {
    this.#assertUsable()
    const row = await this.#disk.lastRow(keys.movementsBetween('movement', balance, 0, before))
    return row === undefined ? undefined : stampedOf(row)
  }

  movementWalk(log: keys.MovementLogName, tenant: string): MovementWalk {
    this.#assertUsable()
    const walk = this.#disk.walk(keys.movementsOfTenant(log, tenant))
    return {
      take: async (balance, from, to, most) => {
        const rows = await walk.take(keys.movementsBetween(log, balance, from, to), most)
        this.#assertUsable()
        return rows.map(stampedOf)
      },
      close: () => walk.close(),
    }
  }

  outbox(tenant: string, after = -1, limit?: number): Promise<SequencedRow[]> {
    return this.#log('outbox', tenant, after, limit)
  }

  inbox(tenant: string, sender: string): number {
    return (this.#read(keys.inboxKey(tenant, sender)) as number | undefined) ?? 0
  }

  stats(): StoreStats {
    return this.#group.stats()
  }

  close(): Promise<void> {
    this.#disk.shared?.closing()
    this.#closing ??= Promise.all([this.#group.idle(), this.#learning]).then(() => this.#disk.close())
    return this.#closing
  }

  async #log(log: keys.LogName, tenant: string, after: number, limit?: number): Promise<SequencedRow[]> {
    this.#assertUsable()
    const rows: SequencedRow[] = []
    for await (const page of this.#disk.pages(keys.logAfter(log, tenant, after), limit)) {
      for (const [key, text] of page) rows.push({ sequence: Number(keys.lastPart(key)), row: decode(key, text) })
    }
    return rows
  }

  #read(key: string): unknown {
    this.#assertUsable()
    if (keys.isMostlyNew(key) && this.#isNew(key)) return undefined
    const text = this.#disk.get(key)
    return text === undefined ? undefined : decode(key, text)
  }

  /** The first lookup starts to load the existing keys; a process that only reads records never needs them. */
  #isNew(key: string): boolean {
    if (this.#disk.shared !== undefined) return false
    this.#learning ??= this.#learn()
    return !this.#seen.mayHave(key)
  }

  /** Loads the existing keys. Yields between pages; commits add new keys meanwhile. */
  async #learn(): Promise<void> {
    try {
      for (const range of keys.MOSTLY_NEW_RANGES) {
        for await (const page of this.#disk.pages(range)) {
          for (const [key] of page) this.#seen.add(key)
          await this.#turn()
          if (this.#closing !== undefined) return
        }
      }
      this.#seen.complete()
    } catch {
      // Every lookup then reads the disk, and reports the disk's error to its caller.
    }
  }

  #holderOf(key: string): string | undefined {
    this.#assertUsable()
    return this.#messages.get(key) ?? (this.#read(key) as string | undefined)
  }

  #claim(claims: Map<string, string>, key: string, op: StoreOp & { type: 'message' }): void {
    const holder = claims.get(key) ?? this.#holderOf(key)
    if (holder !== undefined && holder !== op.transactionId) throw new MessageTaken(op.hash, holder)
    claims.set(key, op.transactionId)
  }

  #fence(tenant: string): Row {
    const epoch = this.#epoch
    this.#epochs.set(tenant, epoch)
    return { key: keys.fenceKey(tenant), text: () => String(epoch) }
  }

  #assertUsable(): void {
    if (this.#group.failure !== undefined) throw this.#group.failure
    if (this.#closing !== undefined) throw new StoreClosed()
  }
}

function stampedOf([key, text]: readonly [key: string, text: string]): StampedRow {
  return { stamp: Number(keys.lastPart(key)), row: decode(key, text) }
}

function newestOf(epochs: ReadonlyMap<string, number>): number {
  let newest = FIRST_EPOCH
  for (const epoch of epochs.values()) newest = Math.max(newest, epoch)
  return newest
}

function epochError(epoch: number, known: number): Error {
  return epoch < known ? new StaleEpoch(epoch, known) : new RangeError(`${epoch} is not the epoch of a claim`)
}

function assertOwn(op: Exclude<StoreOp, { type: 'meta' }>, tenant: string): void {
  const owner = op.type === 'record' || op.type === 'old' ? op.envelope.tenant : op.tenant
  if (owner !== tenant) throw new ForeignRow(op.type, owner, tenant)
}
