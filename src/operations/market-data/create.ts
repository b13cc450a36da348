// POST /market-data/onchain-data-source: creates a feed of an instrument's price or rating. The jobs are checked and
// executed first; the transaction that creates the account publishes the first value.
import { createAccountInstruction } from '../../solana/instructions/system.ts'
import { TOKEN_2022_PROGRAM } from '../../solana/address.ts'
import type { DataSourceContext } from '../../../machines/data-source.ts'
import { feedText } from '../../../machines/feed-text.ts'
import { keepKey, type NewAddress } from '../holdings/keys.ts'
import { checkUnique, newAccountPlan, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers } from '../holdings/new-members.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { NewDataSourceInput } from '../../contract/schemas/market-data.ts'
import { checkDataDetails } from './details.ts'
import { attemptJobs, checkedDefinition, DEFINITION_POINTER, requireSuccess } from './evaluate.ts'
import { feedMintInstructions, feedMintSize } from './feed-mint.ts'
import { SOURCE_POINTER } from '../lookup/named-source.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import type { Context, Write } from '../context/platform.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Party } from '../lookup/party.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { instrumentRef, resolveInstrument } from '../lookup/instrument.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newOnchainDataSource'>

const COMPUTE_UNITS = 60_000
const FIRST = 1

export const createDataSource: Write<TransactionBody<NewDataSourceInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const input = itemData.onchainDataSource ?? {}
  const { kind } = itemData.dataDetails
  const [, , , definition, plan] = together(
    () => checkInput(input),
    () => checkDataDetails(kind, itemData.dataDetails.ratingProvider),
    () => partiesOf(context, itemData),
    () => checkedDefinition(platform, itemData.oracleProviderDetails.jobDefinition, DEFINITION_POINTER),
    () => newAccountPlan(context, input, { type: 'ASSET_TOKEN' }, SOURCE_POINTER),
  )
  const { value, asOf, run } = requireSuccess(await attemptJobs(context, definition, kind), DEFINITION_POINTER)
  const cluster = clusterOf(context)
  const { address, key } = await plan()
  const { allocationBytes, finalBytes } = feedMintSize()
  const lamports = await cluster.rentExemptLamports(finalBytes)
  const { slot } = await cluster.accountsAsOf([address])
  const text = feedText({ kind, publication: { value, asOf, slot, sequence: FIRST }, jobHash: definition.hash })
  if (text === null)
    throw badRequest('JOB_FAILED', 'the value is too long for its metadata on chain', DEFINITION_POINTER)
  const id = platform.ids()
  return await transact(context, chainTransactionConfig, () => {
    const feePayer = feePayerOf(context, chainTransactionConfig)
    const parties = partiesOf(context, itemData)
    const account = { payer: feePayer.address, account: address, owner: TOKEN_2022_PROGRAM }
    return {
      instructions: [
        createAccountInstruction({ ...account, lamports, space: allocationBytes }),
        ...feedMintInstructions(address, parties.publisher.address, text),
      ],
      feePayer,
      parties: [parties.publisher],
      freshKeys: key === null ? [] : [key.fresh],
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) =>
        record(context, unit, itemData, {
          ...{ id, address, key, feePayer, parties, run },
          dataLength: finalBytes,
          jobHash: definition.hash,
        }),
      members: { newOnchainDataSource: { onchainId: address, offchainId: id } },
      shape: 'member',
    }
  })
}

function partiesOf(context: Context, { financialInstrument, onchainDataSourceAuthority }: NewDataSourceInput) {
  const [instrument, publisher] = together(
    () => resolveInstrument(context, financialInstrument, '/itemData/financialInstrument'),
    () => resolveParty(context, onchainDataSourceAuthority, '/itemData/onchainDataSourceAuthority'),
  )
  return { instrument, publisher }
}

interface NewSource {
  readonly id: string
  readonly address: string
  readonly key: NewAddress['key']
  readonly feePayer: Party
  readonly parties: ReturnType<typeof partiesOf>
  readonly run: DataSourceContext['lastRun']
  /** Bytes of the account. */
  readonly dataLength: number
  readonly jobHash: string
}

/** Creates the record of the data source. */
function record(context: Context, unit: UnitOfWork, itemData: NewDataSourceInput, source: NewSource): void {
  const { call } = context
  const { id, address, key, feePayer, parties, dataLength } = source
  const { dataDetails, oracleProviderDetails: provider } = itemData
  const place = { tenant: call.tenant, cluster: call.cluster, id }
  const account = { address, key, type: 'ASSET_TOKEN', ownerProgram: TOKEN_2022_PROGRAM, dataLength, feePayer } as const
  const holding = newHolding(context, itemData.onchainDataSource ?? {}, account, SOURCE_POINTER)
  checkUnique(context, holding, SOURCE_POINTER, badRequest)
  if (key !== null) keepKey(unit, { ...place, address }, key.fresh)
  const { publisher, instrument } = parties
  const created: DataSourceContext = {
    ...holding,
    protocol: 'PUBLISHED_FEED',
    financialInstrument: instrumentRef(instrument),
    dataKind: dataDetails.kind,
    ratingProvider: dataDetails.ratingProvider ?? null,
    providerKind: provider.kind ?? 'QUOTES',
    jobDefinition: provider.jobDefinition,
    jobHash: source.jobHash,
    definedBy: requesterOf(call),
    payer: feePayer.address,
    authority: { address: publisher.address, id: publisher.entry?.head.id ?? null },
    latest: null,
    landedSlot: null,
    issued: FIRST,
    lastRun: source.run,
  }
  unit.create('dataSource', place, { state: 'pending', holding: created })
}

function checkInput(input: NonNullable<NewDataSourceInput['onchainDataSource']>): void {
  const at = (member: string): string => `${SOURCE_POINTER}/${member}`
  together(
    () => checkNewMembers(input, ['ASSET_TOKEN'], SOURCE_POINTER),
    () => {
      if (input.tokenVersion === 'SPL')
        throw badRequest('NOT_APPLICABLE', 'tokenVersion must be TOKEN_2022 for a data source', at('tokenVersion'))
    },
    () =>
      eachTogether(['canPayFees', 'alreadyOnchain'] as const, (member) => {
        if (input[member] === true)
          throw badRequest('NOT_APPLICABLE', `${member} does not apply to a data source`, at(member))
      }),
  )
}
