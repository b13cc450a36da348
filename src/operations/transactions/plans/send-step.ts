// Sends the transactions of a provider's plan, which are signed and held from the beginning: each when the previous
// one is final, and none after a transaction without effect.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { sendWithConsequences } from '../../../engine/settlement/settlement.ts'
import { NEVER_SENT_RULE, neverLeftService } from '../nonces/void.ts'
import type { Platform } from '../../context/platform.ts'
import { sendRecordedTransaction } from '../signing/send.ts'
import { acceptedCall } from './requester.ts'
import { PROVIDED_PURPOSE } from './plan-record.ts'

/**
 * True if the next step has to wait until this transaction is final, so that no fork can separate them. Nothing
 * follows the last one.
 */
export function mustBeFinal({ context: { purpose, steps } }: RecordState<'plan'>, transactionId: string): boolean {
  return purpose === PROVIDED_PURPOSE && steps.at(-1)?.transactionId !== transactionId
}

/** True if the transaction has all its signatures and has not been sent. */
export function waitsForEarlierSteps(
  { engine }: Platform,
  { context }: RecordState<'plan'>,
  transactionId: string,
): boolean {
  const transaction = ofKind(engine.directory.byId(transactionId)?.head, 'transaction')
  if (context.purpose !== PROVIDED_PURPOSE || transaction === undefined || transaction.value !== 'signed') return false
  return transaction.context.cancelAskedAt === null && engine.payload(transaction).held === true
}

/** Sends with the rights of the original request. Throws 403 `FROZEN` if a signer has been frozen. */
export async function sendStep(platform: Platform, plan: RecordState<'plan'>, transactionId: string): Promise<void> {
  await sendRecordedTransaction({ platform, call: acceptedCall(plan) }, transactionId)
}

/** Ends the transaction now if only this service could send it; otherwise when it is proven that it cannot land. */
export function withholdStep(platform: Platform, unit: UnitOfWork, transactionId: string, at: string): void {
  const entry = platform.engine.directory.byId(transactionId)
  if (entry === undefined) return
  const isOver = neverLeftService(platform, entry)
  const event = isOver
    ? ({ type: 'chain.voided', at, proof: NEVER_SENT_RULE } as const)
    : ({ type: 'command.withdraw', at } as const)
  sendWithConsequences(platform.engine, unit, entry, { event, at })
  const cluster = platform.clusters.get(entry.head.cluster)
  unit.afterCommit(() => {
    if (isOver) cluster?.forget(transactionId)
    else cluster?.checkNow(transactionId)
  })
}
