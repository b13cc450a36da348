// The destination of a token movement: a recorded position, a position to be created, or a token account without a
// record, which is read first.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { FormatError } from '../../solana/format-error.ts'
import { decodeTokenAccount, type TokenAccount } from '../../solana/token-layout.ts'
import type { Instruction } from '../../solana/message.ts'
import { isHolding, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { ownMessages } from '../lookup/own-messages.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { ChainAccount, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { instrumentFor, tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { isAssociated, positionState, resolvePaidPosition, type ResolvedPosition } from '../lookup/position.ts'
import { clusterOf } from '../transactions/transact.ts'
import { refreshFrozen, refreshPaused } from './freezing.ts'
import {
  associatedCreation,
  createPositionRecord,
  derivedPosition,
  positionSize,
  NOT_CREATED,
  type TokenAccountState,
} from './position-record.ts'

/** Chain state read before the unit of work. */
export interface LoadedDestination {
  /** The token account at the destination, if it was read. */
  readonly account: (TokenAccount & { readonly lamports: bigint }) | null
  /** Rent of a new position in lamports; 0 if none is to be created. */
  readonly rentLamports: bigint
  /** Lamports already at the address of a position to be created. */
  readonly sentLamports?: bigint
  /** Set if the caller asked to create a missing position, and the read found none. */
  readonly mayCreate?: true
}

export const NO_CHAIN_READ: LoadedDestination = { account: null, rentLamports: 0n }

/**
 * Reads the chain state that the records do not show reliably. Reads nothing for a position that is not frozen and
 * that only keys of the tenant can change: this is the hot path.
 * Throws 400 `ACCOUNT_NOT_ONCHAIN`, `NOT_A_TOKEN_ACCOUNT`, `POSITION_NOT_FOUND`.
 */
export async function loadDestination(
  context: Context,
  lookup: PositionLookup,
  initialize: boolean,
  pointer: string,
): Promise<LoadedDestination> {
  const { platform } = context
  const position = resolvePaidPosition(context, lookup, pointer)
  if (position.instrument !== null) await refreshPaused(platform, position.instrument)
  await refreshFrozen(platform, positionState(position))
  const state = positionState(position)
  const mustExist = state !== null && !initialize && isUnopened(context, state)
  if (state !== null && !mustExist && isChangedByOwnKeysOnly(context, state)) return NO_CHAIN_READ
  const cluster = clusterOf(context)
  const [account] = await cluster.accounts([position.address])
  const token = tokenAccountOf(account ?? null, `${pointer}/position`)
  if (mustExist && token === null && isAssociated(state)) throw notInitialized(pointer)
  // The record may be newer than the read. A closed associated account can only be reopened for the same owner; any
  // other address could be reopened for another owner, so it must exist.
  if (state !== null && (token !== null || isAssociated(state))) return { account: token, rentLamports: 0n }
  if (position.standing !== 'missing' && token === null)
    throw badRequest(
      'ACCOUNT_NOT_ONCHAIN',
      `${position.address} is not a token account on the cluster`,
      `${pointer}/position`,
    )
  // A missing position that is not to be created is refused in the unit of work.
  if (position.instrument === null || token !== null || !initialize) return { account: token, rentLamports: 0n }
  const wholeRent = await cluster.rentExemptLamports(positionSize(position.instrument, true))
  const presentLamports = account?.lamports ?? 0n
  return {
    account: token,
    rentLamports: wholeRent > presentLamports ? wholeRent - presentLamports : 0n,
    sentLamports: presentLamports,
    mayCreate: true,
  }
}

/** True if no transaction that could create the position is signed: a payment to it would only cost its fee. */
function isUnopened({ platform }: Context, state: RecordState<'position'>): boolean {
  return state.value === 'pending' && ownMessages(platform.engine.directory, state).length === 0
}

/**
 * True if only keys of the tenant can have changed the owner of the token account. Any other account may have been
 * handed over, opened for another owner than a pending record says, or closed and reopened; its state on chain decides
 * about payments to it.
 */
function isChangedByOwnKeysOnly(request: Context, { context }: RecordState<'position'>): boolean {
  const { tenant, cluster } = request.call
  const isOwnKey = (address: string): boolean =>
    ownRecordsAt(recordIndexOf(request), tenant, cluster, address).some(
      ({ head }) => isHolding(head) && hasOwnKey(head),
    )
  return isOwnKey(context.owner.address) && (isAssociated({ context }) || isOwnKey(context.address))
}

/** An imported key may also be used outside of this service. */
function hasOwnKey({ context }: HoldingState): boolean {
  return context.managed && context.keyOrigin === 'service'
}

/** The token account at an address; null: none. Throws 400 `NOT_A_TOKEN_ACCOUNT`. */
export async function tokenAccountAt(
  context: Context,
  address: string,
  pointer: string,
): Promise<LoadedDestination['account']> {
  const [account] = await clusterOf(context).accounts([address])
  return tokenAccountOf(account ?? null, pointer)
}

/**
 * An address that only holds network currency counts as empty: any party may send lamports to it, which neither
 * creates nor prevents a token account.
 */
export function tokenAccountOf(account: ChainAccount | null, pointer: string): LoadedDestination['account'] {
  const empty = account === null || (account.owner === SYSTEM_PROGRAM && account.data.length === 0)
  return empty ? null : readTokenAccount(account, pointer)
}

export interface Destination {
  readonly address: string
  readonly instrument: RecordState<'instrument'>
  readonly position: ResolvedPosition
  readonly frozen: boolean
  /** Instructions that create the token account. */
  readonly creation: readonly Instruction[]
  readonly rents: ReadonlyMap<string, bigint>
  /** Creates the record of a position that the transaction creates, or that exists on chain without a record. */
  readonly prepare: ((unit: UnitOfWork) => void) | null
}

interface DestinationTerms {
  readonly feePayer: Party
  readonly pointer: string
  /** Create the position if it is missing. */
  readonly initialize?: boolean | undefined
}

/**
 * Resolves the destination again inside the unit of work and checks the reads against the records. Throws 400
 * `INSTRUMENT_MISMATCH`, `LOOKUP_MISMATCH`, `POSITION_NOT_FOUND`.
 */
export function destinationOf(
  context: Context,
  lookup: PositionLookup,
  loaded: LoadedDestination,
  terms: DestinationTerms,
): Destination {
  const { pointer, initialize = false } = terms
  const { account } = loaded
  const position = resolvePaidPosition(context, lookup, pointer)
  const instrument = instrumentAt(context, position, account)
  if (instrument === undefined)
    throw badRequest(
      'INSTRUMENT_MISMATCH',
      'the destination holds a different instrument, which is not onboarded',
      pointer,
    )
  const state = positionState(position)
  if (state !== null) return recordedDestination({ position, instrument, state }, account, terms)
  const { owner } = position
  const isUnrecorded = position.standing === 'external' || owner === null
  // The owner of an associated account may have changed.
  if (isUnrecorded || account !== null) checkNamedOnchain(position, account, pointer)
  // No record is created for another party's account unless the caller asked for it.
  const isOfOthers = account !== null && !initialize && owner?.entry?.head.tenant !== context.call.tenant
  if (isUnrecorded || isOfOthers) return existingDestination(position, instrument, account?.state === 'FROZEN')
  return newDestination(context, { position, instrument, owner }, loaded, terms)
}

function existingDestination(
  position: ResolvedPosition,
  instrument: RecordState<'instrument'>,
  frozen: boolean,
): Destination {
  return { address: position.address, instrument, position, frozen, creation: [], rents: new Map(), prepare: null }
}

function recordedDestination(
  {
    position,
    instrument,
    state,
  }: Pick<Destination, 'position' | 'instrument'> & { readonly state: RecordState<'position'> },
  account: LoadedDestination['account'],
  { feePayer, pointer, initialize }: DestinationTerms,
): Destination {
  checkUnchanged(state, account, pointer)
  const frozen = account === null ? isPositionFrozen(state, instrument) : account.state === 'FROZEN'
  const destination = existingDestination(position, instrument, frozen)
  // The transaction that creates the position may fail, or land after this one. An idempotent creation makes this
  // transaction independent of it.
  const mayBeUncreated =
    initialize === true && state.value === 'pending' && isAssociated(state) && position.owner !== null
  if (!mayBeUncreated) return destination
  return {
    ...destination,
    creation: [associatedCreation(feePayer.address, state.context.owner.address, instrument)],
  }
}

/** A position that the transaction creates, or one that exists on chain and gets a record. */
function newDestination(
  context: Context,
  { position, instrument, owner }: Pick<Destination, 'position' | 'instrument'> & { readonly owner: Party },
  { account, rentLamports, sentLamports = 0n, mayCreate }: LoadedDestination,
  { feePayer, pointer }: DestinationTerms,
): Destination {
  // The account may have been closed since the read; a creation without its rent having been read is refused.
  if (account === null && mayCreate !== true) throw notInitialized(pointer)
  const onchain = account === null ? { ...NOT_CREATED, lamports: sentLamports } : tokenAccountStateOf(account)
  const newPosition = derivedPosition(context.platform, position.address, owner, { instrument, onchain })
  const startsFrozen = instrument.context.defaultPositionState === 'FROZEN'
  return {
    address: position.address,
    instrument,
    position,
    frozen: account === null ? startsFrozen : account.state === 'FROZEN',
    creation: account === null ? [associatedCreation(feePayer.address, owner.address, instrument)] : [],
    rents: new Map([[position.address, rentLamports]]),
    prepare: (unit) => createPositionRecord(context, unit, newPosition, { pointer, feePayer, refuse: badRequest }),
  }
}

/** The instrument of a position, from the record or from the token account on chain. */
export function instrumentAt(
  context: Context,
  position: ResolvedPosition,
  account: TokenAccount | null,
): RecordState<'instrument'> | undefined {
  return position.instrument ?? (account === null ? undefined : instrumentFor(context, account.mint))
}

/** Throws 400 `NOT_A_TOKEN_ACCOUNT`. */
function readTokenAccount(account: ChainAccount, pointer: string): TokenAccount & { readonly lamports: bigint } {
  try {
    return { ...decodeTokenAccount(account.data, account.owner), lamports: account.lamports }
  } catch (error) {
    if (error instanceof FormatError)
      throw badRequest('NOT_A_TOKEN_ACCOUNT', 'the account on chain is not a token account', pointer)
    throw error
  }
}

/**
 * If the lookup of a token account without a record also names an owner or an instrument, it must match the chain.
 * Throws 400 `LOOKUP_MISMATCH`.
 */
export function checkNamedOnchain(
  { owner, instrument }: ResolvedPosition,
  account: TokenAccount | null,
  pointer: string,
): void {
  const mismatch = (member: string) =>
    badRequest('LOOKUP_MISMATCH', `${member} differs from the token account on chain`, `${pointer}/${member}`)
  if (owner !== null && account?.owner !== owner.address) throw mismatch('owner')
  if (instrument !== null && account?.mint !== instrument.context.address) throw mismatch('financialInstrument')
}

/**
 * The token account of a recorded position must have the recorded owner and instrument, if it was read. Throws 400
 * `LOOKUP_MISMATCH`.
 */
function checkUnchanged(
  { context }: RecordState<'position'>,
  account: LoadedDestination['account'],
  pointer: string,
): void {
  if (account !== null && (account.owner !== context.owner.address || account.mint !== context.mint.address))
    throw badRequest(
      'LOOKUP_MISMATCH',
      `the token account ${context.address} has a different owner or instrument on chain than in its record`,
      pointer,
    )
}

export function tokenAccountStateOf(account: TokenAccount & { readonly lamports: bigint }): TokenAccountState {
  const { amount: tokens, lamports, closeAuthority, delegate } = account
  return { state: account.state === 'FROZEN' ? 'frozen' : 'initialized', tokens, lamports, closeAuthority, delegate }
}

/** A pending position starts in the default state of its instrument. */
export function isPositionFrozen(state: RecordState<'position'>, instrument: RecordState<'instrument'>): boolean {
  return state.value === 'frozen' || (state.value === 'pending' && instrument.context.defaultPositionState === 'FROZEN')
}

export function tokenProgramAndMint(instrument: RecordState<'instrument'>): {
  readonly program: string
  readonly mint: string
  readonly decimals: number
} {
  return {
    program: tokenProgramOf(instrument),
    mint: instrument.context.address,
    decimals: instrument.context.decimals,
  }
}

function notInitialized(pointer: string): Error {
  return badRequest(
    'POSITION_NOT_FOUND',
    'the owner has no position in the instrument: initialize it first, or set initializeDestinationPositionIfNeeded',
    pointer,
  )
}
