// One verdict of an explanation: the rule, what came of it, and what it was judged on.
import type { Effect } from '../../../solana/table/effect.ts'
import type { Judged, TransactionPayload } from '../../../engine/records/codec.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { JsonObject } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'

/** PENDING: it is judged with the first signature of ours. LEFT_TO_CHAIN: by wish of the caller. */
export type Verdict = 'PASSED' | 'PENDING' | 'LEFT_TO_CHAIN'

export interface Check {
  readonly rule: string
  readonly verdict: Verdict
  /** In words. */
  readonly detail: string
  readonly judgedOn: JsonObject
}

export interface Case {
  readonly platform: Platform
  readonly transaction: RecordState<'transaction'>
  readonly payload: TransactionPayload
  /** Absent: made before this was kept. */
  readonly judged: Judged | undefined
  /** Of every instruction of the message. */
  readonly effects: readonly Effect[]
}

/** A verdict, or null where the rule has nothing to say of this transaction. */
export type Rule = (facts: Case) => Check | null

export function passed(rule: string, detail: string, judgedOn: JsonObject): Check {
  return { rule, verdict: 'PASSED', detail, judgedOn }
}
