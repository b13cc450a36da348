// Resolves position lookups: by the position itself, otherwise by owner and instrument.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { associatedTokenAddress } from '../../solana/derive.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { freezeAuthorityKey, mintAuthorityKey, positionKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup, PositionLookup } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { alongWith, eachTogether, together } from '../../contract/together.ts'
import { nearestThatAnswer, scopesOf } from './whose-records.ts'
import { nothingNamed, optionalParty, payee, resolveParty, type NotFound } from './account.ts'
import { instrumentFor, instrumentNamed, mintByAddress, optionalInstrument, tokenProgramOf } from './instrument.ts'
import type { Party } from './party.ts'
import { recordIndexOf } from './request-records.ts'

export interface ResolvedPosition {
  /** Address of the token account; the associated token account if no position is on record. */
  readonly address: string
  /**
   * `known`: on record. `missing`: owner and instrument are known, the position is not on record. `external`: a token
   * account without a record of the tenant and without a shared record.
   */
  readonly standing: 'known' | 'missing' | 'external'
  readonly entry: Entry | null
  /** For an external position: as named in the request, to be compared with the chain; null if not named. */
  readonly owner: Party | null
  readonly instrument: RecordState<'instrument'> | null
  /**
   * As of a party: set if the lookup names, by id, a record of another tenant. Called if the signature of the
   * position's owner is needed.
   */
  readonly unlessSigner?: () => Refusal | null
  /**
   * As `unlessSigner`, also if the owner or the instrument is named so. Called if the signature of an authority of an
   * instrument without a record is needed.
   */
  readonly unlessAuthority?: (() => Refusal | null) | undefined
  /** Accounts that the request names to sign as mint or freeze authority. */
  readonly mintAuthority: Party | null
  readonly freezeAuthority: Party | null
}

const POSITION_NOT_FOUND: NotFound = { code: 'POSITION_NOT_FOUND', refuse: badRequest }

export function positionState(position: ResolvedPosition): RecordState<'position'> | null {
  return (position.entry === null ? undefined : ofKind(position.entry.head, 'position')) ?? null
}

/** True if the address is the associated token account of the recorded owner and mint: no key can sign for it. */
export function isAssociated({ context }: Pick<RecordState<'position'>, 'context'>): boolean {
  const { owner, mint, program, address } = context
  const tokenProgram = program === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
  return address === associatedTokenAddress(owner.address, mint.address, tokenProgram)
}

/** The entry and state of a position on record. Throws `missing` if the position has no record. */
export function knownPosition(
  position: ResolvedPosition,
  pointer: string,
  missing = POSITION_NOT_FOUND,
): { entry: Entry; state: RecordState<'position'> } {
  const state = positionState(position)
  if (position.entry === null || state === null)
    throw nothingNamed(missing, position.standing === 'external' ? `${pointer}/position` : pointer)
  return { entry: position.entry, state }
}

/** Resolves a position that receives a payment (`payee`). */
export function resolvePaidPosition(context: Context, lookup: PositionLookup, pointer: string): ResolvedPosition {
  const { position, owner } = lookup
  return resolvePosition(
    context,
    {
      ...lookup,
      ...(position === undefined ? {} : { position: payee(position) }),
      ...(owner === undefined ? {} : { owner: payee(owner) }),
    },
    pointer,
  )
}

export function resolvePosition(
  context: Context,
  lookup: PositionLookup,
  pointer: string,
  missing = POSITION_NOT_FOUND,
): ResolvedPosition {
  const place = { pointer, missing }
  const { position, mintAuthority, freezeAuthority } = lookup
  const resolve = (): Resolution | OwnerAndInstrument =>
    position === undefined ? ownerAndInstrument(context, lookup, place) : byItself(context, lookup, position, place)
  const namesAuthority = mintAuthority !== undefined || freezeAuthority !== undefined
  const [authorities, found] = namesAuthority
    ? together(() => namedAuthorities(context, lookup, place), resolve)
    : [NO_AUTHORITIES, resolve()]
  const resolution = 'address' in found ? found : byOwnerAndInstrument(context, found, authorities, place)
  const resolved = {
    mintAuthority: authorities.mintAuthority,
    freezeAuthority: authorities.freezeAuthority,
    ...resolution,
  }
  checkAuthorities(resolved, pointer)
  return resolved
}

type Authorities = Pick<ResolvedPosition, 'mintAuthority' | 'freezeAuthority'>
type Resolution = Omit<ResolvedPosition, keyof Authorities>

const NO_AUTHORITIES: Authorities = { mintAuthority: null, freezeAuthority: null }

interface OwnerAndInstrument extends Pick<ResolvedPosition, 'unlessAuthority'> {
  readonly owner: Party
  /** null: not named. */
  readonly instrument: RecordState<'instrument'> | null
}

/** The JSON pointer of a lookup in the body, and its error if it matches nothing. */
interface Place {
  readonly pointer: string
  readonly missing: NotFound
}

function namedAuthorities(context: Context, lookup: PositionLookup, { pointer, missing }: Place): Authorities {
  const [mintAuthority, freezeAuthority] = together(
    () => optionalParty(context, lookup.mintAuthority, `${pointer}/mintAuthority`, noAccount(missing)),
    () => optionalParty(context, lookup.freezeAuthority, `${pointer}/freezeAuthority`, noAccount(missing)),
  )
  return { mintAuthority, freezeAuthority }
}

function byItself(
  context: Context,
  lookup: PositionLookup,
  position: AccountLookup,
  { pointer, missing }: Place,
): Resolution {
  const isNamedAlone = lookup.owner === undefined && lookup.financialInstrument === undefined
  const place = { pointer, missing }
  const resolve = (): Party => resolveParty(context, position, `${pointer}/position`, missing)
  const party = isNamedAlone ? resolve() : alongWith(resolve, () => namedBeside(context, lookup, place))
  if (party.entry === null) {
    const [owner, instrument] = isNamedAlone ? [null, null] : namedBeside(context, lookup, place)
    const { unlessSigner } = party
    return {
      address: party.address,
      standing: 'external',
      entry: null,
      owner,
      instrument,
      ...(unlessSigner === undefined ? {} : { unlessSigner, unlessAuthority: unlessSigner }),
    }
  }
  const state = ofKind(party.entry.head, 'position')
  if (state === undefined) throw nothingNamed(missing, `${pointer}/position`)
  const { owner } = checkNamed(context, lookup, state, { pointer, missing })
  const resolution = known(context, party.entry, state, party.autoSign)
  return owner === null ? resolution : { ...resolution, owner }
}

/** The owner and the instrument that the lookup of a position names as well; null: not named. */
export function namedBeside(
  context: Context,
  { owner, financialInstrument }: PositionLookup,
  { pointer, missing }: Place,
): readonly [Party | null, RecordState<'instrument'> | null] {
  return together(
    () => optionalParty(context, owner, `${pointer}/owner`, noAccount(missing)),
    () => optionalInstrument(context, financialInstrument, `${pointer}/financialInstrument`, noInstrument(missing)),
  )
}

/**
 * If the lookup of a position also names an owner or an instrument, it must be that of the position. Throws 400
 * `LOOKUP_MISMATCH`.
 */
export function checkNamed(
  context: Context,
  lookup: PositionLookup,
  state: RecordState<'position'>,
  { pointer, missing = POSITION_NOT_FOUND }: { readonly pointer: string; readonly missing?: NotFound | undefined },
): { readonly owner: Party | null } {
  const { owner: wantedOwner, mint: wantedMint } = state.context
  const ownerNamed = (): Party | null => {
    const owner = optionalParty(context, lookup.owner, `${pointer}/owner`, noAccount(missing))
    if (owner !== null && owner.address !== wantedOwner.address) throw mismatch('owner', pointer)
    return owner
  }
  if (lookup.financialInstrument === undefined) return { owner: ownerNamed() }
  const mint = mintByAddress(lookup.financialInstrument)
  const [owner] = together(ownerNamed, () => {
    const instrument = optionalParty(context, mint, `${pointer}/financialInstrument`, noAccount(missing))
    if (instrument?.address !== wantedMint.address) throw mismatch('financialInstrument', pointer)
  })
  return { owner }
}

/**
 * If the lookup of a position also names authorities, they must be those of its instrument. Throws 400
 * `LOOKUP_MISMATCH`.
 */
export function checkNamedAuthorities(
  context: Context,
  lookup: PositionLookup,
  state: RecordState<'position'>,
  place: Place,
): void {
  const instrument = instrumentFor(context, state.context.mint.address) ?? null
  checkAuthorities({ ...namedAuthorities(context, lookup, place), instrument }, place.pointer)
}

/**
 * False for a pending position whose key this service does not hold: its account may be opened for another owner, which
 * would divert payments meant for the recorded owner.
 */
function answersToOwner({ head }: Entry): boolean {
  const state = ofKind(head, 'position')
  if (state?.value !== 'pending' || isAssociated(state)) return true
  return state.context.managed && state.context.keyOrigin === 'service'
}

function ownerAndInstrument(
  context: Context,
  { owner, financialInstrument }: PositionLookup,
  { pointer, missing }: Place,
): OwnerAndInstrument {
  if (owner === undefined)
    throw badRequest('LOOKUP_EMPTY', 'a position lookup requires position, or owner and financialInstrument', pointer)
  const at = `${pointer}/financialInstrument`
  const [party, instrument] = together(
    () => resolveParty(context, owner, `${pointer}/owner`, noAccount(missing)),
    () =>
      financialInstrument === undefined
        ? undefined
        : instrumentNamed(context, financialInstrument, at, noInstrument(missing)),
  )
  return {
    owner: party,
    instrument: instrument?.state ?? null,
    unlessAuthority: party.unlessSigner ?? instrument?.unlessSigner,
  }
}

function byOwnerAndInstrument(
  context: Context,
  { owner, instrument: named, unlessAuthority }: OwnerAndInstrument,
  authorities: Authorities,
  { pointer, missing }: Place,
): Resolution {
  const { call } = context
  const instrument = named ?? instrumentByAuthority(context, authorities, pointer, noInstrument(missing))
  const mint = instrument.context.address
  const directory = recordIndexOf(context)
  const onRecord = scopesOf(call).flatMap((scope) =>
    directory.find(positionKey(scope, call.cluster, owner.address, mint)),
  )
  const positions = nearestThatAnswer('OWNER_AND_INSTRUMENT', call, onRecord.filter(answersToOwner))
  const associated = associatedTokenAddress(owner.address, mint, tokenProgramOf(instrument))
  const addresses = positions.map(({ head }) => ofKind(head, 'position')?.context.address)
  // A fork can undo the closing of a position whose address has another record since: the address is the same.
  const isOneAddress = new Set(addresses).size === 1
  const found = positions[isOneAddress ? 0 : addresses.indexOf(associated)]
  if (found !== undefined) return { ...knownEntry(context, found), owner }
  if (positions.length > 0)
    throw badRequest('LOOKUP_AMBIGUOUS', `${positions.length} positions match: use position instead`, pointer)
  return { address: associated, standing: 'missing', entry: null, owner, instrument, unlessAuthority }
}

function knownEntry(context: Context, entry: Entry): Resolution {
  const state = ofKind(entry.head, 'position')
  if (state === undefined) throw new Error(`${entry.head.id} is indexed as a position but is not one`)
  return known(context, entry, state, true)
}

function known(context: Context, entry: Entry, state: RecordState<'position'>, autoSign: boolean): Resolution {
  return {
    address: state.context.address,
    standing: 'known',
    entry,
    owner: { address: state.context.owner.address, entry: ownerEntryOf(context, state) ?? null, autoSign },
    instrument: instrumentFor(context, state.context.mint.address) ?? null,
  }
}

/** Searches by address first: later steps look up the same address, and the lookup is cached for them. */
function ownerEntryOf(context: Context, { cluster, context: { owner } }: RecordState<'position'>): Entry | undefined {
  const { address, id } = owner
  if (id === null) return undefined
  const records = recordIndexOf(context)
  return records.ownAtAddress(cluster, address).find(({ outline }) => outline.id === id) ?? records.resident(id)
}

/**
 * The only instrument with the named authorities, among the records that a lookup by references reaches. The caller's
 * own records come first.
 */
function instrumentByAuthority(
  context: Context,
  { mintAuthority, freezeAuthority }: Authorities,
  pointer: string,
  missing: NotFound,
): RecordState<'instrument'> {
  const { call } = context
  const directory = recordIndexOf(context)
  const within = (
    key: (scope: string, cluster: string, authority: string) => string,
    authority: Party,
  ): readonly Entry[] => scopesOf(call).flatMap((scope) => directory.find(key(scope, call.cluster, authority.address)))
  const sets = [
    ...(mintAuthority === null ? [] : [within(mintAuthorityKey, mintAuthority)]),
    ...(freezeAuthority === null ? [] : [within(freezeAuthorityKey, freezeAuthority)]),
  ]
  const [first, ...others] = sets
  if (first === undefined) {
    throw badRequest(
      'LOOKUP_EMPTY',
      'a position lookup by owner requires financialInstrument',
      `${pointer}/financialInstrument`,
    )
  }
  const member = `${pointer}/${mintAuthority === null ? 'freezeAuthority' : 'mintAuthority'}`
  const matching = nearestThatAnswer(
    'AUTHORITY',
    call,
    first.filter((entry) => others.every((set) => set.includes(entry))),
  )
  const [only] = matching
  if (matching.length > 1)
    throw badRequest('LOOKUP_AMBIGUOUS', `${matching.length} instruments have this authority`, member)
  const instrument = only === undefined ? undefined : ofKind(only.head, 'instrument')
  if (instrument === undefined)
    throw missing.refuse(missing.code, 'no instrument of this organization has this authority', member)
  return instrument
}

/** The error for a part of a lookup that matches no record: its own code, with the status of the position's error. */
function noAccount({ refuse }: NotFound): NotFound {
  return { code: 'ACCOUNT_NOT_FOUND', refuse }
}

function noInstrument({ refuse }: NotFound): NotFound {
  return { code: 'INSTRUMENT_NOT_FOUND', refuse }
}

function checkAuthorities(position: Authorities & Pick<ResolvedPosition, 'instrument'>, pointer: string): void {
  if (position.instrument === null) return
  const { authorities } = position.instrument.context
  if (position.mintAuthority === null && position.freezeAuthority === null) return
  eachTogether(['mintAuthority', 'freezeAuthority'] as const, (role) => {
    const named = position[role]
    if (named !== null && authorities[role]?.address !== named.address)
      throw badRequest('LOOKUP_MISMATCH', `the account is not the ${role} of the instrument`, `${pointer}/${role}`)
  })
}

function mismatch(member: string, pointer: string): Error {
  return badRequest('LOOKUP_MISMATCH', `${member} differs from that of the position`, `${pointer}/${member}`)
}
