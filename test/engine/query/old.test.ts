// Bulk queries over memory and store together, after transactions were evicted, compared with a naive model; and each
// transaction by id and by signature. On a real store, with most transactions evicted.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import { Engine } from '../../../src/engine/engine.ts'
import type { Entry } from '../../../src/engine/records/entry.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import type { Field, Filter, FilterType, FilterValue, Query } from '../../../src/engine/query/field.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { TRANSACTIONS } from '../../../src/operations/views/bulk/resources.ts'
import { TRANSACTION_SOURCE } from '../../../src/operations/views/bulk/sources.ts'
import { compileMessage } from '../../../src/solana/compile.ts'
import { memo } from '../../../src/solana/instructions/memo.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Store } from '../../../snapshots/store.ts'
import { fixed } from '../../machines/records.ts'
import { expectSame } from '../../same.ts'
import { shy } from '../../shy-store.ts'
import { Random } from './random.ts'
import { computedOnce, Naive, type FieldKind, type NaiveAnswer, type NaiveRow } from './naive.ts'

type Transaction = RecordState<'transaction'>

const CLUSTER = 'CHAIN_DEVNET'
const FEE_PAYER = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
const ORGANIZATIONS = ['ACME', 'BRANCH']
const INSTANTS = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-02T00:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
]
const KIND_OF: Readonly<Partial<Record<Field<Transaction>['type'], FieldKind>>> = {
  NUMBER: 'number',
  TIMESTAMP: 'instant',
  BOOLEAN: 'boolean',
}
const kindOf = ({ type }: Field<Transaction>): FieldKind => KIND_OF[type] ?? 'text'
const naive = new Naive(
  Object.fromEntries(TRANSACTIONS.fields.map((field) => [field.name, kindOf(field)])),
  TRANSACTIONS.defaultSort,
)

class World {
  readonly random: Random
  engine!: Engine
  /** As committed: a reader must see each of them, in memory or in the store. */
  readonly committed = new Map<string, Transaction>()
  readonly #path = mkdtempSync(join(tmpdir(), 'holdfast-old-'))
  #store!: Store

  readonly #isShy: boolean

  /** For an odd seed: a store without cold rows in memory. */
  constructor(seed: number) {
    this.random = new Random(seed)
    this.#isShy = seed % 2 === 1
  }

  async open(): Promise<void> {
    const { random } = this
    const store = await openStore({
      path: this.#path,
      onFatal: (error) => {
        throw error
      },
    })
    this.#store = this.#isShy ? shy(store) : store
    const tuning = {
      fewRows: random.of([0, 3, 30]),
      loose: random.of([1, 16]),
      orderFrom: random.of([0, 1_000]),
      trigramsFrom: 1_000,
      maxOrders: 3,
      maxKept: random.of([1, 4, 4_096]),
      idleMs: 5_000,
    }
    const retirement = { keep: random.of([0, 3, 20]), source: TRANSACTION_SOURCE }
    this.engine = await Engine.open({ store: this.#store, tuning, eviction: retirement })
    this.engine.onCommitted((changes: readonly Change[]) => {
      for (const { next } of changes) {
        const transaction = ofKind(next, 'transaction')
        if (transaction !== undefined) this.committed.set(next.id, transaction)
      }
    })
  }

  async close(): Promise<void> {
    await this.engine.stop()
    await this.#store.close()
  }

  async restart(): Promise<void> {
    await this.close()
    await this.open()
  }

  remove(): void {
    rmSync(this.#path, { recursive: true })
  }

  /** Adds a transaction, or changes an existing one; nearly all end. */
  async change(): Promise<void> {
    const { random, engine } = this
    const open = [...this.committed.values()].filter(({ context }) => context.finalAt === null)
    if (open.length === 0 || random.chance(2)) {
      await this.#create()
      return
    }
    const entry = engine.directory.byId(random.of(open).id)!
    const at = random.of(INSTANTS)
    if (entry.head.value === 'prepared' && random.chance(3)) {
      const event = random.of([
        { type: 'command.cancel', at },
        { type: 'command.fail', at, reason: 'NO_KEY: none' },
      ] as const)
      await engine.transact((unit) => unit.send<'transaction'>(entry, event)).durable
      return
    }
    const { durable } = engine.transact((unit) => {
      if (entry.head.value === 'prepared') {
        const signature = `signature ${entry.head.id}`
        unit.send<'transaction'>(entry, {
          type: 'command.sign',
          signatures: 1,
          complete: true,
          ourSignature: true,
          signature,
          at,
        })
      }
      const sighting = {
        slot: 5,
        blockTime: random.of([null, 1_700_000_000, 1_800_000_000]),
        computeUnits: random.of([null, 150, 2_000]),
        at,
      }
      const commitment = random.of(['confirmed', 'finalized', 'finalized'] as const)
      unit.send<'transaction'>(entry, {
        type: 'chain.seen',
        commitment,
        error: random.of([null, null, 'custom error 1']),
        ...sighting,
      })
    })
    await durable
  }

  async #create(): Promise<void> {
    const { random } = this
    const ref = (): { address: string; id: string | null } => ({
      address: `Address${random.roll(6)}`,
      id: random.of([null, 'id-1', 'id-2']),
    })
    const memos = random.list(0, 2, () => memo(random.of(['invoice 7', 'Invoice 8', 'rent\nMay'])))
    const message = compileMessage({
      feePayer: FEE_PAYER,
      instructions: memos,
      blockhash: FEE_PAYER,
      version: 'V0',
    })
    const programs = memos.map(({ program }) => ({ type: 'MEMO', programId: program }))
    const completeFixed: TransactionFixed = {
      ...fixed,
      message: Buffer.from(message.bytes).toString('base64'),
      organization: random.of(ORGANIZATIONS),
      ...(random.chance(4) ? { waitsFor: [{ tenant: 'ACME', organization: random.of(ORGANIZATIONS) }] } : {}),
      feePayer: ref(),
      fee: random.of(['5000', '10000', '18446744073709551615']),
      accounts: random.list(0, 3, ref),
      lifetime: random.of(['RECENT_BLOCKHASH', 'DURABLE_NONCE'] as const),
      blockhash: random.of(['Hash1', 'hash2', 'É']),
      computeUnitsLimit: random.of([null, 200_000, 1_400_000]),
      computeUnitPrice: random.of([null, '0', '18446744073709551614']),
      instructions: [
        ...programs,
        ...random.list(1, 3, () => ({ type: random.of(['TransferChecked', 'MintTo']), programId: 'P' })),
      ],
      endpoint: random.of(['/api/v1/positions/transfer', '/api/v1/accounts']),
      preparedAt: random.of(INSTANTS),
    }
    const place = { tenant: 'ACME', cluster: CLUSTER, id: random.uuid() }
    const { durable } = this.engine.transact((unit) => {
      unit.also('ACME', { type: 'payload', ...place, payload: { fixed: completeFixed, signedBytes: null } })
      unit.create('transaction', place, { fixed: completeFixed })
    })
    await durable
  }

  answer(organization: string, query: Query): NaiveAnswer {
    const visible = [...this.committed.values()].filter((state) =>
      TRANSACTION_SOURCE.partsOf(state).includes(partOf(organization)),
    )
    return naive.answer(visible.map(rowsIn(organization)), query)
  }

  async ask(organization: string, query: Query): Promise<NaiveAnswer> {
    const { count, items } = await this.engine.readModel.query(TRANSACTION_SOURCE, [partOf(organization)], query)
    for (const item of items) {
      const committed = this.committed.get(item.id)
      if (committed?.revision === item.revision) expectSame(item, toListed(organization, committed))
    }
    return { count, ids: items.map(({ id }) => id) }
  }

  async byId(id: string): Promise<Entry | undefined> {
    return await atHand(this.engine, () => this.engine.directory.byId(id))
  }

  async bySignature(signature: string): Promise<Entry | undefined> {
    return await atHand(this.engine, () => this.engine.directory.bySignature(CLUSTER, signature))
  }

  get inMemory(): number {
    return [...this.engine.directory.entries()].length
  }

  anyQuery(): Query {
    const { random } = this
    const sort = random.list(0, 3, () => ({
      fieldName: random.of(TRANSACTIONS.fields).name,
      sortDirection: random.of(['ASC', 'DESC'] as const),
    }))
    return {
      ...(random.chance(4) ? {} : { limit: random.roll(40) }),
      ...(random.chance(3) ? { skip: random.roll(60) } : {}),
      ...(random.chance(3) ? {} : { filter: random.list(0, 2, () => this.#anyFilter()) }),
      ...(random.chance(3) ? {} : { sort }),
    }
  }

  #anyFilter(): Filter {
    const { random } = this
    const field = random.of(TRANSACTIONS.fields)
    return {
      fieldName: field.name,
      operator: random.of(['AND', 'OR', undefined] as const),
      filterValues: random.list(1, 2, () => this.#anyValue(field)),
    }
  }

  /** Operands are values of some transaction. */
  #anyValue(field: Field<Transaction>): FilterValue {
    const { random } = this
    const [kind, nullable] = [kindOf(field), field.nullable === true]
    if (nullable && random.chance(6)) return { filterType: random.of(['IS_NULL', 'IS_NOT_NULL'] as const) }
    const filterType = random.of<FilterType>(
      kind === 'text'
        ? ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'IN']
        : kind === 'boolean'
          ? ['EQUALS', 'NOT_EQUALS']
          : [
              'EQUALS',
              'NOT_EQUALS',
              'GREATER_THAN',
              'GREATER_THAN_OR_EQUAL',
              'LESS_THAN',
              'LESS_THAN_OR_EQUAL',
              'IN_RANGE',
            ],
    )
    if (filterType === 'IN') return { filterType, valuesString: random.list(1, 3, () => this.#operand(field)) }
    if (kind === 'boolean') return { filterType, valueBoolean: random.chance(2) }
    if (filterType === 'IN_RANGE') {
      const [from, to] =
        kind === 'number'
          ? (['valueFromNumber', 'valueToNumber'] as const)
          : (['valueFromString', 'valueToString'] as const)
      return { filterType, [from]: this.#operand(field), ...(random.chance(2) ? {} : { [to]: this.#operand(field) }) }
    }
    if (kind === 'number') return { filterType, valueNumber: this.#operand(field) }
    const text = this.#operand(field)
    return {
      filterType,
      valueString:
        filterType.endsWith('EQUALS') || kind === 'instant' ? text : text.slice(random.roll(3), 3 + random.roll(6)),
    }
  }

  #operand(field: Field<Transaction>): string {
    const { random } = this
    const states = [...this.committed.values()]
    const values = states.length === 0 ? [] : [field.read(random.of(states))].flat().filter((value) => value !== null)
    if (values.length > 0) return String(random.of(values))
    return kindOf(field) === 'text' ? 'none' : kindOf(field) === 'number' ? '7' : INSTANTS[0]!
  }
}

const partOf = (organization: string): string => [CLUSTER, 'ACME', organization].join('\u0000')

/** As in the list of the organization: marked if it waits for a signature of the organization. */
const toListed = (organization: string, state: Transaction): Transaction =>
  TRANSACTION_SOURCE.heldIn!(partOf(organization), state)

function rowOf(state: Transaction): NaiveRow {
  return { id: state.id, ...Object.fromEntries(TRANSACTIONS.fields.map((field) => [field.name, field.read(state)])) }
}

/** Each of hundreds of queries reads all rows. */
const rowsIn = computedOnce((organization: string) =>
  computedOnce((state: Transaction) => rowOf(toListed(organization, state))),
)

describe('a bulk query over evicted transactions', () => {
  it.each(Array.from({ length: 12 }, (_, index) => 7_000 + index))(
    'returns the same as a naive implementation of the rules (seed %i)',
    async (seed) => {
      const world = new World(seed)
      await world.open()
      for (let changes = world.random.of([10, 60, 150]); changes > 0; changes -= 1) await world.change()
      for (let count = 0; count < 80; count += 1) {
        const [organization, query] = [world.random.of(ORGANIZATIONS), world.anyQuery()]
        expect(await world.ask(organization, query), JSON.stringify(query)).toEqual(world.answer(organization, query))
        if (world.random.chance(2)) await world.change()
        if (world.random.chance(30)) await world.restart()
      }
      expect(world.engine.readModel.faults).toBe(0)
      await world.close()
      world.remove()
    },
  )

  it.each([1, 2, 3])('reads one committed state while others end and are evicted (seed %i)', async (seed) => {
    const world = new World(90_000 + seed)
    await world.open()
    for (let changes = 60; changes > 0; changes -= 1) await world.change()
    for (let round = 0; round < 10; round += 1) {
      const queries = Array.from({ length: 4 }, () => {
        const [organization, query] = [world.random.of(ORGANIZATIONS), world.anyQuery()]
        return { organization, query, possible: new Set([JSON.stringify(world.answer(organization, query))]) }
      })
      let answerCount = 0
      world.engine.onCommitted(() => {
        for (const { organization, query, possible } of queries)
          possible.add(JSON.stringify(world.answer(organization, query)))
      })
      const answers = queries.map(async ({ organization, query, possible }) => {
        // Failures count too: the changes below stop when all queries are answered.
        const answer = JSON.stringify(await world.ask(organization, query).finally(() => (answerCount += 1)))
        expect([...possible], JSON.stringify(query)).toContain(answer)
      })
      const all = Promise.all(answers)
      while (answerCount < queries.length) await world.change()
      await all
    }
    await world.close()
    world.remove()
  })

  it.each([5, 8])(
    'keeps few in memory, loads few at a start, and finds each by id and by signature (%i)',
    async (seed) => {
      const world = new World(seed)
      await world.open()
      for (let changes = 200; changes > 0; changes -= 1) await world.change()
      await world.restart()
      const open = [...world.committed.values()].filter(({ context }) => context.finalAt === null).length
      expect(world.committed.size - open).toBeGreaterThan(40)
      expect(world.inMemory).toBeLessThanOrEqual(open + 20)
      for (const state of world.committed.values()) {
        const entry = await world.byId(state.id)
        expect(entry?.committed).toEqual(state)
        const { signature } = state.context
        if (signature !== null) expect(await world.bySignature(signature)).toBe(entry)
      }
      expect(await world.byId('nobody')).toBeUndefined()
      expect(await world.bySignature('nobody')).toBeUndefined()
      await world.close()
      world.remove()
    },
  )

  it.each([6, 7])('applies late facts of the chain to an evicted transaction, and stores them (%i)', async (seed) => {
    const world = new World(seed)
    await world.open()
    for (let changes = 150; changes > 0; changes -= 1) await world.change()
    await world.restart()
    const unmeasured = [...world.committed.values()].filter(
      ({ value, context }) => value === 'finalized' && context.computeUnitsConsumed === null,
    )
    const evictedState = unmeasured.find(({ id }) => world.engine.directory.resident(id) === undefined)!
    const entry = (await world.byId(evictedState.id))!
    world.engine.observe((unit) =>
      unit.send<'transaction'>(entry, { type: 'chain.measured', slot: 5, blockTime: 1_700_000_000, computeUnits: 777 }),
    )
    await world.restart()
    expect((await world.byId(evictedState.id))?.committed).toEqual(entry.head)
    const organization = entry.head.kind === 'transaction' ? (entry.head as Transaction).context.fixed.organization : ''
    const query: Query = {
      filter: [{ fieldName: 'computeUnitsConsumed', filterValues: [{ filterType: 'EQUALS', valueNumber: '777' }] }],
    }
    expect(await world.ask(organization, query)).toEqual({ count: 1, ids: [evictedState.id] })
    await world.close()
    world.remove()
  })
})
