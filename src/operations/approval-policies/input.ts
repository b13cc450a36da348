// Validated bodies of the endpoints of approval policies.
import type { CoveredOperation } from '../../../machines/approval-policy.ts'
import type { AccountLookup } from '../../contract/input.ts'

export interface NewPolicyInput {
  readonly operations: readonly CoveredOperation[]
  readonly financialInstrument?: AccountLookup | undefined
  /** Display units. */
  readonly above?: string | undefined
  readonly approvers: readonly string[]
  readonly requiredApproversCount: number
}

export interface PolicyReference {
  readonly offchainId: string
}

/** Absent members keep their value. */
export interface PolicyChangesInput {
  readonly offchainId: string
  readonly operations?: readonly CoveredOperation[] | undefined
  readonly financialInstrument?: AccountLookup | null | undefined
  readonly above?: string | null | undefined
  readonly approvers?: readonly string[] | undefined
  readonly requiredApproversCount?: number | undefined
  readonly removed?: true | undefined
}

export interface ReleaseInput extends PolicyReference {
  readonly reason: string
}
