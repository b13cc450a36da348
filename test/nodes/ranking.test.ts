// The order in which live nodes claim a cell.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rankNodes } from '../../src/nodes/ranking.ts'

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 })
const nodesOf = (names: readonly string[]): { id: string }[] => names.map((id) => ({ id }))

it('is equal on every node, in any order of the others', () => {
  fc.assert(
    fc.property(ids, fc.string(), (names, cell) => {
      const order = rankNodes(cell, nodesOf(names))
      expect(rankNodes(cell, nodesOf(names.toReversed()))).toEqual(order)
    }),
  )
})

it('is stable for the remaining nodes when one leaves', () => {
  fc.assert(
    fc.property(ids, fc.string(), (names, cell) => {
      const order = rankNodes(cell, nodesOf(names))
      const remaining = names.slice(1)
      expect(rankNodes(cell, nodesOf(remaining))).toEqual(order.filter(({ id }) => remaining.includes(id)))
    }),
  )
})
