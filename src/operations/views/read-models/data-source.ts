// The onchain data source read model.
import type { RecordState } from '../../../engine/records/record.ts'
import type { JobResult } from '../../../../machines/data-source.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { accountSeenBy, isOutside } from './outside.ts'
import { referenced } from './position.ts'
import type { DataSourceModel, JobResultModel } from '../../../contract/schemas/data-source-answers.ts'

const HOUR = 3_600

export function dataSourceModel(context: Context, state: RecordState<'dataSource'>): DataSourceModel {
  const { platform, call } = context
  const {
    protocol,
    financialInstrument,
    authority,
    dataKind,
    ratingProvider,
    providerKind,
    jobDefinition,
    latest,
    lastRun,
  } = state.context
  const isHidden = isOutside(call, state)
  return {
    defiProtocol: protocol,
    onchainDataSource: accountSeenBy(platform, call, state, 'detailed'),
    financialInstrument: referenced(context, financialInstrument, 'detailed'),
    onchainDataSourceAuthority: referenced(context, authority, 'detailed'),
    dataDetails: { kind: dataKind, ratingProvider },
    // The job definition is visible to the owner's tenant only; the value is public.
    oracleProviderDetails: { kind: providerKind, jobDefinition: isHidden ? null : jobDefinition },
    latest:
      latest === null
        ? null
        : {
            value: latest.value,
            asOf: new Date(latest.asOf * 1000).toISOString(),
            slot: latest.slot,
            sequence: latest.sequence,
          },
    stale: isStale(platform, state),
    lastRun:
      lastRun === null || isHidden
        ? null
        : {
            at: lastRun.at,
            value: lastRun.value,
            jobs: lastRun.jobs.map(jobModel),
          },
  }
}

/** True if nothing is published, or if the value is older than the operator's setting. */
function isStale({ clock, feedStaleSeconds = HOUR }: Platform, { context }: RecordState<'dataSource'>): boolean {
  const { latest } = context
  return latest === null || clock.now() / 1000 - latest.asOf > feedStaleSeconds
}

/** The result of one job. */
export function jobModel({ succeeded, value, error }: JobResult): JobResultModel {
  return { succeeded, ...(value === null ? {} : { value }), ...(error === null ? {} : { error }) }
}
