// The records offered for a field of a form.
import { bulk } from '../api.ts'
import type { PickableKind } from './form-definitions.ts'
import { ACTIVE, labelOfInstrument, labelOfParty, PARTIES, typeIn } from './form-lookups.ts'
import { useLoaded } from '../loading.tsx'
import { may } from '../session.ts'
import { textAt } from '../value.ts'

export interface Choice {
  readonly id: string
  /** Code, name and address: no two are alike. */
  readonly label: string
}

/** Only the first are offered. What is typed is looked for among all (`form-lookups.ts`). */
const MOST = 250

/** Empty until they are known. */
export function useChoices(pick: PickableKind): readonly Choice[] {
  const role = pick === 'parties' ? 'ACCOUNTS_READ' : 'INSTRUMENTS_READ'
  const loaded = useLoaded(may(role) ? pick : null, async (signal) =>
    pick === 'parties' ? await parties(signal) : await instruments(signal),
  )
  return loaded.value ?? []
}

async function parties(signal: AbortSignal): Promise<readonly Choice[]> {
  const { items } = await bulk('/accounts/bulk/detailed', { filter: [typeIn(PARTIES), ACTIVE], limit: MOST }, signal)
  return items.map((item) => ({ id: textAt(item, 'offchain.id') ?? '', label: labelOfParty(item) }))
}

async function instruments(signal: AbortSignal): Promise<readonly Choice[]> {
  const { items } = await bulk('/financial-instruments/bulk/detailed', { limit: MOST }, signal)
  return items
    .filter((item) => textAt(item, 'status') !== 'CLOSED')
    .map((item) => ({ id: textAt(item, 'mintAccount.offchain.id') ?? '', label: labelOfInstrument(item) }))
}
