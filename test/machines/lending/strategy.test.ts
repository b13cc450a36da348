// The terms of a strategy: contradictory ones are refused when they are changed, and only terms can be changed.
import { describe, expect, it } from 'vitest'
import type { CollateralTerms } from '../../../machines/lending/loan-books.ts'
import { faultOf, strategyMachine } from '../../../machines/lending/strategy.ts'
import { AT, strategy } from '../records.ts'
import { TestedActor } from '../tested-actor.ts'

const [bond] = strategy.collateral as [CollateralTerms]
const share = { ...bond, instrument: { address: 'Share111', id: null } }
const cash = { ...bond, instrument: strategy.instrument }
const LATER = '2026-11-22T08:00:00.000Z'
const update = (changes: object) => ({ type: 'command.update', changes, at: LATER })
const bounded = (loanToValueRatio: number, liquidationRatio: number) => ({
  collateral: [share, { ...bond, loanToValueRatio, liquidationRatio }],
})

describe('the terms of a strategy', () => {
  it.each<[string, object]>([
    ['no collateral', { collateral: [] }],
    ['two entries for one instrument', { collateral: [bond, share, { ...bond, apy: bond.apy + 1 }] }],
    ['the principal as collateral', { collateral: [bond, cash] }],
    ['no time', { duration: { code: 'DAYS', unit: 0 } }],
    ['more to lend than to liquidate', bounded(500_001, 500_000)],
    ['debt above the value of the collateral', bounded(500_000, 1_000_001)],
  ])('are refused with %s, at the creation and as a change', (_, changes) => {
    expect(faultOf({ ...strategy, ...changes })).not.toBeNull()
    const actor = TestedActor.start(strategyMachine, { strategy })
    expect(actor.code(update(changes))).toBe('STRATEGY_TERMS_INVALID')
    expect(actor.context()).toEqual(strategy)
  })

  it.each<[string, object]>([
    ['several instruments', { collateral: [bond, share] }],
    ['lending up to liquidation, at the whole value', bounded(1_000_000, 1_000_000)],
  ])('allow %s', (_, changes) => {
    expect(faultOf({ ...strategy, ...changes })).toBeNull()
    const actor = TestedActor.start(strategyMachine, { strategy })
    expect(actor.code(update(changes))).toBeNull()
    expect(actor.context()).toEqual({ ...strategy, ...changes, updatedAt: LATER })
  })

  it('are all that can be changed: neither the vault nor the principal nor the lender', () => {
    for (const changes of [
      { vault: share.instrument },
      { position: share.instrument },
      { instrument: share.instrument },
      { decimals: 2 },
      { organization: 'OTHER' },
      { createdAt: AT },
    ]) {
      const actor = TestedActor.start(strategyMachine, { strategy })
      expect(actor.code(update({ originationsEnabled: false, ...changes }))).toBe('MEMBER_NOT_CHANGEABLE')
      expect(actor.context()).toEqual(strategy)
    }
  })
})
