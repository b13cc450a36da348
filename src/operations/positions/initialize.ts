// POST /positions: opens the associated token account of an owner, or a token account with its own key, or records
// one that exists on chain.
import { createAccountInstruction } from '../../solana/instructions/system.ts'
import { initializeAccount } from '../../solana/instructions/token-account.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import type { Instruction } from '../../solana/message.ts'
import type { TokenAccount } from '../../solana/token-layout.ts'
import { positionKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Outcome } from '../../contract/call.ts'
import { addressPlan, type NewAddress } from '../holdings/keys.ts'
import { checkNewHolding, newAccountPlan } from '../holdings/new-holding.ts'
import { together } from '../../contract/together.ts'
import { checkNewMembers, POSITION_TYPES } from '../holdings/new-members.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { NewPositionInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Write, Context } from '../context/platform.ts'
import { badRequest, conflict, type Refusal } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { resolveInstrument, tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { tokenAccountStateOf, tokenAccountOf } from '../holdings/destination.ts'
import {
  associatedCreation,
  createPositionRecord,
  positionSize,
  NOT_CREATED,
  type NewPosition,
} from '../holdings/position-record.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { sharingOf } from '../transactions/shared-call.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'newPosition'>

const COMPUTE_UNITS = 120_000
const POSITION = '/itemData/position'

export const initializePosition: Write<TransactionBody<NewPositionInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const [{ owner, instrument }] = together(
    () => partiesOf(context, itemData),
    () => checkPosition(context, itemData),
  )
  const where = await placeOf(context, itemData, owner, instrument)
  const id = platform.ids()
  /**
   * Resolves the lookups again inside the unit of work: records may have changed while the chain was read. Throws 400
   * `LOOKUP_CHANGED`, `LOOKUP_MISMATCH`, 409 `ALREADY_EXISTS`.
   */
  const wanted = (): NewPosition => {
    const now = partiesOf(context, itemData)
    if (now.owner.address !== owner.address || now.instrument.context.address !== instrument.context.address)
      throw badRequest('LOOKUP_CHANGED', 'the lookups now match different records: retry the request', '/itemData')
    const position = {
      id,
      address: where.address,
      key: where.key,
      ...inputOf(itemData),
      ...now,
      onchain: NOT_CREATED,
    }
    checkNew(context, position)
    return position
  }
  wanted()
  const [account] = await clusterOf(context).accounts([where.address])
  const found = tokenAccountOf(account ?? null, POSITION)
  // An existing associated account needs no transaction: any party can open the associated account of any owner.
  if (itemData.position?.alreadyOnchain === true || (found !== null && where.associated))
    return await onboard(context, wanted, found)
  if (!where.associated && account !== null && account !== undefined)
    throw conflict(
      'ALREADY_EXISTS',
      `there is an account ${where.address} on the cluster already: set alreadyOnchain`,
      POSITION,
    )

  const wholeRent = await clusterOf(context).rentExemptLamports(positionSize(instrument, where.associated))
  const there = account?.lamports ?? 0n
  return await transact(context, chainTransactionConfig, () => {
    const made = wanted()
    const feePayer = feePayerOf(context, chainTransactionConfig)
    // Another request of the tenant is creating the account and pays its rent. Pending records of other tenants do
    // not count: their transactions may never land.
    const awaited =
      where.associated &&
      ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, where.address).some(
        ({ head }) => head.value === 'pending',
      )
    const rentLamports = awaited || there > wholeRent ? 0n : wholeRent - there
    return {
      instructions: where.associated
        ? [associatedCreation(feePayer.address, made.owner.address, made.instrument)]
        : ownKeyCreation(feePayer.address, made, rentLamports),
      feePayer,
      parties: [],
      freshKeys: where.key === null ? [] : [where.key.fresh],
      rents: new Map([[where.address, rentLamports]]),
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) =>
        createPositionRecord(
          context,
          unit,
          { ...made, onchain: { ...NOT_CREATED, lamports: there } },
          { pointer: POSITION, feePayer },
        ),
      members: membersOf(made),
      shape: 'member',
    }
  })
}

function partiesOf(context: Context, itemData: NewPositionInput): Pick<NewPosition, 'owner' | 'instrument'> {
  const [owner, instrument] = together(
    () => resolveParty(context, itemData.owner, '/itemData/owner'),
    () => resolveInstrument(context, itemData.financialInstrument, '/itemData/financialInstrument'),
  )
  return { owner, instrument }
}

/** Checks the members of the new account that do not depend on its owner; `placeOf` makes its key. */
function checkPosition(context: Context, itemData: NewPositionInput): void {
  const { position = {} } = itemData
  const { input, limitsPointer } = inputOf(itemData)
  const terms = { type: 'ASSET_TOKEN_ACCOUNT', limitsPointer } as const
  together(
    () => checkNewMembers(position, POSITION_TYPES, POSITION),
    () => {
      if (isAtDerivedAddress(itemData)) checkNewHolding(context, input, terms, POSITION)
      else newAccountPlan(context, input, terms, POSITION)
    },
  )
}

function inputOf({ position = {}, tokenDebitLimits }: NewPositionInput): Pick<NewPosition, 'input' | 'limitsPointer'> {
  if (tokenDebitLimits === undefined) return { input: position }
  return { input: { ...position, tokenDebitLimits }, limitsPointer: '/itemData/tokenDebitLimits' }
}

async function placeOf(
  context: Context,
  itemData: NewPositionInput,
  owner: Party,
  instrument: RecordState<'instrument'>,
): Promise<NewAddress & { associated: boolean }> {
  const associated = associatedTokenAddress(owner.address, instrument.context.address, tokenProgramOf(instrument))
  const { position } = itemData
  if (position === undefined || isAtDerivedAddress(itemData)) {
    if (position?.onchainId !== undefined && position.onchainId !== associated) {
      throw badRequest(
        'ADDRESS_MISMATCH',
        `the associated token account of this owner is ${associated}`,
        `${POSITION}/onchainId`,
      )
    }
    if (position?.privateKeyDetails?.privateKey !== undefined)
      throw badRequest(
        'NOT_APPLICABLE',
        'an associated token account has no private key',
        `${POSITION}/privateKeyDetails/privateKey`,
      )
    return { address: associated, key: null, associated: true }
  }
  return { ...(await addressPlan(context, position, POSITION)()), associated: false }
}

function isAtDerivedAddress({ position }: NewPositionInput): boolean {
  return position === undefined || position.isDerived === true || namesNoAddress(position)
}

/** True of a token account that is on chain already and is described by nothing that tells its address. */
function namesNoAddress(position: NonNullable<NewPositionInput['position']>): boolean {
  return (
    position.alreadyOnchain === true &&
    position.isDerived === undefined &&
    position.privateKeyDetails === undefined &&
    position.onchainId === undefined
  )
}

function checkNew({ platform, call }: Context, position: NewPosition): void {
  const { directory } = platform.engine
  const { tokenVersion } = position.input
  const { version } = position.instrument.context
  if (tokenVersion !== undefined && tokenVersion !== version)
    throw badRequest('LOOKUP_MISMATCH', `the instrument has the version ${version}`, '/itemData/position/tokenVersion')
  const mint = position.instrument.context.address
  const twin = directory
    .find(positionKey(call.tenant, call.cluster, position.owner.address, mint))
    .find(({ head }) => ofKind(head, 'position')?.context.address === position.address)
  const same = ownRecordsAt(directory, call.tenant, call.cluster, position.address)
  const exists = (): Refusal =>
    conflict('ALREADY_EXISTS', `the position ${position.address} exists already`, '/itemData')
  if (twin !== undefined || same.length > 0) throw exists()
  sharingOf(call).take?.(position.address, exists)
}

function ownKeyCreation(payer: string, position: NewPosition, lamports: bigint): Instruction[] {
  const program = tokenProgramOf(position.instrument)
  return [
    createAccountInstruction({
      payer,
      account: position.address,
      lamports,
      space: positionSize(position.instrument, false),
      owner: program,
    }),
    initializeAccount(program, position.address, position.instrument.context.address, position.owner.address),
  ]
}

async function onboard(
  context: Context,
  wanted: () => NewPosition,
  found: (TokenAccount & { readonly lamports: bigint }) | null,
): Promise<Outcome<Members>> {
  return await changeRecords(context, (unit) => {
    const position = wanted()
    if (found === null)
      throw badRequest(
        'ACCOUNT_NOT_ONCHAIN',
        `token account ${position.address} does not exist on the cluster`,
        POSITION,
      )
    if (found.mint !== position.instrument.context.address || found.owner !== position.owner.address)
      throw badRequest('LOOKUP_MISMATCH', 'the token account on chain has a different owner or instrument', POSITION)
    const onchain = tokenAccountStateOf(found)
    createPositionRecord(context, unit, { ...position, onchain }, { pointer: POSITION })
    return { members: membersOf(position) }
  })
}

function membersOf(position: NewPosition): Members {
  return { newPosition: { onchainId: position.address, offchainId: position.id } }
}
