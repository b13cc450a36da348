// Two tenants of one service, first in one cell and then in two, as a real process on a real database: queries and
// requests of one about the other get the same answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { addressOf, sql } from './postgres.ts'
import { moveTenant } from './second-cell.ts'

interface Party {
  readonly records: Records
  readonly api: Client
}

const DRY_RUN = { headers: { 'Holdfast-Dry-Run': 'true' } }
const PAY = '/positions/transfer-network-currency'

let fixture: ClusterFixture
let node: NodeProcess
let acme: Party
let beta: Party
let wallet: Ids
/** With the default debit limits. */
let limitedWallet: Ids
let betaWallet: Ids
let grantedWallet: Ids

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '10000' })
  node = await fixture.start('a')
  await eventually(async () => expect((await system().get('/whoami')).status).toBe(200))
  acme = await party('ACME')
  beta = await party('BETA')
  wallet = await acme.records.feePayer({ networkCurrencyDebitLimits: [] })
  limitedWallet = await acme.records.funded()
  betaWallet = await beta.records.funded({ offchainReferences: { code: 'THEIRS' } })
  grantedWallet = await beta.records.funded({
    orgsAllowedToSignWithPrivateKey: ['ACME'],
    offchainReferences: { code: 'GRANTED' },
  })
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const system = (): Client => new Client(node.url, fixture.apiKey)

async function party(externalId: string): Promise<Party> {
  await system().ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const { apiKey } = await system().ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: externalId,
    name: 'test',
    bundle: 'ADMIN',
  })
  const api = new Client(node.url, apiKey)
  return { api, records: new Records(api, new Onchain(fixture.rpcUrl)) }
}

type Shown = readonly [status: number, body: unknown]

/** The answers to ACME about records of BETA and about unknown ones, without the parts that differ between answers. */
async function answers(): Promise<Record<string, Shown>> {
  const { api } = acme
  const shownAnswers: Record<string, Shown> = {}
  const ask = async (name: string, path: string, itemData: object, dryRun = true): Promise<void> => {
    const { status, body } = await api.send<object>('POST', path, itemData, dryRun ? DRY_RUN : {})
    shownAnswers[name] = [status, plain(body)]
  }
  const pays = (destination: object, source = wallet) => ({ source, destination, lamports: 5_000_000 })
  const stranger = { onchainId: 'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW' }
  await ask('account by address', '/accounts/single', { onchainId: betaWallet.onchainId }, false)
  await ask('account by id', '/accounts/single', { offchainId: betaWallet.offchainId }, false)
  await ask('granted account by id', '/accounts/single', { offchainId: grantedWallet.offchainId }, false)
  await ask('granted account by address', '/accounts/single', { onchainId: grantedWallet.onchainId }, false)
  const byReferences = { offchainReferences: { code: 'GRANTED' }, otherTenantOrganizationExternalId: 'BETA' }
  await ask('payment to references', PAY, pays(byReferences))
  await ask('payment to an address', PAY, pays({ onchainId: betaWallet.onchainId }))
  await ask('payment past a limit', PAY, pays({ onchainId: betaWallet.onchainId }, limitedWallet))
  await ask('payment to an id', PAY, pays({ offchainId: betaWallet.offchainId }))
  await ask('payment to id and address', PAY, pays(betaWallet))
  await ask('payment to two accounts', PAY, pays({ ...betaWallet, onchainId: grantedWallet.onchainId }))
  await ask('payment to a stranger', PAY, pays(stranger))
  await ask('a fee payer that is of a stranger', PAY, {
    ...pays(betaWallet),
    source: { onchainId: betaWallet.onchainId },
  })
  await ask('payment from a granted account', PAY, pays({ onchainId: wallet.onchainId }, grantedWallet))
  await ask('a grant to nobody', '/accounts', { orgsAllowedToSignWithPrivateKey: ['NOBODY'] }, false)
  return shownAnswers
}

const FLEETING = /^(?:requestId|blockhash|at|unitsConsumed|lastValidBlockHeight|slot|message|serialized|offchainId)$/

function plain(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (FLEETING.test(name) && name !== '' ? undefined : value)),
  )
}

interface Heard {
  readonly type: string
  readonly resource: { readonly kind: string; readonly offchainId: string }
  readonly data: { readonly offchain?: { readonly lamportsBalance: number; readonly lastTransactionId: string | null } }
}

/** The event that the party gets about its account after a payment of ACME to it. */
async function heardOf(payment: number): Promise<Heard> {
  const { body } = await beta.api.get<{ lastSequence: number }>('/events?limit=0')
  const paymentResult = await acme.api.ok<Result>(201, 'POST', PAY, {
    source: wallet,
    destination: { onchainId: betaWallet.onchainId },
    lamports: payment,
  })
  expect(paymentResult.success).toBe(true)
  return await eventually(async () => {
    const since = await beta.api.get<{ items: readonly Heard[] }>(`/events?after=${body.lastSequence}`)
    const events = since.body.items.filter(({ resource }) => resource.offchainId === betaWallet.offchainId)
    expect(events).not.toEqual([])
    return events.at(0)!
  })
}

describe('two tenants in one cell and in two', () => {
  let before: Record<string, Shown>
  let received: Heard
  beforeAll(async () => {
    before = await answers()
    received = await heardOf(2_000_000)
    node = await moveTenant(fixture, node, 'ACME')
    for (const { api } of [acme, beta])
      await eventually(async () => expect((await api.get('/whoami')).status).toBe(200))
  })

  it('get the same answers about each other', async () => {
    expect(before['payment to an address']?.[0]).toBe(200)
    expect(before['payment to references']?.[0]).toBe(200)
    expect(await answers()).toEqual(before)
  })

  it("receive each other's payments", async () => {
    const now = await heardOf(3_000_000)
    expect(now.type).toBe(received.type)
    expect(now.data.offchain?.lastTransactionId).toBe(received.data.offchain?.lastTransactionId)
    expect(now.data.offchain?.lamportsBalance).toBe(received.data.offchain!.lamportsBalance + 3_000_000)
  })

  it('sign one transaction, each by its own rules', async () => {
    const { onchainId } = await acme.records.account()
    const itemData = {
      source: { offchainId: grantedWallet.offchainId },
      destination: { onchainId },
      lamports: 1_000_000,
    }
    const account = { offchainId: grantedWallet.offchainId }
    // With the default limits an account pays nothing to other tenants.
    await acme.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, itemData)
    await beta.api.ok(200, 'PATCH', '/accounts', { account, networkCurrencyDebitLimits: [] })
    const payment = await acme.api.ok<Result>(201, 'POST', PAY, itemData)
    expect(payment).toMatchObject({ success: true, status: expect.stringMatching(/CONFIRMED|FINALIZED/) as string })
    // The outcome is a message to the other cell.
    await eventually(() => beta.records.accountsEqualChain(grantedWallet))
  })

  it('know whether a position of the other opens frozen', async () => {
    const issuer = await beta.records.feePayer()
    const mint = await beta.records.instrument('TOKEN_2022', issuer, {
      ...{ freezeAuthority: issuer, defaultPositionState: 'FROZEN' },
    })
    // The transaction that would open it is not signed.
    const { newPosition } = await beta.api.ok<{ newPosition: Ids }>(
      201,
      'POST',
      '/positions',
      { owner: { offchainId: betaWallet.offchainId }, financialInstrument: { offchainId: mint.offchainId } },
      { config: { feePayer: { offchainId: issuer.offchainId, autoSign: false } } },
    )
    const itemData = {
      owner: { onchainId: betaWallet.onchainId, offPlatform: true },
      financialInstrument: { onchainId: mint.onchainId },
    }
    const { chainTransaction } = await acme.api.ok<{ chainTransaction: Result }>(201, 'POST', '/positions', itemData)
    expect(chainTransaction).toMatchObject({ success: true })
    // The messages to the other cell arrive before it compares its record with the chain.
    const query = `SELECT value FROM holdfast.row WHERE key LIKE 'p!ACME!%${chainTransaction.offchainId}'`
    const [[payload]] = (await sql(addressOf(fixture.postgres), query)) as [[string]]
    expect(payload).toContain(newPosition.offchainId)
    expect(payload).toContain('"type":"chain.initialized","frozen":true')
    await eventually(async () => expect((await beta.records.positionRecord(newPosition)).state).toBe('FROZEN'))
  })

  it('are administered by SYSTEM in their own cells, with or without their names, and synchronously', async () => {
    const account = { offchainId: limitedWallet.offchainId }
    const key = { organizationExternalId: 'ACME', name: 'second', roles: ['ACCOUNTS_READ'] }
    const inAcme = { organization: 'ACME' }
    const isFrozen = async (): Promise<unknown> =>
      (await acme.api.read<{ frozenByOperator: boolean }>('/accounts/single', account)).frozenByOperator
    // The copy of the organization in the cell of SYSTEM may be old, and decides nothing.
    const organization = { organizationExternalId: 'ACME' }
    for (const [first, second] of [
      [inAcme, {}],
      [{}, inAcme],
    ]) {
      await system().ok(200, 'PATCH', '/admin/freeze', { account }, first)
      expect(await isFrozen()).toBe(true)
      await system().ok(200, 'PATCH', '/admin/unfreeze', { account }, second)
      expect(await isFrozen()).toBe(false)
      await system().ok(200, 'PATCH', '/admin/freeze', organization, first)
      await system().ok(200, 'PATCH', '/admin/unfreeze', organization, second)
      const newKey = await system().ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key, second)
      expect((await new Client(node.url, newKey.apiKey).get('/whoami')).status).toBe(200)
    }
  })

  it('have payment pages at every node', async () => {
    const { newPaymentRequest } = await acme.api.ok<{
      newPaymentRequest: { readonly offchainId: string; readonly payerPage: string }
    }>(201, 'POST', '/payment-requests', { destination: wallet, amount: '1.5', externalReference: 'Invoice 7' })
    const { offchainId, payerPage } = newPaymentRequest
    const show = async (page: string): Promise<[number, string]> => {
      const response = await fetch(new URL(page, node.url))
      return [response.status, await response.text()]
    }
    for (const page of [payerPage, `/pay/${offchainId}`])
      expect(await show(page)).toEqual([200, expect.stringMatching(/ACME.*1\.5/)])
    expect((await show(`/pay/${wallet.offchainId}`))[0]).toBe(404)
  })

  it('cannot have organizations with the same name', async () => {
    for (const externalId of ['ACME', 'ACМE'])
      await system().refuses(400, 'ALREADY_EXISTS', 'POST', '/admin/organizations', { externalId, name: 'x' })
  })
})
