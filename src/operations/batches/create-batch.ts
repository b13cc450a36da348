// POST /batches: checks all items, stores them and acknowledges the batch; the batch driver makes their transactions.
import { hash } from 'node:crypto'
import type { Approval } from '../../../machines/approval.ts'
import type { BatchContext } from '../../../machines/batch.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { decide } from '../authorization/limits/enforce.ts'
import type { Write, Context } from '../context/platform.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import { Refusal } from '../../contract/refusal.ts'
import { checkBatch, type BatchRequest, type CheckedBatch } from './check.ts'
import { dryOutcome } from '../transactions/dry-run.ts'
import { BatchDryRun } from './dry-run.ts'
import type { NewBatchInput } from '../../contract/schemas/batch.ts'
import type { ItemToMake } from './input.ts'
import { requireOperationRole } from './operations.ts'
import { SLICE, sendToBatch } from './record.ts'
import { unstorableMembers } from './unstorable.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'newBatch'>

export const createBatch: Write<TransactionBody<NewBatchInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const { operation, stopOnFailure = false } = itemData
  requireOperationRole(call, operation)
  const items = itemData.items.map((item, index) => itemOf(item as JsonObject, index))
  checkMembers(items)
  const request: BatchRequest = { operation, config: chainTransactionConfig, items }
  const checked = await checkBatch(context, request)
  if (call.dryRun) return dryOutcome(new BatchDryRun(items.length, checked))
  const approval = approvalOf(context, request, checked)

  const id = platform.ids()
  const at = new Date(platform.clock.now()).toISOString()
  const batch: BatchContext = {
    organization: call.organization,
    endpoint: call.endpoint,
    requestId: call.requestId,
    requester: requesterOf(call),
    operation,
    config: chainTransactionConfig ?? null,
    stopOnFailure,
    externalReference: call.externalReference ?? null,
    items: items.length,
    counts: { waiting: items.length, underWay: 0, done: 0, failed: 0, cancelled: 0 },
    sweep: null,
    approval: null,
    createdAt: at,
    endedAt: null,
  }
  if (approval === null) return await write(context, { id, batch, items, approval, debited: [], at })
  const debited = [...new Set(checked.verdicts.map(({ account }) => account.id))]
  const bound = items.map((item) => {
    const intent = checked.intents.get(item.index)
    return intent === undefined ? item : { ...item, intent }
  })
  return await write(context, { id, batch, items: bound, approval, debited, at })
}

interface NewBatch {
  readonly id: string
  readonly batch: BatchContext
  readonly items: readonly ItemToMake[]
  readonly approval: Approval | null
  readonly debited: readonly string[]
  readonly at: string
}

/** Only the last write starts the batch, so no transaction is made before all items are durable. */
async function write(
  { platform, call }: Context,
  { id, batch, items, approval, debited, at }: NewBatch,
): Promise<Outcome<Members>> {
  const { engine } = platform
  const { tenant, cluster, organization } = call
  const outcome: Outcome<Members> = {
    members: { newBatch: { offchainId: id } },
    transactions: [],
    shape: 'member',
    awaited: 'signed',
  }
  const create = async (slice: readonly ItemToMake[], first: boolean): Promise<void> => {
    const { durable } = engine.transact((unit) => {
      unit.openFor(tenant)
      if (first) unit.create('batch', { tenant, cluster, id }, { batch })
      for (const { index, data, externalReference, intent } of slice) {
        const item = {
          batchId: id,
          organization,
          index,
          data,
          externalReference,
          transactionId: null,
          members: null,
          problem: null,
          cancelledBecause: null,
          earlier: [],
          endedAt: null,
          ...(intent === undefined ? {} : { intent }),
        }
        unit.create('batchItem', { tenant, cluster, id: platform.ids() }, { item })
      }
    })
    await durable
  }
  for (let from = 0; from < items.length; from += SLICE) await create(items.slice(from, from + SLICE), from === 0)
  const { durable } = engine.transact((unit) => {
    unit.openFor(tenant)
    const entry = engine.directory.resident(id)
    if (entry === undefined) throw new Error(`batch ${id} is missing`)
    sendToBatch(unit, entry, { type: 'command.start', approval, ...(approval === null ? {} : { debited }), at })
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
}

function itemOf({ externalReference, ...data }: JsonObject, index: number): ItemToMake {
  return { index, data, externalReference: typeof externalReference === 'string' ? externalReference : null }
}

/** Throws 400 `NOT_IN_BATCH` with every member that an item cannot have. */
function checkMembers(items: readonly ItemToMake[]): void {
  const problems = items.flatMap(({ index, data }) =>
    unstorableMembers(data, `/itemData/items/${index}`, 'NOT_IN_BATCH'),
  )
  if (problems.length > 0) throw new Refusal(400, problems)
}

/**
 * null: the whole batch is within the debit limits, no approval policy covers it, and no recipient is under review.
 * Throws 400 `DEBIT_LIMIT_EXCEEDED`, 403 `DESTINATION_NOT_ALLOWED` when nobody may approve it.
 */
function approvalOf(
  { platform, call }: Context,
  { operation, items }: BatchRequest,
  { verdicts, policies, reviews }: CheckedBatch,
): Approval | null {
  const intent = hash('sha256', JSON.stringify([operation, items.map(({ data }) => data)]), 'hex')
  const approvalRequest = { requesters: [call.caller.keyId], intent, then: 'SEND' } as const
  return decide(platform, { debits: [], verdicts, policies, reviews }, approvalRequest, {
    before: null,
    now: platform.clock.now(),
  }).hold
}
