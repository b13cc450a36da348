// What every implementation of the store must show of commits: order, durability, fences and power cuts.
import { describe, expect, it } from 'vitest'
import { ForeignRow, MessageTaken, OutcomeUnknown, StaleEpoch, StoreClosed } from '../../snapshots/errors.ts'
import type { Store } from '../../snapshots/store.ts'
import { all, message, CLUSTER, numbered, OTHER, part, record, TENANT, wholeCommits, within } from './units.ts'
import type { Storage } from './conformance.ts'

export function commitConformance(name: string, make: () => Storage): void {
  describe(`${name}: commits`, () => {
    it('answers in the order of the calls, an empty commit after all before it', async () => {
      const store = await make().open()
      const answered: number[] = []
      await Promise.all(
        [0, 1, 2, 3, 4].map((n) => store.commit(n === 3 ? [] : numbered(n)).then(() => answered.push(n))),
      )
      expect(answered).toEqual([0, 1, 2, 3, 4])
      await store.commit([])
      expect(await wholeCommits(store)).toEqual(new Set([0, 1, 2, 4]))
      await store.close()
    })

    it('shows rows only once they are durable, but a message as taken from the start', async () => {
      const store = await make().open()
      const written = store.commit(numbered(7))
      expect(store.idempotency(OTHER, CLUSTER, 'scope-7')).toBeUndefined()
      expect(store.payload(TENANT, CLUSTER, 'transaction-7')).toBeUndefined()
      expect(store.transactionOfMessage(CLUSTER, 'hash-7')).toBe('transaction-7')
      await written
      expect(store.idempotency(OTHER, CLUSTER, 'scope-7')).toBeDefined()
      expect(store.transactionOfMessage(CLUSTER, 'hash-7')).toBe('transaction-7')
      await store.close()
    })

    it('refuses an older epoch, for that tenant only, with nothing written of any part, and remembers it', async () => {
      const storage = make()
      let store = await storage.open()
      await store.commit([part([record('a')], TENANT, 5), part([], OTHER, 2)])
      await expect(
        store.commit([part([record('b', { tenant: OTHER })], OTHER, 2), part([record('b')], TENANT, 4)]),
      ).rejects.toThrow(StaleEpoch)
      await expect(store.commit([part([], TENANT, 6), part([record('b')], TENANT, 5)])).rejects.toThrow(StaleEpoch)
      await store.commit([part([record('c')], TENANT, 5)])
      const taken = store.commit([part([], TENANT, 7)])
      await expect(store.commit([part([record('d')], TENANT, 6)])).rejects.toThrow(StaleEpoch)
      await taken
      await store.close()
      store = await storage.open()
      await expect(store.commit([part([record('e')], TENANT, 6)])).rejects.toThrow(StaleEpoch)
      await store.commit([part([record('f')], TENANT, 7)])
      expect((await all(store)).map((one) => one.id)).toEqual(['a', 'c', 'f'])
      expect(await all(store, OTHER)).toEqual([])
      await store.close()
    })

    it('gives a message to one transaction of a cluster, whoever asks and however close', async () => {
      const store = await make().open()
      const first = store.commit([part([message('m', 't1')])])
      await expect(
        store.commit([part([message('m', 't2', OTHER), record('x', { tenant: OTHER })], OTHER)]),
      ).rejects.toThrow(MessageTaken)
      await first
      await expect(store.commit([part([message('m', 't2')])])).rejects.toThrow(MessageTaken)
      await expect(store.commit([part([message('n', 't3'), message('n', 't4')])])).rejects.toThrow(MessageTaken)
      await store.commit([part([message('m', 't1'), message('m', 't5', TENANT, 'elsewhere'), message('n', 't6')])])
      expect(store.transactionOfMessage(CLUSTER, 'm')).toBe('t1')
      expect(store.transactionOfMessage('elsewhere', 'm')).toBe('t5')
      expect(store.transactionOfMessage(CLUSTER, 'n')).toBe('t6')
      expect(await all(store, OTHER)).toEqual([])
      await store.close()
    })

    it('refuses a row of a tenant other than the one whose fence was checked', async () => {
      const store = await make().open()
      await expect(store.commit([part([record('a', { tenant: OTHER })])])).rejects.toThrow(ForeignRow)
      await expect(store.commit([part([message('m', 't', OTHER)])])).rejects.toThrow(ForeignRow)
      expect(await store.tenants()).toEqual([])
      await store.close()
    })

    it('treats a row that cannot be serialised as a failed write', async () => {
      const failures: Error[] = []
      const store = await make().open((error) => failures.push(error))
      await store.commit(numbered(0))
      await expect(store.commit([part([record('a', { context: 1n })])])).rejects.toThrow(OutcomeUnknown)
      await expect(store.commit(numbered(1))).rejects.toThrow(OutcomeUnknown)
      expect(failures).toHaveLength(1)
      expect(() => store.meta('latest')).toThrow(OutcomeUnknown)
      await store.close()
    })

    it('writes what is queued before it closes, and takes nothing after', async () => {
      const storage = make()
      let store = await storage.open()
      const queued = [0, 1, 2].map((n) => store.commit(numbered(n)))
      const closed = store.close()
      await expect(store.commit(numbered(3))).rejects.toThrow(StoreClosed)
      expect(() => store.meta('latest')).toThrow(StoreClosed)
      await Promise.all([...queued, closed, store.close()])
      store = await storage.open()
      expect(await wholeCommits(store)).toEqual(new Set([0, 1, 2]))
      await store.close()
    })
  })

  if (make().power !== undefined)
    describe(`${name}: power cuts`, () => {
      it('has every acknowledged commit afterwards, and none in part', async () => {
        const storage = make()
        const power = storage.power!
        const acknowledged = new Set<number>()
        const handedOver = new Set<number>()
        const hand = async (store: Store, n: number): Promise<void> => {
          handedOver.add(n)
          await store.commit(numbered(n))
          acknowledged.add(n)
        }
        for (let round = 0, n = 0; round < 16; round += 1) {
          const store = await storage.open()
          const whole = await wholeCommits(store)
          expect(within(acknowledged, whole)).toBe(true)
          expect(within(whole, handedOver)).toBe(true)
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
