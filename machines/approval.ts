// An approval that a transaction waits for because it exceeds debit limits (completion 6): who may give it, who has, and by when. Pure.
import { fine, refuse, type Outcome } from './answer.ts'

/** A limit that is exceeded, and who may let it be. */
export interface ApprovalEntry {
  /** Which limit of what, and what would be taken: an approval is good for what was shown, and for nothing else. */
  readonly limit: string
  /** Key ids. */
  readonly approvers: readonly string[]
  /** How many of them have to, at least one. */
  readonly required: number
  /** The limit as the interface shows it. JSON. */
  readonly shown: unknown
}

/** A key's word, for the entries that were shown when it was given: the first so many. */
export interface ApprovalWord {
  readonly keyId: string
  readonly at: string
  readonly entries: number
}

export interface Approval {
  /** Only ever added to. */
  readonly entries: readonly ApprovalEntry[]
  /** Key ids of those who want the transaction: their own word does not count. */
  readonly requesters: readonly string[]
  /** SHA-256 (hex) of what is approved: the instructions, without lifetime and compute budget. */
  readonly intent: string
  /** A key is in here again when it was asked again. */
  readonly given: readonly ApprovalWord[]
  /** ISO 8601. */
  readonly expiresAt: string
  /** What follows once it is approved: it is signed and goes out, is signed and waits for Submit, or waits for somebody to sign. */
  readonly then: 'SEND' | 'SIGN' | 'WAIT'
}

/** Every entry has as many of its approvers as it requires, among those whose word `counts` and was given for it. */
export function isApproved({ entries, given, requesters }: Approval, counts: (keyId: string) => boolean = () => true): boolean {
  const words = given.filter(({ keyId }) => !requesters.includes(keyId) && counts(keyId))
  return entries.every(({ approvers, required }, index) => {
    const keys = new Set(words.flatMap((word) => (word.entries > index && approvers.includes(word.keyId) ? [word.keyId] : [])))
    return keys.size >= required
  })
}

/** Keys whose word is good for every entry that they are approvers of. */
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
 * More limits turn out to be exceeded, or somebody else wants it too: what was asked and given stays, for what it was asked and given for,
 * and the time does not begin anew.
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

/** The fewest keys that can approve all of it, as far as taking the most useful approver first finds them. */
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
