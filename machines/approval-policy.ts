// The approval policy machine: the covered operations need the approval of distinct approvers. A removed policy cannot
// be restored. A release is for emergencies: the operator of the service announces it, and unless the tenant revokes
// the release, the policy covers nothing from the announced time on.
import { recordSetup } from './record-setup.ts'
import { changeTo, accept, rejectAlways, refuse, rule, unknownEvent, type GuardArgs, type Decide } from './answer.ts'
import { floorUnits } from './amount.ts'
import type { AccountRef } from './holding.ts'

/** Operations that are transactions; they are recognised by the instructions of the compiled message. */
export const TRANSACTION_OPERATIONS = ['MINT', 'BURN', 'AUTHORITY_CHANGE', 'PAUSE', 'CLOSE'] as const
/** Operations that change records only. */
export const RECORD_OPERATIONS = [
  'ACCOUNT_POLICY',
  'API_KEYS',
  'COUNTERPARTIES',
  'STRATEGIES',
  'APPROVAL_POLICIES',
] as const
export const COVERED_OPERATIONS = [...TRANSACTION_OPERATIONS, ...RECORD_OPERATIONS] as const

export type TransactionOperation = (typeof TRANSACTION_OPERATIONS)[number]
export type RecordOperation = (typeof RECORD_OPERATIONS)[number]
export type CoveredOperation = (typeof COVERED_OPERATIONS)[number]

const WITH_AMOUNT: readonly CoveredOperation[] = ['MINT', 'BURN']

/** Time between the announcement of a release and its effect. */
export const RELEASE_DELAY_MS = 72 * 60 * 60 * 1000

export interface Release {
  readonly requestedBy: string
  readonly reason: string
  readonly requestedAt: string
  /** From this time on the policy covers nothing. */
  readonly effectiveAt: string
}

export interface ApprovalPolicyContext {
  /** External id of the organization whose operations, and those of the organizations below it, are covered. */
  readonly organization: string
  readonly operations: readonly CoveredOperation[]
  /** Only this instrument; null: every instrument. */
  readonly financialInstrument: AccountRef | null
  /** Decimal text in display units: only greater amounts of one transaction are covered. null: every amount. */
  readonly above: string | null
  /** Ids of API keys and of token subjects. */
  readonly approvers: readonly string[]
  readonly requiredApproversCount: number
  /** When the approvers were last named. A key that another key rotated since then does not count. */
  readonly approversNamedAt: string
  readonly release: Release | null
  readonly createdAt: string
  readonly createdBy: string
  readonly updatedAt: string
}

export type ApprovalPolicyChanges = Partial<
  Pick<ApprovalPolicyContext, 'operations' | 'financialInstrument' | 'above' | 'approvers' | 'requiredApproversCount'>
>

/** Times are ISO 8601 in UTC. */
export type ApprovalPolicyEvent =
  | { readonly type: 'command.update'; readonly changes: ApprovalPolicyChanges; readonly at: string }
  | { readonly type: 'command.remove'; readonly at: string }
  | { readonly type: 'command.release'; readonly requestedBy: string; readonly reason: string; readonly at: string }
  /** Revokes a release before it takes effect. */
  | { readonly type: 'command.keep'; readonly at: string }

export interface ApprovalPolicyInput {
  readonly policy: ApprovalPolicyContext
}

type On<K extends ApprovalPolicyEvent['type']> = Extract<ApprovalPolicyEvent, { readonly type: K }>
type Patch = Partial<ApprovalPolicyContext>
type Rule<K extends ApprovalPolicyEvent['type']> = Decide<ApprovalPolicyContext, On<K>, Patch>

const CHANGEABLE: ReadonlySet<string> = new Set<keyof ApprovalPolicyChanges>([
  'operations',
  'financialInstrument',
  'above',
  'approvers',
  'requiredApproversCount',
])

export type PolicyTerms = Required<ApprovalPolicyChanges>

/** Why the terms are invalid; null: they are valid. */
export function faultOfPolicy({
  operations,
  financialInstrument,
  above,
  approvers,
  requiredApproversCount,
}: PolicyTerms): string | null {
  if (operations.length === 0) return 'a policy names at least one operation'
  if (new Set(operations).size < operations.length) return 'an operation is named twice'
  if (new Set(approvers).size < approvers.length) return 'an approver is named twice'
  if (requiredApproversCount < 1) return 'at least one approval is required'
  if (requiredApproversCount > approvers.length) return 'more approvals are required than approvers are named'
  if (above !== null && floorUnits(above, 0) === null) return 'above must be an amount'
  if (above !== null && operations.some((operation) => !WITH_AMOUNT.includes(operation)))
    return 'above is possible for MINT and BURN only'
  if (
    financialInstrument !== null &&
    operations.some((operation) => (RECORD_OPERATIONS as readonly string[]).includes(operation))
  )
    return 'financialInstrument is possible for operations that are transactions only'
  return null
}

/** True if the policy covers operations at the time (Unix milliseconds). */
export function isInForce(value: string, { release }: Pick<ApprovalPolicyContext, 'release'>, now: number): boolean {
  return value === 'active' && (release === null || now < Date.parse(release.effectiveAt))
}

const updateRule: Rule<'command.update'> = ({ context, event: { changes, at } }) => {
  const unknown = Object.keys(changes).find((name) => !CHANGEABLE.has(name))
  if (unknown !== undefined) return refuse('MEMBER_NOT_CHANGEABLE', `${unknown} cannot be changed`)
  const fault = faultOfPolicy({ ...context, ...changes })
  if (fault !== null) return refuse('POLICY_TERMS_INVALID', fault)
  const isNamed = changes.approvers !== undefined
  return accept({ ...changes, ...(isNamed ? { approversNamedAt: at } : {}), release: null, updatedAt: at })
}

const releaseRule: Rule<'command.release'> = ({ context, event: { requestedBy, reason, at } }) => {
  if (Number.isNaN(Date.parse(at))) return refuse('MALFORMED_INSTANT', `not an ISO 8601 time: ${at}`)
  if (context.release !== null) return refuse('RELEASE_REQUESTED', 'a release of the policy is requested already')
  const effectiveAt = new Date(Date.parse(at) + RELEASE_DELAY_MS).toISOString()
  return accept({ release: { requestedBy, reason, requestedAt: at, effectiveAt }, updatedAt: at })
}

const keepRule: Rule<'command.keep'> = ({ context: { release }, event: { at } }) => {
  if (release === null) return refuse('NO_RELEASE', 'no release of the policy is requested')
  if (Date.parse(at) >= Date.parse(release.effectiveAt)) return refuse('RELEASED', 'the policy is released already')
  return accept({ release: null, updatedAt: at })
}

const removePatch = ({ event }: GuardArgs<ApprovalPolicyContext, On<'command.remove'>>): Patch => ({
  release: null,
  updatedAt: event.at,
})

const removed = rejectAlways('POLICY_REMOVED', 'the policy is removed')

export const approvalPolicyMachine = recordSetup<
  ApprovalPolicyContext,
  ApprovalPolicyEvent,
  ApprovalPolicyInput
>().createMachine({
  id: 'approvalPolicy',
  description: 'Operations that happen only after distinct approvers have approved them.',
  context: ({ input }) => ({ ...input.policy }),
  on: { '*': unknownEvent },
  initial: 'active',
  states: {
    active: {
      description: 'It covers its operations, unless a release has taken effect.',
      on: {
        'command.update': rule(updateRule),
        'command.remove': changeTo('removed', removePatch),
        'command.release': rule(releaseRule),
        'command.keep': rule(keepRule),
      },
    },
    removed: {
      description: 'It covers nothing, permanently.',
      on: { 'command.update': removed, 'command.remove': removed, 'command.release': removed, 'command.keep': removed },
    },
  },
})
