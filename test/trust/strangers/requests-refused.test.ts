// What the tenant that is asked to sign learns when the requester's own rules stop its transaction in the meantime:
// that it is refused, and not which counterparty, policy or screening stopped it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import { says, Screener, SECRET } from '../../e2e/limits/screener.ts'
import type { Ids, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const LISTED = 'Doubtful Limited'

let world: World
let screener: Screener
let asker: Party
/** Accepts requests for signatures. */
let open: Party
let payer: Ids
let theirs: Ids

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host })
  asker = await newParty(world, 'ASKER')
  open = await newParty(world, 'OPEN')
  await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
  payer = await asker.records.feePayer({ networkCurrencyDebitLimits: [] })
  theirs = await open.records.funded({ networkCurrencyDebitLimits: [] }, 5n * SOL)
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})

/** A transaction that the requester has signed, and that waits for the other tenant. */
async function signedByAsker(destination: string): Promise<Result> {
  const prepared = await asker.api.ok<Result>(201, 'POST', '/positions/trade', {
    legs: [
      { source: payer, destination: { onchainId: destination, offPlatform: true }, lamports: 10_000_000 },
      { source: { onchainId: theirs.onchainId }, destination: payer, lamports: 1_000 },
    ],
  })
  const { offchainId } = prepared
  return await asker.api.ok<Result>(200, 'POST', '/transactions/sign', {
    transaction: { offchainId },
    signers: [payer],
  })
}

it.each(['BLOCKED', 'REVIEW'])('14.11 a destination that became %s since is not named', async (status) => {
  const onchainId = addressOf(`destination ${status}`)
  const { offchainId } = await signedByAsker(onchainId)
  const addresses = [{ onchainId }]
  await asker.api.ok(201, 'POST', '/counterparties', { name: LISTED, status, addresses })
  const sign = { transaction: { offchainId }, signers: [theirs] }
  const { status: answered, body } = await open.api.send<Problems>('POST', '/transactions/sign', sign)
  expect([answered, body.errors?.[0]?.code]).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
  expect(JSON.stringify(body)).not.toContain(LISTED)
  expect(JSON.stringify(body)).not.toMatch(/block|review/i)
})

it('14.11 a supply limit that was lowered since is not named', async () => {
  const mintAuthority = { onchainId: theirs.onchainId }
  const instrument = await asker.records.instrument('SPL', mintAuthority)
  const position = await asker.records.position(payer, instrument)
  const mint = { destination: { position, mintAuthority }, lamports: 5_000 }
  const { offchainId, status: prepared } = await asker.api.ok<Result>(201, 'POST', '/positions/mint', mint)
  expect(prepared).toBe('PREPARED')
  const limit = { mintAccount: instrument, maxSupply: '0.004321' }
  await asker.api.ok(200, 'PATCH', '/financial-instruments', limit)
  const sign = { transaction: { offchainId }, signers: [theirs] }
  const { message } = await open.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/transactions/sign', sign)
  expect(message).not.toMatch(/4321|maxSupply|circulation/)
})

async function screens({ api, externalId }: Party, isOn = true): Promise<void> {
  const screening = isOn ? { url: screener.url, secret: SECRET, timeoutMs: 10_000 } : null
  await api.ok(200, 'PATCH', '/admin/organizations', { externalId, screening })
}

it('14.11 that the screening service of the requester does not answer is not shown', async () => {
  const { offchainId } = await signedByAsker(addressOf('unscreened destination'))
  screener.behave = says('{}', 418)
  await screens(asker)
  const sign = { transaction: { offchainId }, signers: [theirs] }
  const { status, body } = await open.api.send<Problems>('POST', '/transactions/sign', sign)
  await screens(asker, false)
  expect([status, body.errors?.[0]?.code, body.errors?.[0]?.retryable]).toEqual([503, 'TENANT_UNAVAILABLE', true])
  expect(screener.asked.length).toBeGreaterThan(0)
  expect(JSON.stringify(body.errors)).not.toMatch(/screen|418/i)
  const { success } = await open.api.ok<Result>(200, 'POST', '/transactions/sign', sign)
  expect(success).toBe(true)
})

it('14.11 why the screening service of a tenant that lends its key does not answer is not shown', async () => {
  const wallet = { networkCurrencyDebitLimits: [], orgsAllowedToSignWithPrivateKey: ['ASKER'] }
  const source = { onchainId: (await open.records.funded(wallet, SOL)).onchainId }
  const destination = { onchainId: addressOf('lent destination'), offPlatform: true }
  const pay = { source, destination, lamports: 10_000_000 }
  screener.behave = says('{}', 418)
  await screens(open)
  const path = '/positions/transfer-network-currency'
  const { status, body } = await asker.api.send<Problems>('POST', path, pay, { config: { feePayer: payer } })
  await screens(open, false)
  expect([status, body.errors?.[0]?.code, body.errors?.[0]?.retryable]).toEqual([503, 'SCREENING_UNAVAILABLE', true])
  expect(body.errors?.[0]?.message).not.toMatch(/418|screening|service/i)
  await asker.api.ok(201, 'POST', path, pay, { config: { feePayer: payer } })
})
