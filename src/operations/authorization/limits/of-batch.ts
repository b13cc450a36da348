// Applies the approval of a batch to a transaction with its items. It covers the limits, policies and counterparties
// under review that it names, for items whose instructions are those that were approved.
import type { Approval, ApprovalEntry } from '../../../../machines/approval.ts'
import type { Platform } from '../../context/platform.ts'
import type { DestinationDecision } from '../destinations/policy.ts'
import { reviewEntry } from '../destinations/review.ts'
import type { Assessment } from './assess.ts'
import { isGiven } from './enforce.ts'
import { approvalEntry } from './exceeded.ts'

/** The assessment without the entries that the approval covers. Unchanged if the approval does not count now. */
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
function isSame(approved: ApprovalEntry, needed: ApprovalEntry): boolean {
  if (approved.required < needed.required || approved.approvers.join() !== needed.approvers.join()) return false
  if (approved.policy !== undefined || needed.policy !== undefined)
    return approved.policy?.id === needed.policy?.id && approved.policy?.namedAt === needed.policy?.namedAt
  return limitOf(approved) === limitOf(needed)
}

function limitOf({ limit }: ApprovalEntry): string {
  const { debit: _debit, ...rest } = JSON.parse(limit) as Record<string, unknown>
  return JSON.stringify(rest)
}
