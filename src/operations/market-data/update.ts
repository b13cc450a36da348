// PATCH /market-data/onchain-data-source: replaces the given members. A change of the jobs or the kind executes the
// jobs at once and publishes the result with their hash; a new authority is set on chain. Other changes need no
// transaction.
import type { FeedDefinition } from '../../../machines/data-source.ts'
import type { Outcome } from '../../contract/call.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { DataSourceChangesInput } from '../../contract/schemas/market-data.ts'
import { checkDataDetails } from './details.ts'
import { attemptJobs, checkedDefinition, DEFINITION_POINTER, requireSuccess } from './evaluate.ts'
import { checkFeedChange } from '../authorization/feed-use.ts'
import type { DataSource } from '../lookup/named-source.ts'
import { ownSource } from './own-source.ts'
import { publish } from './publish.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import type { Write, Context } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { optionalParty } from '../lookup/account.ts'
import { together } from '../../contract/together.ts'
import { instrumentRef, optionalInstrument } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedOnchainDataSource'>

type Input = DataSourceChangesInput

export const updateDataSource: Write<TransactionBody<Input>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const [{ state }] = together(
    () => ownSource(context, itemData.onchainDataSource),
    () => partiesNamed(context, itemData),
  )
  const plan = planOf(context, state, itemData)
  checkFeedChange(context, state, plan.changes)
  if (!plan.onChain) return await updateRecord(context, itemData)
  return await publish(context, itemData.onchainDataSource, chainTransactionConfig, async (source) => {
    const { changes, republishes, nextPublisher } = planOf(context, source, itemData)
    const definition = checkedDefinition(
      platform,
      changes.jobDefinition ?? source.context.jobDefinition,
      DEFINITION_POINTER,
    )
    const kind = changes.dataKind ?? source.context.dataKind
    const evaluated = republishes
      ? requireSuccess(await attemptJobs(context, definition, kind), DEFINITION_POINTER)
      : null
    const payer = feePayerOf(context, chainTransactionConfig).address
    return {
      evaluated,
      changes: { ...changes, jobHash: definition.hash, definedBy: requesterOf(call), payer },
      nextPublisher,
      members: membersOf(source),
      permit: (now) => checkFeedChange(context, now, changes),
    }
  })
}

interface UpdatePlan {
  readonly changes: Partial<FeedDefinition>
  readonly republishes: boolean
  readonly nextPublisher: Party | null
  readonly onChain: boolean
}

function partiesNamed(context: Context, { financialInstrument, onchainDataSourceAuthority }: Input) {
  const [instrument, publisher] = together(
    () => optionalInstrument(context, financialInstrument, '/itemData/financialInstrument'),
    () => optionalParty(context, onchainDataSourceAuthority, '/itemData/onchainDataSourceAuthority'),
  )
  return { instrument, publisher }
}

function planOf(request: Context, { context }: DataSource, input: Input): UpdatePlan {
  const { dataDetails, oracleProviderDetails } = input
  const kind = dataDetails?.kind ?? context.dataKind
  const [{ instrument, publisher }] = together(
    () => partiesNamed(request, input),
    () => checkDataDetails(kind, dataDetails?.ratingProvider),
  )
  const ratingProvider =
    kind === 'PRICE'
      ? null
      : dataDetails?.ratingProvider === undefined
        ? context.ratingProvider
        : dataDetails.ratingProvider
  const jobDefinition = oracleProviderDetails?.jobDefinition
  const changes: Partial<FeedDefinition> = {
    ...(instrument === null ? {} : { financialInstrument: instrumentRef(instrument) }),
    ...(dataDetails === undefined ? {} : { dataKind: kind, ratingProvider }),
    ...(oracleProviderDetails?.kind === undefined ? {} : { providerKind: oracleProviderDetails.kind }),
    ...(jobDefinition === undefined ? {} : { jobDefinition }),
  }
  const republishes =
    kind !== context.dataKind || (jobDefinition !== undefined && jobDefinition !== context.jobDefinition)
  const nextPublisher = publisher === null || publisher.address === context.authority.address ? null : publisher
  return { changes, republishes, nextPublisher, onChain: republishes || nextPublisher !== null }
}

/** Changes the record only, without a transaction. */
async function updateRecord(context: Context, itemData: Input): Promise<Outcome<Members>> {
  return await changeRecords(context, (unit) => {
    const { entry, state } = ownSource(context, itemData.onchainDataSource)
    const { changes } = planOf(context, state, itemData)
    checkFeedChange(context, state, changes)
    const definedBy = requesterOf(context.call)
    unit.send<'dataSource'>(entry, { type: 'command.define', changes: { ...changes, definedBy } })
    return { members: membersOf(state) }
  })
}

function membersOf(source: DataSource): Members {
  return { updatedOnchainDataSource: idsOfHolding(source) }
}
