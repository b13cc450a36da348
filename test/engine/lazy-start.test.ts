// A restart on a real store, where most records stay rows: every lookup, list, filter and order answers as before.
import fc from 'fast-check'
import { Level } from 'level'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CorruptRow } from '../../snapshots/errors.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { Engine } from '../../src/engine/engine.ts'
import { keysOf } from '../../src/engine/index/record-keys.ts'
import type { Query } from '../../src/engine/query/field.ts'
import { ReadModel, type Source } from '../../src/engine/query/read-model.ts'
import { recordOp } from '../../src/engine/records/codec.ts'
import type { RecordState } from '../../src/engine/records/record.ts'
import { opsOfTenant, toBatches } from '../../src/engine/commits.ts'
import { RecordMetrics } from '../../src/engine/health/record-metrics.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { systemClock } from '../../src/time/clock.ts'
import { ACCOUNT_SOURCE, POSITION_SOURCE } from '../../src/operations/views/bulk/sources.ts'
import type { StoreOp } from '../../snapshots/store.ts'
import { atEndOfFile } from '../cleanup.ts'
import { PLAIN, rowOf, states } from './plain-states.ts'

function newDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-lazy-'))
  atEndOfFile(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function write(path: string, records: readonly RecordState[]): Promise<void> {
  const store = await openStore({ path, onFatal: rethrow })
  const parts = new Map<string, StoreOp[]>()
  for (const state of records) opsOfTenant(parts, state.tenant).push(recordOp(state))
  await store.commit(toBatches(parts, store.epoch))
  await store.close()
}

function rethrow(error: Error): never {
  throw error
}

async function withEngine<T>(path: string, work: (engine: Engine) => T | Promise<T>): Promise<T> {
  const store = await openStore({ path, onFatal: rethrow })
  try {
    return await work(await Engine.open({ store }))
  } finally {
    await store.close()
  }
}

const QUERIES: readonly Query[] = [
  {},
  { limit: 3, skip: 2 },
  { sort: [{ fieldName: 'offchainReferenceName', sortDirection: 'DESC' }] },
  { filter: [{ fieldName: 'type', filterValues: [{ filterType: 'EQUALS', valueString: 'WALLET' }] }] },
  {
    filter: [{ fieldName: 'offchainReferenceName', filterValues: [{ filterType: 'CONTAINS', valueString: 'r' }] }],
    sort: [{ fieldName: 'status', sortDirection: 'ASC' }],
  },
]

async function answers(model: ReadModel, records: readonly RecordState[]): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const source of [ACCOUNT_SOURCE, POSITION_SOURCE] as unknown as readonly Source[]) {
    const parts = new Set(records.flatMap((state) => source.partsOf(state)))
    for (const part of [...parts].sort())
      for (const query of QUERIES) {
        const { count, items } = await model.query(source, [part], query)
        rows.push({ part, query, count, items })
      }
  }
  return rows
}

describe('a restart', () => {
  it('answers every lookup, list, filter and order as before, for any records', async () => {
    await fc.assert(
      fc.asyncProperty(states, fc.array(fc.nat(29), { maxLength: 5 }), async (records, used) => {
        const path = mkdtempSync(join(tmpdir(), 'holdfast-lazy-'))
        await write(path, records)
        const before = new ReadModel({ entries: () => records.map((committed) => ({ committed })) }, systemClock)
        await withEngine(path, async ({ directory, readModel }) => {
          // Some were used before the query.
          for (const at of used)
            if (records[at] !== undefined) expect(directory.byId(records[at].id)?.head.id).toBeDefined()
          for (const key of new Set(records.flatMap(keysOf))) {
            const [actual, expected] = [directory.find(key).map(({ head }) => head), records.filter(has(key))]
            expect(actual.sort(byId)).toEqual(expected.sort(byId))
          }
          expect(await answers(readModel, records)).toEqual(await answers(before, records))
        })
        rmSync(path, { recursive: true, force: true })
      }),
      { numRuns: 40 },
    )
  })

  it('counts all records, and finds fee payers and reservations, without parsing the others', async () => {
    const path = newDirectory()
    const context = PLAIN.context as RecordState<'account'>['context']
    const records = [
      { ...PLAIN, id: 'idle' },
      { ...PLAIN, id: 'closed', value: 'closed' },
      { ...PLAIN, id: 'payer', context: { ...context, address: 'Payer1', canPayFees: true } },
      { ...PLAIN, id: 'held', context: { ...context, lamports: { balance: '9', reserved: '4' } } },
    ]
    await write(path, records)
    await withEngine(path, async (engine) => {
      const metrics = new Metrics()
      new RecordMetrics(engine, systemClock).observe(metrics)
      const lines = (await metrics.render()).split('\n')
      expect(lines).toContain('holdfast_records{kind="account",state="active"} 3')
      expect(lines).toContain('holdfast_records{kind="account",state="closed"} 1')
      expect(lines).toContain('holdfast_records_with_reservations 1')
      expect(lines).toContain('holdfast_fee_payer_lamports{cluster="C",account="Payer1"} 5')
      const storedEntries = [...engine.directory.entries('account')].filter(({ isStored }) => isStored)
      expect(storedEntries.map(({ outline }) => outline.id).sort()).toEqual(['closed', 'idle'])
    })
  })

  it('keeps a change of a record loaded as a row, and leaves the neighbouring rows unchanged', async () => {
    const path = newDirectory()
    const records = ['one', 'two', 'three'].map((id) => ({ ...PLAIN, id, context: { ...PLAIN.context, address: id } }))
    await write(path, records)
    for (const comments of ['first', 'second']) await withEngine(path, (engine) => comment(engine, comments))
    await withEngine(path, ({ directory }) => {
      const heads = records.map(({ id }) => directory.byId(id)!.head)
      expect(heads).toEqual([
        records[0],
        { ...records[1], revision: 3, context: { ...records[1]!.context, comments: 'second' } },
        records[2],
      ])
    })
  })

  it('is refused with the name of a damaged row', async () => {
    const path = newDirectory()
    await write(path, [PLAIN])
    const { key, text } = rowOf(PLAIN)
    const level = new Level<string, string>(path)
    for (const damaged of [
      text.slice(0, -1),
      text.slice(0, 60),
      text.replace('"Addr', 'Addr'),
      text.replace(',"', '"'),
      '[]',
      `${text}]`,
    ]) {
      await level.open()
      await level.put(key, damaged)
      await level.close()
      const store = await openStore({ path, onFatal: rethrow })
      const opening = Engine.open({ store })
      await expect(opening).rejects.toThrow(CorruptRow)
      await expect(opening).rejects.toThrow(key)
      await store.close()
    }
  })
})

async function comment(engine: Engine, comments: string): Promise<void> {
  const entry = engine.directory.byId('two')!
  expect(entry.isStored).toBe(true)
  const { durable } = engine.transact((unit) =>
    unit.send<'account'>(entry, { type: 'command.update', changes: { comments } }),
  )
  await durable
  expect(entry.isStored).toBe(false)
}

const has = (key: string) => (state: RecordState) => keysOf(state).includes(key)
const byId = (one: RecordState, other: RecordState): number => (one.id < other.id ? -1 : 1)
