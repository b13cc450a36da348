// A signature request whose transaction also waits for approvals of the requesting tenant: the organization that is
// asked to sign learns nothing about limits, approvers, counterparties and references of the requester.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import { perTransaction, to, type Held } from '../../e2e/limits/limit-fixture.ts'
import type { Ids } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { eventsOf, keyOf, newParty, type Party } from '../fixtures/parties.ts'

const REVIEWED = 'Doubtful Limited'
const REFERENCE = 'invoice 4711'
const LIMIT = '0.123456'

let world: World
let asker: Party
let approver: Party
/** Accepts requests for signatures. */
let open: Party
let limited: Ids
let theirs: Ids
let held: Held

beforeAll(async () => {
  world = await startWorld()
  asker = await newParty(world, 'ASKER')
  approver = await keyOf(world, 'ASKER', { roles: ['DEBIT_LIMIT_APPROVE'] })
  open = await newParty(world, 'OPEN')
  await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
  await asker.api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: 'ASKER',
    reviewApproval: { approvers: [approver.keyId], requiredApproversCount: 1 },
  })
  const reviewed = addressOf('reviewed')
  await asker.api.ok(201, 'POST', '/counterparties', {
    name: REVIEWED,
    status: 'REVIEW',
    addresses: [{ onchainId: reviewed }],
  })
  const payer = await asker.records.feePayer()
  const overridable = perTransaction(LIMIT, { approversForOverride: [approver.keyId] })
  limited = await asker.records.funded({ networkCurrencyDebitLimits: [to('ANY', overridable)] }, 5n * SOL)
  theirs = await open.records.funded({ networkCurrencyDebitLimits: [] }, 5n * SOL)
  held = await asker.api.ok<Held>(201, 'POST', '/positions/trade', {
    legs: [
      { source: limited, destination: { onchainId: reviewed, offPlatform: true }, amount: 1 },
      { source: { onchainId: theirs.onchainId }, destination: payer, amount: 0.5 },
    ],
    externalReference: REFERENCE,
  })
})
afterAll(() => world.stop())

const awaiting = [{ fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }]

/** Every answer about the transaction that the party can get without changing it. */
async function readBy({ api }: Party): Promise<string> {
  const { offchainId } = held
  return JSON.stringify([
    await api.read('/transactions/status', { offchainId }),
    await api.read('/transactions/single', { offchainId }),
    await api.bulk('/transactions/bulk/compact', { filter: awaiting }),
    await api.bulk('/transactions/bulk/detailed', { filter: awaiting }),
    await eventsOf(world, api),
  ])
}

function expectNothingOfAsker(text: string): void {
  for (const secret of [
    approver.keyId,
    asker.keyId,
    REVIEWED,
    REFERENCE,
    LIMIT,
    limited.offchainId,
    'approv',
    'limit ',
  ])
    expect(text.includes(secret), `${secret} in ${text}`).toBe(false)
}

it('14.11 a requester that needs approvals shows them to its own tenant, not to the tenant that it asks', async () => {
  const { offchainId } = held
  const own = JSON.stringify(await asker.api.read('/transactions/single', { offchainId }))
  for (const known of [approver.keyId, REVIEWED, REFERENCE, LIMIT]) expect(own).toContain(known)
  expectNothingOfAsker(await readBy(open))
  const refused = await open.api.send('POST', '/transactions/explain', { offchainId })
  expect(refused.status).toBe(400)
})

it('14.11 the answer to its signature does not show them either, before and after the approval', async () => {
  const { offchainId } = held
  const sign = { transaction: { offchainId }, signers: [theirs] }
  expectNothingOfAsker(JSON.stringify(await open.api.ok(200, 'POST', '/transactions/sign', sign)))
  expectNothingOfAsker(await readBy(open))
  await approver.api.ok(200, 'POST', '/transactions/approve', { offchainId })
  expectNothingOfAsker(await readBy(open))
  const options = { headers: { 'Idempotency-Key': 'signed once' } }
  const signed = await open.api.ok<Held>(200, 'POST', '/transactions/sign', sign, options)
  expect(signed.status).toBe('PARTIALLY_SIGNED')
  expectNothingOfAsker(JSON.stringify(signed))
  await asker.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
  const sent = await asker.api.ok<Held>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
  expect(sent).toMatchObject({ success: true, approval: { given: 1 } })
  expectNothingOfAsker(await readBy(open))
  expectNothingOfAsker(JSON.stringify(await open.api.ok(200, 'POST', '/transactions/sign', sign, options)))
})
