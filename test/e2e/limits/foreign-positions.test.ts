// A record of a wallet's position that another organization of the tenant made, as any of them can: neither its limits,
// its lists of API keys and its freezes nor the policies of that organization decide what the wallet does.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newParty, type Party } from '../../trust/fixtures/parties.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { LoanFixture, terms } from '../loans/loan-fixture.ts'
import { perTransaction, to } from './limit-fixture.ts'

const TRANSFER = '/positions/transfer'
const CLOSED_TO_ALL = [{ operationType: 'ANY', ...to('ANY', perTransaction(0)) }]

let world: World
let house: Party
let payer: Party
let sibling: Party
let feePayer: Ids
let instrument: Ids
let wallet: Ids

beforeAll(async () => {
  world = await startWorld()
  house = await newParty(world, 'HOUSE')
  payer = await newParty(world, 'PAYER', 'HOUSE')
  sibling = await newParty(world, 'SIBLING', 'HOUSE')
  feePayer = await payer.records.feePayer({ networkCurrencyDebitLimits: [] })
  instrument = await payer.records.instrument('SPL', feePayer)
  for (const { records } of [house, sibling]) await records.feePayer({ networkCurrencyDebitLimits: [] })
})
afterAll(() => world.stop())
beforeEach(async () => {
  wallet = await payer.records.account()
})

/** The position of the wallet, recorded by the party, with tokens. */
async function record({ records, api }: Party, members: object = {}): Promise<Ids> {
  const body = { owner: { onchainId: wallet.onchainId }, financialInstrument: instrument, ...members }
  const { newPosition } = await api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', body)
  expect(newPosition.onchainId).toBe(records.associated(wallet, instrument, 'SPL'))
  const destination = { owner: wallet, financialInstrument: instrument }
  await payer.api.ok(201, 'POST', '/positions/mint', { destination, amount: 10 }, { config: { feePayer } })
  return newPosition
}

/** A payment of the wallet to a new account of the payer. */
async function payment(account: object, amount: number): Promise<object> {
  const owner = await payer.records.account(account)
  await payer.api.ok(201, 'POST', '/positions', { owner, financialInstrument: instrument }, { config: { feePayer } })
  const [source, destination] = [wallet, owner].map((each) => ({ owner: each, financialInstrument: instrument }))
  return { source, destination, amount }
}
const outside = () => payment({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() }, 5)
const refuses = async (status: number, code: string, item: object): Promise<unknown> =>
  await payer.api.refuses(status, code, 'POST', TRANSFER, item, { config: { feePayer } })
async function pays(item: object): Promise<void> {
  const result = await payer.api.ok<Result>(201, 'POST', TRANSFER, item, { config: { feePayer } })
  expect(result.success, JSON.stringify(result)).toBe(true)
}

it('lifts no default limit of the wallet', async () => {
  await record(sibling, { tokenDebitLimits: [] })
  await refuses(400, 'DEBIT_LIMIT_EXCEEDED', await outside())
})

it('restricts no payment of the wallet by limits', async () => {
  await record(sibling, { tokenDebitLimits: CLOSED_TO_ALL })
  await pays(await payment({}, 5))
})

it('restricts no payment of the wallet to API keys', async () => {
  const position = { offchainId: (await record(sibling)).offchainId }
  const change = { position: { position }, tokenDebitApiKeys: [sibling.keyId] }
  await sibling.api.ok(200, 'PATCH', '/positions', change)
  await pays(await payment({}, 5))
})

it('binds the wallet if the root organization of the tenant made it', async () => {
  const position = { offchainId: (await record(house, { tokenDebitLimits: CLOSED_TO_ALL })).offchainId }
  await refuses(400, 'DEBIT_LIMIT_EXCEEDED', await payment({}, 5))
  const change = { position: { position }, tokenDebitLimits: [], tokenDebitApiKeys: [house.keyId] }
  await house.api.ok(200, 'PATCH', '/positions', change)
  await refuses(403, 'DEBIT_KEY_REQUIRED', await payment({}, 5))
  await house.api.ok(200, 'PATCH', '/positions', { ...change, tokenDebitApiKeys: [] })
  await pays(await outside())
})

const ids = ({ offchainId }: Ids): object => ({ offchainId })
const position = () => ({ owner: wallet, financialInstrument: instrument })
const burn = async (): Promise<Result> =>
  await payer.api.ok<Result>(
    201,
    'POST',
    '/positions/burn',
    { source: position(), amount: 1 },
    { config: { feePayer } },
  )
const closing = (): object => ({ position: position(), burnRemainingTokenBalance: true })

it('restricts no closing of the position to API keys', async () => {
  const account = ids(await record(sibling))
  await sibling.api.ok(200, 'PATCH', '/accounts', { account, solDebitApiKeys: [sibling.keyId] })
  await payer.api.ok(200, 'PATCH', '/positions/close', closing(), { config: { feePayer } })
})

it('restricts the closing of the position if the root organization of the tenant made it', async () => {
  const account = ids(await record(house))
  await house.api.ok(200, 'PATCH', '/accounts', { account, solDebitApiKeys: [house.keyId] })
  await payer.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'PATCH', '/positions/close', closing(), { config: { feePayer } })
})

it('is not frozen by its organization', async () => {
  const account = ids(await record(sibling))
  await sibling.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'PATCH', '/admin/freeze', { account })
  await pays(await payment({}, 5))
})

it('does not stop the wallet if its organization is frozen', async () => {
  await record(sibling)
  const target = { organizationExternalId: sibling.externalId }
  for (const administrator of [sibling, house]) {
    await administrator.api.ok(200, 'PATCH', '/admin/freeze', target)
    await pays(await payment({}, 2))
    await administrator.api.ok(200, 'PATCH', '/admin/unfreeze', target)
  }
})

it('is frozen by the root organization of the tenant and by the operator, and not unfrozen by its own', async () => {
  const account = ids(await record(sibling))
  for (const api of [house.api, world.api]) {
    await api.ok(200, 'PATCH', '/admin/freeze', { account })
    await refuses(403, 'FROZEN', await payment({}, 5))
    await sibling.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'PATCH', '/admin/unfreeze', { account })
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account })
  }
  await pays(await payment({}, 5))
})

it('has no policy of its organization cover a burn of the wallet', async () => {
  await record(sibling)
  const policy = { operations: ['BURN'], approvers: [sibling.keyId], requiredApproversCount: 1 }
  await sibling.api.ok(201, 'POST', '/approval-policies', policy)
  expect((await burn()).success).toBe(true)
})

it('restricts no lending out of the wallet to API keys', async () => {
  const loans = LoanFixture.over(world)
  const bond = await payer.records.instrument('SPL', feePayer)
  for (const each of [bond, instrument]) await loans.feed(each, '1', payer.api)
  const { offchainId } = await record(sibling)
  const keys = { tokenDebitApiKeys: [sibling.keyId], solDebitApiKeys: [sibling.keyId] }
  await sibling.api.ok(200, 'PATCH', '/accounts', { account: { offchainId }, ...keys })
  const strategy = await payer.api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', {
    strategyAccount: wallet,
    financialInstrument: instrument,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
  })
  const changes = { strategy: ids(strategy.newStrategy), originationCap: 1 }
  await payer.api.ok(200, 'PATCH', '/loans/strategies', changes)
})
