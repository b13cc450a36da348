// The index keys of counterparties. Pure.
import { ofKind, type RecordState } from '../records/record.ts'

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

/** Empty for a record of another kind. */
export function counterpartyKeys(state: RecordState): string[] {
  const counterparty = ofKind(state, 'counterparty')
  if (counterparty === undefined) return []
  const {
    tenant,
    cluster,
    context: { addresses, status },
  } = counterparty
  const keys = addresses.map(({ address }) => counterpartyKey(tenant, cluster, address))
  if (keys.length === 0) return keys
  keys.push(listedKey(tenant, cluster))
  return status === 'ALLOWED' ? keys : [...keys, restrictedKey(tenant, cluster)]
}
