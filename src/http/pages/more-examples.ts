// Example bodies of the endpoints that are used less often; those of `examples.ts` are the everyday ones.
const ID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
const OUTSIDE = { onchainId: 'So11111111111111111111111111111111111111112' }
const WALLET = { offchainReferences: { code: 'TREASURY', type: 'WALLET' } }
const TOKEN = { offchainReferences: { code: 'BOND-A', type: 'ASSET_TOKEN' } }
const ISSUER = { offchainReferences: { code: 'ISSUER', type: 'TOKEN_MANAGEMENT_AUTHORITY' } }
const TABLE = { offchainReferences: { code: 'PAYMENTS', type: 'ADDRESS_LOOKUP_TABLE' } }
const POSITION = { owner: WALLET, financialInstrument: TOKEN }
const TRANSACTION = { itemData: { offchainId: ID } }
const KEY_ID = 'abcdef012345'

export const MORE_EXAMPLES: Readonly<Record<string, object>> = {
  'PATCH /api/v1/accounts': { itemData: { account: WALLET, comments: 'operating funds', canPayFees: true } },
  'PATCH /api/v1/accounts/inactivate': {
    itemData: { account: { offchainReferences: { code: 'RETIRED', type: 'WALLET' } }, refundDestination: WALLET },
  },
  'POST /api/v1/accounts/single/private-key': { itemData: { offchainReferences: { code: 'RETIRED', type: 'WALLET' } } },
  'PATCH /api/v1/financial-instruments': {
    itemData: {
      mintAccount: TOKEN,
      onchainData: { name: 'Bond A 2031' },
      offchainData: { description: 'Senior bond, 4.25 %' },
    },
  },
  'PATCH /api/v1/financial-instruments/pause': { itemData: { financialInstrument: TOKEN } },
  'PATCH /api/v1/financial-instruments/unpause': { itemData: { financialInstrument: TOKEN } },
  'PATCH /api/v1/financial-instruments/close': {
    itemData: { financialInstrumentToClose: TOKEN, refundDestination: WALLET },
  },
  'POST /api/v1/financial-instruments/single/circulating-supply': { itemData: { financialInstrument: TOKEN } },
  'POST /api/v1/financial-instruments/token-extensions-calculator': {
    extensions: ['PERMANENT_DELEGATE', 'PAUSABLE'],
    metadata: { name: 'Bond A', symbol: 'BNDA', simpleCustomMetadata: { isin: 'DE000A1EWWW0' } },
  },
  'PATCH /api/v1/positions': { itemData: { position: POSITION, comments: 'settlement' } },
  'PATCH /api/v1/positions/freeze': { itemData: { position: POSITION } },
  'PATCH /api/v1/positions/unfreeze': { itemData: { position: POSITION } },
  'POST /api/v1/positions/single/balance': { itemData: POSITION },
  'POST /api/v1/address-lookup-tables': {
    itemData: {
      addressLookupTable: { offchainReferences: { code: 'PAYMENTS' } },
      authority: ISSUER,
      componentAddresses: [{ onchainId: '11111111111111111111111111111111' }],
    },
  },
  'PATCH /api/v1/address-lookup-tables': {
    itemData: { addressLookupTable: TABLE, comments: 'payments of the treasury' },
  },
  'PATCH /api/v1/address-lookup-tables/extend': {
    itemData: { addressLookupTable: TABLE, componentAddresses: [OUTSIDE] },
  },
  'POST /api/v1/address-lookup-tables/single': { itemData: TABLE },
  'POST /api/v1/durable-nonce-accounts': { itemData: { nonceAuthority: ISSUER, count: 2 } },
  'POST /api/v1/durable-nonce-accounts/single': {
    itemQuery: { filter: [{ fieldName: 'isInUse', filterValues: [{ filterType: 'EQUALS', valueBoolean: false }] }] },
    outputConfig: { excludePrivateKeyDetails: true },
  },
  'POST /api/v1/transactions/single': TRANSACTION,
  'POST /api/v1/transactions/explain': TRANSACTION,
  'POST /api/v1/transactions/sign': {
    itemData: { transaction: { offchainId: ID }, signers: [WALLET] },
  },
  'POST /api/v1/transactions/submit': { itemData: { transaction: { offchainId: ID } } },
  'POST /api/v1/transactions/approve': TRANSACTION,
  'PATCH /api/v1/transactions/attest': {
    itemData: { offchainId: ID, outcome: 'EXPIRED', evidence: 'ticket 4711: absent from the archive of two operators' },
  },
  'PATCH /api/v1/transactions/cancel': TRANSACTION,
  'POST /api/v1/webhooks': {
    itemData: { url: 'https://example.org/hooks/holdfast', eventTypes: ['account.*', 'transaction.finalized'] },
  },
  'PATCH /api/v1/webhooks/rotate': { itemData: { offchainId: ID, graceSeconds: 86_400 } },
  'PATCH /api/v1/webhooks/disable': { itemData: { offchainId: ID } },
  'PATCH /api/v1/webhooks/redeliver': { itemData: { offchainId: ID, sequence: 1 } },
  'PATCH /api/v1/admin/organizations': { itemData: { externalId: 'ACME', name: 'Acme Capital Partners' } },
  'PATCH /api/v1/admin/api-keys/rotate': { itemData: { keyId: KEY_ID, graceSeconds: 3_600 } },
  'PATCH /api/v1/admin/api-keys/disable': { itemData: { keyId: KEY_ID } },
  'PATCH /api/v1/admin/freeze': { itemData: { account: WALLET } },
  'PATCH /api/v1/admin/unfreeze': { itemData: { account: WALLET } },
  'PATCH /api/v1/admin/lanes/suspend': { itemData: { account: WALLET } },
  'PATCH /api/v1/admin/lanes/resume': { itemData: { account: WALLET } },
}
