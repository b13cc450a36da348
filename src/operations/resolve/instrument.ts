// Instruments (mints) by lookup and by address.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/address.ts'
import { addressKey, closedAddressKey } from '../../engine/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { AccountLookup } from '../input.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { nothingNamed, resolveParty, type NotFound } from './account.ts'

const INSTRUMENT_NOT_FOUND: NotFound = { code: 'INSTRUMENT_NOT_FOUND', refuse: badRequest }

export function resolveInstrument(
  platform: Platform,
  call: Call,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): RecordState<'instrument'> {
  const party = resolveParty(platform, call, lookup, pointer, missing)
  const state = party.entry === null ? undefined : ofKind(party.entry.head, 'instrument')
  if (state === undefined) throw nothingNamed(missing, pointer)
  return state
}

/** The onboarded instrument at an address, whoever's it is. A closed one only where none is live: empty positions may be left of it. */
export function instrumentOf(platform: Platform, cluster: string, mint: string): RecordState<'instrument'> | undefined {
  const { directory } = platform.engine
  for (const key of [addressKey(cluster, mint), closedAddressKey(cluster, mint)]) {
    for (const entry of directory.find(key)) {
      const state = ofKind(entry.head, 'instrument')
      if (state !== undefined) return state
    }
  }
  return undefined
}

export function tokenProgramOf(instrument: RecordState<'instrument'>): string {
  return instrument.context.version === 'SPL' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
}
