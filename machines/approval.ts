// Approval of a transaction that exceeds debit limits (completion 6): who may approve, who has, and until when. Pure.
import { fine, refuse, type Outcome } from './answer.ts'

/** An exceeded limit, and who may override it. */
export interface ApprovalEntry {
  /** Identifies the limit and the amount: an approval is valid only for what was shown. */
  readonly limit: string
  /** Key ids. */
  readonly approvers: readonly string[]
  /** Number of approvals required, at least one. */
  readonly required: number
  /** The limit as the interface shows it. JSON. */
  readonly shown: unknown
}

/** An approval by a key, for the first `entries` entries, which were shown when it was given. */
export interface ApprovalWord {
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
  readonly given: readonly ApprovalWord[]
  /** ISO 8601. */
  readonly expiresAt: string
  /** The step after approval: sign and send, sign and wait for Submit, or wait for a signer. */
  readonly then: 'SEND' | 'SIGN' | 'WAIT'
}

/**
 * True if every entry has the required number of approvals by its approvers, given for that entry by keys for which
 * `counts` is true.
 */
export function isApproved({ entries, given, requesters }: Approval, counts: (keyId: string) => boolean = () => true): boolean {
  const words = given.filter(({ keyId }) => !requesters.includes(keyId) && counts(keyId))
  return entries.every(({ approvers, required }, index) => {
    const keys = new Set(words.flatMap((word) => (word.entries > index && approvers.includes(word.keyId) ? [word.keyId] : [])))
    return keys.size >= required
  })
}

/** Number of keys whose approvals cover every entry they are approvers of. */
export function wordsThatStand(approval: Approval): number {
  const keys = new Set(approval.given.map(({ keyId }) => keyId))
  return [...keys].filter((keyId) => !hasMoreToSay(approval, keyId)).length
}

function hasMoreToSay({ entries, given }: Approval, keyId: string): boolean {
  const covered = Math.max(0, ...given.filter((word) => word.keyId === keyId).map((word) => word.entries))
  return entries.some(({ approvers }, index) => index >= covered && approvers.includes(keyId))
}

export function approve(approval: Approval | null, keyId: string, at: string): Outcome<Approval> {
  if (approval === null) return refuse('NOT_WAITING_FOR_APPROVAL', 'the transaction waits for no approval')
  if (approval.requesters.includes(keyId)) return refuse('REQUESTER_CANNOT_APPROVE', 'whoever wants a transaction does not approve it')
  if (!approval.entries.some(({ approvers }) => approvers.includes(keyId)))
    return refuse('NOT_AN_APPROVER', 'this key is no approver of a limit that the transaction exceeds')
  if (!hasMoreToSay(approval, keyId)) return refuse('ALREADY_APPROVED', 'this key has approved it already')
  if (Date.parse(at) >= Date.parse(approval.expiresAt)) return refuse('APPROVAL_LAPSED', 'the time for approving it is over')
  return fine({ ...approval, given: [...approval.given, { keyId, at, entries: approval.entries.length }] })
}

/**
 * Adds exceeded limits or requesters to an approval. Existing entries and approvals stay valid for what they were given
 * for, and the deadline does not move.
 */
export function hold(before: Approval | null, asked: Approval): Approval {
  if (before === null) return asked
  const isAsked = ({ limit, approvers, required }: ApprovalEntry): boolean =>
    before.entries.some((entry) => entry.limit === limit && entry.required >= required && entry.approvers.join() === approvers.join())
  const requesters = [...new Set([...before.requesters, ...asked.requesters])]
  const more = asked.entries.filter((entry) => !isAsked(entry))
  return more.length === 0 && requesters.length === before.requesters.length
    ? before
    : { ...before, entries: [...before.entries, ...more], requesters }
}

/** Number of keys needed to approve all entries, found greedily by the approver who covers most entries. */
export function fewestApprovers(entries: readonly ApprovalEntry[]): number {
  const missing = entries.map(({ required }) => required)
  const left = new Set(entries.flatMap(({ approvers }) => approvers))
  let count = 0
  const use = (keyId: string): number => entries.filter(({ approvers }, index) => missing[index]! > 0 && approvers.includes(keyId)).length
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
