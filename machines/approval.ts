// Approval of a transaction that exceeds debit limits, or of an operation that an approval policy covers: who
// may approve, who has, and until when. Pure.
import { accept, refuse, type RuleOutcome } from './answer.ts'

/** The approval policy that an entry follows from, as it was when the approval was requested. */
export interface PolicyRef {
  readonly id: string
  readonly tenant: string
  /** External id of the policy's organization. */
  readonly organization: string
  /** When its approvers were named. */
  readonly namedAt: string
}

/** An exceeded limit or a policy, and who may approve it. */
export interface ApprovalEntry {
  /** Identifies the limit or the policy, and the amount: an approval is valid only for what was shown. */
  readonly limit: string
  /** Key ids; for a policy also ids of token subjects. */
  readonly approvers: readonly string[]
  /** Number of approvals required, at least one. */
  readonly required: number
  /** The limit or the policy as the interface shows it. JSON. */
  readonly shown: unknown
  /** Absent: a debit limit. */
  readonly policy?: PolicyRef
}

/** Decides which approvals count, from what is known of the keys. */
export interface Electorate {
  readonly counts: (keyId: string, entry: ApprovalEntry) => boolean
  /** The person behind a key: two keys of one person count once, and not at all for a request of that person. */
  readonly personOf: (keyId: string, entry: ApprovalEntry) => string
}

const EVERY_KEY: Electorate = { counts: () => true, personOf: (keyId) => keyId }

/** True for an entry about the recipient of a payment, and not about a debit limit. */
export function isReviewEntry({ shown }: ApprovalEntry): boolean {
  return typeof shown === 'object' && shown !== null && 'counterparty' in shown
}

/** True for an entry about the answer of a screening service. */
export function isScreeningEntry({ shown }: ApprovalEntry): boolean {
  return typeof shown === 'object' && shown !== null && 'screening' in shown
}

/** An approval by a key, for the first `entries` entries, which were shown when it was given. */
export interface GivenApproval {
  readonly keyId: string
  readonly at: string
  readonly entries: number
}

export interface Approval {
  /** Append-only. */
  readonly entries: readonly ApprovalEntry[]
  /** Key ids of the requesters, whose own approvals do not count. */
  readonly requesters: readonly string[]
  /** SHA-256 (hex) of what is approved: the instructions, without lifetime and compute budget. */
  readonly intent: string
  /** A key occurs again if it approved again after entries were added. */
  readonly given: readonly GivenApproval[]
  /** ISO 8601. */
  readonly expiresAt: string
  /** The step after approval: sign and send, sign and wait for Submit, or wait for a signer. */
  readonly then: 'SEND' | 'SIGN' | 'WAIT'
}

/**
 * True if every entry has approvals by the required number of distinct persons who are its approvers, given for that
 * entry, and none of them by a requester.
 */
export function isApproved(
  { entries, given, requesters }: Approval,
  { counts, personOf }: Electorate = EVERY_KEY,
): boolean {
  return entries.every((entry, index) => {
    const own = new Set(requesters.map((keyId) => personOf(keyId, entry)))
    const persons = new Set<string>()
    for (const { keyId, entries: covered } of given) {
      if (covered <= index || requesters.includes(keyId) || !entry.approvers.includes(keyId)) continue
      if (counts(keyId, entry) && !own.has(personOf(keyId, entry))) persons.add(personOf(keyId, entry))
    }
    return persons.size >= entry.required
  })
}

/** Number of keys whose approvals cover every entry they are approvers of. */
export function countCompleteApprovals(approval: Approval): number {
  const keys = new Set(approval.given.map(({ keyId }) => keyId))
  return [...keys].filter((keyId) => hasApproved(approval, keyId)).length
}

/** True if the key has given an approval that covers every entry it is an approver of. */
export function hasApproved(approval: Approval, keyId: string): boolean {
  return approval.given.some((each) => each.keyId === keyId) && !mayStillApprove(approval, keyId)
}

function mayStillApprove({ entries, given }: Approval, keyId: string): boolean {
  const covered = Math.max(0, ...given.filter((each) => each.keyId === keyId).map((each) => each.entries))
  return entries.some(({ approvers }, index) => index >= covered && approvers.includes(keyId))
}

export function approve(approval: Approval | null, keyId: string, at: string): RuleOutcome<Approval> {
  if (approval === null) return refuse('NOT_WAITING_FOR_APPROVAL', 'the transaction waits for no approval')
  if (approval.requesters.includes(keyId))
    return refuse('REQUESTER_CANNOT_APPROVE', 'a requester may not approve its own request')
  if (!approval.entries.some(({ approvers }) => approvers.includes(keyId)))
    return refuse('NOT_AN_APPROVER', 'the key is not an approver of what awaits approval')
  if (!mayStillApprove(approval, keyId)) return refuse('ALREADY_APPROVED', 'this key has approved it already')
  if (Date.parse(at) >= Date.parse(approval.expiresAt))
    return refuse('APPROVAL_LAPSED', 'the time for approving it is over')
  return accept({ ...approval, given: [...approval.given, { keyId, at, entries: approval.entries.length }] })
}

/**
 * Adds exceeded limits or requesters to an approval. Existing entries and approvals stay valid for what they were given
 * for, and the deadline does not move.
 */
export function hold(before: Approval | null, args: Approval): Approval {
  if (before === null) return args
  const isAsked = ({ limit, approvers, required }: ApprovalEntry): boolean =>
    before.entries.some(
      (entry) => entry.limit === limit && entry.required >= required && entry.approvers.join() === approvers.join(),
    )
  const requesters = [...new Set([...before.requesters, ...args.requesters])]
  const more = args.entries.filter((entry) => !isAsked(entry))
  return more.length === 0 && requesters.length === before.requesters.length
    ? before
    : { ...before, entries: [...before.entries, ...more], requesters }
}

/** Number of keys needed to approve all entries, found greedily by the approver who covers most entries. */
export function fewestApprovers(entries: readonly ApprovalEntry[]): number {
  const missing = entries.map(({ required }) => required)
  const left = new Set(entries.flatMap(({ approvers }) => approvers))
  let count = 0
  const use = (keyId: string): number =>
    entries.filter(({ approvers }, index) => missing[index]! > 0 && approvers.includes(keyId)).length
  while (missing.some((number) => number > 0) && left.size > 0) {
    const best = [...left].reduce((one, other) => (use(other) > use(one) ? other : one))
    left.delete(best)
    entries.forEach(({ approvers }, index) => {
      if (approvers.includes(best)) missing[index]! -= 1
    })
    count += 1
  }
  return count + missing.reduce((most, number) => Math.max(most, number), 0)
}
