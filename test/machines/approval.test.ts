// An approval covers what was shown when it was given: for any order of exceeded limits and approvals.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { approve, hold, isApproved, countCompleteApprovals, type Approval } from '../../machines/approval.ts'
import { approval, AT } from './records.ts'

const KEYS = ['anna', 'bert', 'carl']
const LIMITS = {
  a: { approvers: ['anna', 'bert'], required: 1 },
  b: { approvers: ['anna', 'bert'], required: 2 },
  c: { approvers: ['carl'], required: 1 },
} as const
type Limit = keyof typeof LIMITS

const step = fc.oneof(
  fc.subarray(['a', 'b', 'c'] as Limit[], { minLength: 1 }).map((limits) => ({ limits })),
  fc.constantFrom(...KEYS).map((keyId) => ({ keyId })),
)

it('covers every limit that was shown, and none that was exceeded later', () => {
  fc.assert(
    fc.property(
      fc.subarray(['a', 'b', 'c'] as Limit[], { minLength: 1 }),
      fc.array(step, { maxLength: 14 }),
      (first, steps) => {
        const approvalFor = (limits: readonly Limit[]): Approval => ({
          ...approval,
          requesters: ['zoe'],
          entries: limits.map((limit) => ({ limit, ...LIMITS[limit], shown: {} })),
        })
        let now = approvalFor(first)
        const words = new Map<Limit, Set<string>>(first.map((limit) => [limit, new Set()]))
        for (const each of steps) {
          if ('limits' in each) {
            now = hold(now, approvalFor(each.limits))
            for (const limit of each.limits) if (!words.has(limit)) words.set(limit, new Set())
          } else {
            const { keyId } = each
            const ownWords = [...words].filter(([limit]) =>
              (LIMITS[limit].approvers as readonly string[]).includes(keyId),
            )
            const next = approve(now, keyId, AT)
            const isNew = ownWords.some(([, given]) => !given.has(keyId))
            expect(next.ok ? null : next.refusal.code).toBe(
              ownWords.length === 0 ? 'NOT_AN_APPROVER' : isNew ? null : 'ALREADY_APPROVED',
            )
            if (next.ok) now = next.value
            for (const [, given] of ownWords) given.add(keyId)
          }
          expect(isApproved(now)).toBe([...words].every(([limit, given]) => given.size >= LIMITS[limit].required))
          const standingKeys = KEYS.filter((keyId) => {
            const ownWords = [...words].filter(([limit]) =>
              (LIMITS[limit].approvers as readonly string[]).includes(keyId),
            )
            return ownWords.some(([, given]) => given.has(keyId)) && ownWords.every(([, given]) => given.has(keyId))
          })
          expect(countCompleteApprovals(now)).toBe(standingKeys.length)
        }
      },
    ),
    { numRuns: 500 },
  )
})
