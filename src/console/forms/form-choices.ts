// The records offered for a field of a form.
import { bulk, read, Refused, type Answer, type Filter } from '../api.ts'
import type { Picked } from './form-definitions.ts'
import { namedBy } from './form-values.ts'
import { useLoaded } from '../loading.tsx'
import { may } from '../session.ts'
import { visible } from '../text.tsx'
import { textAt } from '../value.ts'

export interface Choice {
  readonly id: string
  /** Code, name and address: no two are alike. */
  readonly label: string
}

const MOST = 250
const PARTIES = ['WALLET', 'ASSETS_WALLET', 'CURRENCIES_WALLET', 'DEFI_SETTLEMENT_WALLET', 'TOKEN_MANAGEMENT_AUTHORITY']

const equal = (fieldName: string, valueString: string): Filter => ({
  fieldName,
  filterValues: [{ filterType: 'EQUALS', valueString }],
})

/** Empty until they are known. Only the first are offered; typing finds the others. */
export function useChoices(pick: Picked): readonly Choice[] {
  const role = pick === 'parties' ? 'ACCOUNTS_READ' : 'INSTRUMENTS_READ'
  const loaded = useLoaded(may(role) ? pick : null, async (signal) =>
    pick === 'parties' ? await parties(signal) : await instruments(signal),
  )
  return loaded.value ?? []
}

async function parties(signal: AbortSignal): Promise<readonly Choice[]> {
  const filter: Filter[] = [
    { fieldName: 'type', filterValues: [{ filterType: 'IN', valuesString: PARTIES }] },
    equal('status', 'ACTIVE'),
  ]
  const { items } = await bulk('/accounts/bulk/detailed', { filter, limit: MOST }, signal)
  return items.map((item) =>
    choice(textAt(item, 'offchain.id'), textAt(item, 'onchain.id'), [
      textAt(item, 'offchain.code'),
      textAt(item, 'offchain.name'),
    ]),
  )
}

async function instruments(signal: AbortSignal): Promise<readonly Choice[]> {
  const { items } = await bulk('/financial-instruments/bulk/detailed', { limit: MOST }, signal)
  return items
    .filter((item: Answer) => textAt(item, 'status') !== 'CLOSED')
    .map((item) =>
      choice(textAt(item, 'mintAccount.offchain.id'), textAt(item, 'mintAccount.onchain.id'), [
        textAt(item, 'onchainData.symbol'),
        textAt(item, 'onchainData.name'),
      ]),
    )
}

function choice(id: string | null, address: string | null, names: readonly (string | null)[]): Choice {
  const known = names.filter((name) => name !== null && name !== '')
  return { id: id ?? '', label: [...known, address ?? ''].join(' · ') }
}

/**
 * What was typed, as a request names it: one of the offered records, or the only one of that code or name, else as
 * typed. An address that is not on record is marked as one from outside.
 */
export async function lookupFor(pick: Picked, typed: string): Promise<object> {
  const choices = await (
    pick === 'parties' ? parties(new AbortController().signal) : instruments(new AbortController().signal)
  ).catch((): readonly Choice[] => [])
  const [only, ...others] = choices.filter(
    ({ label }) => visible(label) === typed || label.split(' · ').slice(0, -1).includes(typed),
  )
  if (only !== undefined && others.length === 0) return { offchainId: only.id }
  const named = namedBy(typed)
  if (pick === 'instruments' || !('onchainId' in named)) return named
  return (await isOnRecord(named)) ? named : { ...named, offPlatform: true }
}

async function isOnRecord(lookup: object): Promise<boolean> {
  try {
    await read('/accounts/single', lookup)
    return true
  } catch (error) {
    if (error instanceof Refused && error.problems.some(({ code }) => code === 'ACCOUNT_NOT_FOUND')) return false
    throw error
  }
}
