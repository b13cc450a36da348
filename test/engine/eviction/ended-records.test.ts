// Eviction of the ended records of asset management, in every state that they can have. They are still found by id, in
// lists, by the id of the page of a payer, and after a restart.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../../src/engine/engine-options.ts'
import type { Query } from '../../../src/engine/query/field.ts'
import type { Source } from '../../../src/engine/query/read-model.ts'
import { toEnvelope } from '../../../src/engine/records/codec.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { EVICTED } from '../../../src/operations/views/bulk/evicted.ts'
import { partOf } from '../../../src/operations/views/bulk/parts.ts'
import { CLUSTER, EngineFixture, TENANT } from '../engine-fixture.ts'
import { recordsOfEveryState, rowsOf } from '../stored-kinds.ts'

const KEEP_NONE = { eviction: { keep: 0, keepRetryable: 0, ...EVICTED } }
const OPEN: Readonly<Record<string, readonly string[]>> = {
  batch: ['preparing', 'prepared', 'underWay'],
  batchItem: ['waiting', 'underWay'],
  schedule: ['active', 'paused'],
  occurrence: ['underWay'],
  distribution: ['waiting', 'paying'],
  pendingChange: ['pending'],
}
const PART = [partOf(CLUSTER, TENANT, 'ACME')]
const PAGE = 1_000

const records = recordsOfEveryState()

/** True if only a retry changes the record. */
function isOver(state: RecordState): boolean {
  if (state.kind === 'counterparty' || state.kind === 'approvalPolicy') return false
  if (state.kind === 'paymentRequest') return !(state as RecordState<'paymentRequest'>).context.watched
  if (state.kind === 'batch' && (state as RecordState<'batch'>).context.sweep !== null) return false
  return !OPEN[state.kind]!.includes(state.value)
}

async function filled(options: Partial<EngineOptions>, ops = rowsOf(records)): Promise<EngineFixture> {
  const fixture = await EngineFixture.open(undefined, options)
  await fixture.store.commit([{ tenant: TENANT, epoch: 1, ops }])
  await fixture.restart()
  return fixture
}

async function settled(fixture: EngineFixture): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await fixture.store.commit([])
    await nextTurn()
  }
}

const idsInMemory = (fixture: EngineFixture): string[] =>
  [...fixture.engine.directory.entries()].map(({ head }) => head.id).sort()

const sources = Object.values(EVICTED.others ?? {}) as readonly Source[]

/** Every record of every resource, in two orders, and by each of its states. */
async function listed(fixture: EngineFixture): Promise<unknown> {
  const ask = async (source: Source, query: Query) => {
    const { count, items } = await fixture.engine.readModel.query(source, PART, query)
    return { count, ids: items.map(({ id }) => id), states: items }
  }
  return await Promise.all(
    sources.map(async (source) => {
      const status = source.resource.fields.find(({ name }) => name === 'status')!
      const byState = (status as { readonly values?: readonly string[] }).values ?? []
      const all: Query[] = [
        { limit: PAGE },
        { limit: 2, skip: 1, sort: [{ fieldName: 'offchainId', sortDirection: 'DESC' }] },
        ...byState.map((valueString) => ({
          limit: PAGE,
          filter: [{ fieldName: 'status', filterValues: [{ filterType: 'EQUALS' as const, valueString }] }],
        })),
      ]
      return await Promise.all(all.map((query) => ask(source, query)))
    }),
  )
}

describe('ended records of asset management', () => {
  it('are evicted, and open ones stay', async () => {
    const fixture = await filled(KEEP_NONE)
    await settled(fixture)
    expect(idsInMemory(fixture)).toEqual(
      records
        .filter((state) => !isOver(state))
        .map(({ id }) => id)
        .sort(),
    )
    await fixture.engine.stop()
  })

  it('are returned by id and in lists as if they were in memory, also after a restart', async () => {
    const [fixture, whole] = [await filled(KEEP_NONE), await filled({})]
    await settled(fixture)
    const inMemory = await listed(whole)
    for (let round = 0; round < 2; round += 1) {
      for (const state of records) expect(fixture.engine.directory.byId(state.id)?.committed).toEqual(state)
      expect(await listed(fixture)).toEqual(inMemory)
      await fixture.engine.stop()
      await fixture.restart()
      await settled(fixture)
    }
    await Promise.all([fixture.engine.stop(), whole.engine.stop()])
  })

  it('are shown on the page of a payer', async () => {
    const fixture = await filled(KEEP_NONE)
    await settled(fixture)
    for (const state of records) {
      if (state.kind !== 'paymentRequest') continue
      const { payId } = (state as RecordState<'paymentRequest'>).context
      expect(fixture.engine.directory.byPayId(payId)?.committed).toEqual(state)
    }
    await fixture.engine.stop()
  })

  it('are evicted after their batch, even if the process ended between the batch and its items', async () => {
    const items = records.filter((state) => state.kind === 'batchItem' && isOver(state)) as RecordState<'batchItem'>[]
    const batchId = items[0]!.context.batchId
    const batch = records.find(({ id }) => id === batchId)!
    const others = records.filter((state) => state !== batch)
    const fixture = await filled({ eviction: { keep: 1_000, ...EVICTED } }, [
      ...rowsOf(others),
      { type: 'old', envelope: toEnvelope(batch) },
    ])
    await settled(fixture)
    const left = new Set([batch, ...items].map(({ id }) => id))
    expect(idsInMemory(fixture)).toEqual(
      records
        .map(({ id }) => id)
        .filter((id) => !left.has(id))
        .sort(),
    )
    await fixture.engine.stop()
  })

  it('stay in memory up to the bound', async () => {
    const keep = 5
    const fixture = await filled({ eviction: { keep, keepRetryable: keep, ...EVICTED } })
    await settled(fixture)
    const over = new Set(records.filter((state) => isOver(state) && state.kind !== 'batchItem').map(({ id }) => id))
    const left = idsInMemory(fixture).filter((id) => over.has(id))
    expect(over.size).toBeGreaterThan(2 * keep)
    expect(left.length).toBeLessThanOrEqual(2 * keep)
    await fixture.engine.stop()
  })
})
