// Hidden classes of V8: objects with the same members should share one. Node 20 gives an object that gets a new member
// after it was copied by a spread a hidden class of its own, which takes more memory than the object, and every later
// access to its members misses the caches of the engine.
import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  accountOfRow,
  positionOfRow,
  type AccountRow,
  type PositionRow,
} from '../../../src/engine/records/holding-row.ts'
import { underBlockhash } from '../../../src/operations/transactions/lifetime.ts'

setFlagsFromString('--allow-natives-syntax')
// eslint-disable-next-line @typescript-eslint/no-implied-eval
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean

/** Calls that warm up the inline caches of V8: only then do copies take the path that production takes. */
const WARM_UP = 1_000

function expectOneClass<Input>(inputs: fc.Arbitrary<Input>, make: (input: Input) => object): void {
  const property = fc.property(inputs, inputs, (one, other) => {
    for (let turn = 0; turn < WARM_UP; turn += 1) make(one)
    expect(haveSameClass(make(one), make(other))).toBe(true)
  })
  fc.assert(property, { numRuns: 10 })
}

const text = fc.string({ minLength: 1, maxLength: 8 })
const beginning = (made: string | null) =>
  fc.tuple(text, text, text).map(([address, id, at]) => {
    const row = [1, address, 'organization', 'CUSTOMER', '0', '0', [id, 'signature', at], 0, made] as const
    return row
  })

it('accounts restored from rows share a hidden class if they have the same members', () => {
  for (const made of [null, '2026-01-01T00:00:00.000Z'])
    expectOneClass(beginning(made), (row) => accountOfRow(row satisfies AccountRow))
})

it('positions restored from rows share a hidden class if they have the same members', () => {
  const rows = (made: string | null, rent: string | null) =>
    beginning(made).map((row): PositionRow => [...row, 'owner', null, 'mint', null, 0, 6, '0', '0', rent])
  for (const made of [null, '2026-01-01T00:00:00.000Z'])
    for (const rent of [null, 'payer']) expectOneClass(rows(made, rent), positionOfRow)
})

it('lifetimes share a hidden class', () => {
  const blockhash = fc.record({ blockhash: text, slot: fc.nat(), lastValidBlockHeight: fc.nat() })
  expectOneClass(blockhash, underBlockhash)
})
