// Reads of many rows at a time, for every implementation of the store: a pass over the movements of many balances finds
// the same as single reads, for any rows between them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookedBalance, Store, StoreOp } from '../../snapshots/store.ts'
import type { Storage } from './conformance.ts'
import { CLUSTER, envelope, OTHER, part, TENANT } from './units.ts'

const RECORDS = 40
/** More than a page of one read. */
const MANY = 2_500

const nameOf = (number: number): string => `record-${String(number).padStart(3, '0')}`
const balanceOf = (number: number): BookedBalance => ({ tenant: TENANT, record: nameOf(number), asset: 't' })

async function movements(store: Store, balance: BookedBalance, from: number, to: number): Promise<unknown[]> {
  const movementRows: unknown[] = []
  for await (const page of store.movements('movement', balance, from, to)) movementRows.push(...page)
  return movementRows
}

export function readConformance(name: string, make: () => Storage): void {
  describe(`${name}: many rows`, () => {
    it('finds the movements of many balances in one pass, equal to single reads', async () => {
      const counts = fc.array(fc.constantFrom(0, 0, 1, 2, 20, 300), { minLength: RECORDS, maxLength: RECORDS })
      const ask = fc.record({
        record: fc.nat(RECORDS - 1),
        from: fc.nat(12),
        length: fc.nat(300),
        most: fc.constantFrom(1, 2, 64, 10_000),
      })
      await fc.assert(
        fc.asyncProperty(counts, fc.array(ask, { maxLength: 12 }), fc.nat(RECORDS - 1), async (rows, asks, busy) => {
          const store = await make().open()
          const ops = rows.flatMap((count, number) =>
            Array.from({ length: number === busy ? MANY : count }, (_, stamp): StoreOp => ({
              type: 'movement',
              ...balanceOf(number),
              stamp,
              row: [number, stamp],
            })),
          )
          const foreign: StoreOp = { type: 'movement', ...balanceOf(0), tenant: OTHER, stamp: 1, row: ['another'] }
          await store.commit([part(ops), part([foreign], OTHER)])
          const walk = store.movementWalk('movement', TENANT)
          // Written after the pass began.
          await store.commit([part([{ type: 'movement', ...balanceOf(0), stamp: 9e9, row: ['later'] }])])
          const ascending = [...new Map(asks.map((each) => [each.record, each])).values()]
          for (const { record, from, length, most } of ascending.sort((one, other) => one.record - other.record)) {
            const expected = await movements(store, balanceOf(record), from, from + length)
            expect(await walk.take(balanceOf(record), from, from + length, most)).toEqual(expected.slice(0, most))
            const [next] = await movements(store, balanceOf(record), from + length, 5_000)
            const after = await walk.take(balanceOf(record), from + length, 5_000, 1)
            if (expected.length < most) expect(after).toEqual(next === undefined ? [] : [next])
          }
          await walk.close()
          await store.close()
        }),
        { numRuns: 12 },
      )
    })

    it('reads cold records and payloads together, in the order of the request', async () => {
      const store = await make().open()
      const place = (id: string, cluster = CLUSTER) => ({ tenant: TENANT, cluster, id })
      await store.commit([
        part([
          { type: 'old', envelope: envelope('a', { kind: 'transaction' }) },
          { type: 'old', envelope: envelope('b', { revision: 7 }) },
          { type: 'payload', ...place('a'), payload: ['of a'] },
        ]),
      ])
      expect(await store.oldMany(['b', 'missing', 'a', 'b'])).toEqual([
        envelope('b', { revision: 7 }),
        undefined,
        envelope('a', { kind: 'transaction' }),
        envelope('b', { revision: 7 }),
      ])
      expect(await store.oldMany([])).toEqual([])
      expect(await store.payloadMany([place('b'), place('a'), place('a', 'elsewhere')])).toEqual([
        undefined,
        ['of a'],
        undefined,
      ])
      await store.close()
    })
  })
}
