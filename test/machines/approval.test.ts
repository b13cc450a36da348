// An approval covers what was shown when it was given: for any order of exceeded limits and approvals.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  approve,
  hold,
  isApproved,
  countCompleteApprovals,
  type Approval,
  type ApprovalEntry,
} from '../../machines/approval.ts'
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
            const next = approve(now, { keyId }, AT)
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

describe('an entry that every holder of a role may approve', () => {
  const review = (name: string | null, more: Partial<ApprovalEntry> = {}): ApprovalEntry => {
    const shown = { onchainId: 'Addr1111', organizationExternalId: 'ACME-1', counterparty: { offchainId: 'c1', name } }
    const { counterparty, ...rest } = shown
    const limit = name === null ? { ...rest, counterparty: { offchainId: counterparty.offchainId } } : shown
    return { limit: JSON.stringify(limit), approvers: ['anna', 'bert'], required: 1, shown, ...more }
  }
  const holders = { tenant: 'ACME', organization: 'ACME-1', askedAt: AT }
  const held = review(null, { holders })
  const waiting = (...entries: readonly ApprovalEntry[]): Approval => ({ ...approval, requesters: ['zoe'], entries })
  const given = (before: Approval, keyId: string, organization?: string): Approval => {
    const next = approve(before, { keyId, organization }, AT)
    if (!next.ok) throw new Error(next.refusal.code)
    return next.value
  }

  it('is approved by a key of the organization or of the root of the tenant, named or not', () => {
    for (const organization of ['ACME-1', 'ACME']) {
      const approved = given(waiting(held), 'later', organization)
      expect([isApproved(approved), countCompleteApprovals(approved)]).toEqual([true, 1])
      expect(approve(approved, { keyId: 'later', organization }, AT)).toMatchObject({
        refusal: { code: 'ALREADY_APPROVED' },
      })
    }
    for (const approver of [{ keyId: 'anna' }, { keyId: 'anna', organization: 'ACME-2' }])
      expect(approve(waiting(held), approver, AT)).toMatchObject({ refusal: { code: 'NOT_AN_APPROVER' } })
  })

  it('is not approved by an approval of another entry, given by a key that does not hold the role', () => {
    const other: ApprovalEntry = { limit: 'other', approvers: ['carl'], required: 1, shown: {} }
    const approved = given(waiting(other, held), 'carl')
    expect([isApproved(approved), countCompleteApprovals(approved)]).toEqual([false, 1])
    expect(isApproved(given(approved, 'later', 'ACME-1'))).toBe(true)
  })

  it('is the same for other holders of the role, and not the same as one with named approvers', () => {
    const before = given(waiting(held), 'later', 'ACME-1')
    expect(hold(before, waiting({ ...held, approvers: ['carl'] }))).toBe(before)
    const named = hold(before, waiting(review(null)))
    expect([named.entries.length, isApproved(named)]).toEqual([2, false])
  })

  it('is the same as a stored one with the name and a list, if all of the list hold the role', () => {
    const stored = given(waiting(review('Bank')), 'anna')
    expect(hold(stored, waiting(held))).toBe(stored)
    expect(hold(stored, waiting({ ...held, approvers: ['bert', 'carl'] })).entries).toHaveLength(2)
  })

  it('with named approvers is the same for any order of them, and any name of the counterparty', () => {
    const stored = waiting(review('Bank'))
    expect(hold(stored, waiting(review('Bank two', { approvers: ['bert', 'anna'] })))).toBe(stored)
    expect(hold(stored, waiting(review('Bank', { approvers: ['anna'] }))).entries).toHaveLength(2)
  })
})
