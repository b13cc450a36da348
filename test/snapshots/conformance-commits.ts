// Commits of every implementation of the store: order, durability, fences and power cuts.
import { describe, expect, it } from 'vitest'
import { ForeignRow, MessageTaken, OutcomeUnknown, StaleEpoch, StoreClosed } from '../../snapshots/errors.ts'
import type { Store } from '../../snapshots/store.ts'
import {
  all,
  commitFetched,
  CLUSTER,
  hand,
  message,
  numbered,
  OTHER,
  part,
  record,
  TENANT,
  wholeCommits,
  within,
  write,
} from './units.ts'
import type { Storage } from './conformance.ts'

export function commitConformance(name: string, make: () => Storage): void {
  describe(`${name}: commits`, () => {
    it('answers in the order of the calls, an empty commit after all earlier ones', async () => {
      const store = await make().open()
      const answeredNumbers: number[] = []
      for (const n of [0, 1, 2, 4]) await commitFetched(store, numbered(n))
      await Promise.all(
        [0, 1, 2, 3, 4].map((n) => write(store, n === 3 ? [] : numbered(n)).then(() => answeredNumbers.push(n))),
      )
      expect(answeredNumbers).toEqual([0, 1, 2, 3, 4])
      await write(store, [])
      expect(await wholeCommits(store)).toEqual(new Set([0, 1, 2, 4]))
      await store.close()
    })

    it('shows rows only once they are durable, but a message as claimed from the start', async () => {
      const store = await make().open()
      const rows = [
        () => store.idempotency(OTHER, CLUSTER, 'scope-7'),
        () => store.payload(TENANT, CLUSTER, 'transaction-7'),
        () => store.transactionOfMessage(CLUSTER, 'hash-7'),
      ]
      for (const row of rows) expect(await hand(store, row)).toBeUndefined()
      const writing = write(store, numbered(7))
      expect(store.idempotency(OTHER, CLUSTER, 'scope-7')).toBeUndefined()
      expect(store.payload(TENANT, CLUSTER, 'transaction-7')).toBeUndefined()
      expect(store.transactionOfMessage(CLUSTER, 'hash-7')).toBe('transaction-7')
      await writing
      expect(store.idempotency(OTHER, CLUSTER, 'scope-7')).toBeDefined()
      expect(store.transactionOfMessage(CLUSTER, 'hash-7')).toBe('transaction-7')
      await store.close()
    })

    it('keeps the first rows of a commit with rows that are written once', async () => {
      const storage = make()
      let store = await storage.open()
      const settleBoth = (value: number, id: string): Promise<void> =>
        store.settle(TENANT, [
          { type: 'meta', name: 'set once', value },
          { type: 'secret', tenant: TENANT, cluster: CLUSTER, id, row: { value } },
        ])
      const secretOf = (id: string): Promise<unknown> => hand(store, () => store.secret(TENANT, CLUSTER, id))
      await settleBoth(1, 'one')
      await settleBoth(2, 'two')
      expect(store.meta('set once')).toBe(1)
      expect([await secretOf('one'), await secretOf('two')]).toEqual([{ value: 1 }, undefined])
      await store.close()
      store = await storage.open()
      await settleBoth(3, 'one')
      expect(store.meta('set once')).toBe(1)
      expect(await secretOf('one')).toEqual({ value: 1 })
      await store.close()
    })

    it('refuses a message that was claimed before the last claim, and remembers it', async () => {
      const storage = make()
      let store = await storage.open()
      const first = await store.claim()
      expect(store.epoch).toBe(first)
      await store.commit([part([record('a')], TENANT, first), part([], OTHER, first)])
      const second = await store.claim()
      expect(second).toBeGreaterThan(first)
      await expect(store.commit([part([record('b')], TENANT, first)])).rejects.toThrow(StaleEpoch)
      await store.commit([part([record('c')], TENANT, second)])
      await store.close()
      store = await storage.open()
      expect(store.epoch).toBeGreaterThanOrEqual(second)
      await expect(store.commit([part([record('e')], TENANT, first)])).rejects.toThrow(StaleEpoch)
      await store.commit([part([record('f')], TENANT, store.epoch)])
      expect((await all(store)).map((one) => one.id)).toEqual(['a', 'c', 'f'])
      await store.close()
    })

    it('writes nothing of a commit if one part has an epoch other than that of the last claim', async () => {
      const store = await make().open()
      await write(store, [part([record('a')])])
      const { epoch } = store
      const own = part([record('b', { tenant: OTHER })], OTHER, epoch)
      await expect(store.commit([own, part([record('b')], TENANT, epoch - 1)])).rejects.toThrow(StaleEpoch)
      await expect(store.commit([part([], TENANT, epoch), part([], TENANT, epoch - 1)])).rejects.toThrow(StaleEpoch)
      await expect(store.commit([own, part([record('b')], TENANT, epoch + 1)])).rejects.toThrow(RangeError)
      // A refusal concerns only that commit.
      await write(store, [part([record('c')])])
      expect((await all(store)).map((one) => one.id)).toEqual(['a', 'c'])
      expect([await all(store, OTHER), await store.tenants()]).toEqual([[], [TENANT]])
      await store.close()
    })

    it('assigns a message to one transaction of a cluster, for any concurrent callers', async () => {
      const store = await make().open()
      await commitFetched(store, [part([message('m', ''), message('n', ''), message('m', '', TENANT, 'elsewhere')])])
      const first = write(store, [part([message('m', 't1')])])
      await expect(
        write(store, [part([message('m', 't2', OTHER), record('x', { tenant: OTHER })], OTHER)]),
      ).rejects.toThrow(MessageTaken)
      await first
      await expect(write(store, [part([message('m', 't2')])])).rejects.toThrow(MessageTaken)
      await expect(write(store, [part([message('n', 't3'), message('n', 't4')])])).rejects.toThrow(MessageTaken)
      await write(store, [part([message('m', 't1'), message('m', 't5', TENANT, 'elsewhere'), message('n', 't6')])])
      expect(store.transactionOfMessage(CLUSTER, 'm')).toBe('t1')
      expect(store.transactionOfMessage('elsewhere', 'm')).toBe('t5')
      expect(store.transactionOfMessage(CLUSTER, 'n')).toBe('t6')
      expect(await all(store, OTHER)).toEqual([])
      await store.close()
    })

    it('refuses a row of a tenant other than the one whose fence was checked', async () => {
      const store = await make().open()
      await expect(write(store, [part([record('a', { tenant: OTHER })])])).rejects.toThrow(ForeignRow)
      await expect(write(store, [part([message('m', 't', OTHER)])])).rejects.toThrow(ForeignRow)
      expect(await store.tenants()).toEqual([])
      await store.close()
    })

    it('treats a row that cannot be serialized as a failed write', async () => {
      const failures: Error[] = []
      const store = await make().open((error) => failures.push(error))
      for (const n of [0, 1]) await commitFetched(store, numbered(n))
      await write(store, numbered(0))
      await expect(write(store, [part([record('a', { context: 1n })])])).rejects.toThrow(OutcomeUnknown)
      await expect(write(store, numbered(1))).rejects.toThrow(OutcomeUnknown)
      expect(failures).toHaveLength(1)
      expect(() => store.meta('latest')).toThrow(OutcomeUnknown)
      await store.close()
    })

    it('writes queued commits before it closes, and accepts none afterwards', async () => {
      const storage = make()
      let store = await storage.open()
      for (const n of [0, 1, 2, 3]) await commitFetched(store, numbered(n))
      const queued = [0, 1, 2].map((n) => write(store, numbered(n)))
      const closing = store.close()
      await expect(write(store, numbered(3))).rejects.toThrow(StoreClosed)
      expect(() => store.meta('latest')).toThrow(StoreClosed)
      await Promise.all([...queued, closing, store.close()])
      store = await storage.open()
      expect(await wholeCommits(store)).toEqual(new Set([0, 1, 2]))
      await store.close()
    })
  })

  if (make().power !== undefined)
    describe(`${name}: power cuts`, () => {
      it('leave every acknowledged commit, and none in part', async () => {
        const storage = make()
        const power = storage.power!
        const acknowledged = new Set<number>()
        const handedOver = new Set<number>()
        const hand = async (store: Store, n: number): Promise<void> => {
          handedOver.add(n)
          await write(store, numbered(n))
          acknowledged.add(n)
        }
        for (let round = 0, n = 0; round < 16; round += 1) {
          const store = await storage.open()
          const completeCommits = await wholeCommits(store)
          expect(within(acknowledged, completeCommits)).toBe(true)
          expect(within(completeCommits, handedOver)).toBe(true)
          await Promise.all(Array.from({ length: 4 }, () => hand(store, n++)))
          power.hold()
          for (let turn = 0; turn < round % 4; turn += 1) {
            void hand(store, n++)
            await new Promise(setImmediate)
          }
          power.cut(round % 8 < 4)
        }
        expect(acknowledged.size).toBe(64)
      })
    })
}
