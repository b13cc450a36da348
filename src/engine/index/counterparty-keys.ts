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
  return status === 'ALLOWED' || keys.length === 0 ? keys : [...keys, restrictedKey(tenant, cluster)]
}
