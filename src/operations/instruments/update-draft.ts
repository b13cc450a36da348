// Drafts one transaction of a mint update from stored data, so that a plan can continue after a restart.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import { FormatError } from '../../solana/format-error.ts'
import { decodeMint, extensionNames, type Mint } from '../../solana/mint-layout.ts'
import { mintSize, type MintMetadata } from '../../solana/mint-size.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { InstrumentChangesInput } from '../../contract/schemas/instrument.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import type { Draft } from '../transactions/draft.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { checkRentSide } from '../transactions/rent-side.ts'
import { clusterOf } from '../transactions/transact.ts'
import { authorityParty } from '../holdings/freezing.ts'
import { changeInstruction, metadataAfter, signerOf, type MintChange, type SignerRole } from './mint-change.ts'
import { ownInstrument } from './named.ts'

export const MINT_UPDATE_PURPOSE = 'mintUpdate'
export const MINT_POINTER = '/itemData/mintAccount'

const NO_METADATA: MintMetadata = { name: '', symbol: '', uri: '', additional: [] }

type Instrument = RecordState<'instrument'>

/** A metadata change copies all metadata. */
const COMPUTE_UNITS = 100_000
const COMPUTE_UNITS_PER_CHANGE = 25_000

/** The mint authority is not named. */
type NamedRole = Exclude<SignerRole, 'mintAuthority'>

/** Request member that names the account signing as each authority. */
const SIGNER_MEMBERS: Readonly<Record<NamedRole, keyof InstrumentChangesInput & `${string}Authority`>> = {
  updateAuthority: 'updateAuthority',
  freezeAuthority: 'freezeAuthority',
  closingAuthority: 'currentClosingAuthority',
  pausableAuthority: 'currentPausableAuthority',
  scaledUiAmountAuthority: 'currentScaledUiAmountAuthority',
  transferHookAuthority: 'currentTransferHookAuthority',
}

/**
 * Every account named as a signer must be the authority on chain, even if it has nothing to sign. An SPL mint has no
 * update authority on chain. Throws 400 `LOOKUP_MISMATCH`, `NO_AUTHORITY`.
 */
export function checkNamedSigners(context: Context, state: Instrument, signers: UpdateStep['signers']): void {
  eachTogether(Object.keys(signers) as NamedRole[], (role) => {
    if (state.context.version === 'TOKEN_2022' || role !== 'updateAuthority') signerNamed(context, state, role, signers)
  })
}

/** Throws 400 `ACCOUNT_NOT_FOUND` for all accounts named as signers that are unknown. */
export function resolveSigners(context: Context, signers: UpdateStep['signers']): void {
  eachTogether(Object.keys(signers) as NamedRole[], (role) =>
    optionalParty(context, signers[role], `/itemData/${SIGNER_MEMBERS[role]}`),
  )
}

function signerNamed(context: Context, state: Instrument, role: NamedRole, signers: UpdateStep['signers']): Party {
  const pointer = `/itemData/${SIGNER_MEMBERS[role]}`
  const named = optionalParty(context, signers[role], pointer)
  return authorityParty(context, state, role, { named, pointer })
}

export interface UpdateStep {
  /** Address of the mint. */
  readonly mint: string
  readonly changes: readonly MintChange[]
  /** Accounts named as signers. */
  readonly signers: Partial<Record<NamedRole, AccountLookup>>
}

export function namedSigners(input: InstrumentChangesInput): UpdateStep['signers'] {
  const pairs = Object.entries(SIGNER_MEMBERS).map(([role, member]) => [role, input[member]] as const)
  return Object.fromEntries(pairs.filter(([, lookup]) => lookup !== undefined))
}

/**
 * The data of the steps. The first checks every named signer, a later one only those of its own changes: the steps
 * before may have given the authority of another one away.
 */
export function updateSteps(
  mint: string,
  portions: readonly (readonly MintChange[])[],
  signers: UpdateStep['signers'],
): JsonObject[] {
  return portions.map((changes, index) => {
    const roles = new Set<string>(index === 0 ? Object.keys(signers) : changes.map(signerOf))
    const named = Object.fromEntries(Object.entries(signers).filter(([role]) => roles.has(role)))
    return JSON.parse(JSON.stringify({ mint, changes, signers: named } satisfies UpdateStep)) as JsonObject
  })
}

export async function buildMintUpdateDraft(
  context: Context,
  config: ChainTransactionConfig | undefined,
  data: JsonObject,
): Promise<() => Draft> {
  const { call } = context
  const { mint, changes, signers } = data as unknown as UpdateStep
  const topUp = await missingRent(context, mint, changes)
  return () => {
    const feePayer = feePayerOf(context, config)
    const { state } = ownInstrument(context, { onchainId: mint }, MINT_POINTER)
    if (topUp > 0n) checkRentSide(call, state.context.rentPayer, feePayer, 'this instrument')
    const parties = new Map<SignerRole, Party>()
    const party = (role: SignerRole): Party => {
      const found = parties.get(role) ?? named(role)
      parties.set(role, found)
      return found
    }
    // Every named account is checked, even if it has nothing to sign.
    eachTogether(Object.keys(signers) as NamedRole[], party)
    const instructions = changes.map((change) => changeInstruction(mint, party(signerOf(change)).address, change))
    return {
      instructions: [...(topUp > 0n ? [transferLamports(feePayer.address, mint, topUp)] : []), ...instructions],
      feePayer,
      parties: [...parties.values()],
      ...(topUp > 0n ? { makes: new Set([mint]) } : {}),
      computeUnits: Math.min(MAX_COMPUTE_UNITS, COMPUTE_UNITS + changes.length * COMPUTE_UNITS_PER_CHANGE),
      shape: 'members',
    }

    function named(role: SignerRole): Party {
      if (role === 'mintAuthority') return authorityParty(context, state, role, { named: null, pointer: MINT_POINTER })
      return signerNamed(context, state, role, signers)
    }
  }
}

/**
 * Lamports the mint lacks for its size after the changes: Token-2022 does not take the rent of growing metadata from
 * any account.
 */
async function missingRent(context: Context, address: string, changes: readonly MintChange[]): Promise<bigint> {
  if (changes.every(({ kind }) => kind !== 'field' && kind !== 'key' && kind !== 'metadata')) return 0n
  const cluster = clusterOf(context)
  const [account] = await cluster.accounts([address])
  const mint = account === null || account === undefined ? null : decoded(account.data, account.owner)
  const metadata = changes.some(({ kind }) => kind === 'metadata') ? NO_METADATA : mint?.extensions.metadata
  if (account === null || account === undefined || mint === null || metadata === undefined)
    throw badRequest('EXTENSION_MISSING', 'the mint on chain has no metadata', '/itemData/onchainData')
  const { finalBytes } = mintSize(extensionNames(mint), metadataAfter(metadata, changes))
  const rent = await cluster.rentExemptLamports(finalBytes)
  return rent > account.lamports ? rent - account.lamports : 0n
}

/**
 * True if metadata can be added to a mint without any: its metadata pointer names the mint itself. The extension of the
 * metadata is the only one that the program adds to a mint after its creation.
 */
export async function takesMetadata({ platform, call }: Context, { context }: Instrument): Promise<boolean> {
  const { address, extensions } = context
  if (extensions.includes('TOKEN_METADATA') || !extensions.includes('METADATA_POINTER')) return false
  const [account] = await clusterOf({ platform, call }).accounts([address])
  const mint = account === null || account === undefined ? null : decoded(account.data, account.owner)
  return mint?.extensions.metadata === undefined && mint?.extensions.metadataPointer?.metadata === address
}

function decoded(data: Uint8Array, owner: string): Mint | null {
  try {
    return decodeMint(data, owner)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
