// The meaning of one more answer: seen, forgotten, or nothing; never by a node that lags.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeTransactionError } from '../../src/solana/chain-error.ts'
import { verdictOf, knownAs, UNSEEN, type StatusVerdict, type StatusView } from '../../src/rpc/status-verdict.ts'
import type { SignatureStatus } from '../../src/rpc/rpc.ts'

const FORGET_AFTER = 3
const FORGET_MS = 3_000
const NOTHING: StatusView = UNSEEN

/** At a time when every miss is old enough. */
function evaluate(view: StatusView, status: SignatureStatus | null, contextSlot: number, deep: boolean): StatusVerdict {
  return verdictOf(view, status, { contextSlot, deep, atMs: 0 }, { forgetAfter: FORGET_AFTER, forgetMs: 0 })
}

const statuses = fc.record({
  slot: fc.integer({ min: 90, max: 110 }),
  commitment: fc.constantFrom('processed' as const, 'confirmed' as const, 'finalized' as const),
  error: fc.constantFrom(null, { InstructionError: [0, { Custom: 1 }] }),
})
const answers = fc.record({
  status: fc.option(statuses),
  contextSlot: fc.integer({ min: 90, max: 420 }),
  deep: fc.boolean(),
})

function follow(steps: readonly { status: SignatureStatus | null; contextSlot: number; deep: boolean }[]) {
  let view = NOTHING
  return steps.map((step) => {
    const before = view
    const judgement = evaluate(view, step.status, step.contextSlot, step.deep)
    view = judgement.view
    return { step, before, ...judgement }
  })
}

describe('evaluating answers about one signature', () => {
  it('reports as seen only what the answer contains, and forgets only what was seen', () => {
    fc.assert(
      fc.property(fc.array(answers, { maxLength: 40 }), (steps) => {
        for (const { step, before, view, news } of follow(steps)) {
          if (news.includes('seen'))
            expect(view.seen).toMatchObject({ slot: step.status!.slot, commitment: step.status!.commitment })
          if (news.includes('forgotten')) expect(before.seen).not.toBeNull()
          if (view.seen === null && before.seen !== null) expect(news).toEqual(['forgotten'])
          if (view.seen?.slot !== before.seen?.slot && view.seen !== null) expect(news).toContain('seen')
        }
      }),
    )
  })

  it('never forgets a seen transaction without asking the history', () => {
    const misses = fc.array(fc.record({ step: fc.integer({ min: 0, max: 200 }), deep: fc.boolean() }), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(statuses, misses, (status, steps) => {
        let contextSlot = status.slot
        const absent = steps.map(({ step, deep }) => ({ status: null, contextSlot: (contextSlot += step), deep }))
        for (const { step, news } of follow([{ status, contextSlot: status.slot, deep: false }, ...absent])) {
          if (!step.deep) expect(news).not.toContain('forgotten')
        }
      }),
    )
  })

  it('forgets an absent one only after enough consecutive answers at later slots, the last from the history', () => {
    fc.assert(
      fc.property(fc.array(answers, { maxLength: 60 }), (steps) => {
        let row: number[] = []
        for (const { step, before, news } of follow(steps)) {
          if (step.status !== null) row = []
          else if (before.seen !== null && step.contextSlot > Math.max(before.seen.contextSlot, ...row))
            row.push(step.contextSlot)
          if (step.status !== null || !news.includes('forgotten')) continue
          expect(row.length).toBeGreaterThanOrEqual(FORGET_AFTER)
          expect(step.deep).toBe(true)
          row = []
        }
      }),
    )
  })

  it('forgets an absent one only after the minimum time, however quickly the answers arrive', () => {
    const misses = fc.array(
      fc.record({ slots: fc.integer({ min: 0, max: 5 }), ms: fc.integer({ min: 0, max: 1_500 }) }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(misses, (steps) => {
        let [view, slot, atMs] = [
          knownAs({ commitment: 'confirmed', slot: 100, error: null, contextSlot: 100, reported: true }),
          100,
          5_000,
        ]
        let firstMissAt: number | null = null
        let count = 0
        for (const { slots, ms } of steps) {
          slot += slots
          atMs += ms
          if (slots > 0) {
            firstMissAt ??= atMs
            count += 1
          }
          const judgement = verdictOf(
            view,
            null,
            { contextSlot: slot, deep: true, atMs },
            { forgetAfter: FORGET_AFTER, forgetMs: FORGET_MS },
          )
          const isDue = slots > 0 && count >= FORGET_AFTER && atMs - firstMissAt! >= FORGET_MS
          expect(judgement.news).toEqual(isDue ? ['forgotten'] : [])
          if (isDue) return
          view = judgement.view
        }
      }),
    )
  })

  it('lets no earlier answer revert a later one', () => {
    const view = evaluate(NOTHING, { slot: 100, commitment: 'confirmed', error: null }, 105, false).view
    for (const contextSlot of [99, 104, 105]) {
      const missing = evaluate(view, null, contextSlot, true)
      expect(missing).toMatchObject({ news: [], view: { misses: 0 } })
    }
    expect(evaluate(view, { slot: 98, commitment: 'processed', error: null }, 101, false).news).toEqual([])
    expect(evaluate(view, { slot: 100, commitment: 'processed', error: null }, 106, false).news).toEqual([])
  })

  it('reports that a confirmation was forgotten before it reports the present status', () => {
    const view = evaluate(NOTHING, { slot: 100, commitment: 'confirmed', error: null }, 105, false).view
    expect(evaluate(view, { slot: 103, commitment: 'processed', error: null }, 106, false).news).toEqual([
      'forgotten',
      'seen',
    ])
  })

  it('reports again, once, what was known only from records', () => {
    const sighting = { commitment: 'confirmed' as const, slot: 100, error: null, contextSlot: 100, reported: false }
    const knownView = knownAs(sighting)
    const first = evaluate(knownView, { slot: 100, commitment: 'confirmed', error: null }, 120, true)
    expect(first.news).toEqual(['seen'])
    expect(evaluate(first.view, { slot: 100, commitment: 'confirmed', error: null }, 121, false).news).toEqual([])
  })
})

describe('descriptions of errors', () => {
  it('contain the JSON of the chain and a text', () => {
    expect(describeTransactionError('BlockhashNotFound')).toBe('"BlockhashNotFound" (blockhash not found)')
    expect(describeTransactionError({ InstructionError: [2, { Custom: 17 }] })).toBe(
      '{"InstructionError":[2,{"Custom":17}]} (instruction 3: custom program error 0x11)',
    )
    expect(describeTransactionError({ InsufficientFundsForRent: { account_index: 1 } })).toBe(
      '{"InsufficientFundsForRent":{"account_index":1}} (insufficient funds for rent)',
    )
  })

  it('never throw for any answer of a node', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => value !== null),
        (value) => {
          expect(describeTransactionError(value)).toContain(JSON.stringify(value))
        },
      ),
    )
  })
})
