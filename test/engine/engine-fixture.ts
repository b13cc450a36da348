// An engine on a real store with its own directory, whose writes a test can delay; and records for it.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import type { Entry } from '../../src/engine/records/entry.ts'
import { ofKind, type RecordState } from '../../src/engine/records/record.ts'
import { CommandRejected, type UnitOfWork } from '../../src/engine/records/unit-of-work.ts'
import type { TransactionEvent } from '../../machines/transactions/transaction-events.ts'
import { settleTransaction } from '../../src/engine/settlement/settlement.ts'
import type { BookEntry, TransactionFixed } from '../../machines/transactions/transaction-record.ts'
import type { WriteBatch } from '../../snapshots/disk.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'
import { signatureText } from '../../src/solana/address.ts'
import { account, AT, fixed, position } from '../machines/records.ts'
import { atEndOfFile } from '../cleanup.ts'

export const CLUSTER = 'CHAIN_DEVNET'
export const TENANT = 'ACME'

export class EngineFixture {
  readonly path = mkdtempSync(join(tmpdir(), 'holdfast-engine-'))
  /** Rows of each write, in order. */
  readonly writes: number[] = []
  store!: Store
  engine!: Engine
  #gate: Promise<void> | null = null
  #open: () => void = () => undefined

  readonly #options: Partial<EngineOptions>

  private constructor(options: Partial<EngineOptions>) {
    this.#options = options
  }

  static async open(awakePerTenant?: number, options: Partial<EngineOptions> = {}): Promise<EngineFixture> {
    const fixture = new EngineFixture(options)
    atEndOfFile(async () => {
      fixture.letGo()
      await fixture.store.close()
      rmSync(fixture.path, { recursive: true, force: true })
    })
    await fixture.start(awakePerTenant)
    return fixture
  }

  async start(awakePerTenant?: number): Promise<void> {
    const aroundWrite =
      (write: WriteBatch): WriteBatch =>
      async (ops, options) => {
        await this.#gate
        this.writes.push(ops.length)
        await write(ops, options)
      }
    const onFatal = (error: Error): void => {
      throw error
    }
    this.store = await openStore({ path: join(this.path, 'service'), onFatal, aroundWrite })
    this.engine = await Engine.open({
      ...this.#options,
      store: this.store,
      ...(awakePerTenant === undefined ? {} : { awakePerTenant }),
    })
  }

  /** Closes and opens again; earlier entries are invalid afterwards. */
  async restart(awakePerTenant?: number): Promise<void> {
    await this.store.close()
    await this.start(awakePerTenant)
  }

  /** From now on no write reaches the disk. */
  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  letGo(): void {
    this.#gate = null
    this.#open()
  }

  /** One unit of work, durable. */
  async commit<T>(work: (unit: UnitOfWork) => T): Promise<T> {
    const { result, durable } = this.engine.transact(work)
    await durable
    return result
  }

  /** Sends an event to a transaction; resolves when it is durable. Rejects when the event is rejected. */
  async settle(id: string, event: TransactionEvent): Promise<void> {
    const { result, durable } = settleTransaction(this.engine, this.entry(id), event, AT)
    if (result !== null) throw new CommandRejected(result.rejection, result.record)
    await durable
  }

  entry(id: string): Entry {
    const entry = this.engine.directory.byId(id)
    if (entry === undefined) throw new Error(`no record ${id}`)
    return entry
  }

  transaction(id: string): RecordState<'transaction'> {
    const state = ofKind(this.entry(id).head, 'transaction')
    if (state === undefined) throw new Error(`${id} is no transaction`)
    return state
  }
}

export const place = (id: string, tenant = TENANT) => ({ tenant, cluster: CLUSTER, id })

/** An account whose address is its id. */
export function newAccount(
  unit: UnitOfWork,
  id: string,
  balance = '1000',
  state: 'pending' | 'active' = 'active',
  tenant = TENANT,
): Entry {
  const references = { ...account.references, accountNumber: id }
  return unit.create('account', place(id, tenant), {
    holding: { ...account, address: id, references, lamports: { balance, reserved: '0' } },
    state,
  })
}

export function newPosition(
  unit: UnitOfWork,
  id: string,
  state: 'pending' | 'initialized' | 'frozen',
  tenant = TENANT,
): Entry {
  const references = { ...position.references, accountNumber: id }
  return unit.create('position', place(id, tenant), { holding: { ...position, address: id, references }, state })
}

/** A transaction with these entries, not signed; its signed bytes are its id. */
export function newTransaction(
  unit: UnitOfWork,
  id: string,
  entries: readonly BookEntry[],
  bytes: Uint8Array | null = bytesOf(id),
): Entry {
  const completeFixed: TransactionFixed = { ...fixed, entries }
  const signedBytes = bytes === null ? null : Buffer.from(bytes).toString('base64')
  unit.also(TENANT, { type: 'payload', ...place(id), payload: { fixed: completeFixed, signedBytes } })
  return unit.create('transaction', place(id), { fixed: completeFixed })
}

/** A first signature, and the id in place of the rest. */
export function bytesOf(id: string): Buffer {
  return Buffer.concat([Buffer.from([1]), createHash('sha512').update(id).digest(), Buffer.from(id)])
}

/** The first signature in `bytesOf`. */
export function signatureIn(id: string): string {
  return signatureText(bytesOf(id).subarray(1, 65))
}

export function sign(unit: UnitOfWork, entry: Entry, signature = `signature of ${entry.head.id}`): void {
  unit.send<'transaction'>(entry, {
    type: 'command.sign',
    signatures: 2,
    complete: true,
    ourSignature: true,
    signature,
    at: AT,
  })
}

/** The content of a record, without its revision. */
export function stripRevision(state: RecordState | undefined): unknown {
  if (state === undefined) return undefined
  const { revision: _revision, ...rest } = state
  return rest
}
