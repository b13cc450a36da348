// Messages between tenants of two cells on one real PostgreSQL: applied once and in order, for a kill of either cell at
// any moment, and for any number of lost answers of the database.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { Engine } from '../../src/engine/engine.ts'
import { AcrossCells } from '../../src/engine/outbox/across-cells.ts'
import { ofKind, type RecordState } from '../../src/engine/records/record.ts'
import { systemClock } from '../../src/time/clock.ts'
import { StoreClosed } from '../../snapshots/errors.ts'
import { readInboxNumbers, readUndelivered } from '../../snapshots/postgres/messages.ts'
import { openPostgresStore, prepareDatabase, type PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import type { PostgresAddress } from '../../snapshots/postgres/address.ts'
import { newAccount } from '../engine/engine-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf, faultyProxy, ownPostgres, sql } from './postgres.ts'
import { emptyCells } from './empty-cells.ts'

const HOMES = { ACME: 'main', BANK: 'red' } as const
type Tenant = keyof typeof HOMES
const TENANTS = ['ACME', 'BANK'] as const
const other = (tenant: Tenant): Tenant => (tenant === 'ACME' ? 'BANK' : 'ACME')

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => emptyCells(addressOf(postgres), ['red']))

/** The cell of one tenant. It stores in its own record how many messages it has sent. */
class Cell {
  readonly tenant: Tenant
  readonly failures: unknown[] = []
  #address: PostgresAddress
  #store!: PostgresStore
  #reading!: Database
  #across!: AcrossCells
  engine!: Engine

  constructor(tenant: Tenant, address: PostgresAddress) {
    this.tenant = tenant
    this.#address = address
  }

  async open(): Promise<void> {
    const options = { address: this.#address, waitMs: 30_000, boundMs: 1_000 }
    const { database } = await prepareDatabase(options)
    this.#reading = (await prepareDatabase(options)).database
    const reading = this.#reading
    this.#store = openPostgresStore({ database, cell: HOMES[this.tenant], onFatal: () => undefined })
    await this.#store.claim()
    this.#across = new AcrossCells({
      messages: { undelivered: () => readUndelivered(reading), takenBy: (pairs) => readInboxNumbers(reading, pairs) },
      owns: (tenant) => tenant === this.tenant,
      clock: systemClock,
      failed: (_message, error) => {
        // It was killed while it applied them.
        if (!(error instanceof StoreClosed)) this.failures.push(error)
      },
      unseen: () => undefined,
    })
    this.engine = await Engine.open({ store: this.#store, remoteDelivery: this.#across })
    this.engine.outbox.deliver()
    this.#across.start(this.engine.outbox)
  }

  async make(): Promise<void> {
    await this.engine.transact((unit) => newAccount(unit, this.tenant, '1000', 'active', this.tenant)).durable
  }

  get account(): RecordState<'account'> {
    return ofKind(this.engine.directory.byId(this.tenant)?.head, 'account')!
  }

  get sent(): number {
    return Number(this.account.context.domain || '0')
  }

  /** The number of applied messages: each number is one more than the previous one. */
  get taken(): number {
    return Number(this.account.context.comments || '0')
  }

  send(kind?: string): Promise<void> {
    const to = other(this.tenant)
    const number = this.sent + 1
    return this.engine.transact((unit) => {
      unit.send<'account'>(this.engine.directory.byId(this.tenant)!, {
        type: 'command.update',
        changes: { domain: String(number) },
      })
      const event = { type: 'command.update', changes: { comments: String(number) } }
      unit.sendMessage(to, { kind: (kind ?? 'order') as 'order', record: to, of: 'account', event })
    }).durable
  }

  /** The process continues for a moment, and none of its writes reaches the database. */
  async kill(): Promise<void> {
    this.#reading.close()
    await Promise.all([this.#across.stop(), this.#store.close().catch(() => undefined)])
  }
}

async function openCells(address: PostgresAddress): Promise<Record<Tenant, Cell>> {
  const cells = { ACME: new Cell('ACME', address), BANK: new Cell('BANK', address) }
  for (const tenant of TENANTS) {
    await cells[tenant].open()
    await cells[tenant].make()
  }
  return cells
}

/** The outboxes in the database. */
async function outboxRows(): Promise<number> {
  const [[count] = []] = await sql(
    addressOf(postgres),
    `SELECT count(*) FROM holdfast.row WHERE key LIKE 'o!%' AND value IS NOT NULL`,
  )
  return Number(count)
}

/** All sent messages are applied, and none is left. */
async function waitForMessages(cells: Record<Tenant, Cell>): Promise<void> {
  for (const tenant of TENANTS)
    await until('every message is taken', () => cells[tenant].taken === cells[other(tenant)].sent, 60_000)
  await until('every outbox is cleared', async () => (await outboxRows()) === 0, 60_000)
}

describe('messages between two cells', () => {
  it('are applied in order, many in one commit, and deleted by their senders', async () => {
    const cells = await openCells(addressOf(postgres))
    const before = cells.BANK.engine.store.stats().batches
    await Promise.all(Array.from({ length: 200 }, () => cells.ACME.send()))
    await Promise.all(Array.from({ length: 20 }, () => cells.BANK.send()))
    await waitForMessages(cells)
    expect(cells.BANK.taken).toBe(200)
    expect(cells.ACME.taken).toBe(20)
    // Its own twenty are in a few batches, too.
    expect(cells.BANK.engine.store.stats().batches - before).toBeLessThan(60)
    // One change for each message: none was applied twice, which the revision would show.
    expect(cells.BANK.account.revision).toBe(1 + 200 + 20)
    for (const tenant of TENANTS) await cells[tenant].kill()
  })

  it('are applied once through kills of either cell and connection failures', async () => {
    const proxy = await faultyProxy(addressOf(postgres))
    const cells = await openCells(proxy.address)
    for (let round = 0; round < 12; round += 1) {
      const sentMessages = TENANTS.flatMap((tenant) =>
        Array.from({ length: 1 + (round % 5) }, () => cells[tenant].send()),
      )
      for (const each of sentMessages) each.catch(() => undefined)
      if (round % 3 === 0) proxy.reset()
      await new Promise((resolve) => void setTimeout(resolve, (round * 37) % 160))
      const victim = TENANTS[round % 2]!
      if (round % 4 !== 3) {
        await cells[victim].kill()
        await cells[victim].open()
      }
    }
    await waitForMessages(cells)
    for (const tenant of TENANTS) {
      const { taken, sent, account } = cells[tenant]
      expect(taken).toBeGreaterThan(0)
      expect(account.revision).toBe(1 + taken + sent)
      expect(cells[tenant].failures).toEqual([])
      await cells[tenant].kill()
    }
    await proxy[Symbol.asyncDispose]()
  })

  it('wait while their recipient has no owner, and behind one with an unknown type', async () => {
    const cells = await openCells(addressOf(postgres))
    await cells.BANK.kill()
    for (let count = 0; count < 3; count += 1) await cells.ACME.send()
    expect(await outboxRows()).toBe(3)
    await cells.BANK.open()
    await until('they are taken', () => cells.BANK.taken === 3)
    await until('the outbox is cleared', async () => (await outboxRows()) === 0)
    await cells.ACME.send('of a newer release')
    await cells.ACME.send()
    await until('it has failed', () => cells.BANK.failures.length > 0)
    expect(String(cells.BANK.failures[0])).toContain('of a newer release')
    await cells.BANK.send()
    await until('what goes the other way is taken', () => cells.ACME.taken === 1)
    expect([cells.BANK.taken, cells.BANK.failures.length]).toEqual([3, 1])
    await until('only those that wait are left', async () => (await outboxRows()) === 2)
    for (const tenant of TENANTS) await cells[tenant].kill()
  })

  it('wait behind one whose row is damaged, and those of other senders do not', async () => {
    const cells = await openCells(addressOf(postgres))
    await cells.BANK.kill()
    for (let count = 0; count < 2; count += 1) await cells.ACME.send()
    const first = `key = (SELECT min(key) FROM holdfast.row WHERE key LIKE 'o!ACME!%')`
    const ask = (text: string) => sql(addressOf(postgres), text)
    const [[row] = []] = await ask(`SELECT value FROM holdfast.row WHERE ${first}`)
    await ask(`UPDATE holdfast.row SET value = '{' WHERE ${first}`)
    await cells.BANK.open()
    await cells.BANK.send()
    await until('the message of the other sender is taken', () => cells.ACME.taken === 1)
    await until('it has failed', () => cells.BANK.failures.length > 0)
    expect(String(cells.BANK.failures[0])).toContain('o!ACME!0000000000000001 cannot be read')
    expect([cells.BANK.taken, cells.BANK.failures.length, cells.BANK.engine.outbox.stuck]).toEqual([0, 1, 1])
    await ask(`UPDATE holdfast.row SET value = '${row!}' WHERE ${first}`)
    await waitForMessages(cells)
    expect(cells.BANK.engine.outbox.stuck).toBe(0)
    for (const tenant of TENANTS) await cells[tenant].kill()
  })
})
