// Keys of the service itself. They are sealed rows like the keys of accounts, but have no record: code that visits all
// sealed rows must include these places.

export interface ServiceKey {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  /** Name of the store's meta entry with the address (base58). */
  readonly addressFact: string
}

/** Signs the checkpoints of the audit log. */
export const AUDIT_KEY: ServiceKey = {
  tenant: 'SYSTEM',
  cluster: '*',
  id: 'audit-checkpoints',
  addressFact: 'audit.publicKey',
}

export const SERVICE_KEYS: readonly ServiceKey[] = [AUDIT_KEY]
