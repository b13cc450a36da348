// SIGKILL around a loan of two transactions by a lending provider: once during the call of the provider, which leaves
// nothing, and once between the two transactions, after which the signed second transaction is sent. There is one loan,
// and the provider is not called again.
import { PublicKey } from '@solana/web3.js'
import { afterAll, expect, it } from 'vitest'
import { ScriptedProvider } from '../e2e/loans/scripted-provider.ts'
import { isBusy, refOf, type Answer, type Body, type Ref } from './api.ts'
import { recordsOnDisk } from './audit.ts'
import { startOutsideChain } from './chain.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf, settle, tokenAddress, type Instrument } from './setup.ts'
import { until } from './until.ts'

const SLOT_MS = 600
const FINALITY_SLOTS = 6
/** The first lands, and the service cannot observe it: it does not send the second. */
const UNNOTICED = { dropReplies: { sendTransaction: ALWAYS }, dropRequests: { getSignatureStatuses: ALWAYS } }
/** Raw units: 0.4 of the principal (six decimals) against ten of the collateral (two decimals). */
const LENT = 400_000
const PLEDGED = 1_000

let provider: ScriptedProvider | null = null
afterAll(() => provider?.close())

interface EngineFixture {
  readonly borrower: Ref
  readonly pool: Ref
  readonly principal: Instrument
  readonly collateral: Instrument
}

async function build(service: Service, lender: string): Promise<EngineFixture> {
  const { api, connection } = service
  const { owners, feePayers, instruments } = await settle(service, { owners: 1 })
  const [borrower, payer] = [owners[0]!, feePayers[0]!]
  const [principal, collateral] = instruments as [Instrument, Instrument]
  const body = { chainTransactionConfig: { feePayer: idOf(payer) } }
  await connection.requestAirdrop(new PublicKey(borrower.onchainId), 1_000_000_000)
  await connection.requestAirdrop(new PublicKey(lender), 1_000_000_000)
  // The vault is not ours: by default the borrower may pledge one unit at a time to it.
  await api.send('PATCH', '/accounts', { account: idOf(borrower), tokenDebitLimits: [] })
  const checkFunded = async (): Promise<true | undefined> => {
    const { offchain } = (await api.get('/accounts/single/balance', idOf(borrower))) as {
      offchain: { lamports: number }
    }
    return offchain.lamports === 1_000_000_000 ? true : undefined
  }
  await until(checkFunded, 'the airdrop is in the books')
  const noteLender = async (): Promise<Body> =>
    await api.make('/accounts', { managed: false, onchainId: lender, alreadyOnchain: true })
  const pool = refOf(
    await until(async () => await noteLender().catch(() => undefined), 'the pool is on chain'),
    'newAccount',
  )
  const position = refOf(
    await api.make('/positions', { owner: idOf(pool), financialInstrument: idOf(principal) }, body),
    'newPosition',
  )
  await api.make('/positions/mint', { destination: { position: idOf(position) }, lamports: 1_000_000 }, body)
  const authority = refOf(
    await api.make('/accounts', { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } }),
    'newAccount',
  )
  for (const instrument of instruments) {
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
  const terms = { apy: 100_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, maxPriceAgeSeconds: 36_000 }
  await api.make('/loans/strategies', {
    defiProtocol: 'SCRIPTED',
    strategyAccount: idOf(pool),
    financialInstrument: idOf(principal),
    originationsEnabled: true,
    collateral: [{ financialInstrument: idOf(collateral), ...terms }],
    duration: { code: 'DAYS', unit: 30 },
  })
  return { borrower, pool, principal, collateral }
}

interface Result extends Body {
  readonly onchainId: string
  readonly status: string
}

it('leaves one loan, made of the transactions that were signed first', async () => {
  const scripted = await ScriptedProvider.open()
  provider = scripted
  const chain = await startOutsideChain(SLOT_MS, FINALITY_SLOTS)
  const dataDir = newDataDir()
  const settingEntries = Object.entries(scripted.settings()).map(([name, text]) => [
    name.replace('HOLDFAST_', ''),
    text,
  ])
  const settings = { ...chain.settings, ...(Object.fromEntries(settingEntries) as Record<string, string>) }
  const start = (): Promise<Service> => startService({ dataDir, settings }, chain.rpcUrl)
  let service = await start()
  scripted.connection = service.connection
  const { borrower, pool, principal, collateral } = await build(service, scripted.address)
  const at = (financialInstrument: Ref) => ({ owner: idOf(borrower), financialInstrument: idOf(financialInstrument) })
  const itemData = {
    defiProtocol: 'SCRIPTED',
    lendingDetails: { loanStrategyAddress: scripted.address },
    itemsToBorrow: [{ positionLookup: at(principal), lamports: String(LENT) }],
    itemsToPledge: [{ positionLookup: at(collateral), lamports: String(PLEDGED) }],
  }
  const send = (): Promise<Answer> =>
    service.api.send('POST', '/loans', itemData, {
      headers: { 'idempotency-key': 'one loan', prefer: 'respond-async' },
    })
  const readBalance = async (owner: Ref, instrument: Instrument): Promise<bigint> =>
    BigInt(
      (await service.connection.getTokenAccountBalance(new PublicKey(tokenAddress(owner, instrument)), 'confirmed'))
        .value.amount,
    )
  const landed = async (signature: string): Promise<boolean> =>
    (await service.connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })) !== null
  const kindsOnDisk = async (): Promise<string[]> => (await recordsOnDisk(dataDir)).map(({ kind }) => kind)
  const [borrowerHad, collateralHad, poolHad] = await Promise.all([
    readBalance(borrower, principal),
    readBalance(borrower, collateral),
    readBalance(pool, principal),
  ])

  // During the call of the provider.
  const firstOrder = new Promise<void>((resolve) => {
    scripted.tamper = () => {
      resolve()
      return new Promise(() => undefined)
    }
  })
  const unanswered = send().catch(() => undefined)
  await firstOrder
  await service.kill()
  await unanswered
  expect(await kindsOnDisk()).not.toEqual(expect.arrayContaining(['loan']))
  expect(await kindsOnDisk()).not.toEqual(expect.arrayContaining(['plan']))

  // Between the two transactions.
  scripted.tamper = (parts) => parts
  service = await start()
  await setFaults(chain.rpcUrl, UNNOTICED)
  const first = await send()
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  const [one, two] = first.body['chainTransactions'] as [Result, Result]
  await until(async () => (await landed(one.onchainId)) || undefined, 'the first has landed')
  await service.kill()
  expect(await landed(two.onchainId)).toBe(false)
  const open = (await recordsOnDisk(dataDir)).filter(({ kind, value }) => kind === 'transaction' && value === 'signed')
  expect(open.map(({ id }) => id)).toContain(two['offchainId'])

  await setFaults(chain.rpcUrl, {})
  service = await start()
  const retry = await until(async () => {
    const answer = await send()
    return isBusy(answer) || (answer.body['chainPlan'] as Body)['status'] === 'RUNNING' ? undefined : answer
  }, 'the plan has ended')
  expect(retry).toMatchObject({
    status: 201,
    replayed: true,
    body: { newLoan: first.body['newLoan'], chainPlan: { status: 'FINISHED', confirmed: 2 } },
  })
  expect((retry.body['chainTransactions'] as Result[]).map(({ onchainId }) => onchainId)).toEqual([
    one.onchainId,
    two.onchainId,
  ])
  expect(scripted.orders).toHaveLength(2)
  const escrow = refOf(first.body, 'newLoan')
  expect(
    await Promise.all([
      readBalance(borrower, principal),
      readBalance(borrower, collateral),
      readBalance(escrow, collateral),
      readBalance(pool, principal),
    ]),
  ).toEqual([borrowerHad + BigInt(LENT), collateralHad - BigInt(PLEDGED), BigInt(PLEDGED), poolHad - BigInt(LENT)])
  expect(await service.api.get('/loans/single', { escrow: idOf(escrow) })).toMatchObject({
    lifecycleState: 'ACTIVE',
    chainPlan: { status: 'FINISHED' },
  })
  expect((await service.api.query('/loans/bulk', { itemQuery: {} }))['count']).toBe(1)
  expect(await service.stop()).toBe(0)
  expect((await kindsOnDisk()).filter((kind) => kind === 'loan')).toHaveLength(1)
})
