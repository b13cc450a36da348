// SIGKILL between the signing of a transaction of a loan and its settlement, once before it was sent and once after it
// landed unnoticed: there is one loan, one repayment and one refinancing, on chain and in the books, and the
// idempotency key returns them.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { isBusy, refOf, type Answer, type Body, type Ref } from './api.ts'
import { recordsOnDisk } from './audit.ts'
import { startOutsideChain, type OutsideChain } from './chain.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf, settle, tokenAddress, type Instrument, type Setup } from './setup.ts'
import { until } from './until.ts'

/** A blockhash must outlive a restart: 150 of these slots are a minute. */
const SLOT_MS = 400
const UNSENT = { dropRequests: { sendTransaction: ALWAYS } }
/** It lands, and the service cannot observe it. */
const UNNOTICED = { dropReplies: { sendTransaction: ALWAYS }, dropRequests: { getSignatureStatuses: ALWAYS } }

interface EngineFixture {
  readonly chain: OutsideChain
  readonly dataDir: string
  service: Service
}

interface Write {
  readonly method: string
  readonly path: string
  readonly itemData: object
  readonly key: string
}

const start = (chain: OutsideChain, dataDir: string): Promise<Service> =>
  startService({ dataDir, settings: chain.settings }, chain.rpcUrl)
const send = ({ service }: EngineFixture, { method, path, itemData, key }: Write, prefer?: string): Promise<Answer> =>
  service.api.send(method, path, itemData, {
    headers: { 'idempotency-key': key, ...(prefer === undefined ? {} : { prefer }) },
  })
const transactionIn = ({ body }: Answer): Body => body['chainTransaction'] as Body
const readBalance = async ({ connection }: Service, owner: Ref, instrument: Instrument): Promise<bigint> =>
  BigInt(
    (await connection.getTokenAccountBalance(new PublicKey(tokenAddress(owner, instrument)), 'confirmed')).value.amount,
  )

/**
 * Signs the change, kills the service before the settlement, starts it again, and returns the answer of the key after
 * the settlement.
 */
async function killedUnder(fixture: EngineFixture, faults: object, write: Write): Promise<Answer> {
  const { rpcUrl } = fixture.chain
  await setFaults(rpcUrl, faults)
  const first = await send(fixture, write, 'respond-async')
  expect([200, 201], JSON.stringify(first.body)).toContain(first.status)
  expect(['SIGNED', 'SUBMITTED', 'PROCESSED'], JSON.stringify(first.body)).toContain(transactionIn(first)['status'])
  const signature = transactionIn(first)['onchainId'] as string
  // Not by its status, which the faults hide.
  const landed = async (): Promise<boolean> =>
    (await fixture.service.connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })) !== null
  if (faults === UNNOTICED) await until(async () => (await landed()) || undefined, 'it landed')
  else expect(await landed()).toBe(false)
  await fixture.service.kill()
  const open = (await recordsOnDisk(fixture.dataDir)).filter(
    ({ kind, value }) => kind === 'transaction' && /^(signed|submitted)$/.test(value),
  )
  expect(open).toHaveLength(1)

  await setFaults(rpcUrl, {})
  fixture.service = await start(fixture.chain, fixture.dataDir)
  const finalAnswer = await until(async () => {
    const answer = await send(fixture, write)
    return !isBusy(answer) && transactionIn(answer)['status'] === 'FINALIZED' ? answer : undefined
  }, 'its key answers that it is final, and the loan can be changed again')
  expect(finalAnswer).toMatchObject({
    status: first.status,
    replayed: true,
    body: { chainTransaction: { success: true } },
  })
  const { chainTransaction, ...members } = finalAnswer.body as { chainTransaction: Body }
  expect(chainTransaction).toMatchObject({ onchainId: signature, offchainId: transactionIn(first)['offchainId'] })
  const { chainTransaction: _, ...atFirst } = first.body
  expect(members).toEqual(atFirst)
  return finalAnswer
}

async function lendingSetup(service: Service): Promise<Setup> {
  const setup = await settle(service, { owners: 3 })
  const { api, connection } = service
  const [vault, borrower, newVault] = setup.owners
  const authority = refOf(
    await api.make('/accounts', { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } }),
    'newAccount',
  )
  const body = { chainTransactionConfig: { feePayer: idOf(setup.feePayers[0]!) } }
  for (const instrument of setup.instruments) {
    const feed = {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument: idOf(instrument),
      onchainDataSourceAuthority: idOf(authority),
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: '{"tasks":[{"valueTask":{"big":"1"}}]}' },
    }
    await api.make('/market-data/onchain-data-source', feed, body)
  }
  await connection.requestAirdrop(new PublicKey(borrower!.onchainId), 1_000_000_000)
  const checkFunded = async (): Promise<true | undefined> => {
    const { offchain } = (await api.get('/accounts/single/balance', idOf(borrower!))) as {
      offchain: { lamports: number }
    }
    return offchain.lamports === 1_000_000_000 ? true : undefined
  }
  await until(checkFunded, 'the airdrop is in the books')
  const [principal, collateral] = setup.instruments
  const terms = { apy: 100_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, maxPriceAgeSeconds: 36_000 }
  for (const strategyAccount of [vault!, newVault!])
    await api.make('/loans/strategies', {
      strategyAccount: idOf(strategyAccount),
      financialInstrument: idOf(principal!),
      originationsEnabled: true,
      collateral: [{ financialInstrument: idOf(collateral!), ...terms }],
      duration: { code: 'DAYS', unit: 30 },
    })
  return setup
}

/** Raw units: 0.4 of the principal (six decimals) against ten of the collateral (two decimals); the vault has one. */
const LENT = 400_000
const PLEDGED = 1_000
const PAID = 100_000

async function lendAndRepay(
  fixture: EngineFixture,
  setup: Setup,
  [creating, repaying]: readonly [object, object],
  name: string,
): Promise<Ref> {
  const [vault, borrower] = setup.owners as [Ref, Ref]
  const [principal, collateral] = setup.instruments as [Instrument, Instrument]
  const at = (financialInstrument: Ref) => ({ owner: idOf(borrower), financialInstrument: idOf(financialInstrument) })
  const balances = () =>
    Promise.all([
      readBalance(fixture.service, vault, principal),
      readBalance(fixture.service, borrower, principal),
      readBalance(fixture.service, borrower, collateral),
    ])
  const count = async (): Promise<number> =>
    (await fixture.service.api.query('/loans/bulk', { itemQuery: {} }))['count'] as number
  const [vaultHad, borrowerHad, collateralHad] = await balances()
  const loansHad = await count()

  const creation = await killedUnder(fixture, creating, {
    method: 'POST',
    path: '/loans',
    key: `${name}: create`,
    itemData: {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(principal), lamports: String(LENT) }],
      itemsToPledge: [{ positionLookup: at(collateral), lamports: String(PLEDGED) }],
    },
  })
  const escrow = refOf(creation.body, 'newLoan')
  expect(await count()).toBe(loansHad + 1)
  expect(await balances()).toEqual([
    vaultHad - BigInt(LENT),
    borrowerHad + BigInt(LENT),
    collateralHad - BigInt(PLEDGED),
  ])
  expect(await readBalance(fixture.service, escrow, collateral)).toBe(BigInt(PLEDGED))

  await killedUnder(fixture, repaying, {
    method: 'PATCH',
    path: '/loans/repay',
    key: `${name}: repay`,
    itemData: {
      defiProtocol: 'ESCROW_VAULT',
      escrow: idOf(escrow),
      itemsToRepay: [{ positionLookup: at(principal), lamports: String(PAID) }],
    },
  })
  expect(await count()).toBe(loansHad + 1)
  expect(await balances()).toEqual([
    vaultHad - BigInt(LENT - PAID),
    borrowerHad + BigInt(LENT - PAID),
    collateralHad - BigInt(PLEDGED),
  ])
  const loan = await fixture.service.api.get('/loans/single', { escrow: idOf(escrow) })
  const [debt] = loan['borrowedItems'] as [{ principalDue: number; principalRepaid: number | string }]
  expect([loan['status'], debt.principalDue]).toEqual(['OPEN', 0.4])
  // Interest of about a minute is paid first: a few raw units.
  const repaidUnits = Math.round(Number(debt.principalRepaid) * 1e6)
  expect(repaidUnits).toBeLessThanOrEqual(PAID)
  expect(repaidUnits).toBeGreaterThan(PAID - 1_000)
  return escrow
}

/** The new vault pays off the old one. */
async function refinance(fixture: EngineFixture, setup: Setup, faults: object, escrow: Ref): Promise<void> {
  const [vault, borrower, newVault] = setup.owners as [Ref, Ref, Ref]
  const [principal, collateral] = setup.instruments as [Instrument, Instrument]
  const balances = () =>
    Promise.all([vault, newVault, borrower].map((owner) => readBalance(fixture.service, owner, principal)))
  const [vaultHad, newVaultHad, borrowerHad] = (await balances()) as [bigint, bigint, bigint]
  await killedUnder(fixture, faults, {
    method: 'PATCH',
    path: '/loans/refinance',
    key: `refinance ${escrow.onchainId}`,
    itemData: {
      defiProtocol: 'ESCROW_VAULT',
      escrow: idOf(escrow),
      lendingDetails: { loanStrategyAddress: newVault.onchainId },
    },
  })
  const [vaultHas, newVaultHas, borrowerHas] = (await balances()) as [bigint, bigint, bigint]
  const paid = vaultHas - vaultHad
  expect([newVaultHad - newVaultHas, borrowerHas]).toEqual([paid, borrowerHad])
  // What remained of the principal, and the interest of about a minute.
  expect(paid).toBeGreaterThanOrEqual(BigInt(LENT - PAID))
  expect(paid).toBeLessThan(BigInt(LENT - PAID) + 1_000n)
  const loan = await fixture.service.api.get('/loans/single', { escrow: idOf(escrow) })
  expect(loan).toMatchObject({ status: 'OPEN', lender: { onchain: { id: newVault.onchainId } } })
  const [debt, ...others] = loan['borrowedItems'] as [{ principalDue: number | string; principalRepaid: number }]
  expect([Math.round(Number(debt.principalDue) * 1e6), debt.principalRepaid, others]).toEqual([Number(paid), 0, []])
  expect(await readBalance(fixture.service, escrow, collateral)).toBe(BigInt(PLEDGED))
}

it('leaves one loan, one repayment and one refinancing', async () => {
  const chain = await startOutsideChain(SLOT_MS)
  const dataDir = newDataDir()
  const fixture: EngineFixture = { chain, dataDir, service: await start(chain, dataDir) }
  const setup = await lendingSetup(fixture.service)
  await refinance(fixture, setup, UNSENT, await lendAndRepay(fixture, setup, [UNSENT, UNNOTICED], 'first'))
  await refinance(fixture, setup, UNNOTICED, await lendAndRepay(fixture, setup, [UNNOTICED, UNSENT], 'second'))
  expect(await fixture.service.stop()).toBe(0)
  // A second result of a key would have left its own record.
  const records = await recordsOnDisk(dataDir)
  expect(records.filter(({ kind }) => kind === 'loan')).toHaveLength(2)
})
