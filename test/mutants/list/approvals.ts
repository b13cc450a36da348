// Rules of approvals: who approves, what an approval covers, and what becomes of equal payments that are approved.
import { mutantOf, type Mutant, type MutantTest } from '../mutant.ts'

const mutant = mutantOf('approvals')

const MACHINE = 'test/machines/approval.test.ts'
const review = (name: string): MutantTest => ({ file: 'test/e2e/payouts/review-approvers.test.ts', name })

export const APPROVALS: readonly Mutant[] = [
  mutant(
    'approval lost with the name of the counterparty',
    'machines/approval.ts',
    ['if (!isReviewEntry(entry)) return entry.limit', 'if (entry.limit !== undefined) return entry.limit'],
    { file: MACHINE, name: 'is the same as a stored one with the name and a list' },
  ),
  mutant(
    'holders of the role fixed at the request',
    'machines/approval.ts',
    ['if (holders === undefined) return approvers', 'if (holders !== null) return approvers'],
    { file: MACHINE, name: 'is approved by a key of the organization or of the root of the tenant' },
  ),
  mutant(
    'approvers that do not hold the role approve as its holders',
    'machines/approval.ts',
    ['entry.approvers.every((keyId) => needed.approvers.includes(keyId))', 'true'],
    { file: MACHINE, name: 'is the same as a stored one with the name and a list' },
  ),
  mutant(
    'holders of the role approve for named approvers',
    'machines/approval.ts',
    ['entry.holders === undefined && entry.approvers.toSorted', 'entry.approvers.toSorted'],
    { file: MACHINE, name: 'not the same as one with named approvers' },
  ),
  mutant(
    'requester approving with a key created since',
    'src/operations/authorization/policies/people.ts',
    ['holders === undefined ? keyId : makerSince', 'holders !== null ? keyId : makerSince'],
    review('is not approved by a key of the requester'),
  ),
  mutant(
    'payment waits for an approval that only its requester could give',
    'src/operations/authorization/destinations/review.ts',
    ['approvers.filter((keyId) => !requesters.includes(keyId)).length < required', 'approvers.length < required'],
    review('is refused at once if no key but that of the requester'),
  ),
  mutant(
    'signed payment sent with the approval of another counterparty',
    'src/operations/authorization/limits/still-allowed.ts',
    ['!approved.has(reviewSubject(review))', 'approved.size === 0 && review !== undefined'],
    review('is not sent with the approval of another counterparty'),
  ),
  mutant(
    'batch approved by a stranger that has its id',
    'src/operations/batches/approve-batch.ts',
    ['return isOwn || isAnApprover', 'return !isOwn || isAnApprover'],
    {
      file: 'test/e2e/payouts/batch-approvals.test.ts',
      name: 'answer a batch of another organization or tenant as one that does not exist',
    },
  ),
  mutant(
    'equal messages refused instead of made under the next blockhash',
    'src/operations/transactions/signing/rebuild.ts',
    ['MAX_AWAITED = 30', 'MAX_AWAITED = 0'],
    { file: 'test/e2e/limits/equal-payments.test.ts', name: 'approved at the same time' },
  ),
]
