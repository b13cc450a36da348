// Records for tests of the machines: complete, plausible, and small enough to read in a counterexample.
import type { AccountContext } from '../../machines/account.ts'
import type { ApiKeyContext } from '../../machines/api-key.ts'
import type { Approval } from '../../machines/approval.ts'
import type { CountersignatureContext } from '../../machines/transactions/countersignature.ts'
import type { DataSourceContext } from '../../machines/data-source.ts'
import type { Holding } from '../../machines/holding.ts'
import type { InstrumentContext } from '../../machines/instrument-record.ts'
import type { LoanContext } from '../../machines/lending/loan.ts'
import type { Debt, LoanChange } from '../../machines/lending/loan-books.ts'
import type { LookupTableContext } from '../../machines/lookup-table.ts'
import type { NonceContext } from '../../machines/nonce.ts'
import type { OrganizationContext } from '../../machines/organization.ts'
import type { PlanContext } from '../../machines/transactions/plan.ts'
import type { PositionContext } from '../../machines/position.ts'
import type { StrategyContext } from '../../machines/lending/strategy.ts'
import type { SuspensionContext } from '../../machines/suspension.ts'
import type { WebhookContext } from '../../machines/webhook.ts'
import type { TransactionFixed } from '../../machines/transactions/transaction-record.ts'

export const AT = '2026-11-21T08:00:00.000Z'
export const TOUCH = { transactionId: 'tx-1', signature: '5igNature', at: AT }

const ref = (address: string) => ({ address, id: null })

export const holding: Holding = {
  address: 'Addr1111',
  organization: 'ACME',
  managed: true,
  keyOrigin: 'service',
  keyLocation: ['DATABASE'],
  references: {
    type: 'WALLET',
    organizationExternalId: 'ACME',
    code: null,
    alId: null,
    accountNumber: '1',
    name: null,
  },
  comments: null,
  domain: null,
  isDerived: false,
  isGenesis: false,
  subscribeToNetworkEvents: false,
  shared: false,
  wasOnchainAlready: false,
  canPayFees: true,
  globalFeePayerForOrgs: null,
  orgsAllowedToSignWithPrivateKey: null,
  solDebitApiKeys: null,
  tokenDebitApiKeys: null,
  networkCurrencyDebitLimits: null,
  tokenDebitLimits: null,
  frozenByOperator: false,
  dataLength: 0,
  ownerProgram: '11111111111111111111111111111111',
  lamports: { balance: '1000', reserved: '0' },
  rentPayer: null,
  creation: null,
  last: null,
}

export const account: AccountContext = { ...holding, tokenDecimals: null }

export const position: PositionContext = {
  ...holding,
  owner: ref('Owner111'),
  mint: ref('Mint1111'),
  program: 'TOKEN_2022',
  decimals: 2,
  tokens: { balance: '500', reserved: '0' },
}

export const lookupTable: LookupTableContext = {
  ...holding,
  authority: ref('Auth1111'),
  addresses: ['Addr2222', 'Addr3333'],
  extendedAtSlot: 10,
  deactivatedAtSlot: null,
}

export const instrument: InstrumentContext = {
  ...holding,
  version: 'TOKEN_2022',
  decimals: 2,
  supply: { balance: '500', reserved: '0' },
  authorities: {
    transferHookProgram: null,
    mintAuthority: ref('Mint1111'),
    updateAuthority: null,
    freezeAuthority: ref('Freeze11'),
    permanentDelegateAuthority: null,
    closingAuthority: null,
    pausableAuthority: ref('Pause111'),
    scaledUiAmountAuthority: null,
    transferHookAuthority: null,
    confidentialTransferAuthority: null,
    confidentialMintBurnAuthority: null,
    metadataPointerAuthority: null,
  },
  onchainData: { name: 'Bond', symbol: 'BND', uri: '', simpleCustomMetadata: { isin: 'X' } },
  offchainData: { description: null, simpleCustomMetadata: null, complexCustomMetadata: null, logo: null },
  defaultPositionState: 'INITIALIZED',
  paused: false,
  scaledUiAmountMultiplier: '1',
  extensions: ['PAUSABLE'],
}

export const nonce: NonceContext = {
  ...holding,
  references: { ...holding.references, type: 'NONCE' },
  canPayFees: false,
  dataLength: 80,
  authority: ref('Nonces11'),
  value: 'Value111',
  valueSlot: 10,
  lease: null,
}

export const dataSource: DataSourceContext = {
  ...holding,
  references: { ...holding.references, type: 'ASSET_TOKEN' },
  canPayFees: false,
  protocol: 'PUBLISHED_FEED',
  financialInstrument: ref('Mint1111'),
  dataKind: 'PRICE',
  ratingProvider: null,
  providerKind: 'QUOTES',
  jobDefinition: '{"tasks":[{"valueTask":{"value":1}}]}',
  jobHash: '00112233445566778899aabbccddeeff',
  definedBy: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['MARKET_DATA_WRITE'],
    clusters: null,
  },
  payer: 'Payer111',
  authority: ref('Feeds111'),
  latest: { value: '1.5', asOf: 1_795_000_000, slot: 10, sequence: 1 },
  landedSlot: 11,
  issued: 1,
  lastRun: { at: AT, value: '1.5', jobs: [{ succeeded: true, value: '1.5', error: null }] },
}

export const fixed: TransactionFixed = {
  endpoint: '/api/v1/positions/transfer',
  organization: 'ACME',
  feePayer: ref('Payer111'),
  fee: '5000',
  accounts: [ref('Payer111')],
  instructions: [{ type: 'TransferChecked', programId: 'Token111' }],
  version: 'V0',
  lifetime: 'RECENT_BLOCKHASH',
  blockhash: 'Hash1111',
  blockhashSlot: 10,
  lastValidBlockHeight: 160,
  nonceAccount: null,
  messageHash: '00',
  message: 'AA==',
  computeUnitsLimit: 200_000,
  computeUnitPrice: null,
  signers: [ref('Payer111'), ref('Owner111')],
  entries: [],
  preparedAt: AT,
  requestedBy: 'key1',
}

export const approval: Approval = {
  entries: [
    { limit: 'one', approvers: ['key1', 'key2', 'key3'], required: 1, shown: {} },
    { limit: 'other', approvers: ['key3'], required: 1, shown: {} },
  ],
  requesters: ['key1'],
  intent: '00',
  given: [],
  expiresAt: '2026-11-21T10:00:00.000Z',
  then: 'SEND',
}

export const countersignature: CountersignatureContext = {
  transactionId: 'tx-1',
  requester: { tenant: 'ACME', organization: 'ACME' },
  messageHash: '00',
  feePayer: 'Payer111',
  blockhash: 'Hash1111',
  blockhashSlot: 10,
  lastValidBlockHeight: 160,
  nonceAccount: null,
  signatures: [
    { address: 'Payer111', signature: 'sig1' },
    { address: 'Owner111', signature: null },
  ],
  entries: [],
  debits: [
    { tenant: 'ACME', record: 'wallet1', mint: null, operation: 'TRANSFER', destination: 'MANAGED', amount: '7' },
  ],
  signature: 'sig1',
  slot: null,
  givenAt: AT,
  endedAt: null,
  proof: null,
}

export const organization: OrganizationContext = {
  externalId: 'ACME',
  name: 'Acme',
  parentExternalId: null,
  allowedPrograms: [],
  system: false,
}

export const apiKey: ApiKeyContext = {
  keyId: 'key1',
  organization: 'ACME',
  name: 'ops',
  roles: ['ACCOUNTS_READ'],
  secretHash: 'aa',
  previousSecretHash: null,
  previousUntil: null,
  expiresAt: null,
  clusters: null,
  createdAt: AT,
  createdBy: 'key0',
  lastUsedAt: null,
  rotatedAt: null,
  approvalsSuspendedUntil: null,
}

const plannedStep = { records: [], transactionId: null, done: false }

export const plan: PlanContext = {
  organization: 'ACME',
  endpoint: 'POST /api/v1/durable-nonce-accounts',
  requestId: 'r1',
  requester: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['NONCES_WRITE'],
    clusters: null,
  },
  purpose: 'createNonces',
  config: null,
  steps: [
    { ...plannedStep, data: { first: 0 } },
    { ...plannedStep, data: { first: 4 }, records: ['n4'] },
  ],
  reason: null,
  startedAt: AT,
  endedAt: null,
}

export const suspension: SuspensionContext = {
  scope: { tenant: 'ACME', organization: null, lane: null },
  by: 'key1',
  at: AT,
}

export const webhook: WebhookContext = {
  organization: 'ACME',
  url: 'https://example.org/hook',
  eventTypes: ['account.*'],
  createdAt: AT,
  createdBy: 'key1',
  cursor: 10,
  waiting: [
    { resource: 'a1', sequence: 4, failures: 2, dueAt: AT },
    { resource: 'a2', sequence: 9, failures: 1, dueAt: AT },
  ],
  round: 0,
  attempts: [],
  lastDeliveredAt: null,
  rotatedAt: null,
  previousSecretUntil: null,
  disabledAt: null,
  disabledBecause: null,
}

const terms = {
  instrument: ref('Bond1111'),
  apy: 100_000,
  loanToValueRatio: 500_000,
  liquidationRatio: 800_000,
  maxPriceAgeSeconds: 600,
  source: ref('Feed1111'),
}

export const strategy: StrategyContext = {
  protocol: 'ESCROW_VAULT',
  organization: 'LEND',
  vault: ref('Vault111'),
  position: ref('VaultPos'),
  instrument: ref('Cash1111'),
  decimals: 6,
  source: ref('Feed2222'),
  collateral: [terms],
  duration: { code: 'DAYS', unit: 30 },
  borrowers: null,
  originationsEnabled: true,
  originationCap: null,
  liquidityBuffer: null,
  createdAt: AT,
  updatedAt: AT,
}

export const lender = { account: ref('Vault111'), tenant: 'LEND', organization: 'LEND' }

export const debt: Debt = {
  strategy: 'strategy-1',
  instrument: ref('Cash1111'),
  decimals: 6,
  position: ref('BorrowerCash'),
  source: ref('Feed2222'),
  terms: [terms],
  apy: 100_000,
  duration: { code: 'DAYS', unit: 30 },
  startedAt: 1_000_000,
  endsAt: 3_592_000,
  principalDue: '1000000',
  principalRepaid: '0',
  interestRepaid: '0',
  interest: '0',
  updatedAt: 1_000_000,
}

export const loan: LoanContext = {
  protocol: 'ESCROW_VAULT',
  organization: 'ACME',
  escrow: ref('Escrow11'),
  borrower: ref('Borrower'),
  lender,
  pledged: [],
  debts: [],
  lastChange: null,
  open: 'tx-1',
  plan: null,
  requestedAt: AT,
  creation: null,
  last: null,
}

export const origination: LoanChange = {
  id: 'tx-1',
  at: 1_000_000,
  deposits: [{ instrument: ref('Bond1111'), decimals: 2, position: ref('EscrowBond'), amount: '500' }],
  withdrawals: [],
  payments: [],
  lending: { lender, debts: [debt] },
}
