// A plan compared with a short specification: each step is made once, in order, when the previous one is confirmed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextStep, planMachine, type PlanContext } from '../../../machines/transactions/plan.ts'
import { AT, plan } from '../records.ts'
import { TestedActor } from '../tested-actor.ts'

type Step =
  | { readonly type: 'begin'; readonly step: number }
  | { readonly type: 'done'; readonly step: number }
  | { readonly type: 'fail' }

const COUNT = 3
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.nat(COUNT).map((index): Step => ({ type: 'begin', step: index })) },
  { weight: 4, arbitrary: fc.nat(COUNT).map((index): Step => ({ type: 'done', step: index })) },
  { weight: 1, arbitrary: fc.constant<Step>({ type: 'fail' }) },
)

describe('a plan', () => {
  it('creates each step once, in order, after the previous one is confirmed and before the end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (story) => {
        const steps = Array.from({ length: COUNT }, () => ({ data: {}, records: [], transactionId: null, done: false }))
        const actor = TestedActor.start(planMachine, { plan: { ...plan, steps } })
        const transactionIds: string[] = []
        const doneSteps = new Set<number>()
        const ends = new Set<'failed'>()
        story.forEach((each, turn) => {
          if (each.type === 'fail') {
            const code = actor.code({ type: 'command.fail', reason: 'r', at: AT })
            expect(code).toBe(ends.has('failed') ? 'ENDED' : null)
            ends.add('failed')
            return
          }
          if (each.type === 'begin') {
            const mayBegin =
              !ends.has('failed') &&
              each.step === transactionIds.length &&
              each.step < COUNT &&
              doneSteps.size === transactionIds.length
            const transactionId = `t${turn}`
            expect(actor.code({ type: 'command.begin', step: each.step, transactionId }) === null).toBe(mayBegin)
            if (mayBegin) transactionIds.push(transactionId)
            return
          }
          const transactionId = transactionIds[each.step]
          if (transactionId === undefined) return
          expect(actor.code({ type: 'chain.done', transactionId, at: AT })).toBeNull()
          if (!ends.has('failed')) doneSteps.add(each.step)
        })
        const { steps: after } = actor.context() as PlanContext
        expect(after.map(({ transactionId }) => transactionId)).toEqual(
          steps.map((_, index) => transactionIds[index] ?? null),
        )
        expect(actor.value).toBe(ends.has('failed') ? 'failed' : doneSteps.size === COUNT ? 'finished' : 'running')
      }),
      { numRuns: 300 },
    )
  })

  it('has no next step once all are executed', () => {
    const step = { data: {}, records: [], transactionId: 't', done: false }
    expect(nextStep({ steps: [step, step] })).toBe(2)
    expect(nextStep({ steps: [step, { ...step, transactionId: null }] })).toBe(1)
  })
})
