// Requests that create a transaction, one for every such endpoint, to be tried with an escrow as the payer.
import type { Client } from '../client.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'

interface Stage {
  readonly vault: Ids
  readonly cash: Ids
  /** Members that name the loan. */
  readonly loan: object
  /** A new loan, and an asset of the borrower that could be pledged for it. */
  readonly wanted: object
  readonly item: object
}

const exact = ({ onchainId }: Ids) => ({ onchainId })

/** By endpoint: a body that would succeed with another payer. */
export async function bodiesThatWouldDo(
  { api, records }: { readonly api: Client; readonly records: Records },
  { onchainId }: Ids,
  { vault, cash, loan, wanted, item }: Stage,
): Promise<Readonly<Record<string, object>>> {
  const own = { onchainId }
  const config = { feePayer: own }
  const mint = {
    mintAccount: {},
    version: 'TOKEN_2022',
    mintAuthority: own,
    freezeAuthority: own,
    pausableAuthority: own,
    closingAuthority: own,
    onchainData: { decimals: 0, name: 'Note', symbol: 'N' },
  }
  const issue = async (more: object = {}) =>
    exact(
      (
        await api.ok<{ newFinancialInstrument: Ids }>(
          201,
          'POST',
          '/financial-instruments',
          { ...mint, ...more },
          { config },
        )
      ).newFinancialInstrument,
    )
  const [instrument, paused] = [await issue(), await issue()]
  await api.ok(200, 'PATCH', '/financial-instruments/pause', { financialInstrument: paused }, { config })
  const { newPosition } = await api.ok<{ newPosition: Ids }>(
    201,
    'POST',
    '/positions',
    { owner: own, financialInstrument: instrument },
    { config },
  )
  const position = { position: exact(newPosition) }
  const newTable = {
    addressLookupTable: {},
    authority: own,
    componentAddresses: [{ ...exact(vault), offPlatform: true }],
  }
  const table = exact(
    (await api.ok<{ newAddressLookupTable: Ids }>(201, 'POST', '/address-lookup-tables', newTable, { config }))
      .newAddressLookupTable,
  )
  const providing = (value: number) => ({
    oracleProviderDetails: { kind: 'QUOTES', jobDefinition: `{"tasks":[{"valueTask":{"value":${value}}}]}` },
  })
  const newSource = {
    defiProtocol: 'PUBLISHED_FEED',
    onchainDataSource: {},
    financialInstrument: instrument,
    onchainDataSourceAuthority: own,
    dataDetails: { kind: 'PRICE' },
    ...providing(1),
  }
  const source = {
    onchainDataSource: exact(
      (
        await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', '/market-data/onchain-data-source', newSource, {
          config,
        })
      ).newOnchainDataSource,
    ),
  }
  const [spare, leaving] = [exact(await records.account()), exact(await records.funded({}, SOL))]
  const leg = { source: own, destination: spare, lamports: 1_000_000 }
  return {
    'POST /accounts': { seedLamports: 1_000_000 },
    'PATCH /accounts/inactivate': { account: leaving, refundDestination: own },
    'POST /financial-instruments': { mintAccount: {}, version: 'SPL', mintAuthority: own },
    'PATCH /financial-instruments': { mintAccount: instrument, updateAuthority: own, onchainData: { name: 'Other' } },
    'PATCH /financial-instruments/authorities': { financialInstrument: instrument, authorities: { pausable: spare } },
    'PATCH /financial-instruments/pause': { financialInstrument: instrument },
    'PATCH /financial-instruments/unpause': { financialInstrument: paused },
    'PATCH /financial-instruments/close': { financialInstrumentToClose: instrument },
    'POST /positions': { owner: spare, financialInstrument: instrument },
    'PATCH /positions/freeze': { position },
    'PATCH /positions/unfreeze': { position },
    'POST /positions/mint': { destination: position, lamports: 1 },
    'POST /positions/burn': { source: position, lamports: 1 },
    'POST /positions/transfer': {
      source: position,
      destination: { owner: spare, financialInstrument: instrument },
      lamports: 1,
      initializeDestinationPositionIfNeeded: true,
    },
    'POST /positions/transfer-network-currency': leg,
    'POST /positions/trade': { legs: [leg, leg] },
    'PATCH /positions/close': { position },
    'POST /batches': { operation: 'TRANSFER_NETWORK_CURRENCY', items: [leg] },
    'POST /distributions': {
      financialInstrument: instrument,
      recordAt: new Date().toISOString(),
      source: { owner: own },
      payout: { total: 0.001 },
    },
    'POST /address-lookup-tables': newTable,
    'PATCH /address-lookup-tables/extend': { addressLookupTable: table, componentAddresses: [exact(cash)] },
    'PATCH /address-lookup-tables': { addressLookupTable: table, action: 'FREEZE' },
    'POST /durable-nonce-accounts': { nonceAuthority: own, count: 1 },
    'POST /market-data/onchain-data-source': newSource,
    'PATCH /market-data/onchain-data-source': { ...source, ...providing(2) },
    'PATCH /market-data/onchain-data-source/refresh': source,
    'POST /loans': wanted,
    'PATCH /loans/swap-collateral': { ...loan, itemsToDeposit: [item] },
    'PATCH /loans/repay': { ...loan, itemsToRepay: [item] },
    'PATCH /loans/refinance': { ...loan, lendingDetails: { loanStrategyAddress: spare.onchainId } },
    'PATCH /loans/liquidate': loan,
    'PATCH /loans/close': loan,
  }
}

/** The endpoints of loans have their own refusals. */
export function refusalOf(name: string, endpoint: string): RegExp {
  if (endpoint === 'PATCH /loans/liquidate') return name === 'LENDER' ? /^LOAN_NOT_LIQUIDATABLE$/ : /^LENDER_REQUIRED$/
  if (name === 'LENDER' && /^PATCH \/loans/.test(endpoint)) return /^BORROWER_REQUIRED$/
  if (endpoint === 'PATCH /loans/close') return /^LOAN_NOT_REPAID$/
  if (/\/loans/.test(endpoint))
    return name === 'LENDER'
      ? /^(BORROWER_NOT_ACCEPTED|ACCOUNT_NOT_FOUND|POSITION_NOT_FOUND|FEE_PAYER_NOT_BORROWER)$/
      : /^FEE_PAYER_NOT_BORROWER$/
  // The lender gets no information about an account of another tenant.
  return name === 'LENDER' ? /^(ESCROW_LOCKED|ACCOUNT_NOT_FOUND|POSITION_NOT_FOUND)$/ : /^ESCROW_LOCKED$/
}
