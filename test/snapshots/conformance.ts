// The required behavior of every implementation of the store, on any storage.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForeignRow, StaleEpoch } from '../../snapshots/errors.ts'
import type { Store, StoreOp, StoreView } from '../../snapshots/store.ts'
import { commitConformance } from './conformance-commits.ts'
import { readConformance } from './conformance-reads.ts'
import {
  all,
  commitFetched,
  CLUSTER,
  envelope,
  hand,
  message,
  numbered,
  OTHER,
  part,
  record,
  TENANT,
  write,
} from './units.ts'

/** One storage and its operations. Each test gets its own. */
export interface Storage {
  /** Opens and claims it, for the first time or again after `close` or a power cut. */
  open(onFatal?: (error: Error) => void): Promise<Store>
  /** A store of other tenants on the same storage, after `open`. Absent: not possible. */
  beside?(): Promise<Store>
  /** For implementations that can simulate a power cut, which loses unsynced data. */
  readonly power?: {
    /** Delays the following writes, so that the cut finds them pending. */
    hold(): void
    /** Cuts the power. Each pending write lands whole, or not at all. */
    cut(underwayLands: boolean): void
  }
}

const BALANCE = { tenant: TENANT, record: 'a', asset: 'l' }

async function movements(store: Store, log: 'movement' | 'reversal', from: number, to: number): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const page of store.movements(log, BALANCE, from, to)) found.push(...page)
  return found
}

export function conformance(name: string, make: () => Storage): void {
  describe(`${name}: names`, () => {
    it('are found from another cell as their records were last committed, if the store supports cells', async () => {
      const storage = make()
      let store = await storage.open()
      const name = (id: string, held = true): StoreOp => ({
        type: 'name',
        tenant: TENANT,
        cluster: CLUSTER,
        id,
        name: 'shown',
        held,
      })
      if (storage.beside === undefined) {
        expect(store.names).toBeUndefined()
        await store.close()
        return
      }
      const beside = await storage.beside()
      const ids = async (): Promise<unknown> => {
        await beside.fetch([{ read: 'name', name: 'shown' }])
        return beside.names!.of('shown').map(({ id, revision }) => [id, revision])
      }
      expect(await ids()).toEqual([])
      await write(store, [part([record('a'), name('a'), record('b'), name('b')])])
      expect(await ids()).toEqual([
        ['a', 1],
        ['b', 1],
      ])
      const stale = store.epoch
      await store.claim()
      await expect(store.commit([part([record('c'), name('c')], TENANT, stale)])).rejects.toThrow(StaleEpoch)
      await write(store, [part([record('a', { revision: 2 }), name('b', false)])])
      expect(await ids()).toEqual([['a', 2]])
      await store.close()
      store = await storage.open()
      expect(await store.names!.missing()).toEqual([])
      await write(store, [part([name('b'), name('a', false)])])
      expect(await ids()).toEqual([['b', 1]])
      await store.close()
      await beside.close()
    })
  })

  describe(`${name}: rows`, () => {
    it('returns every type of row, also after it was reopened', async () => {
      const storage = make()
      let store = await storage.open()
      await commitFetched(store, [part([message('a', 'transaction')])])
      await write(store, [
        part([
          record('a', {
            kind: 'position',
            version: 3,
            revision: 9,
            value: 'frozen',
            context: { text: 'é\u0000😀\ud800', list: [1, null, true] },
          }),
          { type: 'payload', tenant: TENANT, cluster: CLUSTER, id: 'a', payload: { bytes: 'AQID' } },
          { type: 'idempotency', tenant: TENANT, cluster: CLUSTER, scope: 'a', row: { digest: 'd' } },
          { type: 'secret', tenant: TENANT, cluster: CLUSTER, id: 'a', row: { ciphertext: 'c' } },
          { type: 'file', tenant: TENANT, cluster: CLUSTER, id: 'a', row: { base64: 'AQID' } },
          { type: 'file', tenant: TENANT, cluster: CLUSTER, id: 'gone', row: { base64: 'AQID' } },
          { type: 'file', tenant: TENANT, cluster: CLUSTER, id: 'gone', row: null },
          message('a', 'transaction'),
          record('b'),
          { type: 'unloaded', tenant: TENANT, cluster: CLUSTER, id: 'b' },
          { type: 'old', envelope: envelope('b', { kind: 'transaction', revision: 7 }) },
          { type: 'alias', tenant: TENANT, cluster: CLUSTER, name: 'signature', id: 'b' },
          { type: 'event', tenant: TENANT, sequence: 1, row: ['event'] },
          { type: 'audit', tenant: TENANT, sequence: 1, row: ['audit'] },
          { type: 'outbox', tenant: TENANT, sequence: 1, row: ['outbox'] },
          { type: 'inbox', tenant: TENANT, sender: OTHER, sequence: 7 },
          { type: 'meta', name: 'a', value: 0 },
          ...[1, 2, 3].map((stamp): StoreOp => ({ type: 'movement', ...BALANCE, stamp, row: [stamp] })),
          { type: 'movement', ...BALANCE, record: 'ab', stamp: 2, row: ['another record'] },
          { type: 'movement', ...BALANCE, asset: 't', stamp: 2, row: ['another asset'] },
          { type: 'reversal', ...BALANCE, stamp: 3, row: [3] },
        ]),
      ])
      for (const _again of [1, 2]) {
        expect(await all(store)).toEqual([
          envelope('a', {
            kind: 'position',
            version: 3,
            revision: 9,
            value: 'frozen',
            context: { text: 'é\u0000😀\ud800', list: [1, null, true] },
          }),
        ])
        expect(await hand(store, () => store.payload(TENANT, CLUSTER, 'a'))).toEqual({ bytes: 'AQID' })
        expect(await hand(store, () => store.idempotency(TENANT, CLUSTER, 'a'))).toEqual({ digest: 'd' })
        expect(await hand(store, () => store.secret(TENANT, CLUSTER, 'a'))).toEqual({ ciphertext: 'c' })
        expect(await hand(store, () => store.file(TENANT, CLUSTER, 'a'))).toEqual({ base64: 'AQID' })
        expect(await hand(store, () => store.file(TENANT, CLUSTER, 'gone'))).toBeUndefined()
        expect(await hand(store, () => store.transactionOfMessage(CLUSTER, 'a'))).toBe('transaction')
        expect(await store.events(TENANT, 0, 9)).toEqual([{ sequence: 1, row: ['event'] }])
        expect(await store.audit(TENANT, 0, 9)).toEqual([{ sequence: 1, row: ['audit'] }])
        expect(await store.outbox(TENANT)).toEqual([{ sequence: 1, row: ['outbox'] }])
        expect([store.inbox(TENANT, OTHER), store.inbox(OTHER, TENANT), store.inbox(TENANT, 'nobody')]).toEqual([
          7, 0, 0,
        ])
        expect(await hand(store, () => store.old('b'))).toEqual(envelope('b', { kind: 'transaction', revision: 7 }))
        expect(await hand(store, () => store.old('a'))).toBeUndefined()
        expect(await hand(store, () => store.alias(CLUSTER, 'signature'))).toBe('b')
        expect(await hand(store, () => store.alias('elsewhere', 'signature'))).toBeUndefined()
        expect(store.meta('a')).toBe(0)
        expect(await movements(store, 'movement', 1, 3)).toEqual([
          { stamp: 1, row: [1] },
          { stamp: 2, row: [2] },
        ])
        expect(await movements(store, 'reversal', 0, 9)).toEqual([{ stamp: 3, row: [3] }])
        expect(await store.lastMovement(BALANCE, 3)).toEqual({ stamp: 2, row: [2] })
        expect(await store.lastMovement(BALANCE, 1)).toBeUndefined()
        expect(await store.lastMovement({ ...BALANCE, tenant: OTHER }, 9)).toBeUndefined()
        expect(await store.tenants()).toEqual([TENANT])
        await store.close()
        store = await storage.open()
      }
      await store.close()
    })

    it('returns undefined for a missing row, and for one of another tenant or cluster', async () => {
      const store = await make().open()
      await commitFetched(store, numbered(1))
      await write(store, numbered(1))
      expect(await hand(store, () => store.payload(OTHER, CLUSTER, 'transaction-1'))).toBeUndefined()
      expect(await hand(store, () => store.payload(TENANT, 'elsewhere', 'transaction-1'))).toBeUndefined()
      expect(await hand(store, () => store.idempotency(TENANT, CLUSTER, 'scope-1'))).toBeUndefined()
      expect(await hand(store, () => store.secret(TENANT, CLUSTER, 'record-1'))).toBeUndefined()
      expect(await hand(store, () => store.transactionOfMessage('elsewhere', 'hash-1'))).toBeUndefined()
      expect(store.meta('absent')).toBeUndefined()
      expect(await all(store, 'nobody')).toEqual([])
      expect(await store.events(OTHER, -1, 9)).toEqual([])
      await store.close()
    })

    it('keeps the latest version of a key, within a unit, a batch and across batches, of any kind', async () => {
      const store = await make().open()
      await Promise.all([
        write(store, [part([record('a', { revision: 1 }), record('a', { revision: 2 })])]),
        write(store, [part([record('a', { revision: 3 })])]),
      ])
      expect(await all(store)).toEqual([envelope('a', { revision: 3 })])
      await write(store, [part([record('a', { revision: 4, kind: 'instrument', value: 'paused' })])])
      expect(await all(store)).toEqual([envelope('a', { revision: 4, kind: 'instrument', value: 'paused' })])
      await store.close()
    })

    it('orders and limits the logs by number, and deletes from the outbox', async () => {
      const store = await make().open()
      const sequences = [0, 1, 2, 9, 10, 11, 99, 100, 1e15, Number.MAX_SAFE_INTEGER]
      await write(store, [
        part(
          sequences.toReversed().flatMap((sequence) =>
            (['event', 'audit', 'outbox'] as const).map((type) => ({
              type,
              tenant: TENANT,
              sequence,
              row: { sequence },
            })),
          ),
        ),
      ])
      const rows = (from: number[]): object[] => from.map((sequence) => ({ sequence, row: { sequence } }))
      expect(await store.events(TENANT, -1, 99)).toEqual(rows(sequences))
      expect(await store.events(TENANT, 9, 3)).toEqual(rows([10, 11, 99]))
      expect(await store.lastSequence('event', TENANT)).toBe(Math.max(...sequences))
      expect(await store.lastSequence('event', 'none')).toBe(0)
      expect(await store.audit(TENANT, 0, 2)).toEqual(rows([1, 2]))
      expect(await store.audit(TENANT, Number.MAX_SAFE_INTEGER, 2)).toEqual([])
      expect(await store.outbox(TENANT)).toEqual(rows(sequences))
      await write(store, [
        part([0, 2, 10].map((sequence) => ({ type: 'outbox', tenant: TENANT, sequence, row: null }))),
      ])
      expect(await store.outbox(TENANT, 1, 2)).toEqual(rows([9, 11]))
      await expect(write(store, [part([{ type: 'event', tenant: TENANT, sequence: 0.5, row: 1 }])])).rejects.toThrow(
        RangeError,
      )
      await store.close()
    })

    it('applies a message of another tenant once: row, effects and cursor, atomically', async () => {
      const storage = make()
      let store = await storage.open()
      const outboxOp = (sequence: number): StoreOp => ({ type: 'outbox', tenant: TENANT, sequence, row: { sequence } })
      const cursor = (sequence: number, tenant = OTHER): StoreOp => ({
        type: 'inbox',
        tenant,
        sender: TENANT,
        sequence,
      })
      await write(store, [part([record('a'), outboxOp(1), outboxOp(2)])])
      await expect(write(store, [part([record('x', { tenant: OTHER }), cursor(1, TENANT)], OTHER)])).rejects.toThrow(
        ForeignRow,
      )
      expect(store.inbox(OTHER, TENANT)).toBe(0)
      const writing = write(store, [part([record('b', { tenant: OTHER }), cursor(1)], OTHER)])
      expect(store.inbox(OTHER, TENANT)).toBe(0)
      await writing
      await store.close()
      store = await storage.open()
      expect([
        store.inbox(OTHER, TENANT),
        (await all(store, OTHER)).length,
        (await store.outbox(TENANT)).length,
      ]).toEqual([1, 1, 2])
      // Sent, applied and deleted in one batch, in the order of the calls.
      await Promise.all([
        write(store, [part([outboxOp(3)])]),
        write(store, [part([cursor(3)], OTHER)]),
        write(store, [part([1, 2, 3].map((sequence) => ({ type: 'outbox', tenant: TENANT, sequence, row: null })))]),
      ])
      expect([store.inbox(OTHER, TENANT), await store.outbox(TENANT)]).toEqual([3, []])
      await store.close()
    })

    it('lists evicted records by time, newest first, within bounds, as of the opening of the view', async () => {
      const store = await make().open()
      const listedRow = (atMs: number, id: string, row: unknown = id, list = 'list'): StoreOp => ({
        type: 'listed',
        tenant: TENANT,
        list,
        atMs,
        id,
        row,
      })
      const read = async (
        view: StoreView,
        fromMs: number | null,
        toMs: number | null,
        list = 'list',
      ): Promise<unknown[]> => {
        const rows: unknown[] = []
        for await (const page of view.listed(list, fromMs, toMs))
          for (const row of page) rows.push([row.atMs, row.id, row.read()])
        return rows
      }
      await write(store, [
        part([
          listedRow(-5, 'd'),
          listedRow(1_700_000_000_000, 'b'),
          listedRow(9, 'x!y'),
          listedRow(1_700_000_000_000, 'a', ['a', null]),
          listedRow(9, 'c', 'elsewhere', 'list!'),
          { type: 'meta', name: 'count', value: 4 },
        ]),
      ])
      const view = store.view()
      await write(store, [
        part([
          listedRow(10, 'later'),
          listedRow(9, 'x!y', 'changed'),
          { type: 'meta', name: 'count', value: 5 },
          { type: 'old', envelope: envelope('later') },
        ]),
      ])
      const newest = [
        [1_700_000_000_000, 'a', ['a', null]],
        [1_700_000_000_000, 'b', 'b'],
      ]
      expect(await read(view, null, null)).toEqual([...newest, [9, 'x!y', 'x!y'], [-5, 'd', 'd']])
      expect(await read(view, 9, null)).toEqual([...newest, [9, 'x!y', 'x!y']])
      expect(await read(view, -5, 9)).toEqual([
        [9, 'x!y', 'x!y'],
        [-5, 'd', 'd'],
      ])
      expect(await read(view, null, null, 'list!')).toEqual([[9, 'c', 'elsewhere']])
      expect(await view.meta('count')).toBe(4)
      expect(await view.old('later')).toBeUndefined()
      await view.close()
      const now = store.view()
      expect(await read(now, 9, 10)).toEqual([
        [10, 'later', 'later'],
        [9, 'x!y', 'changed'],
      ])
      expect([await now.meta('count'), await now.old('later')]).toEqual([5, envelope('later')])
      for (const [prefix, found] of [
        ['cou', [['count', 5]]],
        ['count', [['count', 5]]],
        ['count!', []],
      ] as const)
        expect([...(await now.metas(prefix))]).toEqual(found)
      await now.close()
      await store.close()
    })

    it('loads a tenant of many records completely, in key order', async () => {
      const store = await make().open()
      const ids = Array.from({ length: 3_500 }, (_, n) => String(n).padStart(6, '0'))
      await write(store, [part(ids.map((id) => record(id))), part([record('other', { tenant: OTHER })], OTHER)])
      expect((await all(store)).map((one) => one.id)).toEqual(ids)
      expect((await all(store, OTHER)).map((one) => one.id)).toEqual(['other'])
      expect(await store.tenants()).toEqual([TENANT, OTHER])
      await store.close()
    })

    it('equals a plain map, for any names, commits and restarts', async () => {
      const name = fc.oneof(
        fc.constantFrom('a', 'b', 'a!b', 'a%21b', '', '!', '"', 'a"', 'r!a'),
        fc.string({ unit: 'binary', maxLength: 4 }),
      )
      const unit = fc.array(fc.record({ tenant: name, cluster: name, id: name, value: fc.string() }), { maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(fc.array(unit, { maxLength: 4 }), fc.constant('restart' as const)), { maxLength: 8 }),
          async (steps) => {
            const storage = make()
            let store = await storage.open()
            const expected = new Map<string, Map<string, unknown>>()
            for (const step of steps) {
              if (step === 'restart') {
                await store.close()
                store = await storage.open()
                continue
              }
              for (const row of step.flat()) {
                const rows = expected.get(row.tenant) ?? new Map<string, unknown>()
                expected.set(row.tenant, rows.set(JSON.stringify([row.cluster, row.id]), envelope(row.id, row)))
              }
              await Promise.all(
                step.map((rows) =>
                  write(
                    store,
                    rows.map((row) => part([record(row.id, row)], row.tenant)),
                  ),
                ),
              )
            }
            expect(new Set(await store.tenants())).toEqual(new Set(expected.keys()))
            for (const [tenant, rows] of expected) {
              const found = (await all(store, tenant)).map(
                (one) => [JSON.stringify([one.cluster, one.id]), one] as const,
              )
              expect(found).toHaveLength(rows.size)
              expect(new Map<string, unknown>(found)).toEqual(rows)
            }
            await store.close()
          },
        ),
        { numRuns: 25 },
      )
    })
  })

  commitConformance(name, make)
  readConformance(name, make)
}
