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

/** The keys of an organization or of the root of its tenant that have the role that approves, when they approve. */
export interface HolderScope {
  readonly tenant: string
  /** External id. */
  readonly organization: string
  /** When the approval was requested: a key that was created later counts as the key that created it. */
  readonly askedAt: string
}

/** An exceeded limit or a policy, and who may approve it. */
export interface ApprovalEntry {
  /** Identifies the limit or the policy, and the amount: an approval is valid only for what was shown. */
  readonly limit: string
  /** Key ids; for a policy also ids of token subjects. With `holders`: those when it was requested, as an estimate. */
  readonly approvers: readonly string[]
  /** Number of approvals required, at least one. */
  readonly required: number
  /** The limit or the policy as the interface shows it. JSON. */
  readonly shown: unknown
  /** Absent: a debit limit. */
  readonly policy?: PolicyRef
  /** Present: these keys approve, whether or not `approvers` names them. */
  readonly holders?: HolderScope
}

/** A key or subject that approves. */
export interface Approver {
  readonly keyId: string
  /** External id of the organization of an API key that has the role; absent: it is no holder of the role. */
  readonly organization?: string | undefined
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

/** True if the key may approve the entry by who it is. Whether it counts at present is decided by an `Electorate`. */
export function isApproverOf({ approvers, holders }: ApprovalEntry, { keyId, organization }: Approver): boolean {
  if (holders === undefined) return approvers.includes(keyId)
  return organization !== undefined && (organization === holders.organization || organization === holders.tenant)
}

/**
 * What is approved. The name of a counterparty is not part of it; entries of earlier versions contain the name.
 */
export function approvedSubject(entry: ApprovalEntry): string {
  if (!isReviewEntry(entry)) return entry.limit
  const { onchainId, organizationExternalId, counterparty } = JSON.parse(entry.limit) as ReviewSubject
  return JSON.stringify({ onchainId, organizationExternalId, counterparty: { offchainId: counterparty.offchainId } })
}

interface ReviewSubject {
  readonly onchainId: string
  readonly organizationExternalId: string
  readonly counterparty: { readonly offchainId: string }
}

/**
 * True if approvals of the one entry are approvals of the other, which has the same subject: the same approvers, and no
 * fewer. Fixed approvers also serve where every holder of the role may approve, if all of them hold it.
 */
export function isApprovedAs(entry: ApprovalEntry, needed: ApprovalEntry): boolean {
  if (entry.required < needed.required) return false
  if (needed.holders === undefined)
    return entry.holders === undefined && entry.approvers.toSorted().join() === needed.approvers.toSorted().join()
  return entry.holders === undefined
    ? entry.approvers.every((keyId) => needed.approvers.includes(keyId))
    : entry.holders.organization === needed.holders.organization && entry.holders.tenant === needed.holders.tenant
}

/** An approval by a key, for the first `entries` entries, which were shown when it was given. */
export interface GivenApproval extends Approver {
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
    for (const each of given) {
      const { keyId, entries: covered } = each
      if (covered <= index || requesters.includes(keyId) || !isApproverOf(entry, each)) continue
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
export function hasApproved({ entries, given }: Approval, keyId: string): boolean {
  const last = given.findLast((each) => each.keyId === keyId)
  return last !== undefined && !entries.some((entry, index) => index >= last.entries && isApproverOf(entry, last))
}

export function approve(approval: Approval | null, approver: Approver, at: string): RuleOutcome<Approval> {
  const { keyId, organization } = approver
  if (approval === null) return refuse('NOT_WAITING_FOR_APPROVAL', 'the transaction waits for no approval')
  if (approval.requesters.includes(keyId))
    return refuse('REQUESTER_CANNOT_APPROVE', 'a requester may not approve its own request')
  if (!approval.entries.some((entry) => isApproverOf(entry, approver)))
    return refuse('NOT_AN_APPROVER', 'the key is not an approver of what awaits approval')
  if (hasApproved(approval, keyId)) return refuse('ALREADY_APPROVED', 'this key has approved it already')
  if (Date.parse(at) >= Date.parse(approval.expiresAt))
    return refuse('APPROVAL_LAPSED', 'the time for approving it is over')
  const given = { keyId, ...(organization === undefined ? {} : { organization }), at, entries: approval.entries.length }
  return accept({ ...approval, given: [...approval.given, given] })
}

/**
 * Adds exceeded limits or requesters to an approval. Existing entries and approvals stay valid for what they were given
 * for, and the deadline does not move. A transaction that waited for a signer is signed after approval once a request
 * asks for all signatures.
 */
export function hold(before: Approval | null, args: Approval): Approval {
  if (before === null) return args
  const isAsked = (needed: ApprovalEntry): boolean =>
    before.entries.some((entry) => approvedSubject(entry) === approvedSubject(needed) && isApprovedAs(entry, needed))
  const requesters = [...new Set([...before.requesters, ...args.requesters])]
  const more = args.entries.filter((entry) => !isAsked(entry))
  const then = before.then === 'WAIT' ? args.then : before.then
  return more.length === 0 && requesters.length === before.requesters.length && then === before.then
    ? before
    : { ...before, entries: [...before.entries, ...more], requesters, then }
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
