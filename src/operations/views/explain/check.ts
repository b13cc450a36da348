// One check of an explanation: the rule, its verdict and the facts of the decision.
import type { Effect } from '../../../solana/table/effect.ts'
import type { EvaluationFacts, TransactionPayload } from '../../../engine/records/codec.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { JsonObject } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'

/**
 * PENDING: decided with the first signature of this service. NOT_REACHED: the transaction ended before. LEFT_TO_CHAIN:
 * not checked, as the caller requested.
 */
export type CheckVerdict = 'PASSED' | 'PENDING' | 'NOT_REACHED' | 'LEFT_TO_CHAIN'

export interface ExplainedCheck {
  readonly rule: string
  readonly verdict: CheckVerdict
  /** Human-readable. */
  readonly detail: string
  readonly judgedOn: JsonObject
}

export interface Case {
  readonly platform: Platform
  readonly transaction: RecordState<'transaction'>
  readonly payload: TransactionPayload
  /** Absent for transactions recorded before this was stored. */
  readonly judged: EvaluationFacts | undefined
  /** Effects of every instruction of the message. */
  readonly effects: readonly Effect[]
}

/** Returns null if the rule does not apply to the transaction. */
export type Rule = (facts: Case) => ExplainedCheck | null

export function passedCheck(rule: string, detail: string, judgedOn: JsonObject): ExplainedCheck {
  return { rule, verdict: 'PASSED', detail, judgedOn }
}
