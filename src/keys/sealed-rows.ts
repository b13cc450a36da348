// Reads the sealed keys of the store.
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import type { Store } from '../../snapshots/store.ts'
import type { SealedKeyReader } from './keyring.ts'
import { SERVICE_KEYS } from './service-keys.ts'

/**
 * Caches the sealed rows of the service's own keys: a commit signs the audit log and cannot wait until they are
 * fetched. A start reads them once. The master key is not rotated on stores whose rows must be fetched.
 */
export function sealedRowsOf(store: Pick<Store, 'secret'>): SealedKeyReader {
  const remembered = new Map<string, unknown>()
  return (tenant, cluster, id) => {
    const isOfService = SERVICE_KEYS.some((key) => key.tenant === tenant && key.cluster === cluster && key.id === id)
    if (!isOfService) return store.secret(tenant, cluster, id)
    try {
      const row = store.secret(tenant, cluster, id)
      if (row !== undefined) remembered.set(id, row)
      return row
    } catch (error) {
      if (error instanceof NotAtHand && remembered.has(id)) return remembered.get(id)
      throw error
    }
  }
}
