// PATCH /market-data/onchain-data-source/refresh: executes the jobs of a source and publishes their result.
import type { Run } from '../../../machines/data-source.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { NamedDataSourceInput } from '../../contract/schemas/market-data.ts'
import { attemptJobs, checkedDefinition, requireSuccess } from './evaluate.ts'
import { SOURCE_POINTER, type DataSource } from '../lookup/named-source.ts'
import { publish } from './publish.ts'
import type { Write, Context } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { jobModel } from '../views/read-models/data-source.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { refreshedDataSource } from '../../contract/schemas/data-source-answers.ts'

type Members = MembersOf<typeof refreshedDataSource>

export const refreshDataSource: Write<TransactionBody<NamedDataSourceInput>, Members> = async (
  { platform, call },
  { itemData, chainTransactionConfig },
) => {
  return await publish({ platform, call }, itemData.onchainDataSource, chainTransactionConfig, async (source) => {
    const { context } = source
    const definition = checkedDefinition(platform, context.jobDefinition, SOURCE_POINTER)
    const result = await attemptJobs({ platform, call }, definition, context.dataKind)
    if (result.execution.value === null) await recordRun({ platform, call }, source, result.run)
    const evaluated = requireSuccess(result, SOURCE_POINTER)
    const asOf = new Date(evaluated.asOf * 1000).toISOString()
    return {
      evaluated,
      changes: {},
      nextPublisher: null,
      members: {
        refreshedOnchainDataSource: idsOfHolding(source),
        value: evaluated.value,
        asOf,
        jobs: result.execution.jobs.map(jobModel),
      },
    }
  })
}

/** A failed run is recorded, although the request is refused. */
async function recordRun({ platform, call }: Context, { id }: DataSource, run: Run): Promise<void> {
  const entry = platform.engine.directory.resident(id)
  if (call.dryRun || entry === undefined || entry.head.value === 'closed') return
  await platform.engine.transact((unit) => unit.send<'dataSource'>(entry, { type: 'command.run', run })).durable
}
