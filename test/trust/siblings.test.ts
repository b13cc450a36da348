// Organizations of one tenant see each other's accounts as addresses with ids: what the records of another organization
// say of an account is not shown by any answer about a payment between them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { Screener, SECRET } from '../e2e/limits/screener.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { addressOf } from './fixtures/addresses.ts'
import { eventsOf, newParty, type Party } from './fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'
const NAME = 'Miller, private client'
const NUMBER = 'CH93 0076 2011'
const REFERENCE = 'invoice 4711 of the payer'

let world: World
let screener: Screener
let payer: Party
let sibling: Party
let wallet: Ids
let theirs: Ids
let paid: Result
let transferred: Result

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host })
  await newParty(world, 'HOUSE')
  payer = await newParty(world, 'PAYER', 'HOUSE')
  sibling = await newParty(world, 'SIBLING', 'HOUSE')
  wallet = await payer.records.feePayer({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] })
  theirs = await sibling.records.account({ offchainReferences: { name: NAME, accountNumber: NUMBER } })
  const instrument = await payer.records.instrument('SPL', wallet)
  const position = await payer.records.position(wallet, instrument, 10n)
  paid = await payer.api.ok<Result>(201, 'POST', PAY, {
    source: wallet,
    destination: { onchainId: theirs.onchainId },
    lamports: 10_000_000,
    externalReference: REFERENCE,
  })
  await sibling.records.funded({ canPayFees: true }, SOL)
  await sibling.api.ok(201, 'POST', '/positions', {
    owner: theirs,
    financialInstrument: { onchainId: instrument.onchainId },
    position: { isDerived: true, offchainReferences: { name: `${NAME}, tokens`, accountNumber: NUMBER } },
  })
  transferred = await payer.api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: { position },
    destination: { owner: { onchainId: theirs.onchainId }, financialInstrument: instrument },
    lamports: 3,
  })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})

function expectNoName(text: string): void {
  for (const secret of [NAME, NUMBER]) expect(text.includes(secret), `${secret} in ${text}`).toBe(false)
}

async function readStatement(format: string, { api, externalId }: Party = payer): Promise<string> {
  const response = await fetch(`${world.url}/api/v1/statements`, {
    method: 'POST',
    headers: { authorization: api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ itemData: { organization: externalId, from: '2020-01-01T00:00:00Z', format } }),
  })
  return await response.text()
}

it.each(['JSON', 'CSV'])('a statement (%s) names no account of another organization of the tenant', async (format) => {
  const statement = await eventually(async () => {
    const text = await readStatement(format)
    // The later of the two payments. A row of the CSV file has the owner of a position only.
    expect(text).toContain(transferred.offchainId)
    expect(text).toContain(theirs.onchainId)
    return text
  })
  expectNoName(statement)
})

interface Movement {
  readonly externalReference: string | null
  readonly itemReferences: readonly string[]
  readonly operation: string | null
  readonly transaction: Ids | null
}

async function movementOf(party: Party, signature: string | null): Promise<Movement> {
  return await eventually(async () => {
    const { balances } = JSON.parse(await readStatement('JSON', party)) as {
      readonly balances: readonly { readonly movements: readonly Movement[] }[]
    }
    const found = balances
      .flatMap(({ movements }) => movements)
      .find((each) => each.transaction?.onchainId === signature)
    expect(found).toBeDefined()
    return found!
  })
}

it('a statement shows nothing of a transaction that its reader may not read', async () => {
  expect(await movementOf(payer, paid.onchainId)).toMatchObject({
    externalReference: REFERENCE,
    operation: `POST /api/v1${PAY}`,
    transaction: { offchainId: paid.offchainId },
  })
  await sibling.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/single', {
    offchainId: paid.offchainId,
  })
  expect(await movementOf(sibling, paid.onchainId)).toMatchObject({
    externalReference: null,
    itemReferences: [],
    operation: null,
    transaction: { offchainId: null },
  })
  const csv = await readStatement('CSV', sibling)
  expect(csv).toContain(paid.onchainId)
  for (const hidden of [REFERENCE, PAY, paid.offchainId]) expect(csv).not.toContain(hidden)
})

it('a statement shows a transaction of another organization that a key of its reader has signed', async () => {
  const source = { onchainId: (await sibling.records.funded({}, SOL)).onchainId }
  const body = { source, destination: wallet, lamports: 10_000_000, externalReference: REFERENCE }
  const { offchainId } = await payer.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: wallet } })
  for (const { api } of [sibling, payer])
    await api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
  const signed = await payer.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
  expect(await sibling.api.read('/transactions/single', { offchainId })).toMatchObject({ externalReference: REFERENCE })
  expect(await movementOf(sibling, signed.onchainId)).toMatchObject({
    externalReference: REFERENCE,
    operation: `POST /api/v1${PAY}`,
    transaction: { offchainId },
  })
})

it('the records, lists and events of a payment name no account of another organization', async () => {
  const { offchainId } = paid
  const { api } = payer
  expectNoName(JSON.stringify(await api.read('/transactions/single', { offchainId })))
  expectNoName(JSON.stringify(await api.read('/transactions/explain', { offchainId })))
  expectNoName(JSON.stringify(await api.bulk('/transactions/bulk/detailed', {})))
  expectNoName(JSON.stringify(await eventsOf(world, api)))
})

it('an instrument without a symbol is not shown by the name that another organization gives it', async () => {
  const coin = await sibling.records.instrument('SPL', theirs, { mintAccount: { offchainReferences: { name: NAME } } })
  const financialInstrument = { onchainId: coin.onchainId }
  const body = { owner: wallet, financialInstrument }
  const { newPosition } = await payer.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', body)
  const destination = { position: { onchainId: newPosition.onchainId } }
  await sibling.api.ok(201, 'POST', '/positions/mint', { destination, lamports: 5 })
  const statement = await eventually(async () => {
    const text = await readStatement('JSON')
    expect(text).toContain(coin.onchainId)
    return text
  })
  expectNoName(statement)
  const request = { destination: wallet, financialInstrument, amount: 1, externalReference: 'one' }
  const { newPaymentRequest } = await payer.api.ok<{ newPaymentRequest: { payerPage: string } }>(
    201,
    'POST',
    '/payment-requests',
    request,
  )
  const page = await (await fetch(`${world.url}${newPaymentRequest.payerPage}`)).text()
  expect(page).toContain(coin.onchainId)
  expectNoName(page)
})

it('a payment that a blocked counterparty of another organization stops does not name it', async () => {
  const onchainId = addressOf('blocked by the sibling')
  await sibling.api.ok(201, 'POST', '/counterparties', {
    name: NAME,
    status: 'BLOCKED',
    addresses: [{ onchainId }],
  })
  const body = { source: wallet, destination: { onchainId, offPlatform: true }, lamports: 10_000_000 }
  const { message } = await payer.api.refuses(403, 'DESTINATION_NOT_ALLOWED', 'POST', PAY, body)
  expect(message).toContain(onchainId)
  expectNoName(message)
})

it('a screening service does not receive the name that another organization gives to the destination', async () => {
  const onchainId = addressOf('known to the sibling')
  await sibling.api.ok(201, 'POST', '/counterparties', { name: NAME, status: 'ALLOWED', addresses: [{ onchainId }] })
  await payer.api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: 'PAYER',
    screening: { url: screener.url, secret: SECRET, timeoutMs: 10_000 },
  })
  const body = { source: wallet, destination: { onchainId, offPlatform: true }, lamports: 10_000_000 }
  expect((await payer.api.ok<Result>(201, 'POST', PAY, body)).success).toBe(true)
  expect(screener.asked.map(({ movements }) => movements[0]?.destination)).toEqual([onchainId])
  expectNoName(JSON.stringify(screener.asked))
})
