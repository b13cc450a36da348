// Transactions of a plan that are there from its beginning, signed and held back: each is sent when the one before is final, and none that
// comes after one without effect.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { tellWithConsequences } from '../../../engine/settlement/settlement.ts'
import { NEVER_LEFT, neverLeft } from '../nonces/void.ts'
import type { Platform } from '../../context/platform.ts'
import { sendKept } from '../signing/send.ts'
import { callOf } from './make-step.ts'
import { PROVIDED_PURPOSE } from './plan-record.ts'

/** Nothing that follows may be parted from it by a fork. Nothing follows the last. */
export function mustBeFinal({ context: { purpose, steps } }: RecordState<'plan'>, transactionId: string): boolean {
  return purpose === PROVIDED_PURPOSE && steps.at(-1)?.transactionId !== transactionId
}

/** It has all its signatures, and nobody has sent it. */
export function waitsForItsTurn({ engine }: Platform, { context }: RecordState<'plan'>, transactionId: string): boolean {
  const transaction = ofKind(engine.directory.byId(transactionId)?.head, 'transaction')
  if (context.purpose !== PROVIDED_PURPOSE || transaction === undefined || transaction.value !== 'signed') return false
  return transaction.context.cancelAskedAt === null && engine.payload(transaction).held === true
}

/** With the rights of the request. Throws 403 `FROZEN` when a signer was frozen meanwhile. */
export async function sendStep(platform: Platform, plan: RecordState<'plan'>, transactionId: string): Promise<void> {
  await sendKept(platform, callOf(plan), transactionId)
}

/** At once where nobody else could send it, else as soon as it is proven that it cannot land any more. */
export function withholdStep(platform: Platform, unit: UnitOfWork, transactionId: string, at: string): void {
  const entry = platform.engine.directory.byId(transactionId)
  if (entry === undefined) return
  const isOver = neverLeft(platform, entry)
  const event = isOver ? ({ type: 'chain.voided', at, proof: NEVER_LEFT } as const) : ({ type: 'command.withdraw', at } as const)
  tellWithConsequences(platform.engine, unit, entry, event, at)
  const cluster = platform.clusters.get(entry.head.cluster)
  unit.afterCommit(() => {
    if (isOver) cluster?.forget(transactionId)
    else cluster?.hurry(transactionId)
  })
}
