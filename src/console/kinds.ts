// Maps each kind of record to the list that shows it.

export const PLACES_OF_KINDS: Readonly<Record<string, string>> = {
  account: 'accounts',
  position: 'positions',
  instrument: 'instruments',
  lookup_table: 'tables',
  lookupTable: 'tables',
  nonce: 'nonces',
  data_source: 'feeds',
  dataSource: 'feeds',
  transaction: 'transactions',
  webhook: 'webhooks',
  strategy: 'strategies',
}
