// Resolves instruments (mints) by lookup and by address: from a record of the tenant, else a shared record, else the
// mint on chain.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { mintOnChain, NO_RECORD } from './chain-mints.ts'
import { ownRecordsAt, stateAt, type Asker } from './whose-records.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { recordIndexOf } from './request-records.ts'
import { nothingNamed, resolveParty, type NotFound } from './account.ts'
import type { Party } from './party.ts'

const INSTRUMENT_NOT_FOUND: NotFound = { code: 'INSTRUMENT_NOT_FOUND', refuse: badRequest }

export function resolveInstrument(
  context: Context,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): RecordState<'instrument'> {
  return instrumentNamed(context, lookup, pointer, missing).state
}

/**
 * Without a record of the tenant or a shared record, an address resolves to the mint on chain, whether another tenant
 * has a record of it or not. `unlessSigner` as of a party: set if the lookup names another tenant's record by its id.
 */
export function instrumentNamed(
  context: Context,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): Pick<Party, 'unlessSigner'> & { readonly state: RecordState<'instrument'> } {
  const { call } = context
  const party = resolveParty(context, mintByAddress(namedAsInstrument(context, lookup)), pointer, missing)
  const state = party.entry === null ? mintOnChain(call, party.address) : ofKind(party.entry.head, 'instrument')
  if (state === undefined) throw nothingNamed(missing, pointer)
  return { ...party, state }
}

/** As `resolveInstrument`; null: no lookup is given. */
export function optionalInstrument(
  context: Context,
  lookup: AccountLookup | undefined,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): RecordState<'instrument'> | null {
  return lookup === undefined ? null : resolveInstrument(context, lookup, pointer, missing)
}

/**
 * An account that became a mint (`existingMintAccount`) is closed. Where its organization names an instrument by the id
 * of that account, it means the instrument.
 */
export function namedAsInstrument(context: Context, lookup: AccountLookup): AccountLookup {
  const { tenant, organization, cluster } = context.call
  const records = recordIndexOf(context)
  const named = lookup.offchainId === undefined ? undefined : records.resident(lookup.offchainId)
  const account = ofKind(named?.head, 'account')
  if (account?.value !== 'closed' || account.tenant !== tenant || account.cluster !== cluster) return lookup
  if (account.context.organization !== organization) return lookup
  const instrument = ownRecordsAt(records, tenant, cluster, account.context.address).find(
    ({ head }) => ofKind(head, 'instrument')?.context.organization === organization && head.value !== 'closed',
  )
  return instrument === undefined ? lookup : { ...lookup, offchainId: instrument.head.id }
}

/** A mint named by its address needs no `offPlatform`. */
export function mintByAddress(lookup: AccountLookup): AccountLookup {
  return { ...lookup, offPlatform: true }
}

/**
 * The instrument at an address: a record of the asker or a shared record. A closed one is returned only if none is
 * live, because empty positions of it may remain.
 */
export function instrumentOf(
  platform: Platform,
  asker: Asker,
  cluster: string,
  mint: string,
): RecordState<'instrument'> | undefined {
  return stateAt(platform.engine.directory, asker, cluster, { address: mint, kind: 'instrument' })
}

/** As `instrumentOf`, else the mint on chain. For decisions inside a request. */
export function instrumentFor(context: Context, mint: string): RecordState<'instrument'> | undefined {
  const { call } = context
  const known = stateAt(recordIndexOf(context), call, call.cluster, { address: mint, kind: 'instrument' })
  return known ?? mintOnChain(call, mint)
}

/** The reference that other records store. */
export function instrumentRef({ id, context }: RecordState<'instrument'>): AccountRef {
  return { address: context.address, id: id === NO_RECORD ? null : id }
}

export function tokenProgramOf(instrument: RecordState<'instrument'>): string {
  return instrument.context.version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
}
