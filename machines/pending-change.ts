// The pending change machine: a change of records that an approval policy covers, stored as data until it is approved.
// The change itself and `command.apply` are one write, so a change is applied at most once, and never without its
// approvals.
import { recordSetup } from './record-setup.ts'
import { accept, rejectAlways, refuse, rule, ruleTo, unknownEvent, type GuardArgs, type Decide } from './answer.ts'
import {
  approve,
  hold,
  isApproved,
  isApproverOf,
  type Approval,
  type ApprovalEntry,
  type Approver,
} from './approval.ts'
import type { RecordOperation } from './approval-policy.ts'
import type { PlanRequester } from './transactions/plan.ts'

export interface PendingChangeContext {
  /** External id of the organization that the request acted for. */
  readonly organization: string
  readonly operation: RecordOperation
  /** Method and path of the request. */
  readonly endpoint: string
  readonly requestId: string
  /** The validated `itemData`. JSON. */
  readonly itemData: unknown
  /** Values determined when the change was requested, such as the hash of a new secret. JSON; null: nothing. */
  readonly kept: unknown
  readonly requester: PlanRequester
  readonly approval: Approval
  /** Members of the answer of the applied change. JSON; null: not applied. */
  readonly result: unknown
  readonly rejectedBy: string | null
  readonly rejectedBecause: string | null
  readonly createdAt: string
  readonly endedAt: string | null
}

export type PendingChangeState = 'pending' | 'applied' | 'rejected' | 'expired'

/** Times are ISO 8601 in UTC. */
export type PendingChangeEvent =
  | (Approver & { readonly type: 'command.approve'; readonly at: string })
  /** Adds policies that cover the change now but did not when it was requested. */
  | { readonly type: 'command.hold'; readonly entries: readonly ApprovalEntry[] }
  | { readonly type: 'command.apply'; readonly result: unknown; readonly at: string }
  | { readonly type: 'command.reject'; readonly keyId: string; readonly reason: string | null; readonly at: string }
  | { readonly type: 'clock.lapsed'; readonly at: string }

export interface PendingChangeInput {
  readonly change: PendingChangeContext
}

type On<K extends PendingChangeEvent['type']> = Extract<PendingChangeEvent, { readonly type: K }>
type Patch = Partial<PendingChangeContext>
type Rule<K extends PendingChangeEvent['type']> = Decide<PendingChangeContext, On<K>, Patch>

const approveRule: Rule<'command.approve'> = ({ context, event }) => {
  const outcome = approve(context.approval, event, event.at)
  return outcome.ok ? accept({ approval: outcome.value }) : outcome
}

const holdPatch = ({ context, event }: GuardArgs<PendingChangeContext, On<'command.hold'>>) =>
  accept({ approval: hold(context.approval, { ...context.approval, entries: event.entries }) })

const applyRule: Rule<'command.apply'> = ({ context, event }) => {
  if (!isApproved(context.approval)) return refuse('APPROVAL_REQUIRED', 'the change waits for approval')
  if (Date.parse(event.at) >= Date.parse(context.approval.expiresAt))
    return refuse('APPROVAL_LAPSED', 'the time for approving it is over')
  return accept({ result: event.result, endedAt: event.at })
}

const rejectRule: Rule<'command.reject'> = ({ context, event: { keyId, reason, at } }) => {
  const { entries, requesters } = context.approval
  if (!requesters.includes(keyId) && !entries.some((entry) => isApproverOf(entry, { keyId })))
    return refuse('NOT_AN_APPROVER', 'only an approver or the requester may reject the change')
  return accept({ rejectedBy: keyId, rejectedBecause: reason, endedAt: at })
}

const lapseRule: Rule<'clock.lapsed'> = ({ context, event: { at } }) =>
  Date.parse(at) >= Date.parse(context.approval.expiresAt)
    ? accept({ endedAt: at })
    : refuse('NOT_DUE', 'the time for approving it is not over')

const ended = rejectAlways('CHANGE_ENDED', 'the change is applied, rejected or expired')

export const pendingChangeMachine = recordSetup<
  PendingChangeContext,
  PendingChangeEvent,
  PendingChangeInput,
  'ended'
>().createMachine({
  id: 'pendingChange',
  description: 'A change that an approval policy covers, stored as data until it is approved, rejected or expired.',
  context: ({ input }) => ({ ...input.change }),
  on: {
    'command.approve': ended,
    'command.hold': ended,
    'command.apply': ended,
    'command.reject': ended,
    'clock.lapsed': ended,
    '*': unknownEvent,
  },
  initial: 'pending',
  states: {
    pending: {
      description: 'It waits for approvals; nothing is changed.',
      on: {
        'command.approve': rule(approveRule),
        'command.hold': rule(holdPatch),
        'command.apply': ruleTo('applied', applyRule),
        'command.reject': ruleTo('rejected', rejectRule),
        'clock.lapsed': ruleTo('expired', lapseRule),
      },
    },
    applied: { description: 'It was approved and made, in one write.', tags: 'ended' },
    rejected: { description: 'An approver or the requester rejected it.', tags: 'ended' },
    expired: { description: 'It was not approved in time.', tags: 'ended' },
  },
})
