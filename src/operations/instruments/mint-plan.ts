// The configuration of a new mint from the request: program, extensions, authorities and sizes.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import type { MintExtension } from '../../solana/mint-extensions.ts'
import { mintSize, type MintMetadata, type MintSize } from '../../solana/mint-size.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Authorities, InstrumentContext } from '../../../machines/instrument-record.ts'
import type { Holding } from '../../../machines/holding.ts'
import type { NewInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { supplyCapOf } from './supply-cap.ts'

export interface MintPlan {
  readonly program: string
  readonly decimals: number
  readonly extensions: readonly MintExtension[]
  readonly metadata: MintMetadata | null
  readonly defaultState: 'INITIALIZED' | 'FROZEN' | null
  readonly multiplier: string | null
  /** Pause the mint in the transaction that creates it. */
  readonly paused: boolean
  readonly authorities: Authorities
  readonly sizes: MintSize
  /** All named parties, with their `autoSign`. */
  readonly parties: readonly Party[]
  /** Members of the instrument record besides its holding. */
  readonly record: Omit<InstrumentContext, keyof Holding>
}

const EXTENSION_MEMBERS = {
  permanentDelegateAuthority: 'PERMANENT_DELEGATE',
  closingAuthority: 'MINT_CLOSE',
  pausableAuthority: 'PAUSABLE',
  scaledUiAmountAuthority: 'SCALED_UI_AMOUNT',
  scaledUiAmountMultiplier: 'SCALED_UI_AMOUNT',
  transferHookAuthority: 'TRANSFER_HOOK',
  transferHookProgram: 'TRANSFER_HOOK',
  confidentialTransferAuthority: 'CONFIDENTIAL_TRANSFER',
  confidentialMintBurnAuthority: 'CONFIDENTIAL_MINT_BURN',
  defaultPositionState: 'DEFAULT_ACCOUNT_STATE',
} as const satisfies Partial<Record<keyof NewInstrumentInput, MintExtension>>

export function mintPlan(context: Context, input: NewInstrumentInput): MintPlan {
  const version = input.version ?? 'SPL'
  const parties: Party[] = []
  const authority = (name: keyof NewInstrumentInput & keyof Authorities): AccountRef | null => {
    const lookup = input[name]
    if (lookup === undefined) return null
    const party = resolveParty(context, lookup, `/itemData/${name}`)
    parties.push(party)
    return { address: party.address, id: party.entry?.head.id ?? null }
  }
  const mintAuthority = authority('mintAuthority')
  const metadata = version === 'TOKEN_2022' ? metadataOf(input) : null
  const updateAuthority = authority('updateAuthority') ?? mintAuthority
  const authorities: Authorities = {
    mintAuthority,
    updateAuthority,
    freezeAuthority: authority('freezeAuthority'),
    permanentDelegateAuthority: authority('permanentDelegateAuthority'),
    closingAuthority: authority('closingAuthority'),
    pausableAuthority: authority('pausableAuthority'),
    scaledUiAmountAuthority: authority('scaledUiAmountAuthority'),
    transferHookProgram: authority('transferHookProgram'),
    transferHookAuthority: authority('transferHookAuthority'),
    confidentialTransferAuthority: authority('confidentialTransferAuthority'),
    confidentialMintBurnAuthority: authority('confidentialMintBurnAuthority'),
    metadataPointerAuthority: metadata === null ? null : updateAuthority,
  }
  const extensions = extensionsOf(input, version, metadata !== null)
  const decimals = input.onchainData?.decimals ?? 0
  const multiplier = extensions.includes('SCALED_UI_AMOUNT') ? (input.scaledUiAmountMultiplier ?? '1') : null
  return {
    program: version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    decimals,
    extensions,
    metadata,
    defaultState: input.defaultPositionState ?? null,
    multiplier,
    paused: input.paused ?? false,
    authorities,
    sizes: mintSize(extensions, metadata ?? undefined),
    parties,
    record: {
      version,
      decimals,
      supply: { balance: '0', reserved: '0' },
      authorities,
      onchainData: {
        name: input.onchainData?.name ?? null,
        symbol: input.onchainData?.symbol ?? null,
        uri: input.onchainData?.uri ?? metadata?.uri ?? null,
        simpleCustomMetadata: input.onchainData?.simpleCustomMetadata ?? null,
      },
      offchainData: offchainDataOf(input),
      defaultPositionState: input.defaultPositionState ?? null,
      paused: extensions.includes('PAUSABLE') ? false : null,
      scaledUiAmountMultiplier: multiplier,
      extensions,
      ...supplyCapOf(input, decimals),
    },
  }
}

/** Throws 400 `TOKEN_2022_REQUIRED` naming the member that an SPL mint cannot have, `REQUIRED`. */
function extensionsOf(input: NewInstrumentInput, version: 'SPL' | 'TOKEN_2022', hasMetadata: boolean): MintExtension[] {
  const found = new Set<MintExtension>()
  for (const [member, extension] of Object.entries(EXTENSION_MEMBERS) as [
    keyof typeof EXTENSION_MEMBERS,
    MintExtension,
  ][]) {
    if (input[member] === undefined) continue
    if (version === 'SPL')
      throw badRequest('TOKEN_2022_REQUIRED', `${member} requires version TOKEN_2022`, `/itemData/${member}`)
    found.add(extension)
  }
  if (version === 'SPL' && input.paused !== undefined)
    throw badRequest('TOKEN_2022_REQUIRED', 'paused requires version TOKEN_2022', '/itemData/paused')
  if (version === 'SPL' && input.onchainData?.simpleCustomMetadata !== undefined) {
    throw badRequest(
      'TOKEN_2022_REQUIRED',
      'simpleCustomMetadata on chain needs version TOKEN_2022',
      '/itemData/onchainData/simpleCustomMetadata',
    )
  }
  if (input.defaultPositionState !== undefined && input.freezeAuthority === undefined) {
    throw badRequest('REQUIRED', 'freezeAuthority is required for defaultPositionState', '/itemData/freezeAuthority')
  }
  if (found.has('CONFIDENTIAL_MINT_BURN') && !found.has('CONFIDENTIAL_TRANSFER')) {
    throw badRequest(
      'REQUIRED',
      'confidentialMintBurnAuthority needs confidentialTransferAuthority',
      '/itemData/confidentialTransferAuthority',
    )
  }
  if (input.scaledUiAmountMultiplier !== undefined && input.scaledUiAmountAuthority === undefined) {
    throw badRequest(
      'REQUIRED',
      'scaledUiAmountAuthority is required for scaledUiAmountMultiplier',
      '/itemData/scaledUiAmountAuthority',
    )
  }
  if (input.paused === true && input.pausableAuthority === undefined) {
    throw badRequest('REQUIRED', 'pausableAuthority is required for paused', '/itemData/pausableAuthority')
  }
  if (hasMetadata) for (const extension of ['METADATA_POINTER', 'TOKEN_METADATA'] as const) found.add(extension)
  return [...found]
}

function metadataOf({ onchainData }: NewInstrumentInput): MintMetadata | null {
  const { name, symbol, uri, simpleCustomMetadata } = onchainData ?? {}
  if (name === undefined && symbol === undefined && uri === undefined && simpleCustomMetadata === undefined) return null
  return {
    name: name ?? '',
    symbol: symbol ?? '',
    uri: uri ?? '',
    additional: Object.entries(simpleCustomMetadata ?? {}),
  }
}

/** Off-chain data of a new instrument without its logo, which the caller adds. */
export function offchainDataOf({ offchainData }: NewInstrumentInput): InstrumentContext['offchainData'] {
  return {
    description: offchainData?.description ?? null,
    simpleCustomMetadata: (offchainData?.simpleCustomMetadata ??
      null) as InstrumentContext['offchainData']['simpleCustomMetadata'],
    complexCustomMetadata: offchainData?.complexCustomMetadata ?? null,
    logo: null,
  }
}
