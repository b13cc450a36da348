// Keys of the service itself. They are sealed rows like the keys of accounts, but no record stands beside them: whoever goes through all
// sealed rows has to know their places.

export interface ServiceKey {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  /** Name of the fact of the store that holds its address (base58). */
  readonly addressFact: string
}

/** Signs the checkpoints of the audit log. */
export const AUDIT_KEY: ServiceKey = { tenant: 'SYSTEM', cluster: '*', id: 'audit-checkpoints', addressFact: 'audit.publicKey' }

export const SERVICE_KEYS: readonly ServiceKey[] = [AUDIT_KEY]
