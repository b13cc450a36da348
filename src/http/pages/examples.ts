// Example bodies of the endpoints. A bulk query needs none: it is made from the fields of its resource.
import type { Route } from '../route.ts'
import { MORE_EXAMPLES } from './more-examples.ts'

const WALLET = { offchainReferences: { code: 'TREASURY', type: 'WALLET' } }
const CLIENT = { offchainReferences: { code: 'CLIENT-7', type: 'WALLET' } }
const FEE_PAYER = { feePayer: { offchainReferences: { code: 'FEES', type: 'WALLET' } } }
const SOURCE = { offchainReferences: { code: 'BOND-A-PRICE', type: 'ASSET_TOKEN' } }
const TOKEN = { offchainReferences: { code: 'BOND-A', type: 'ASSET_TOKEN' } }

const CASH = { offchainReferences: { code: 'CASH', type: 'FUNDS_TOKEN' } }
const LOAN = { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } }

const EXAMPLES: Readonly<Record<string, object>> = {
  'POST /api/v1/accounts': {
    itemData: { managed: true, offchainReferences: { code: 'TREASURY', type: 'WALLET' }, seedAmount: 0.5 },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/accounts/single': { itemData: WALLET },
  'POST /api/v1/accounts/single/balance': { itemData: WALLET },
  'POST /api/v1/financial-instruments': {
    itemData: {
      mintAccount: { managed: true, offchainReferences: { code: 'BOND-A', type: 'ASSET_TOKEN' } },
      mintAuthority: { offchainReferences: { code: 'ISSUER', type: 'TOKEN_MANAGEMENT_AUTHORITY' } },
      version: 'TOKEN_2022',
      onchainData: { symbol: 'BNDA', name: 'Bond A', decimals: 2 },
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/financial-instruments/holders/bulk': {
    itemData: { financialInstrument: TOKEN, asOf: '2026-03-31T22:00:00Z' },
    itemQuery: { limit: 100, sort: [{ fieldName: 'tokenBalance', sortDirection: 'DESC' }] },
  },
  'POST /api/v1/financial-instruments/single': { itemData: TOKEN },
  'PATCH /api/v1/financial-instruments/authorities': {
    itemData: {
      financialInstrument: TOKEN,
      authorities: { mint: { offchainReferences: { code: 'ISSUER-2' } }, pausable: null },
      confirm: true,
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/positions': {
    itemData: { owner: WALLET, financialInstrument: TOKEN },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/positions/mint': {
    itemData: { destination: { owner: WALLET, financialInstrument: TOKEN }, amount: 1000, memo: 'first issue' },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/positions/burn': {
    itemData: { source: { owner: WALLET, financialInstrument: TOKEN }, amount: '12.50' },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/positions/transfer': {
    itemData: {
      source: { owner: WALLET, financialInstrument: TOKEN },
      destination: { owner: CLIENT, financialInstrument: TOKEN },
      amount: 12.5,
      initializeDestinationPositionIfNeeded: true,
      idempotencyId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
    },
    chainTransactionConfig: { ...FEE_PAYER, commitmentConfig: { commitmentLevel: 'confirmed' } },
  },
  'POST /api/v1/positions/transfer-network-currency': {
    itemData: {
      source: WALLET,
      destination: { onchainId: '11111111111111111111111111111112', offPlatform: true },
      lamports: 1_000_000,
    },
  },
  'POST /api/v1/positions/trade': {
    itemData: {
      legs: [
        {
          source: { owner: WALLET, financialInstrument: TOKEN },
          destination: { owner: CLIENT, financialInstrument: TOKEN },
          amount: 100,
        },
        { source: CLIENT, destination: WALLET, amount: '2.5' },
      ],
      memo: 'delivery against payment',
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'PATCH /api/v1/positions/close': {
    itemData: { position: { owner: WALLET, financialInstrument: TOKEN }, burnRemainingTokenBalance: true },
  },
  'POST /api/v1/positions/single': { itemData: { owner: WALLET, financialInstrument: TOKEN } },
  'POST /api/v1/approval-policies': {
    itemData: {
      operations: ['MINT', 'BURN'],
      financialInstrument: TOKEN,
      above: 1000,
      approvers: ['0aB1cD2eF3gH', '1bC2dE3fG4hI'],
      requiredApproversCount: 1,
    },
  },
  'PATCH /api/v1/approval-policies': {
    itemData: {
      offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
      approvers: ['0aB1cD2eF3gH'],
      requiredApproversCount: 1,
    },
  },
  'PATCH /api/v1/approval-policies/release': {
    itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11', reason: 'both approvers have left' },
  },
  'PATCH /api/v1/approval-policies/keep': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/pending-changes/approve': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/pending-changes/reject': {
    itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11', reason: 'not agreed' },
  },
  'POST /api/v1/pending-changes/single': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/approval-policies/single': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/counterparties': {
    itemData: {
      name: 'Supplier Ltd',
      status: 'ALLOWED',
      externalReference: 'CRM-4711',
      addresses: [{ onchainId: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', label: 'treasury' }],
    },
  },
  'PATCH /api/v1/counterparties': {
    itemData: { counterparty: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' }, status: 'BLOCKED' },
  },
  'POST /api/v1/counterparties/single': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/batches': {
    itemData: {
      operation: 'TRANSFER',
      items: [
        {
          source: { owner: WALLET, financialInstrument: CASH },
          destination: { owner: CLIENT, financialInstrument: CASH },
          amount: '12.5',
          externalReference: 'COUPON-2026-1',
        },
      ],
      stopOnFailure: false,
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/distributions': {
    itemData: {
      financialInstrument: TOKEN,
      recordAt: '2026-03-31T22:00:00Z',
      source: { owner: WALLET },
      payout: { financialInstrument: CASH, total: '12500.00' },
      excluded: [WALLET],
      minimum: '0.01',
      externalReference: 'COUPON-2026-1',
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/distributions/single': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'PATCH /api/v1/distributions/cancel': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/batches/single': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'PATCH /api/v1/batches/cancel': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'PATCH /api/v1/batches/retry': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/schedules': {
    itemData: {
      operation: 'TRANSFER',
      itemData: {
        source: { owner: WALLET, financialInstrument: CASH },
        destination: { owner: CLIENT, financialInstrument: CASH },
        amount: '12.5',
      },
      startAt: '2027-01-01T00:00:00Z',
      at: { dayOfMonth: 31, time: '09:00', zone: 'Europe/Berlin' },
      onMissed: 'RUN_ONCE',
      externalReference: 'RENT-2027',
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'POST /api/v1/payment-requests': {
    itemData: {
      destination: WALLET,
      financialInstrument: CASH,
      amount: '49.90',
      externalReference: 'INV-2026-0042',
      memo: 'Invoice 42',
      expiresAt: '2027-01-31T23:59:59Z',
    },
  },
  'POST /api/v1/payment-requests/single': { itemData: { offchainId: '2c5f6a0e-2f4e-4a3b-8f43-1b6f0d2c3e33' } },
  'PATCH /api/v1/payment-requests/cancel': { itemData: { offchainId: '2c5f6a0e-2f4e-4a3b-8f43-1b6f0d2c3e33' } },
  'POST /api/v1/schedules/single': { itemData: { offchainId: '8d0c7a51-5f0b-4c0e-8f3e-6f0a3f0f2b22' } },
  'PATCH /api/v1/schedules/pause': { itemData: { offchainId: '8d0c7a51-5f0b-4c0e-8f3e-6f0a3f0f2b22' } },
  'PATCH /api/v1/schedules/resume': { itemData: { offchainId: '8d0c7a51-5f0b-4c0e-8f3e-6f0a3f0f2b22' } },
  'PATCH /api/v1/schedules/cancel': { itemData: { offchainId: '8d0c7a51-5f0b-4c0e-8f3e-6f0a3f0f2b22' } },
  'POST /api/v1/accounts/discover': { itemData: { owner: WALLET } },
  'POST /api/v1/statements': {
    itemData: { account: WALLET, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', format: 'CSV' },
  },
  'POST /api/v1/loans': {
    itemData: {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: {
        loanStrategyAddress: '11111111111111111111111111111112',
        expectedLoanValues: { expectedApy: 80_000, expectedLqt: [800_000] },
      },
      itemsToBorrow: [{ positionLookup: { owner: WALLET, financialInstrument: CASH }, amount: 1_000 }],
      itemsToPledge: [{ positionLookup: { owner: WALLET, financialInstrument: TOKEN }, amount: 25 }],
      duration: { code: 'DAYS', unit: 90 },
    },
    chainTransactionConfig: { feePayer: WALLET },
  },
  'PATCH /api/v1/loans/swap-collateral': {
    itemData: {
      ...LOAN,
      itemsToDeposit: [{ positionLookup: { owner: WALLET, financialInstrument: TOKEN }, amount: 10 }],
      itemsToWithdraw: [{ positionLookup: { owner: WALLET, financialInstrument: CASH }, amount: 5 }],
    },
  },
  'PATCH /api/v1/loans/repay': {
    itemData: {
      ...LOAN,
      itemsToRepay: [{ positionLookup: { owner: WALLET, financialInstrument: CASH }, repayAll: true }],
      itemsToRelease: [{ positionLookup: { owner: WALLET, financialInstrument: TOKEN }, amount: 25 }],
    },
  },
  'PATCH /api/v1/loans/refinance': {
    itemData: { ...LOAN, lendingDetails: { loanStrategyAddress: '11111111111111111111111111111112' } },
  },
  'PATCH /api/v1/loans/liquidate': { itemData: LOAN },
  'PATCH /api/v1/loans/close': { itemData: LOAN },
  'POST /api/v1/loans/single': { itemData: { escrow: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } } },
  'POST /api/v1/loans/strategies': {
    itemData: {
      strategyAccount: { offchainReferences: { code: 'VAULT' } },
      financialInstrument: CASH,
      collateral: [
        {
          financialInstrument: TOKEN,
          apy: 80_000,
          loanToValueRatio: 600_000,
          liquidationRatio: 800_000,
          maxPriceAgeSeconds: 3_600,
        },
      ],
      duration: { code: 'MONTHS', unit: 3 },
      originationsEnabled: true,
      originationCap: 250_000,
      liquidityBuffer: 100_000,
    },
  },
  'PATCH /api/v1/loans/strategies': {
    itemData: { strategy: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' }, originationsEnabled: false },
  },
  'POST /api/v1/loans/strategies/single': {
    itemData: { strategy: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  },
  'POST /api/v1/market-data/onchain-data-source': {
    itemData: {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: SOURCE,
      financialInstrument: TOKEN,
      onchainDataSourceAuthority: { offchainReferences: { code: 'PUBLISHER', type: 'TOKEN_MANAGEMENT_AUTHORITY' } },
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: {
        kind: 'QUOTES',
        jobDefinition:
          '{"tasks":[{"httpTask":{"url":"https://prices.example/bond-a"}},{"jsonParseTask":{"path":"$.price"}}]}',
      },
    },
    chainTransactionConfig: FEE_PAYER,
  },
  'PATCH /api/v1/market-data/onchain-data-source': {
    itemData: {
      onchainDataSource: SOURCE,
      oracleProviderDetails: { jobDefinition: '{"tasks":[{"valueTask":{"big":"101.25"}}]}' },
    },
  },
  'PATCH /api/v1/market-data/onchain-data-source/refresh': { itemData: { onchainDataSource: SOURCE } },
  'POST /api/v1/market-data/onchain-data-source/single': { itemData: { onchainDataSource: SOURCE } },
  'POST /api/v1/transactions/status': { itemData: { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' } },
  'POST /api/v1/admin/organizations': { itemData: { externalId: 'ACME', name: 'Acme Capital' } },
  'POST /api/v1/admin/api-keys': { itemData: { organizationExternalId: 'ACME', name: 'payments', bundle: 'OPERATOR' } },
}

export function exampleOf({ method, path }: Pick<Route, 'method' | 'path'>): object | undefined {
  return EXAMPLES[`${method} ${path}`] ?? MORE_EXAMPLES[`${method} ${path}`]
}
