// What a query finds records by that wait for somebody: for a signature of the organization in whose list they appear,
// or for approvals.
import { namesHolders, type Approval, type HolderScope } from '../../../../machines/approval.ts'
import type { Field } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { approvalHolders, makerSince } from '../../lookup/approvers.ts'

type Transaction = RecordState<'transaction'>

interface Awaiting {
  readonly awaitsSignature: true
}

export function awaitingSignature(transaction: Transaction): Transaction & Awaiting {
  return { ...transaction, awaitsSignature: true }
}

export type Approvable = RecordState<'transaction'> | RecordState<'pendingChange'> | RecordState<'batch'>

/** The approval that the record waits for. */
function awaitedApproval({ kind, value, context }: Approvable): Approval | null {
  if (value !== 'prepared' && value !== 'partiallySigned' && value !== 'pending') return null
  return kind === 'transaction' && context.ourSignature ? null : context.approval
}

/** Ids of the keys and subjects whose approval is missing: approvers who have not approved all entries yet. */
function missingApprovers(record: Approvable): readonly string[] {
  const approval = awaitedApproval(record)
  if (approval === null) return []
  const { entries, requesters, given } = approval
  const done = new Set([
    ...requesters,
    ...given.filter((each) => each.entries === entries.length).map(({ keyId }) => keyId),
  ])
  return [...new Set(entries.flatMap(({ approvers }) => approvers))].filter((keyId) => !done.has(keyId))
}

export const AWAITS_APPROVAL_BY: Field<Approvable> = {
  name: 'awaitsApprovalBy',
  type: 'TEXT',
  nullable: true,
  read: missingApprovers,
}

/** Hidden. True if the holders of a role change who may approve, so that the record alone does not say it. */
export const AWAITS_HOLDERS: Field<Approvable> = {
  name: 'awaitsHolders',
  type: 'BOOLEAN',
  read: (record) => namesHolders(awaitedApproval(record)),
}

/** Puts the keys that hold the role now in the place of the holders of the role. */
export class PresentHolders {
  readonly #platform: Platform
  readonly #byOrganization = new Map<string, readonly string[]>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  within<State extends Approvable>(state: State): State {
    const { approval } = state.context
    if (approval === null) return state
    const { directory } = this.#platform.engine
    const entries = approval.entries.map((entry) => {
      const { holders, ...fixed } = entry
      if (holders === undefined) return entry
      const person = (keyId: string): string => makerSince(directory, keyId, holders.askedAt)
      const requesters = new Set(approval.requesters.map(person))
      return { ...fixed, approvers: this.#keysOf(holders).filter((keyId) => !requesters.has(person(keyId))) }
    })
    return { ...state, context: { ...state.context, approval: { ...approval, entries } } }
  }

  #keysOf(scope: HolderScope): readonly string[] {
    const { engine, clock } = this.#platform
    const known = this.#byOrganization.get(scope.organization)
    const keys = known ?? approvalHolders(engine.directory, scope, clock.now())
    this.#byOrganization.set(scope.organization, keys)
    return keys
  }
}

/** Transactions of other tenants are listed only for a query that filters by this field. */
export const AWAITS_OUR_SIGNATURE: Field<Transaction> = {
  name: 'awaitsOurSignature',
  type: 'BOOLEAN',
  read: (transaction) => 'awaitsSignature' in transaction,
}
