// What an administrator does about a stolen key, step by step as the runbook says: the key is disabled, the audit log
// lists all that it did, and what continues without the key is removed. Requests that the key has begun change nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, PAY, stranger, type Person } from '../e2e/limits/limit-fixture.ts'
import { allows, Screener, SECRET } from '../e2e/limits/screener.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import type { Records } from '../e2e/records.ts'
import { withLateBody } from './fixtures/late-body.ts'

let world: World
let screener: Screener
let fixture: LimitFixture
let admin: Client
let thief: Person
let records: Records

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: `127.0.0.1:9,${screener.host}` })
  fixture = new LimitFixture(world)
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  admin = (await fixture.person('ACME', 'ADMIN')).api
  thief = await fixture.person('ACME', 'ADMIN')
  records = world.records.with(admin)
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})

interface AuditEntry {
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  readonly resource: { readonly kind: string; readonly offchainId: string | null } | null
}

/** Everything that the key changed, oldest first. */
async function changesOf(keyId: string): Promise<readonly (readonly [action: string, id: string | null])[]> {
  const { items } = (await admin.bulk('/audit/bulk', {
    filter: [
      { fieldName: 'keyId', filterValues: [{ filterType: 'EQUALS', valueString: keyId }] },
      { fieldName: 'outcome', filterValues: [{ filterType: 'EQUALS', valueString: 'DONE' }] },
    ],
    sort: [{ fieldName: 'sequence', sortDirection: 'ASC' }],
  })) as { readonly items: readonly AuditEntry[] }
  return items.map(({ action, resource }) => [action, resource?.offchainId ?? null])
}

it('leaves behind what continues without it, and the audit log lists all of it', async () => {
  const { api } = thief
  const wallet = await records.account()
  const accomplice = await api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'ACME',
    name: 'backup',
    bundle: 'ADMIN',
  })
  const webhook = await api.ok<{ newWebhook: Ids }>(201, 'POST', '/webhooks', {
    url: 'http://127.0.0.1:9/events',
    eventTypes: ['transaction.finalized'],
  })
  const account = { offchainId: wallet.offchainId }
  await api.ok(200, 'PATCH', '/accounts', { account, networkCurrencyDebitLimits: [] })

  await api.read('/accounts/single/private-key', account)

  await admin.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: thief.keyId })
  await api.refuses(401, 'CREDENTIALS_INVALID', 'POST', '/accounts', {})
  expect(await changesOf(thief.keyId)).toEqual([
    ['POST /api/v1/admin/api-keys', accomplice.keyId],
    ['POST /api/v1/webhooks', webhook.newWebhook.offchainId],
    ['PATCH /api/v1/accounts', wallet.offchainId],
    ['POST /api/v1/accounts/single/private-key', wallet.offchainId],
  ])

  const second = world.api.as(accomplice.apiKey)
  await second.ok(201, 'POST', '/accounts', {})
  await admin.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: accomplice.keyId })
  await second.refuses(401, 'CREDENTIALS_INVALID', 'POST', '/accounts', {})

  const { offchainId } = webhook.newWebhook
  expect(await admin.bulk('/webhooks/bulk', {})).toMatchObject({
    items: [{ offchainId, createdBy: thief.keyId, status: 'ENABLED' }],
  })
  await admin.ok(200, 'PATCH', '/webhooks/disable', { offchainId })
})

describe('a request that began before the key was disabled', () => {
  const disable = () => admin.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: thief.keyId })

  beforeEach(async () => {
    thief = await fixture.person('ACME', 'ADMIN')
  })

  it.each(['/accounts', '/accounts/single/private-key', '/accounts/bulk/identifiers'])(
    'is refused if its body arrives afterwards: %s',
    async (path) => {
      const { offchainId } = await records.account()
      const accounts = () => admin.bulk('/accounts/bulk/identifiers', {})
      const before = await accounts()
      const body = path.includes('bulk') ? { itemQuery: {} } : { itemData: path === '/accounts' ? {} : { offchainId } }
      const url = `${world.url}/api/v1${path}`
      const answer = await withLateBody({ url, bearer: thief.api.bearer, body }, disable)
      expect(answer).toEqual({ status: 401, code: 'CREDENTIALS_INVALID' })
      expect(await accounts()).toEqual(before)
    },
  )

  it('signs nothing if it waited for a screening service', async () => {
    const source = await records.funded({ networkCurrencyDebitLimits: [] })
    await records.feePayer()
    await admin.ok(200, 'PATCH', '/admin/organizations', {
      externalId: 'ACME',
      screening: { url: screener.url, secret: SECRET, timeoutMs: 10_000 },
    })
    let disabled: Promise<unknown> | undefined
    screener.behave = (response, question) => {
      disabled = disable().then(() => allows(response, question))
    }
    const destination = stranger() as Ids
    const paid = await thief.api.send<Problems>('POST', PAY, { source, destination, lamports: '1000000' })
    await disabled
    expect([paid.status, paid.body.errors?.[0]?.code]).toEqual([401, 'CREDENTIALS_INVALID'])
    expect(await world.chain.lamports(destination.onchainId)).toBe(0n)
    expect(await admin.bulk('/transactions/bulk/detailed', {})).toMatchObject({ count: 0 })
  })
})
