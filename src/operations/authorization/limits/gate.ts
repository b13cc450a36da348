// Applies debit limits to a recorded transaction, when this service is about to give its first signature or the last
// signature has arrived.
import type { Entry } from '../../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { Debit } from '../../../../machines/debit-limits.ts'
import type { EvaluationFacts } from '../../../engine/records/codec.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { inputsOfRecord, type RecordedInputs } from './again.ts'
import { assess } from './assess.ts'
import { admit, explanationFacts, notCovered, type LimitDecision } from './enforce.ts'
import { limitExceeded } from './exceeded.ts'
import { hidingRules } from './hidden-rules.ts'
import { checkStillAllowed, checkStillScreened } from './still-allowed.ts'

export interface GateInputs extends RecordedInputs {
  readonly intent: string
  readonly then: 'SIGN' | 'WAIT'
}

export class LimitGate {
  readonly #platform: Platform
  readonly #call: Call
  readonly #entry: Entry
  readonly #inputs: GateInputs
  readonly #at: string
  #admission: LimitDecision | null = null

  constructor({ platform, call }: Context, entry: Entry, inputs: GateInputs, at: string) {
    this.#platform = platform
    this.#call = call
    this.#entry = entry
    this.#inputs = inputs
    this.#at = at
  }

  /** True if the limits were evaluated and the transaction waits for approval. */
  get isClosed(): boolean {
    return this.#admission !== null && this.#admission.hold !== null
  }

  /**
   * Returns false if the transaction waits for approval; the wait is recorded. A transaction that already carries a
   * signature of this service counts already; only its destinations are evaluated and screened again, and the limits of
   * the accounts that have not signed.
   *
   * Throws 400 `DEBIT_LIMIT_EXCEEDED`, 403 `DESTINATION_NOT_ALLOWED`, 503 `CLOCK_OFF`.
   */
  opens(unit: UnitOfWork): boolean {
    const { context } = this.#transaction
    if (context.ourSignature) {
      hidingRules(this.#call, this.#transaction.tenant, () => {
        this.#checkAgain()
        this.#checkUncounted()
      })
      return true
    }
    this.#admission ??= hidingRules(this.#call, this.#transaction.tenant, () => this.#evaluate())
    const { hold } = this.#admission
    if (hold === null) return true
    if (hold !== context.approval)
      unit.send<'transaction'>(this.#entry, { type: 'command.hold', approval: hold, at: this.#at })
    return false
  }

  /** The debits and limits of the last decision, for the submission. */
  decided(): { readonly debits?: readonly Debit[]; readonly judged?: EvaluationFacts } {
    if (this.#admission === null || this.#admission.hold !== null) return {}
    const { debits, limits } = this.#admission
    const maxFee = this.#platform.limits.maxFeeLamports.toString()
    return { debits, judged: { maxFee, limits, ...explanationFacts(this.#admission) } }
  }

  get #transaction(): RecordState<'transaction'> {
    const transaction = ofKind(this.#entry.head, 'transaction')
    if (transaction === undefined) throw new Error(`record ${this.#entry.head.id} is no transaction`)
    return transaction
  }

  #evaluate(): LimitDecision {
    const transaction = this.#transaction
    const { context } = transaction
    const { intent, then, ...recorded } = this.#inputs
    const requesters = [...new Set([context.fixed.requestedBy, this.#call.caller.keyId])]
    const request = { requesters, intent, then }
    const inputs = inputsOfRecord(this.#platform, transaction, recorded)
    return admit(this.#platform, inputs, request, context.approval)
  }

  #checkAgain(): void {
    const { intent, then: _next, ...inputs } = this.#inputs
    checkStillAllowed(this.#platform, this.#transaction, inputs)
    checkStillScreened(this.#platform, this.#transaction, inputs, intent)
  }

  /**
   * Their debits do not count yet, so others may have used up the limits since. An approval can no longer be asked for:
   * the message may land with the signature of the account. Throws 400 `DEBIT_LIMIT_EXCEEDED`.
   */
  #checkUncounted(): void {
    const { unreserved, approval } = this.#transaction.context
    if (unreserved === undefined || unreserved.length === 0) return
    const { intent: _intent, then: _next, ...recorded } = this.#inputs
    const assessed = assess(inputsOfRecord(this.#platform, this.#transaction, recorded))
    const { verdicts } = notCovered(this.#platform, { ...assessed, reviews: [] }, approval ?? undefined)
    const exceeded = verdicts.filter((verdict) => verdict.exceeded && unreserved.includes(verdict.account.id))
    if (exceeded.length > 0) throw limitExceeded(exceeded)
  }
}
