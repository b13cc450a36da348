// How a change of a balance divides into payments and the rest: always to the unit, and by what the transaction says.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TransactionGlance } from '../../../src/engine/records/glance.ts'
import { flowsOf, divideMovement, type Flow, type MovementPart } from '../../../src/operations/statements/flows.ts'
import type { Effect } from '../../../src/solana/table/effect.ts'

const SELF = 'self'
const OTHERS = ['x', 'y', 'z']
const other = fc.constantFrom(...OTHERS)
const amount = fc.bigInt({ min: 0n, max: 1_000n })
const flow = fc
  .record({ other, isDebit: fc.boolean(), amount: fc.option(amount), itemReferences: fc.constantFrom([], ['i1']) })
  .map(({ isDebit, ...rest }): Flow => {
    const [from, to] = isDebit ? [SELF, rest.other] : [rest.other, SELF]
    return { from, to, amount: rest.amount, itemReferences: rest.itemReferences }
  })
const flows = fc.array(flow, { maxLength: 6 })
const paidIn = (all: readonly Flow[]): readonly Flow[] => all.filter((each) => (each.amount ?? 0n) > 0n)
const signed = ({ from, amount: paid }: Flow): bigint => (from === SELF ? -paid! : paid!)
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n)
const partly = ({ amount: paid, others }: MovementPart): unknown => [paid, others]

describe('the parts of a change', () => {
  it('add up to it, whatever the message says, and one of them at most has the costs', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -5_000n, max: 5_000n }), flows, amount, (delta, all, costs) => {
        const parts = divideMovement(delta, all, SELF, costs)
        expect(sumOf(parts.map((part) => part.amount))).toBe(delta)
        const withCosts = parts.filter(({ hasCosts }) => hasCosts)
        expect(withCosts.length).toBeLessThanOrEqual(1)
        if (costs > 0n) expect(withCosts).toHaveLength(1)
      }),
    )
  })

  it('of payments and a fee are the payments in order, each with its party and reference, and the fee last', () => {
    fc.assert(
      fc.property(flows, fc.bigInt({ min: 1n, max: 9n }), (all, fee) => {
        const payments = paidIn(all)
        fc.pre(payments.length > 1)
        const parts = divideMovement(sumOf(payments.map(signed)) - fee, all, SELF, fee)
        expect(parts.slice(0, -1)).toEqual(
          payments.map((each) => ({
            amount: signed(each),
            others: [each.from === SELF ? each.to : each.from],
            itemReferences: each.itemReferences,
            hasCosts: false,
          })),
        )
        expect(parts.at(-1)).toMatchObject({ amount: -fee, itemReferences: null, hasCosts: true })
      }),
    )
  })

  const paid = (to: string, paidAmount: bigint | null): Flow => ({
    from: SELF,
    to,
    amount: paidAmount,
    itemReferences: ['i1'],
  })
  const received = (from: string, paidAmount: bigint | null): Flow => ({ ...paid(SELF, paidAmount), from })

  it('are one for a payment with its fee, and for what no payment explains', () => {
    expect(divideMovement(-105n, [paid('x', 100n)], SELF, 5n)).toEqual([
      { amount: -105n, others: ['x'], itemReferences: ['i1'], hasCosts: true },
    ])
    expect(divideMovement(-25n, [paid('new', null)], SELF, 25n).map(partly)).toEqual([[-25n, ['new']]])
    expect(divideMovement(70n, [], SELF, 0n).map(partly)).toEqual([[70n, []]])
  })

  it('are two for a payment with more than its fee, or received for a larger fee', () => {
    expect(divideMovement(-105n, [paid('x', 100n)], SELF, 0n).map(partly)).toEqual([
      [-100n, ['x']],
      [-5n, []],
    ])
    expect(divideMovement(-2n, [received('x', 3n)], SELF, 5n).map(partly)).toEqual([
      [3n, ['x']],
      [-5n, []],
    ])
  })

  it('begin with a refund, which the payments may spend', () => {
    const all = [received('closed', null), paid('x', 4n), paid('y', 6n)]
    expect(divideMovement(0n, all, SELF, 2n).map(partly)).toEqual([
      [10n, ['closed']],
      [-4n, ['x']],
      [-6n, ['y']],
    ])
  })
})

describe('the flows of a transaction', () => {
  const tokens = (to: string): Effect => ({ kind: 'tokens', from: SELF, to, amount: 1n }) as Effect
  const glance = (members: Partial<TransactionGlance>): TransactionGlance =>
    ({ rents: [], itemReferences: [], ...members }) as TransactionGlance
  const asset = { address: SELF, asset: 'tokens' } as const
  const referencesOf = (members: Partial<TransactionGlance>): unknown => {
    const memo = { kind: 'memo' } as Effect
    const effects = [tokens('x'), memo, tokens('y'), { ...tokens('z'), from: 'y' } as Effect, tokens('z')]
    return flowsOf(glance(members), effects, asset).map(({ to, itemReferences }) => [to, itemReferences])
  }

  it('have the references of their items', () => {
    expect(referencesOf({ itemReferences: ['i1', 'i2', 'i3', 'i4'] })).toEqual([
      ['x', ['i1']],
      ['y', ['i2']],
      ['z', ['i4']],
    ])
    expect(referencesOf({ itemReferences: ['i1', 'i2'], referenceOfItem: [0, null, 0, 1] })).toEqual([
      ['x', ['i1']],
      ['y', []],
      ['z', ['i2']],
    ])
    expect(referencesOf({})).toEqual([
      ['x', []],
      ['y', []],
      ['z', []],
    ])
  })

  it('have those of all items in a row of a release that kept each reference once', () => {
    const all = ['i1', 'i2']
    expect(referencesOf({ itemReferences: all })).toEqual([
      ['x', all],
      ['y', all],
      ['z', all],
    ])
  })

  it('do not take the growth of an account for a payment', () => {
    const paid = (to: string, lamports: bigint): Effect => ({ kind: 'lamports', from: SELF, to, lamports }) as Effect
    const grown = glance({ rents: [{ by: SELF, lamports: '7' }] })
    const found = flowsOf(grown, [paid('mint', 7n), paid('x', 8n)], { address: SELF, asset: 'lamports' })
    expect(found.map(({ to, amount: shown }) => [to, shown])).toEqual([
      ['mint', null],
      ['x', 8n],
    ])
  })
})
