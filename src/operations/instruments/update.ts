// PATCH /financial-instruments: changes a mint's configuration on chain and its description; takes several
// transactions if one is too small.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { NeededApprovals, Outcome } from '../../contract/call.ts'
import { referenceChanges } from '../holdings/changes.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { InstrumentChangesInput } from '../../contract/schemas/instrument.ts'
import { runPlan } from '../transactions/plans/run-plan.ts'
import type { Write, Context } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest, forbidden, notFound, type Refusal } from '../../contract/refusal.ts'
import { alongWith } from '../../contract/together.ts'
import { resolveMintChanges, resolveNextAuthorities } from './changes-asked.ts'
import { fetchLogo, keepLogo, type NewLogo } from './logo-image.ts'
import {
  checkNamedSigners,
  MINT_POINTER,
  MINT_UPDATE_PURPOSE,
  namedSigners,
  takesMetadata,
  updateSteps,
  resolveSigners,
} from './update-draft.ts'
import { checkIdle, ownInstrument, refreshInstrument, type NamedInstrument } from './named.ts'
import { limitSupply } from './supply-cap.ts'
import { updatePortions } from './update-portions.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedFinancialInstrument'>

const MISSING = { code: 'INSTRUMENT_NOT_FOUND', refuse: notFound }

export const updateInstrument: Write<TransactionBody<InstrumentChangesInput>, Members> = async (context, body) => {
  const { platform } = context
  const { itemData, chainTransactionConfig } = body
  const named = (): NamedInstrument => ownInstrument(context, itemData.mintAccount, MINT_POINTER, MISSING)
  const signers = namedSigners(itemData)
  alongWith(
    named,
    () => resolveSigners(context, signers),
    () => resolveNextAuthorities(context, itemData),
  )
  if (asksOfChain(itemData)) await refreshInstrument(context, named())
  const { state } = named()
  const asked = {
    state,
    input: itemData,
    takesMetadata: itemData.onchainData !== undefined && (await takesMetadata(context, state)),
  }
  const changes = alongWith(
    () => resolveMintChanges(context, asked),
    () => checkNamedSigners(context, state, signers),
  )
  const logo = await fetchLogo(context, itemData.offchainData?.logo)
  const members = { updatedFinancialInstrument: idsOfHolding(state) }
  const mint = state.context.address
  if (changes.length === 0) {
    checkNamedSigners(context, named().state, signers)
    return await describeOnly(context, itemData, logo, { named, members })
  }
  const feePayer = feePayerOf(context, chainTransactionConfig).address
  const portions = updatePortions(state.context, changes, feePayer, chainTransactionConfig)
  return await runPlan(context, chainTransactionConfig, {
    purpose: MINT_UPDATE_PURPOSE,
    steps: updateSteps(mint, portions, signers).map((data) => ({ data, records: [] })),
    members,
    prepare: (unit) => {
      const now = named()
      checkIdle(platform, now.state, MINT_POINTER)
      if (describe(context, unit, now, { input: itemData, logo }) !== null) throw mintCannotWait()
    },
  })
}

/** A pending change is a change of records only. */
function mintCannotWait(): Refusal {
  const rule = 'raising or removing maxSupply needs approval: request it without members that change the mint'
  return forbidden('APPROVAL_REQUIRED', rule, '/itemData/maxSupply')
}

const OFFCHAIN: ReadonlySet<string> = new Set<keyof InstrumentChangesInput>([
  'mintAccount',
  'mintAccountOffchainReferences',
  'offchainData',
  'maxSupply',
])

/** True if the request contains a member that is kept on chain. */
function asksOfChain(input: InstrumentChangesInput): boolean {
  return Object.entries(input).some(([member, value]) => value !== undefined && !OFFCHAIN.has(member))
}

/** Changes the record only, without a transaction. */
async function describeOnly(
  context: Context,
  itemData: InstrumentChangesInput,
  logo: NewLogo | null,
  { named, members }: { readonly named: () => NamedInstrument; readonly members: Members },
): Promise<Outcome<Members>> {
  return await changeRecords(
    context,
    (unit) => describe(context, unit, named(), { input: itemData, logo }) ?? { members },
  )
}

/** Returns what must be approved before the change; null: it was made. */
function describe(
  context: Context,
  unit: UnitOfWork,
  { entry, state }: NamedInstrument,
  { input, logo }: { readonly input: InstrumentChangesInput; readonly logo: NewLogo | null },
): NeededApprovals | null {
  const { platform, call } = context
  const { mintAccountOffchainReferences: given, offchainData, onchainData, maxSupply } = input
  const needed = maxSupply === undefined ? null : limitSupply({ platform, call, unit }, { entry, state }, maxSupply)
  if (needed !== null) return needed
  if (given !== undefined) {
    const references = referenceChanges(context, state, given, '/itemData/mintAccountOffchainReferences')
    unit.send<'instrument'>(entry, { type: 'command.update', changes: { references } })
  }
  if (offchainData !== undefined && Object.keys(offchainData).length > 0) {
    const changes = offchainData.logo === undefined ? offchainData : { ...offchainData, logo: logo?.record ?? null }
    unit.send<'instrument'>(entry, { type: 'command.describe', changes: changes as never })
    if (offchainData.logo !== undefined) keepLogo(unit, state, state.id, logo)
  }
  if (onchainData === undefined || state.context.version === 'TOKEN_2022') return null
  // An SPL mint cannot store texts on chain; they are kept in the record.
  if (onchainData.simpleCustomMetadata !== undefined) {
    throw badRequest(
      'TOKEN_2022_REQUIRED',
      'simpleCustomMetadata on chain needs version TOKEN_2022',
      '/itemData/onchainData/simpleCustomMetadata',
    )
  }
  const { name, symbol, uri } = onchainData
  const texts = {
    ...(name === undefined ? {} : { name }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(uri === undefined ? {} : { uri }),
  }
  unit.send<'instrument'>(entry, { type: 'chain.configured', changes: { onchainData: texts } })
  return null
}
