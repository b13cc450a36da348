// The configuration of a new mint from the request: program, extensions, authorities and sizes.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import type { MintExtension } from '../../solana/mint-extensions.ts'
import { mintSize, type MintMetadata, type MintSize } from '../../solana/mint-size.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Authorities, InstrumentContext } from '../../../machines/instrument-record.ts'
import type { Holding } from '../../../machines/holding.ts'
import type { NewInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { Context } from '../context/platform.ts'
import { refuseAll } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
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

const METADATA = ['METADATA_POINTER', 'TOKEN_METADATA'] as const

/** Members whose presence gives the mint an extension. */
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

type ExtensionMember = keyof typeof EXTENSION_MEMBERS
const EXTENSIONS = Object.entries(EXTENSION_MEMBERS) as readonly (readonly [ExtensionMember, MintExtension])[]

export function mintPlan(context: Context, input: NewInstrumentInput): MintPlan {
  const version = input.version ?? 'SPL'
  const metadata = version === 'TOKEN_2022' ? metadataOf(input) : null
  const { decimals = 0, name = null, symbol = null, uri = null, simpleCustomMetadata = null } = input.onchainData ?? {}
  const [{ authorities, parties }, , supplyCap] = together(
    () => authoritiesOf(context, input, metadata !== null),
    () => {
      if (version === 'SPL') checkSplMembers(input)
      checkRequired(input)
    },
    () => supplyCapOf(input, decimals),
  )
  const extensions = extensionsOf(input, metadata !== null)
  const multiplier = extensions.includes('SCALED_UI_AMOUNT') ? (input.scaledUiAmountMultiplier ?? '1') : null
  const defaultState = input.defaultPositionState ?? null
  return {
    program: version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    decimals,
    extensions,
    metadata,
    defaultState,
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
      onchainData: { name, symbol, uri: uri ?? metadata?.uri ?? null, simpleCustomMetadata },
      offchainData: offchainDataOf(input),
      defaultPositionState: defaultState,
      paused: extensions.includes('PAUSABLE') ? false : null,
      scaledUiAmountMultiplier: multiplier,
      extensions,
      ...supplyCap,
    },
  }
}

const AUTHORITIES = [
  'mintAuthority',
  'updateAuthority',
  'freezeAuthority',
  'permanentDelegateAuthority',
  'closingAuthority',
  'pausableAuthority',
  'scaledUiAmountAuthority',
  'transferHookProgram',
  'transferHookAuthority',
  'confidentialTransferAuthority',
  'confidentialMintBurnAuthority',
] as const satisfies readonly (keyof NewInstrumentInput & keyof Authorities)[]

/** The accounts that the request names as authorities. Throws 400 `ACCOUNT_NOT_FOUND` for all that are unknown. */
export function authoritiesNamed(context: Context, input: NewInstrumentInput) {
  return eachTogether(AUTHORITIES, (name) => ({
    name,
    party: optionalParty(context, input[name], `/itemData/${name}`),
  }))
}

function authoritiesOf(
  context: Context,
  input: NewInstrumentInput,
  hasMetadata: boolean,
): Pick<MintPlan, 'authorities' | 'parties'> {
  const named = authoritiesNamed(context, input)
  const references = named.map(({ name, party }): [string, AccountRef | null] => {
    return [name, party === null ? null : { address: party.address, id: party.entry?.head.id ?? null }]
  })
  const given = Object.fromEntries(references) as Record<(typeof AUTHORITIES)[number], AccountRef | null>
  const updateAuthority = given.updateAuthority ?? given.mintAuthority
  return {
    authorities: { ...given, updateAuthority, metadataPointerAuthority: hasMetadata ? updateAuthority : null },
    parties: named.flatMap(({ party }) => party ?? []),
  }
}

/** Throws 400 `TOKEN_2022_REQUIRED` naming all members that an SPL mint cannot have. */
function checkSplMembers(input: NewInstrumentInput): void {
  const members = [...EXTENSIONS.map(([member]) => member), 'paused'] as const
  refuseAll([
    ...members.filter((member) => input[member] !== undefined).map((member) => needsToken2022(member)),
    ...pairsOf(input.onchainData),
  ])
}

function needsToken2022(member: string) {
  const message = `${member} requires version TOKEN_2022`
  return { code: 'TOKEN_2022_REQUIRED', message, pointer: `/itemData/${member}` }
}

/** The texts of an SPL mint are in its record only; pairs have no place there. Throws 400 `TOKEN_2022_REQUIRED`. */
export function checkNoPairs(onchainData: NewInstrumentInput['onchainData']): void {
  refuseAll(pairsOf(onchainData))
}

function pairsOf(onchainData: NewInstrumentInput['onchainData']) {
  if (onchainData?.simpleCustomMetadata === undefined) return []
  const message = 'simpleCustomMetadata on chain needs version TOKEN_2022'
  return [{ code: 'TOKEN_2022_REQUIRED', message, pointer: '/itemData/onchainData/simpleCustomMetadata' }]
}

/** Throws 400 `REQUIRED` for all members without another one that they need. */
function checkRequired(input: NewInstrumentInput): void {
  const need = (isNeeded: boolean, member: keyof NewInstrumentInput, message: string) =>
    isNeeded && input[member] === undefined ? [{ code: 'REQUIRED', message, pointer: `/itemData/${member}` }] : []
  const { defaultPositionState, confidentialMintBurnAuthority, scaledUiAmountMultiplier, paused } = input
  refuseAll([
    ...need(
      defaultPositionState !== undefined,
      'freezeAuthority',
      'freezeAuthority is required for defaultPositionState',
    ),
    ...need(
      confidentialMintBurnAuthority !== undefined,
      'confidentialTransferAuthority',
      'confidentialMintBurnAuthority needs confidentialTransferAuthority',
    ),
    ...need(
      scaledUiAmountMultiplier !== undefined,
      'scaledUiAmountAuthority',
      'scaledUiAmountAuthority is required for scaledUiAmountMultiplier',
    ),
    ...need(paused === true, 'pausableAuthority', 'pausableAuthority is required for paused'),
  ])
}

function extensionsOf(input: NewInstrumentInput, hasMetadata: boolean): MintExtension[] {
  const named = EXTENSIONS.flatMap(([member, extension]) => (input[member] === undefined ? [] : [extension]))
  return [...new Set<MintExtension>([...named, ...(hasMetadata ? METADATA : [])])]
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
