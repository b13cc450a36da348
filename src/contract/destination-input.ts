// Inputs of destination policies, after validation.
import type { DestinationPolicy } from '../../machines/holding.ts'

export interface ReviewApprovalInput {
  /** Key ids. */
  readonly approvers: readonly string[]
  /** Absent: one. */
  readonly requiredApproversCount?: number | undefined
}

export interface ScreeningInput {
  readonly url: string
  /** Absent: the stored one. */
  readonly secret?: string | undefined
  /** Absent: 3000. */
  readonly timeoutMs?: number | undefined
  /** Absent: REFUSE. */
  readonly onUnavailable?: 'REFUSE' | 'REVIEW' | undefined
}

export interface DestinationRulesInput {
  readonly destinationPolicy?: DestinationPolicy | undefined
  readonly coolingOffHours?: number | undefined
  readonly reviewApproval?: ReviewApprovalInput | null | undefined
  readonly screening?: ScreeningInput | null | undefined
}
