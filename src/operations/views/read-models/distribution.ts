// The read model of a distribution.
import { decimalJson } from '../../../../machines/amount.ts'
import type { DistributionState } from '../../../../machines/distribution.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { JsonObject } from '../../../contract/call.ts'
import { rawJson } from './amounts.ts'
import type { IdsOrNull } from '../../../contract/schemas/answers.ts'
import type { DistributionModel } from '../../../contract/schemas/distribution.ts'

export const DISTRIBUTION_STATUS: Readonly<Record<DistributionState, DistributionModel['status']>> = {
  waiting: 'WAITING',
  paying: 'PAYING',
  done: 'DONE',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
}

export function distributionModel({ id, value, context }: RecordState<'distribution'>): DistributionModel {
  const {
    instrument,
    recordAt,
    source,
    payout,
    excluded,
    minimum,
    parts,
    batches,
    problem,
    externalReference,
    organization,
  } = context
  const ids = (reference: { readonly address: string; readonly id: string | null }): IdsOrNull => ({
    onchainId: reference.address,
    offchainId: reference.id,
  })
  return {
    offchainId: id,
    status: DISTRIBUTION_STATUS[value as DistributionState],
    financialInstrument: ids(instrument),
    recordAt,
    source: source as JsonObject,
    payoutInstrument: payout.instrument === null ? null : ids(payout.instrument),
    total: orNull(payout.total),
    perUnit: orNull(payout.perUnit),
    excludedOnchainIds: excluded,
    minimum: orNull(minimum),
    externalReference,
    holdersCount: parts?.holders ?? null,
    partsCount: parts?.paid ?? null,
    totalLamports: parts === null ? null : rawJson(parts.total),
    remainderLamports: parts === null ? null : rawJson(parts.remainder),
    computedAt: parts?.computedAt ?? null,
    batchOffchainIds: batches,
    ...(problem === null ? {} : { errorCode: problem.code, errorMessage: problem.message }),
    tenantOrganizationId: organization,
    createdAt: context.createdAt,
    endedAt: context.endedAt,
  }
}

function orNull(text: string | null): number | string | null {
  return text === null ? null : decimalJson(text)
}
