// Finds the record that a typed text names, among all records of the service: by id or address, else by code, else by
// name. A text that fits several records is refused.
import { bulk, read, RequestRefused, type Answer, type Filter } from '../api.ts'
import type { PickableKind } from './form-definitions.ts'
import { namedBy } from './form-values.ts'
import { may } from '../session.ts'
import { at, textAt } from '../value.ts'

export interface ResolvedRecord {
  /** As a request names the record. */
  readonly lookup: object
  /** Code or symbol, name and address. */
  readonly shown: string
}

export const PARTIES = [
  'WALLET',
  'ASSETS_WALLET',
  'CURRENCIES_WALLET',
  'DEFI_SETTLEMENT_WALLET',
  'TOKEN_MANAGEMENT_AUTHORITY',
]
const TOKENS = ['ASSET_TOKEN', 'FUNDS_TOKEN']
/** Instruments cannot be filtered by symbol: they are read in pages of this size, and no further than `FURTHEST`. */
const PAGE = 250
const FURTHEST = 10_000
/** Between the parts of what an input offers; the last of them is the address. */
const SEPARATOR = ' · '

const equal = (fieldName: string, valueString: string): Filter => ({
  fieldName,
  filterValues: [{ filterType: 'EQUALS', valueString }],
})
export const typeIn = (valuesString: readonly string[]): Filter => ({
  fieldName: 'type',
  filterValues: [{ filterType: 'IN', valuesString }],
})
export const ACTIVE = equal('status', 'ACTIVE')

/** As an input offers a record: no two are alike. */
function labelFor(address: string | null, names: readonly (string | null)[]): string {
  const known = new Set(names.filter((name) => name !== null && name !== ''))
  return [...known, address ?? ''].join(SEPARATOR)
}

export function labelOfParty(account: Answer): string {
  const names = [textAt(account, 'symbol'), textAt(account, 'offchain.code'), textAt(account, 'offchain.name')]
  return labelFor(textAt(account, 'onchain.id'), names)
}

export function labelOfInstrument(instrument: Answer): string {
  const names = [textAt(instrument, 'onchainData.symbol'), textAt(instrument, 'onchainData.name')]
  return labelFor(textAt(instrument, 'mintAccount.onchain.id'), names)
}

/**
 * Throws `RequestRefused` if the text fits several records. A text that fits none is sent as it is: the service
 * refuses it. An address that is not on record is marked as one from outside.
 *
 * @param pointer the member of the request, for the refusal
 */
export async function lookupFor(pick: PickableKind, typed: string, pointer: string): Promise<ResolvedRecord> {
  const asTyped = namedBy(typed.split(SEPARATOR).at(-1) ?? typed)
  // An address names one account, whatever stands before it in the text that the input offered.
  const exact = 'offchainReferences' in asTyped ? null : asTyped
  if (exact !== null) return await byIdentity(pick, exact, typed)
  const lookup = namedBy(typed)
  const unknown: ResolvedRecord = { lookup, shown: typed }
  if (!may('ACCOUNTS_READ')) return unknown
  return (await byCode(pick, typed, pointer)) ?? (await byName(pick, typed, pointer)) ?? unknown
}

async function byIdentity(pick: PickableKind, identity: object, typed: string): Promise<ResolvedRecord> {
  const mayLook = may('ACCOUNTS_READ')
  const account = mayLook ? await accountOf(identity) : null
  if (account !== null) return { lookup: identity, shown: labelOfParty(account) }
  // Whatever is on record takes precedence over `offPlatform`.
  const isOutside = pick === 'parties' && 'onchainId' in identity
  return isOutside
    ? { lookup: { ...identity, offPlatform: true }, shown: mayLook ? `${typed} (not on record)` : typed }
    : { lookup: identity, shown: typed }
}

/** null: none that this key may read. */
async function accountOf(lookup: object): Promise<Answer | null> {
  try {
    return await read('/accounts/single', lookup)
  } catch (error) {
    if (error instanceof RequestRefused && error.problems.some(({ code }) => code === 'ACCOUNT_NOT_FOUND')) return null
    throw error
  }
}

/** Of a code that several records have, the nearest to the organization: the service decides, or refuses. */
async function byCode(pick: PickableKind, code: string, pointer: string): Promise<ResolvedRecord | null> {
  const filter = [equal('code', code), ACTIVE]
  const any = await accountsWith(pick === 'instruments' ? [...filter, typeIn(TOKENS)] : filter)
  if (any.length < 2) return any[0] ?? null
  const parties = pick === 'parties' ? await accountsWith([...filter, typeIn(PARTIES)]) : any
  if (parties.length === 1) return parties[0] ?? null
  const nearest = await accountOf({ offchainReferences: { code } }).catch((error: unknown) => {
    if (error instanceof RequestRefused && error.problems.some((problem) => problem.code === 'LOOKUP_AMBIGUOUS'))
      throw ambiguous('code', pointer)
    throw error
  })
  return nearest === null ? null : resolvedParty(nearest)
}

async function byName(pick: PickableKind, name: string, pointer: string): Promise<ResolvedRecord | null> {
  const found = pick === 'parties' ? await partiesNamed(name) : await instrumentsNamed(name)
  if (found.length > 1) throw ambiguous(pick === 'parties' ? 'name' : 'symbol or name', pointer)
  return found[0] ?? null
}

/** None for the code of an account that is closed: who types it means that account, which cannot be paid. */
async function partiesNamed(name: string): Promise<readonly ResolvedRecord[]> {
  const coded = await accountsWith([equal('code', name)])
  return coded.length > 0 ? [] : await accountsWith([equal('offchainReferenceName', name), ACTIVE, typeIn(PARTIES)])
}

/** Two are enough to know that there are several. */
async function accountsWith(filter: readonly Filter[]): Promise<readonly ResolvedRecord[]> {
  const { items } = await bulk('/accounts/bulk/detailed', { filter, limit: 2 })
  return items.map(resolvedParty)
}

async function instrumentsNamed(name: string): Promise<readonly ResolvedRecord[]> {
  if (!may('INSTRUMENTS_READ')) return []
  const found: ResolvedRecord[] = []
  for (let skip = 0, count = 1; skip < count && found.length < 2; skip += PAGE) {
    const page = await bulk('/financial-instruments/bulk/detailed', { skip, limit: PAGE })
    if (page.count > FURTHEST) return []
    count = page.count
    found.push(...page.items.filter((item) => isNamed(item, name)).map(resolvedInstrument))
  }
  return found
}

function isNamed(instrument: Answer, name: string): boolean {
  const names = [at(instrument, 'onchainData.symbol'), at(instrument, 'onchainData.name')]
  return textAt(instrument, 'status') !== 'CLOSED' && names.includes(name)
}

function resolvedParty(account: Answer): ResolvedRecord {
  return { lookup: { offchainId: textAt(account, 'offchain.id') ?? '' }, shown: labelOfParty(account) }
}

function resolvedInstrument(instrument: Answer): ResolvedRecord {
  return {
    lookup: { offchainId: textAt(instrument, 'mintAccount.offchain.id') ?? '' },
    shown: labelOfInstrument(instrument),
  }
}

function ambiguous(what: string, pointer: string): RequestRefused {
  const message = `several records have this ${what}: choose one of those offered, or type its address`
  return new RequestRefused(400, [{ code: 'LOOKUP_AMBIGUOUS', message, pointer, retryable: false }], null)
}
