// POST /financial-instruments: creates a mint with all its extensions, which cannot be added later: at a new address,
// in an account allocated in advance, or as a record of a mint that exists on chain.
import { assign, createAccountInstruction, transferLamports } from '../../solana/instructions/system.ts'
import type { Instruction } from '../../solana/message.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Holding } from '../../../machines/holding.ts'
import type { Outcome } from '../../contract/call.ts'
import { inheritedHolding, inheritKey } from '../holdings/inherited.ts'
import { keepKey } from '../holdings/keys.ts'
import { checkReferencesFree, checkUnique, newAccountPlan, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers, MINT_TYPES } from '../holdings/new-members.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ChainTransactionConfig, TransactionBody } from '../../contract/values/chain-config.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { NewInstrumentInput } from '../../contract/schemas/instrument.ts'
import { onboardInstrument } from './onboard.ts'
import type { Signer, Write, Context } from '../context/platform.ts'
import { badRequest, conflict } from '../../contract/refusal.ts'
import { alongWith, together } from '../../contract/together.ts'
import type { Party } from '../lookup/party.ts'
import { withCreationAdvice } from './creation-advice.ts'
import { checkUnused, existingAccount, existingOnChain, EXISTING } from '../accounts/existing-mint-account.ts'
import { authoritiesNamed, mintPlan, type MintPlan } from './mint-plan.ts'
import { fetchLogo, keepLogo } from './logo-image.ts'
import { mintInstructions } from './mint-instructions.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { checkRentSide } from '../transactions/rent-side.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { createdInstrument } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof createdInstrument>

const COMPUTE_UNITS = 400_000
const NEW = '/itemData/mintAccount'

export const createInstrument: Write<TransactionBody<NewInstrumentInput>, Members> = async (context, body) => {
  const { itemData, chainTransactionConfig } = body
  const { mintAccount, existingMintAccount } = itemData
  if (itemData.alreadyOnchain === true || mintAccount?.alreadyOnchain === true)
    return await onboardInstrument(context, itemData)
  if (existingMintAccount !== undefined) {
    const version = alongWith(
      () => versionFor(context, itemData, existingMintAccount),
      () => authoritiesNamed(context, itemData),
    )
    const stated = { ...itemData, version }
    return await create(
      context,
      stated,
      chainTransactionConfig,
      await existingPlace(context, stated, existingMintAccount),
    )
  }
  if (mintAccount === undefined) throw badRequest('REQUIRED', 'mintAccount or existingMintAccount is required', NEW)
  return await create(context, itemData, chainTransactionConfig, await newPlace(context, itemData, mintAccount))
}

/** The account of the mint. All members except `address` and `alId` are evaluated in the unit of work. */
interface Place {
  readonly address: string
  readonly alId: string | null
  readonly existing: boolean
  readonly parties: () => readonly Party[]
  readonly freshKeys: readonly Signer[]
  /** Instructions that give the token program an account of the right size and rent. */
  readonly opening: (feePayer: Party, plan: MintPlan) => Instruction[]
  /** The holding of the new record; also stores its key. */
  readonly prepare: (unit: UnitOfWork, id: string, feePayer: Party, plan: MintPlan) => Holding
  readonly closes: ReadonlySet<string>
}

async function create(
  context: Context,
  itemData: NewInstrumentInput,
  config: ChainTransactionConfig | undefined,
  place: Place,
): Promise<Outcome<Members>> {
  const { platform, call } = context
  const { address, alId } = place
  const id = platform.ids()
  const members = { newFinancialInstrument: { onchainId: address, offchainId: id, ...(alId === null ? {} : { alId }) } }
  const logo = await fetchLogo(context, itemData.offchainData?.logo)
  try {
    return await transact(context, config, () => {
      const feePayer = feePayerOf(context, config)
      const plan = mintPlan(context, itemData)
      return {
        instructions: [...place.opening(feePayer, plan), ...mintInstructions(address, plan)],
        feePayer,
        parties: [...place.parties(), ...plan.parties],
        freshKeys: place.freshKeys,
        computeUnits: COMPUTE_UNITS,
        prepare: (unit) => {
          const holding = place.prepare(unit, id, feePayer, plan)
          const offchainData = { ...plan.record.offchainData, logo: logo?.record ?? null }
          unit.create(
            'instrument',
            { tenant: call.tenant, cluster: call.cluster, id },
            { state: 'pending', holding: { ...holding, ...plan.record, offchainData } },
          )
          if (logo !== null && logo.file !== null) keepLogo(unit, call, id, logo)
        },
        closes: place.closes,
        members,
        shape: 'member',
      }
    })
  } catch (error) {
    throw withCreationAdvice(error, () => ({
      mint: address,
      feePayer: feePayerOf(context, config).address,
      plan: mintPlan(context, itemData),
      existing: place.existing,
    }))
  }
}

async function newPlace(context: Context, itemData: NewInstrumentInput, input: NewAccountInput): Promise<Place> {
  const { call } = context
  const type = input.offchainReferences?.type ?? 'ASSET_TOKEN'
  const [, addressOf, { sizes: planned }] = together(
    () => checkNewMembers(input, MINT_TYPES, NEW),
    () => newAccountPlan(context, input, { type }, NEW),
    () => mintPlan(context, itemData),
  )
  const { address, key } = await addressOf()
  const lamports = await clusterOf(context).rentExemptLamports(planned.finalBytes)
  return {
    address,
    alId: input.offchainReferences?.alId ?? null,
    existing: false,
    parties: () => [],
    freshKeys: key === null ? [] : [key.fresh],
    opening: (feePayer, { sizes, program }) => [
      createAccountInstruction({
        payer: feePayer.address,
        account: address,
        lamports,
        space: sizes.allocationBytes,
        owner: program,
      }),
    ],
    prepare: (unit, id, feePayer, { sizes, program }) => {
      const inputs = { address, key, type, ownerProgram: program, dataLength: sizes.finalBytes, feePayer }
      const holding = newHolding(context, input, inputs, NEW)
      checkUnique(context, holding, NEW)
      const place = { tenant: call.tenant, cluster: call.cluster, id }
      if (key !== null) keepKey(unit, { ...place, address }, key.fresh)
      return holding
    },
    closes: new Set(),
  }
}

/** Of the request, else the one stated when the account was created. Throws 400 `ALIAS_CONFLICT` if they differ. */
function versionFor(context: Context, { version }: NewInstrumentInput, lookup: AccountLookup) {
  const stated = existingAccount(context, lookup).record?.state.context.tokenVersion
  if (version !== undefined && stated !== undefined && version !== stated)
    throw badRequest('ALIAS_CONFLICT', `the account was created with the tokenVersion ${stated}`, '/itemData/version')
  return version ?? stated
}

/**
 * The instrument's record replaces the account's record when the mint is created. Missing rent for the metadata is
 * added.
 */
async function existingPlace(context: Context, itemData: NewInstrumentInput, lookup: AccountLookup): Promise<Place> {
  const { platform, call } = context
  const found = existingAccount(context, lookup)
  const account = await existingOnChain(context, found)
  const { sizes } = mintPlan(context, itemData)
  checkUnused(account, sizes)
  const rent = await clusterOf(context).rentExemptLamports(sizes.finalBytes)
  const missing = rent > account.lamports ? rent - account.lamports : 0n
  const { address } = found.party
  return {
    address,
    alId: found.record?.state.context.references.alId ?? null,
    existing: true,
    parties: () => [existingAccount(context, lookup).party],
    freshKeys: [],
    opening: (feePayer, { program }) => {
      if (missing > 0n) {
        const owed = existingAccount(context, lookup).record?.state.context.rentPayer ?? null
        checkRentSide(call, owed, feePayer, 'this account')
      }
      return [...(missing > 0n ? [transferLamports(feePayer.address, address, missing)] : []), assign(address, program)]
    },
    prepare: (unit, id, feePayer, { program }) => {
      const { record } = existingAccount(context, lookup)
      const changes = { ownerProgram: program, dataLength: sizes.finalBytes }
      if (record === null) {
        const inputs = {
          address,
          key: null,
          type: 'ASSET_TOKEN',
          lamports: account.lamports,
          feePayer,
          ...changes,
        } as const
        const holding = newHolding(context, { managed: false, onchainId: address }, inputs, EXISTING)
        checkUnique(context, holding, EXISTING)
        return holding
      }
      const holding = inheritedHolding(record.state, { ...changes, lamports: { balance: '0', reserved: '0' } })
      checkReferencesFree(context, holding.references, EXISTING, { refuse: conflict, self: record.state.id })
      inheritKey(platform, unit, record.state, id)
      return holding
    },
    closes: found.record === null ? new Set() : new Set([address]),
  }
}
