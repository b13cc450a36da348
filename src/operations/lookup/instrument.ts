// Instruments (mints) by lookup and by address: as a record of the tenant or a shared one says, else as the mint on chain does.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/address.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/input.ts'
import { mintOnChain, NO_RECORD } from './chain-mints.ts'
import { stateAt, type Asker } from './whose-records.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { nothingNamed, resolveParty, type NotFound } from './account.ts'

const INSTRUMENT_NOT_FOUND: NotFound = { code: 'INSTRUMENT_NOT_FOUND', refuse: badRequest }

/**
 * A mint by its address alone is what the chain says of it where no record of the tenant or a shared one does: the same for one that another
 * tenant has on record and one that nobody has.
 */
export function resolveInstrument(
  platform: Platform,
  call: Call,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): RecordState<'instrument'> {
  const { entry, address } = resolveParty(platform, call, mintByAddress(lookup), pointer, missing)
  const state = entry === null ? mintOnChain(call, address) : ofKind(entry.head, 'instrument')
  if (state === undefined) throw nothingNamed(missing, pointer)
  return state
}

/** The lookup of a mint, which needs no `offPlatform` where it is the address of one. */
export function mintByAddress(lookup: AccountLookup): AccountLookup {
  return { ...lookup, offPlatform: true }
}

/**
 * The instrument at an address, as the asker has it on record or the system tenant shares it. A closed one only where none is live: empty
 * positions may be left of it.
 */
export function instrumentOf(platform: Platform, asker: Asker, cluster: string, mint: string): RecordState<'instrument'> | undefined {
  return stateAt(platform.engine.directory, asker, cluster, mint, 'instrument')
}

/** The same, or as the mint on chain says: for what is decided in a request. */
export function instrumentFor(platform: Platform, call: Call, mint: string): RecordState<'instrument'> | undefined {
  return instrumentOf(platform, call, call.cluster, mint) ?? mintOnChain(call, mint)
}

/** For a record that names the instrument. */
export function instrumentRef({ id, context }: RecordState<'instrument'>): AccountRef {
  return { address: context.address, id: id === NO_RECORD ? null : id }
}

export function tokenProgramOf(instrument: RecordState<'instrument'>): string {
  return instrument.context.version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
}
