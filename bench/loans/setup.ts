// The scene of the loans: a vault that lends cash against shares, its prices, and borrowers with shares to pledge and
// cash for the interest. Borrowers pay their own fees.
import { Connection } from '@solana/web3.js'
import type { ServiceProcess } from '../service/process.ts'
import { inParallel, type Ids, type Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { LoanSettings } from './traffic.ts'
import { fundFeePayer, makeInstrument, makePosition, makeWallet } from '../service/assets.ts'

const BORROWERS = 64
export const PRINCIPAL = 100_000_000n
export const PLEDGE = 400_000_000n
/** Raw units: enough for any number of concurrent loans. */
export const VAULT_CASH = 1_000_000_000_000_000n
export const BORROWER_CASH = 1_000_000_000_000n
export const BORROWER_SHARES = 1_000_000_000_000_000n
const AT_ONCE = 16

export interface Borrower {
  readonly wallet: Ids
  readonly cash: Ids
  readonly shares: Ids
}

export interface LoanScene {
  readonly apiKey: string
  readonly rest: Rest
  readonly vault: Ids
  readonly vaultCash: Ids
  readonly cash: Ids
  readonly shares: Ids
  readonly borrowers: readonly Borrower[]
}

/** The settings of the traffic for the scene. */
export function settingsOf(scene: LoanScene): LoanSettings {
  return {
    apiKey: scene.apiKey,
    vault: scene.vault.onchainId,
    cash: scene.cash.offchainId,
    shares: scene.shares.offchainId,
    borrowers: scene.borrowers.map(({ wallet }) => wallet.offchainId),
    principal: String(PRINCIPAL),
    pledge: String(PLEDGE),
  }
}

export async function prepare(service: ServiceProcess, chain: Connection): Promise<LoanScene> {
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  await fundFeePayer(chain, await makeWallet(rest, { canPayFees: true }))
  const authority = await makeWallet(rest, { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'MINT' } })
  const publisher = await makeWallet(rest, {
    offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'FEEDS' },
  })
  const [cash, shares] = [await makeInstrument(rest, authority), await makeInstrument(rest, authority)]
  for (const instrument of [cash, shares]) await publish(rest, instrument, publisher)
  const vault = await makeWallet(rest, { offchainReferences: { code: 'VAULT' } })
  const vaultCash = await makePosition(rest, vault, cash, VAULT_CASH)
  await rest.post('/loans/strategies', {
    itemData: {
      strategyAccount: { offchainId: vault.offchainId },
      financialInstrument: { offchainId: cash.offchainId },
      originationsEnabled: true,
      duration: { code: 'DAYS', unit: 30 },
      collateral: [
        {
          financialInstrument: { offchainId: shares.offchainId },
          apy: 100_000,
          loanToValueRatio: 500_000,
          liquidationRatio: 800_000,
          maxPriceAgeSeconds: 86_400,
        },
      ],
    },
  })
  const borrowers = await inParallel(BORROWERS, AT_ONCE, async (index) => {
    const wallet = await makeWallet(rest, { canPayFees: true, offchainReferences: { code: `BORROWER-${index}` } })
    const [ownCash, ownShares] = [
      await makePosition(rest, wallet, cash, BORROWER_CASH),
      await makePosition(rest, wallet, shares, BORROWER_SHARES),
    ]
    await fundFeePayer(chain, wallet)
    await rest.post('/accounts/single/balance', { itemData: { offchainId: wallet.offchainId } })
    return { wallet, cash: ownCash, shares: ownShares }
  })
  return { apiKey, rest, vault, vaultCash, cash, shares, borrowers }
}

/** Publishes a price of one. */
async function publish(rest: Rest, instrument: Ids, publisher: Ids): Promise<void> {
  await rest.post('/market-data/onchain-data-source', {
    itemData: {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument: { offchainId: instrument.offchainId },
      onchainDataSourceAuthority: { offchainId: publisher.offchainId },
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: {
        kind: 'QUOTES',
        jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big: '1' } }] }),
      },
    },
  })
}
