// Any sequence of actions of borrowers, lenders, prices, time and strangers, through the real operations on a real
// chain. A step is allowed or refused as the model predicts. No loan exceeds its limit and no vault falls below its
// buffer. Tokens are conserved, and after every step the books equal the chain.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createLoan } from '../../../src/operations/loans/create.ts'
import { audit } from './audit.ts'
import { begin } from './beginning.ts'
import { LendingSetup } from './lending-setup.ts'
import * as hand from './reckoning.ts'
import { stepping, type Creating } from './steps.ts'

const RUNS = 18
const PAIRS = 12
const FIRST: Creating = {
  what: 'create',
  borrower: 0,
  vault: 0,
  borrow: [0, 1],
  pledge: [0, 1],
  percent: 40,
  burden: 70,
  days: 20,
}
/** Outcomes that must occur at least once, or the sequences test too little. */
const EXPECTED = [
  'create: done',
  'create: LTV_EXCEEDED',
  'create: INSUFFICIENT_PRINCIPAL',
  'create: PRICE_STALE',
  'swap: done',
  'swap: LOAN_UNHEALTHY',
  'repay: done',
  'repay: LOAN_UNHEALTHY',
  'repay: OVERPAYMENT',
  'refinance: done',
  'refinance: LTV_EXCEEDED',
  'liquidate: done',
  'liquidate: LOAN_NOT_LIQUIDATABLE',
  'close: done',
  'close: LOAN_NOT_REPAID',
  'two at once: done',
]

let setup: LendingSetup
beforeAll(async () => {
  setup = await LendingSetup.open()
})

it('leaves no loan above its limit, no vault below its buffer, and books equal to the chain', async () => {
  const tally = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(stepping, { minLength: 6, maxLength: 22, size: 'max' }), async (steps) => {
      const run = await begin(setup)
      for (const step of [FIRST, ...steps]) {
        await run.take(step)
        await audit(run)
      }
      for (const [name, count] of run.tally) tally.set(name, (tally.get(name) ?? 0) + count)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(EXPECTED.filter((name) => !tally.has(name))).toEqual([])
})

it('lends no more than the vault allows to two concurrent requests', async () => {
  const part = fc.integer({ min: 1, max: 45 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -5, max: 10 }), part, part, async (slack, one, other) => {
      // About the amount that both would leave.
      const buffer = Math.max(0, 100 - one - other + slack) * 10_000
      const run = await begin(setup)
      await run.take({
        what: 'terms',
        vault: 0,
        principal: 0,
        enabled: true,
        cap: null,
        buffer,
        ltv: 800_000,
        apy: 1,
        all: true,
      })
      const [coin] = setup.principals
      const [vault] = run.vaults
      const had = setup.balanceOf(vault!, coin!)
      const inputs = [one, other].map((percent, index) => run.plain(index, coin!, (had * BigInt(percent)) / 100n))
      const answers = await Promise.all(inputs.map((input) => setup.attempt(createLoan, input)))
      const remaining = setup.balanceOf(vault!, coin!)
      // Tokens on loan still belong to the vault: its buffer is always a part of the same total.
      expect(remaining * hand.ALL).toBeGreaterThanOrEqual(had * BigInt(buffer))
      const room = (percents: readonly number[]): boolean =>
        BigInt(100 - percents.reduce((a, b) => a + b)) * hand.ALL >= 100n * BigInt(buffer)
      const verdicts = answers.map((answer) => (answer.ok ? 'done' : answer.code))
      const lentCount = verdicts.filter((each) => each === 'done').length
      if (room([one, other])) expect(lentCount).toBe(2)
      else expect(lentCount).toBe(room([one]) || room([other]) ? 1 : 0)
      expect(verdicts.filter((each) => each !== 'done' && each !== 'INSUFFICIENT_PRINCIPAL')).toEqual([])
    }),
    { numRuns: PAIRS, endOnFailure: true },
  )
})
