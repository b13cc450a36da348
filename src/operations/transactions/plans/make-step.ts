// Makes a later step of a plan: drafts it again from its data, with the rights of the original request, and marks the
// step as begun in the unit of work of its transaction.
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type RecordState } from '../../../engine/records/record.ts'
import { nextStep } from '../../../../machines/transactions/plan.ts'
import type { JsonObject } from '../../../contract/call.ts'
import type { ChainTransactionConfig } from '../../../contract/values/chain-config.ts'
import type { Platform } from '../../context/platform.ts'
import { transact } from '../transact.ts'
import { acceptedCall } from './requester.ts'
import { stepBuilderOf } from './run-plan.ts'

/** Does nothing if the step has begun, or the plan has ended, in the meantime. Throws the refusals of a request. */
export async function makeStep(platform: Platform, entry: Entry, plan: RecordState<'plan'>): Promise<void> {
  const { purpose, steps, config: storedConfig } = plan.context
  const index = nextStep(plan.context)
  const step = steps[index]
  if (step === undefined) return
  const call = acceptedCall(plan)
  const config = (storedConfig ?? undefined) as ChainTransactionConfig | undefined
  const buildDraft = await stepBuilderOf(platform, purpose)({ platform, call }, config, step.data as JsonObject)
  const makes = new Set(step.records.flatMap((id) => addressOf(platform, id)))
  await transact({ platform, call }, config, (budget) => {
    if (!isNext(entry, index)) return undefined
    const draft = buildDraft(budget)
    return {
      ...draft,
      makes: new Set([...makes, ...(draft.makes ?? [])]),
      prepare: (unit, transactionId) => {
        unit.send<'plan'>(entry, { type: 'command.begin', step: index, transactionId })
        draft.prepare?.(unit, transactionId)
      },
    }
  })
}

function isNext({ head }: Entry, index: number): boolean {
  const plan = ofKind(head, 'plan')
  return plan?.value === 'running' && nextStep(plan.context) === index
}

function addressOf(platform: Platform, id: string): string[] {
  const head = platform.engine.directory.resident(id)?.head
  return head !== undefined && isHolding(head) ? [head.context.address] : []
}
