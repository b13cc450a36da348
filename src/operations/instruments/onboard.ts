// Records a mint that exists on chain: everything except its references is read from the mint, and the request must
// agree with it.
import { FormatError } from '../../solana/format-error.ts'
import { decodeMetadataAccount } from '../../solana/metadata-account.ts'
import { unsupportedExtensions } from '../../solana/mint-extensions.ts'
import { decodeMint, type Mint, type TokenMetadata } from '../../solana/mint-layout.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Holding } from '../../../machines/holding.ts'
import type { Authorities, AuthorityName, OnchainData } from '../../../machines/instrument-record.ts'
import type { Outcome } from '../../contract/call.ts'
import { inheritedHolding, inheritKey } from '../holdings/inherited.ts'
import { keepKey } from '../holdings/keys.ts'
import { checkReferencesFree, checkUnique, newAccountPlan, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers, MINT_TYPES } from '../holdings/new-members.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { NewInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { ChainAccount, Context } from '../context/platform.ts'
import { badRequest, conflict } from '../../contract/refusal.ts'
import { alongWithAsync, eachTogether, together } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { existingAccount, EXISTING } from '../accounts/existing-mint-account.ts'
import { fetchLogo, keepLogo } from './logo-image.ts'
import { mintContents, type MintContents } from '../lookup/mint-contents.ts'
import { authoritiesNamed, checkNoPairs, offchainDataOf } from './mint-plan.ts'
import { supplyCapOf } from './supply-cap.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { createdInstrument } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof createdInstrument>

const NEW = '/itemData/mintAccount'

interface MintOnChain {
  readonly account: ChainAccount
  readonly mint: Mint
  readonly contents: MintContents
}

interface Place {
  readonly address: string
  readonly alId: string | null
  readonly pointer: string
  /**
   * Runs in the unit of work of the new record: returns its holding, stores its key, and closes the account record it
   * replaces.
   */
  readonly prepare: (unit: UnitOfWork, id: string, onchain: MintOnChain) => Holding
}

export async function onboardInstrument(context: Context, itemData: NewInstrumentInput): Promise<Outcome<Members>> {
  const { ids, make } = await instrumentOnChain(context, itemData)
  return await changeRecords(context, (unit) => {
    make(unit)
    return { members: { newFinancialInstrument: ids } }
  })
}

export interface ReadInstrument {
  readonly ids: { readonly onchainId: string; readonly offchainId: string; readonly alId?: string }
  /** Creates the record in the unit of work. */
  readonly make: (unit: UnitOfWork) => void
}

/** Reads everything that the record of a mint needs. */
export async function instrumentOnChain(context: Context, itemData: NewInstrumentInput): Promise<ReadInstrument> {
  const { platform, call } = context
  const place = await placeOf(context, itemData)
  const onchain = await readMint(context, place)
  const logo = await fetchLogo(context, itemData.offchainData?.logo)
  const id = platform.ids()
  const ids = { onchainId: place.address, offchainId: id, ...(place.alId === null ? {} : { alId: place.alId }) }
  const make = (unit: UnitOfWork): void => {
    const { mint, contents } = onchain
    checkMatchesChain(context, itemData, onchain)
    const { paused, ...record } = contents
    const holding = {
      ...place.prepare(unit, id, onchain),
      ...record,
      version: mint.version,
      decimals: mint.decimals,
      supply: { balance: mint.supply.toString(), reserved: '0' },
      authorities: withUnreadable(context, itemData, contents.authorities),
      onchainData: mint.version === 'SPL' ? requestedTexts(itemData) : contents.onchainData,
      offchainData: { ...offchainDataOf(itemData), logo: logo?.record ?? null },
      paused,
      ...supplyCapOf(itemData, mint.decimals),
    }
    unit.create(
      'instrument',
      { tenant: call.tenant, cluster: call.cluster, id },
      { state: paused === true ? 'paused' : 'active', holding },
    )
    if (logo !== null && logo.file !== null) keepLogo(unit, call, id, logo)
  }
  return { ids, make }
}

async function placeOf(context: Context, itemData: NewInstrumentInput): Promise<Place> {
  const { call } = context
  const { mintAccount, existingMintAccount } = itemData
  const otherMembers = (): unknown => authoritiesNamed(context, itemData)
  if (existingMintAccount !== undefined)
    return await alongWithAsync(() => recordedPlace(context, existingMintAccount), otherMembers)
  const input = { ...mintAccount, alreadyOnchain: true }
  if (
    input.onchainId === undefined &&
    input.privateKeyDetails?.publickKey === undefined &&
    input.privateKeyDetails?.privateKey === undefined
  )
    throw badRequest('REQUIRED', 'onchainId is required for a token that is on chain', `${NEW}/onchainId`)
  const type = input.offchainReferences?.type ?? 'ASSET_TOKEN'
  const [, plan] = together(
    () => checkNewMembers(input, MINT_TYPES, NEW),
    () => newAccountPlan(context, input, { type }, NEW),
    otherMembers,
  )
  const { address, key } = await plan()
  return {
    address,
    alId: input.offchainReferences?.alId ?? null,
    pointer: `${NEW}/onchainId`,
    prepare: (unit, id, { account }) => {
      const inputs = {
        address,
        key,
        type,
        ownerProgram: account.owner,
        dataLength: account.data.length,
        lamports: account.lamports,
      }
      const holding = newHolding(context, input, inputs, NEW)
      checkUnique(context, holding, NEW)
      const place = { tenant: call.tenant, cluster: call.cluster, id }
      if (key !== null) keepKey(unit, { ...place, address }, key.fresh)
      return holding
    },
  }
}

/** A recorded account becomes an instrument; an account without a record gets one now. */
async function recordedPlace(
  context: Context,
  lookup: NonNullable<NewInstrumentInput['existingMintAccount']>,
): Promise<Place> {
  const { platform } = context
  const { party, record } = existingAccount(context, lookup)
  const { address } = party
  if (record === null)
    return { ...(await placeOf(context, { mintAccount: { onchainId: address } })), pointer: EXISTING }
  return {
    address,
    alId: record.state.context.references.alId,
    pointer: EXISTING,
    prepare: (unit, id, { account }) => {
      const { record: now } = existingAccount(context, lookup)
      if (now === null) throw badRequest('ACCOUNT_NOT_FOUND', 'the account no longer exists', EXISTING)
      const holding = inheritedHolding(now.state, {
        ownerProgram: account.owner,
        dataLength: account.data.length,
        lamports: { balance: account.lamports.toString(), reserved: '0' },
      })
      checkReferencesFree(context, holding.references, EXISTING, { refuse: conflict, self: now.state.id })
      inheritKey(platform, unit, now.state, id)
      // Its balance moves to the instrument.
      unit.send<'account'>(now.entry, { type: 'chain.observed', lamports: '0' })
      unit.send<'account'>(now.entry, { type: 'command.inactivate' })
      return holding
    },
  }
}

/** Throws 400 `ACCOUNT_NOT_ONCHAIN`, `NOT_A_MINT`, `UNSUPPORTED_EXTENSION`. */
async function readMint(context: Context, { address, pointer }: Place): Promise<MintOnChain> {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const [account] = await cluster.accounts([address])
  if (account === null || account === undefined)
    throw badRequest('ACCOUNT_NOT_ONCHAIN', `account ${address} does not exist on the cluster`, pointer)
  const mint = mintOf(account, pointer)
  const unsupported = unsupportedExtensions(mint.extensionTypes)
  if (unsupported.length > 0) {
    throw badRequest(
      'UNSUPPORTED_EXTENSION',
      `the token has extensions that this service does not offer: ${unsupported.join(', ')}`,
      pointer,
    )
  }
  const named = mint.extensions.metadataPointer?.metadata ?? null
  const elsewhere = named === null || named === address ? null : await metadataAt(context, named)
  return {
    account,
    mint,
    contents: mintContents(platform, { tenant: call.tenant, cluster: call.cluster, known: null }, mint, elsewhere),
  }
}

function mintOf({ data, owner }: ChainAccount, pointer: string): Mint {
  try {
    return decodeMint(data, owner)
  } catch (error) {
    if (error instanceof FormatError) throw badRequest('NOT_A_MINT', error.message, pointer)
    throw error
  }
}

async function metadataAt(context: Context, address: string): Promise<TokenMetadata | null> {
  const [account] = await clusterOf(context).accounts([address])
  return account === null || account === undefined ? null : decodeMetadataAccount(account.data, account.owner)
}

/**
 * An SPL mint stores no texts, so those of the request are recorded. The chain does not name the authority of
 * confidential mint and burn either (`withUnreadable`).
 */
function requestedTexts({ onchainData }: NewInstrumentInput): OnchainData {
  checkNoPairs(onchainData)
  const { name = null, symbol = null, uri = null } = onchainData ?? {}
  return { name, symbol, uri, simpleCustomMetadata: null }
}

/** The authorities, with those of the request where the chain does not show them. */
function withUnreadable(context: Context, itemData: NewInstrumentInput, authorities: Authorities): Authorities {
  const named = (name: 'confidentialMintBurnAuthority' | 'updateAuthority') => {
    const lookup = itemData[name]
    if (lookup === undefined) return authorities[name]
    const { address, entry } = resolveParty(context, lookup, `/itemData/${name}`)
    return { address, id: entry?.head.id ?? null }
  }
  return {
    ...authorities,
    updateAuthority: named('updateAuthority'),
    confidentialMintBurnAuthority: named('confidentialMintBurnAuthority'),
  }
}

/** Throws 400 `LOOKUP_MISMATCH` if the request contradicts the mint on chain. */
function checkMatchesChain(context: Context, itemData: NewInstrumentInput, onchain: MintOnChain): void {
  const { mint, contents } = onchain
  const { version, onchainData, defaultPositionState, paused, scaledUiAmountMultiplier: multiplier } = itemData
  const multiplierOnChain = contents.scaledUiAmountMultiplier
  const multiplierNamed = multiplier === undefined ? undefined : Number(multiplier)
  together(
    () => checkMember('version', version, mint.version),
    () => checkMember('onchainData/decimals', onchainData?.decimals, mint.decimals),
    () => checkMember('defaultPositionState', defaultPositionState, contents.defaultPositionState),
    () => checkMember('paused', paused, contents.paused ?? false, contents.paused),
    () => checkMember('scaledUiAmountMultiplier', multiplierNamed, Number(multiplierOnChain), multiplierOnChain),
    () => checkAuthorities(context, itemData, onchain),
    () => {
      if (mint.version === 'TOKEN_2022') checkMetadata(itemData, contents.onchainData)
    },
  )
}

function checkAuthorities(context: Context, itemData: NewInstrumentInput, { mint, contents }: MintOnChain): void {
  eachTogether(Object.keys(contents.authorities) as AuthorityName[], (name) => {
    const lookup = name === 'metadataPointerAuthority' ? undefined : itemData[name]
    if (lookup === undefined || !isReadable(mint, name)) return
    const { address } = resolveParty(context, lookup, `/itemData/${name}`)
    checkMember(name, address, contents.authorities[name]?.address ?? null)
  })
}

/** False of an authority that the mint does not name: see `withUnreadable`. */
function isReadable(mint: Mint, name: AuthorityName): boolean {
  if (name === 'updateAuthority') return mint.extensions.metadata !== undefined
  return name !== 'confidentialMintBurnAuthority'
}

function checkMetadata({ onchainData }: NewInstrumentInput, stored: OnchainData): void {
  eachTogether(['name', 'symbol', 'uri'] as const, (name) =>
    checkMember(`onchainData/${name}`, onchainData?.[name], stored[name] ?? '', stored[name]),
  )
  const pairs = stored.simpleCustomMetadata ?? {}
  for (const [key, value] of Object.entries(onchainData?.simpleCustomMetadata ?? {}))
    if (!Object.hasOwn(pairs, key) || pairs[key] !== value) throw mismatch('onchainData/simpleCustomMetadata', pairs)
}

/** @param shown the value on chain in the message */
function checkMember(member: string, requested: unknown, onchain: unknown, shown = onchain): void {
  if (requested !== undefined && requested !== onchain) throw mismatch(member, shown)
}

function mismatch(member: string, onchain: unknown): Error {
  const detail = `differs from the token on chain: ${JSON.stringify(onchain)}`
  return badRequest('LOOKUP_MISMATCH', detail, `/itemData/${member}`)
}
