// What the approval of a batch allows a transaction with its items: limits, policies and counterparties under review
// that the approval names, for items whose instructions are those that were approved.
import type { Approval, ApprovalEntry } from '../../../../machines/approval.ts'
import type { Platform } from '../../context/platform.ts'
import type { DestinationDecision } from '../destinations/policy.ts'
import { reviewEntry } from '../destinations/review.ts'
import type { Assessment } from './assess.ts'
import { isGiven } from './enforce.ts'
import { approvalEntry } from './exceeded.ts'

/** The assessment without what the approval covers. Unchanged if the approval does not count now. */
export function notCovered<A extends Assessment & Pick<DestinationDecision, 'reviews'>>(
  platform: Platform,
  assessed: A,
  approval: Approval | undefined,
): A {
  if (approval === undefined || !isGiven(platform, approval)) return assessed
  const covers = (entry: ApprovalEntry): boolean => approval.entries.some((each) => isSame(each, entry))
  return {
    ...assessed,
    verdicts: assessed.verdicts.map((verdict) =>
      verdict.exceeded && covers(approvalEntry(verdict)) ? { ...verdict, exceeded: false } : verdict,
    ),
    policies: assessed.policies.filter((entry) => !covers(entry)),
    reviews: assessed.reviews.filter((review) => !covers(reviewEntry(platform.engine.directory, review))),
  }
}

/** The same limit, policy or counterparty with the same approvers. The amounts follow from the items. */
function isSame(given: ApprovalEntry, needed: ApprovalEntry): boolean {
  if (given.required < needed.required || given.approvers.join() !== needed.approvers.join()) return false
  if (given.policy !== undefined || needed.policy !== undefined)
    return given.policy?.id === needed.policy?.id && given.policy?.namedAt === needed.policy?.namedAt
  return limitOf(given) === limitOf(needed)
}

function limitOf({ limit }: ApprovalEntry): string {
  const { debit: _debit, ...rest } = JSON.parse(limit) as Record<string, unknown>
  return JSON.stringify(rest)
}
