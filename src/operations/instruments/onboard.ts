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
import { keepKey, newAddress } from '../holdings/keys.ts'
import { checkReferencesFree, checkUnique, newHolding } from '../holdings/new-holding.ts'
import { checkNewMembers, MINT_TYPES } from '../holdings/new-members.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { NewInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { ChainAccount, Context } from '../context/platform.ts'
import { badRequest, conflict } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { existingAccount, EXISTING } from '../accounts/existing-mint-account.ts'
import { fetchLogo, keepLogo } from './logo-image.ts'
import { mintContents, type MintContents } from '../lookup/mint-contents.ts'
import { offchainDataOf } from './mint-plan.ts'
import { supplyCapOf } from './supply-cap.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { createdInstrument } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof createdInstrument>

const NEW = '/itemData/mintAccount'

interface Found {
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
  readonly prepare: (unit: UnitOfWork, id: string, found: Found) => Holding
}

export async function onboardInstrument(context: Context, itemData: NewInstrumentInput): Promise<Outcome<Members>> {
  const { platform, call } = context
  const { ids, make } = await instrumentOnChain(context, itemData)
  const outcome: Outcome<Members> = {
    members: { newFinancialInstrument: ids },
    transactions: [],
    shape: 'member',
    awaited: 'confirmed',
  }
  const { durable } = platform.engine.transact((unit) => {
    make(unit)
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
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
  const found = await read(context, place)
  const logo = await fetchLogo(context, itemData.offchainData?.logo)
  const id = platform.ids()
  const ids = { onchainId: place.address, offchainId: id, ...(place.alId === null ? {} : { alId: place.alId }) }
  const make = (unit: UnitOfWork): void => {
    const { mint, contents } = found
    checkSaid(context, itemData, found)
    const { paused, ...record } = contents
    const holding = {
      ...place.prepare(unit, id, found),
      ...record,
      version: mint.version,
      decimals: mint.decimals,
      supply: { balance: mint.supply.toString(), reserved: '0' },
      authorities: unreadable(context, itemData, contents.authorities),
      onchainData: mint.version === 'SPL' ? saidOf(itemData) : contents.onchainData,
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

async function placeOf(context: Context, { mintAccount, existingMintAccount }: NewInstrumentInput): Promise<Place> {
  const { call } = context
  if (existingMintAccount !== undefined) return await notedPlace(context, existingMintAccount)
  const input = { ...mintAccount, alreadyOnchain: true }
  if (
    input.onchainId === undefined &&
    input.privateKeyDetails?.publickKey === undefined &&
    input.privateKeyDetails?.privateKey === undefined
  )
    throw badRequest('REQUIRED', 'onchainId is required for a token that is on chain', `${NEW}/onchainId`)
  checkNewMembers(input, MINT_TYPES, NEW)
  const type = input.offchainReferences?.type ?? 'ASSET_TOKEN'
  const { address, key } = await newAddress(context, input, NEW)
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
async function notedPlace(
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
async function read(context: Context, { address, pointer }: Place): Promise<Found> {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const [account] = await cluster.accounts([address])
  if (account === null || account === undefined)
    throw badRequest('ACCOUNT_NOT_ONCHAIN', `account ${address} does not exist on the cluster`, pointer)
  const mint = decoded(account, pointer)
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

function decoded({ data, owner }: ChainAccount, pointer: string): Mint {
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
 * confidential mint and burn either (`unreadable`).
 */
function saidOf({ onchainData }: NewInstrumentInput): OnchainData {
  if (onchainData?.simpleCustomMetadata !== undefined)
    throw badRequest(
      'TOKEN_2022_REQUIRED',
      'simpleCustomMetadata on chain needs version TOKEN_2022',
      '/itemData/onchainData/simpleCustomMetadata',
    )
  const { name = null, symbol = null, uri = null } = onchainData ?? {}
  return { name, symbol, uri, simpleCustomMetadata: null }
}

function unreadable(context: Context, itemData: NewInstrumentInput, authorities: Authorities): Authorities {
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
function checkSaid(context: Context, itemData: NewInstrumentInput, { mint, contents }: Found): void {
  const differs = (member: string, onchain: unknown): Error =>
    badRequest('LOOKUP_MISMATCH', `differs from the token on chain: ${JSON.stringify(onchain)}`, `/itemData/${member}`)
  const { version, onchainData, defaultPositionState, paused, scaledUiAmountMultiplier } = itemData
  if (version !== undefined && version !== mint.version) throw differs('version', mint.version)
  if (onchainData?.decimals !== undefined && onchainData.decimals !== mint.decimals)
    throw differs('onchainData/decimals', mint.decimals)
  if (defaultPositionState !== undefined && defaultPositionState !== contents.defaultPositionState)
    throw differs('defaultPositionState', contents.defaultPositionState)
  if (paused !== undefined && paused !== (contents.paused ?? false)) throw differs('paused', contents.paused)
  if (
    scaledUiAmountMultiplier !== undefined &&
    Number(scaledUiAmountMultiplier) !== Number(contents.scaledUiAmountMultiplier)
  )
    throw differs('scaledUiAmountMultiplier', contents.scaledUiAmountMultiplier)
  for (const name of Object.keys(contents.authorities) as AuthorityName[]) {
    const lookup = name === 'metadataPointerAuthority' ? undefined : itemData[name]
    const stands =
      name !== 'confidentialMintBurnAuthority' && (name !== 'updateAuthority' || mint.extensions.metadata !== undefined)
    if (lookup === undefined || !stands) continue
    const onchain = contents.authorities[name]?.address ?? null
    if (resolveParty(context, lookup, `/itemData/${name}`).address !== onchain) throw differs(name, onchain)
  }
  if (mint.version === 'SPL') return
  for (const name of ['name', 'symbol', 'uri'] as const) {
    const said = onchainData?.[name]
    if (said !== undefined && said !== (contents.onchainData[name] ?? ''))
      throw differs(`onchainData/${name}`, contents.onchainData[name])
  }
  for (const [key, value] of Object.entries(onchainData?.simpleCustomMetadata ?? {})) {
    const onchain = contents.onchainData.simpleCustomMetadata ?? {}
    if (!Object.hasOwn(onchain, key) || onchain[key] !== value)
      throw differs('onchainData/simpleCustomMetadata', onchain)
  }
}
