// The index keys of counterparties. Pure.
import type { RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'

/** The counterparty of a tenant that lists an address; the operations keep it to one. */
export function counterpartyKey(tenant: string, cluster: string, address: string): string {
  return ['cp', tenant, cluster, address].join(SEPARATOR)
}

/** Counterparties of a tenant whose addresses are never paid, or only with an approval. */
export function restrictedKey(tenant: string, cluster: string): string {
  return ['restricted', tenant, cluster].join(SEPARATOR)
}

/** Counterparties of a tenant that list any address. */
export function listedKey(tenant: string, cluster: string): string {
  return ['listed', tenant, cluster].join(SEPARATOR)
}

export function counterpartyKeys({ tenant, cluster, context }: RecordState<'counterparty'>): string[] {
  const keys = context.addresses.map(({ address }) => counterpartyKey(tenant, cluster, address))
  if (keys.length === 0) return keys
  keys.push(listedKey(tenant, cluster))
  return context.status === 'ALLOWED' ? keys : [...keys, restrictedKey(tenant, cluster)]
}
