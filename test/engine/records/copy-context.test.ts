// A copy by a layout equals a spread, for any names and values of the members.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Layouts } from '../../../src/engine/records/copy-context.ts'

const contexts = fc
  .uniqueArray(
    fc.string().filter((member) => member !== '__proto__'),
    { maxLength: 40 },
  )
  .chain((members) => fc.record(Object.fromEntries(members.map((member) => [member, fc.anything()]))))

it('copies exactly the members of a spread, in order', () => {
  fc.assert(
    fc.property(contexts, (context) => {
      const copy = new Layouts().of(context).copy(context)
      expect(copy).not.toBe(context)
      expect(Object.entries(copy)).toStrictEqual(Object.entries({ ...context }))
    }),
  )
})

it('has one layout for each list of members', () => {
  const layouts = new Layouts()
  const first = layouts.of({ a: 1, b: 2 })
  expect(layouts.of({ a: 'x', b: null })).toBe(first)
  expect(layouts.of({ b: 1, a: 2 })).not.toBe(first)
  expect(layouts.of({ a: 1, b: 2, c: 3 }).copy({ a: 4, b: 5, c: 6 })).toStrictEqual({ a: 4, b: 5, c: 6 })
})
