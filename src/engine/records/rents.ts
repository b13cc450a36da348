// The rent that a transaction paid, read from the facts of its entries.
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'

export interface RentPaid {
  /** Address. */
  readonly by: string
  readonly lamports: string
}

/**
 * Each tenant that has a record of an account has an entry with the rent paid for it. A fact does not name the account,
 * so payments by the same payer of the same amount count as often as in the entries of one tenant.
 */
export function rentsOf(entries: readonly Pick<BookEntry, 'tenant' | 'facts'>[]): readonly RentPaid[] {
  const most = new Map<string, readonly RentPaid[]>()
  for (const tenant of new Set(entries.map((entry) => entry.tenant))) {
    const found = new Map<string, RentPaid[]>()
    for (const { event } of entries.flatMap((entry) => (entry.tenant === tenant ? entry.facts : []))) {
      if (event.type !== 'chain.rentPaid') continue
      const rent = { by: String(event['by']), lamports: String(event['lamports']) }
      const key = `${rent.by} ${rent.lamports}`
      found.set(key, [...(found.get(key) ?? []), rent])
    }
    for (const [key, same] of found) if (same.length > (most.get(key)?.length ?? 0)) most.set(key, same)
  }
  return [...most.values()].flat()
}
