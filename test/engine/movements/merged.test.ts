// The movements of two cells, when a tenant moves from one to the other.
import { expect, it } from 'vitest'
import { mergedMovements } from '../../../src/engine/movements/merged.ts'

const OF_ONE = { since: 5, last: 70, clusters: { A: { until: 60, slot: 9 }, B: { until: 10, slot: 3 } } }

it('contain the movements of both records', () => {
  const other = { since: 0, last: 90, clusters: { A: { until: 80, slot: 7 }, C: { until: 20, slot: 4 } } }
  expect(mergedMovements(OF_ONE, other)).toEqual({
    since: 5,
    last: 90,
    clusters: { A: { until: 60, slot: 9 }, B: { until: 10, slot: 3 }, C: { until: 20, slot: 4 } },
  })
})

it('of a cell without movements are those of the other cell', () => {
  expect(mergedMovements(undefined, OF_ONE)).toEqual(OF_ONE)
  expect(mergedMovements(OF_ONE, undefined)).toEqual(OF_ONE)
  expect(mergedMovements(undefined, undefined)).toBeUndefined()
})
