// POST /distributions: records a distribution; the driver computes and pays it once its record instant is final.
// PATCH /distributions/cancel: cancels a distribution that is not computed yet.
import { openDistributionsKey } from '../../engine/index/index-keys.ts'
import type { DistributionContext } from '../../../machines/distribution.ts'
import type { DryRun, JsonObject, Outcome } from '../../contract/call.ts'
import type { ItemBody, TransactionBody } from '../../contract/values/chain-config.ts'
import type { DistributionReference, NewDistributionInput } from '../../contract/schemas/distribution.ts'
import { instrumentRef } from '../lookup/instrument.ts'
import { checkBatch, type CheckedBatch } from '../batches/check.ts'
import { limitedVerdicts } from '../authorization/limits/enforce.ts'
import { shownLimit } from '../authorization/limits/exceeded.ts'
import { checkInHistory } from '../holdings/holders-as-of.ts'
import type { Write, Context } from '../context/platform.ts'
import { requireRoom } from '../context/room.ts'
import { dryOutcome, type DryRunFindings } from '../transactions/dry-run.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import { rawJson } from '../views/read-models/amounts.ts'
import { command } from '../context/command.ts'
import { distributionNamed } from './record.ts'
import { computeParts, itemOf, operationOf, termsOf, type ComputedDistribution, type Terms } from './terms.ts'
import type { DistributionDryRunModel } from '../../contract/schemas/distribution.ts'
import type { WithId } from '../../contract/schemas/members.ts'

/** Maximum number of parts in the answer to a dry run. */
const MAX_PARTS_SHOWN = 1_000

/** Of a tenant, that have not ended. */
const MAX_DISTRIBUTIONS_OF_TENANT = 1_000

/** Throws 400 `TOO_MANY_DISTRIBUTIONS` and what the terms and the fee payer throw. */
export const createDistribution: Write<TransactionBody<NewDistributionInput>, WithId<'newDistribution'>> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  if (!call.dryRun)
    requireRoom(platform, {
      key: openDistributionsKey(call.tenant),
      most: MAX_DISTRIBUTIONS_OF_TENANT,
      code: 'TOO_MANY_DISTRIBUTIONS',
      what: 'distributions that have not ended',
    })
  const terms = termsOf(context, itemData)
  // A wrong fee payer is refused now; it is checked again at the record instant.
  feePayerOf(context, chainTransactionConfig)
  const recordMs = Date.parse(itemData.recordAt)
  checkInHistory(platform, recordMs, '/itemData/recordAt')
  if (call.dryRun) {
    const computed = await computeParts(context, terms, recordMs > platform.clock.now() ? null : recordMs)
    const items = computed.parts.map((part, index) => ({ index, data: itemOf(terms, part), externalReference: null }))
    const checked = await checkBatch(context, {
      operation: operationOf(terms),
      config: chainTransactionConfig,
      items,
    })
    return dryOutcome(new DistributionDryRun(computed, checked))
  }
  const { payout, minimum = null } = itemData
  const distribution: DistributionContext = {
    organization: call.organization,
    endpoint: call.endpoint,
    requestId: call.requestId,
    requester: requesterOf(call),
    instrument: instrumentRef(terms.instrument),
    recordAt: new Date(recordMs).toISOString(),
    source: sourceOf(terms),
    payout: {
      instrument: terms.paid === null ? null : instrumentRef(terms.paid),
      total: payout.total ?? null,
      perUnit: payout.perUnit ?? null,
    },
    excluded: [...terms.excluded],
    minimum,
    config: chainTransactionConfig ?? null,
    externalReference: call.externalReference ?? null,
    parts: null,
    batches: [],
    problem: null,
    createdAt: new Date(platform.clock.now()).toISOString(),
    endedAt: null,
  }
  return await record(context, distribution)
}

/** By address, so that a later change of references does not change the source. */
function sourceOf({ paid, source }: Terms): JsonObject {
  return paid === null ? { owner: { onchainId: source } } : { position: { onchainId: source } }
}

async function record(
  context: Context,
  distribution: DistributionContext,
): Promise<Outcome<WithId<'newDistribution'>>> {
  const { tenant, cluster } = context.call
  const id = context.platform.ids()
  return await changeRecords(context, (unit) => {
    unit.openFor(tenant)
    unit.create('distribution', { tenant, cluster, id }, { distribution })
    return { members: { newDistribution: { offchainId: id } } }
  })
}

/** Throws 400 `DISTRIBUTION_NOT_FOUND`, `DISTRIBUTION_PAYING`, `DISTRIBUTION_ENDED`. */
export const cancelDistribution: Write<ItemBody<DistributionReference>, WithId<'cancelledDistribution'>> = async (
  context,
  { itemData: { offchainId } },
) => {
  const { entry } = distributionNamed(context, offchainId)
  return await changeRecords(context, (unit) => {
    const at = new Date(context.platform.clock.now()).toISOString()
    command<'distribution'>(unit, entry, { type: 'command.cancel', at })
    return { members: { cancelledDistribution: { offchainId } } }
  })
}

class DistributionDryRun implements DryRun {
  readonly #computed: ComputedDistribution
  readonly #checked: CheckedBatch

  constructor(computed: ComputedDistribution, checked: CheckedBatch) {
    this.#computed = computed
    this.#checked = checked
  }

  report(): Promise<DistributionDryRunModel['dryRun']> {
    const { holders, parts, total, remainder, unpaid } = this.#computed
    const { findings, verdicts } = this.#checked
    const sum = (member: (each: DryRunFindings) => bigint): bigint =>
      findings.reduce((all, each) => all + member(each), 0n)
    return Promise.resolve({
      holdersCount: holders,
      partsCount: parts.length,
      unpaidCount: unpaid,
      totalLamports: rawJson(total),
      remainderLamports: rawJson(remainder),
      parts: parts
        .slice(0, MAX_PARTS_SHOWN)
        .map(({ holder, amount }) => ({ ownerOnchainId: holder, lamports: rawJson(amount) })),
      transactionsCount: findings.length,
      feeLamports: rawJson(sum(({ feeLamports }) => feeLamports)),
      rentLamports: rawJson(sum(({ rentLamports }) => rentLamports)),
      limits: limitedVerdicts(verdicts).map(shownLimit),
    })
  }
}
