// The single decision about debit limits, approval policies and destinations that precedes every signature of this
// service: pass, wait for approval, or refuse. The approval of a batch counts for each transaction with its items.
import {
  hold,
  isApproved,
  isApprovedAs,
  approvedSubject,
  type Approval,
  type ApprovalEntry,
} from '../../../../machines/approval.ts'
import type { Debit } from '../../../../machines/debit-limits.ts'
import type { Platform } from '../../context/platform.ts'
import { busy, Refusal } from '../../../contract/refusal.ts'
import { assess, type Assessment, type LimitInputs, type Verdict } from './assess.ts'
import { electorateOf } from '../policies/people.ts'
import { approvalFor, limitExceeded, shownLimit, approvalEntry } from './exceeded.ts'
import { decideDestinations, type DestinationDecision } from '../destinations/policy.ts'
import { Reviewers, reviewEntry, shownDestination, type ShownDestination } from '../destinations/review.ts'
import { decideScreening, type OrganizationScreening } from '../screening/question.ts'
import type { LimitVerdictModel } from '../../../contract/schemas/limit-answers.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import { checkNothingGivenToClosing } from '../closing-accounts.ts'
import { Control, type ControlDependencies } from '../control.ts'
import { isPaidInto } from '../open-changes.ts'

export interface LimitDecision {
  /** Debits that count once the transaction is signed. */
  readonly debits: readonly Debit[]
  /** Every finite limit that applies, with its verdict, for explanations. */
  readonly limits: readonly LimitVerdictModel[]
  /** If not null, this service signs nothing until the approval is given. */
  readonly hold: Approval | null
  /** Answers of screening services. */
  readonly screened: readonly OrganizationScreening[]
  /** Verdicts on the destinations, for explanations. */
  readonly destinations: readonly ShownDestination[]
}

/** The facts that are stored with the transaction for explanations. Members without content are absent. */
export function explanationFacts({ screened, destinations }: Pick<LimitDecision, 'screened' | 'destinations'>): {
  readonly screening?: readonly OrganizationScreening[]
  readonly destinations?: readonly ShownDestination[]
} {
  return {
    ...(screened.length === 0 ? {} : { screening: screened }),
    ...(destinations.length === 0 ? {} : { destinations }),
  }
}

export type ApprovalRequest = Pick<Approval, 'requesters' | 'intent' | 'then'>

/**
 * @param before the approval that the transaction already waits for, or has
 *
 * Throws 400 `DEBIT_LIMIT_EXCEEDED`, 403 `DESTINATION_NOT_ALLOWED`, 503 `CLOCK_OFF`.
 */
export function admit(
  platform: Platform,
  inputs: LimitInputs,
  request: ApprovalRequest,
  before: Approval | null,
): LimitDecision {
  return decideScreened(platform, inputs, evaluateLimits(inputs), { request, before })
}

/**
 * Evaluates limits, approval policies and destination policies. Throws 400 `POSITION_BUSY`, `ACCOUNT_BUSY`, 403
 * `DESTINATION_NOT_ALLOWED`.
 */
export function evaluateLimits(inputs: LimitInputs): LimitEvaluation {
  checkClosings(inputs)
  checkNothingGivenToClosing(inputs)
  const { debits, verdicts, policies } = assess(inputs)
  const { reviews, shown } = destinationsOf(inputs)
  return { debits, verdicts, policies, reviews, shown }
}

/**
 * As `decide`, with the answers of screening services, which are not asked about a message that is refused without
 * them. Throws 403 `SCREENING_DENIED`, 503 `SCREENING_UNAVAILABLE`, and `Needs` for an answer that is missing.
 */
export function decideScreened(
  platform: Platform,
  inputs: LimitInputs,
  assessment: Decidable,
  { request, before }: { readonly request: ApprovalRequest; readonly before: Approval | null },
): LimitDecision {
  const unscreened = decide(platform, assessment, request, { before, now: inputs.now })
  const { screened, entries } = decideScreening(inputs, { ...request, requesters: requestersOf(request, before) })
  if (screened.length === 0) return unscreened
  const admission =
    entries.length === 0
      ? unscreened
      : decide(platform, { ...assessment, further: entries }, request, { before, now: inputs.now })
  return { ...admission, screened }
}

type Decidable = Assessment & Partial<EvaluatedDestinations>

export interface EvaluatedDestinations extends Pick<DestinationDecision, 'reviews'> {
  readonly shown: readonly ShownDestination[]
}

export type LimitEvaluation = Assessment & EvaluatedDestinations

/**
 * The decision about destinations, for the records of the tenant of the inputs. Throws 403 `DESTINATION_NOT_ALLOWED`.
 */
export function destinationsOf(inputs: LimitInputs): EvaluatedDestinations {
  const { reviews, destinations } = decideDestinations(inputs)
  return { reviews, shown: destinations.map((each) => shownDestination(each, inputs.organization)) }
}

/** `reviews`, `policies` and `further` need an approval regardless of the limits. */
export function decide(
  platform: Platform,
  {
    debits,
    verdicts,
    policies,
    reviews = [],
    shown = [],
    further = [],
  }: Decidable & { readonly further?: readonly ApprovalEntry[] },
  request: ApprovalRequest,
  { before, now }: { readonly before: Approval | null; readonly now: number },
): LimitDecision {
  if (debits.length > 0) checkClock(platform)
  const exceeded = verdicts.filter((verdict) => verdict.exceeded)
  const admission = { debits, limits: limitedVerdicts(verdicts).map(shownLimit), screened: [], destinations: shown }
  if (exceeded.length === 0 && policies.length + reviews.length + further.length === 0)
    return { hold: before === null || isGiven(platform, before) ? null : before, ...admission }
  const { directory } = platform.engine
  const reviewers = new Reviewers({ directory, now, requesters: requestersOf(request, before) })
  const needed = approvalFor(exceeded, request, now, [
    ...policies,
    ...reviews.map((review) => reviewEntry(reviewers, review)),
    ...further,
  ])
  if (needed === null) throw limitExceeded(exceeded)
  const combined = hold(before, needed)
  const approved =
    before !== null && before.intent === request.intent && isGiven(platform, before) && isGiven(platform, combined)
  return { hold: approved ? null : combined, ...admission }
}

/** Those of the request, and those of the transaction before. */
function requestersOf({ requesters }: ApprovalRequest, before: Approval | null): readonly string[] {
  return [...requesters, ...(before?.requesters ?? [])]
}

export function limitedVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ allowed }) => allowed !== null)
}

/** Counts only approvals by keys that may approve now. */
export function isGiven(platform: Platform, approval: Approval): boolean {
  return isApproved(approval, electorateOf(platform))
}

/** Throws 503 `CLOCK_OFF`: limit windows are meaningless on a wrong clock. */
export function checkClock({ clock }: Platform): void {
  if (clock.isOff?.() !== true) return
  const message =
    'the clocks of this machine and of the service differ by more than a minute: debits are refused until the machine and the chain agree on the time'
  throw new Refusal(503, [{ code: 'CLOCK_OFF', message, retryable: true }], 60)
}

/**
 * An account whose address has a key outside is not closed while a signed message pays into it: the holder of that key
 * could make another account there, and the message would pay it. Throws 400 `POSITION_BUSY`.
 */
function checkClosings(inputs: ControlDependencies): void {
  const { directory, tenant, cluster } = inputs
  for (const effect of inputs.effects) {
    if (effect.kind !== 'close' || ownRecordsAt(directory, tenant, cluster, effect.account).length === 0) continue
    const { account } = effect
    if (!isPaidInto(inputs, account) || new Control(inputs).isAddressKept(account)) continue
    throw busy(
      'POSITION_BUSY',
      `a signed transaction pays into ${account}, whose key is not kept here alone: it can be closed once that has ended`,
      '/itemData',
    )
  }
}

/**
 * The assessment without the entries that the approval of a batch covers: the limits, policies and counterparties under
 * review that it names, for items whose instructions are those that were approved. Unchanged if the approval does not
 * count now.
 */
export function notCovered<A extends Assessment & Pick<DestinationDecision, 'reviews'>>(
  platform: Platform,
  assessed: A,
  approval: Approval | undefined,
): A {
  if (approval === undefined || !isGiven(platform, approval)) return assessed
  const { directory } = platform.engine
  const { requesters } = approval
  const reviewers = new Reviewers({ directory, now: platform.clock.now(), requesters })
  const covers = (entry: ApprovalEntry): boolean => approval.entries.some((each) => isSame(each, entry))
  return {
    ...assessed,
    verdicts: assessed.verdicts.map((verdict) =>
      verdict.exceeded && covers(approvalEntry(verdict)) ? { ...verdict, exceeded: false } : verdict,
    ),
    policies: assessed.policies.filter((entry) => !covers(entry)),
    reviews: assessed.reviews.filter((review) => !covers(reviewEntry(reviewers, review))),
  }
}

/** The same limit, policy or counterparty with the same approvers. The amounts follow from the items. */
function isSame(approved: ApprovalEntry, needed: ApprovalEntry): boolean {
  if (!isApprovedAs(approved, needed)) return false
  if (approved.policy !== undefined || needed.policy !== undefined)
    return approved.policy?.id === needed.policy?.id && approved.policy?.namedAt === needed.policy?.namedAt
  return limitOf(approved) === limitOf(needed)
}

function limitOf(entry: ApprovalEntry): string {
  const { debit: _debit, ...rest } = JSON.parse(approvedSubject(entry)) as Record<string, unknown>
  return JSON.stringify(rest)
}
