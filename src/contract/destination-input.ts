// Inputs of destination policies, after validation.
import type { DestinationPolicy } from '../../machines/holding.ts'

export interface ReviewApprovalInput {
  /** Key ids. */
  readonly approvers: readonly string[]
  /** Absent: one. */
  readonly requiredApproversCount?: number | undefined
}

export interface DestinationRulesInput {
  readonly destinationPolicy?: DestinationPolicy | undefined
  readonly coolingOffHours?: number | undefined
  readonly reviewApproval?: ReviewApprovalInput | null | undefined
}
