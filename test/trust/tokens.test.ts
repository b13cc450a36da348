// Tokens of an issuer: their subjects, their lifetime, and how an administrator disables a subject and the keys it
// created.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { makeIssuer, type Issuer } from './fixtures/issuer.ts'
import { startRestartable, type Restartable } from './fixtures/restartable.ts'

const DISABLE = '/admin/api-keys/disable'

let issuer: Issuer
let service: Restartable
let now: number

beforeAll(async () => {
  issuer = await makeIssuer()
  service = await startRestartable(issuer.settings)
  now = Math.floor(Date.now() / 1000)
  for (const [externalId, parent] of [
    ['ACME', {}],
    ['BRANCH', { parentExternalId: 'ACME' }],
    ['OTHER', {}],
  ] as const) {
    await service.client().ok(201, 'POST', '/admin/organizations', { externalId, name: externalId, ...parent })
  }
})
afterAll(async () => {
  await service.stop()
  issuer.remove()
})

const withToken = async (claims: Readonly<Record<string, unknown>>): Promise<Client> =>
  service.client().as(await issuer.token(claims))
const works = (api: Client): Promise<unknown> => api.bulk('/accounts/bulk/compact', {})
const isRefused = (api: Client): Promise<unknown> =>
  api.refuses(401, 'CREDENTIALS_INVALID', 'POST', '/accounts/bulk/compact', {})

async function newKey(by: Client, members: object = {}): Promise<{ readonly keyId: string; readonly apiKey: string }> {
  return await by.ok(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'ACME',
    name: 'made',
    bundle: 'ADMIN',
    ...members,
  })
}

async function keyIdOf(api: Client): Promise<string> {
  const { status, body } = await api.get<{ keyId: string }>('/whoami')
  expect(status).toBe(200)
  return body.keyId
}

describe('14.13 a token', () => {
  it.each<[what: string, claims: () => Readonly<Record<string, unknown>>]>([
    ['whose subject is a number', () => ({ sub: 7 })],
    ['whose subject is a list', () => ({ sub: ['alice'] })],
    ['whose subject is an object', () => ({ sub: {} })],
    ['whose subject is null', () => ({ sub: null })],
    ['without a subject', () => ({ sub: undefined })],
    ['whose subject is empty', () => ({ sub: '' })],
    ['whose subject has 256 characters', () => ({ sub: 'a'.repeat(256) })],
    ['whose subject is no text that can be stored', () => ({ sub: 'a\ud800' })],
    ['issued over a minute ahead', () => ({ iat: now + 600, exp: now + 900 })],
    ['without an instant of issue', () => ({ iat: undefined })],
    ['issued at no number', () => ({ iat: 'now' })],
    ['good for over a day', () => ({ exp: now + 86_401 })],
  ])('%s is nobody', async (_what, claims) => {
    await isRefused(await withToken({ iat: now, ...claims() }))
  })

  it.each<[what: string, claims: () => Readonly<Record<string, unknown>>]>([
    ['whose subject has 255 characters', () => ({ sub: 'b'.repeat(255) })],
    ['issued half a minute ahead', () => ({ iat: now + 30 })],
    ['good for a day', () => ({ exp: now + 86_400 })],
  ])('%s is good', async (_what, claims) => {
    await works(await withToken({ iat: now, ...claims() }))
  })

  it('has the whole subject in its key id', async () => {
    const sub = 'c'.repeat(200)
    expect(await keyIdOf(await withToken({ sub }))).toBe(`jwt:${sub}`)
  })
})

describe('14.13 a subject that is disabled', () => {
  it('loses access at once and after a restart, with every key it created; control: others keep it', async () => {
    const mallory = await withToken({ sub: 'mallory' })
    const [direct, keeper] = [await newKey(mallory), await newKey(service.client())]
    const indirect = await newKey(service.client().as(direct.apiKey))
    const keyId = await keyIdOf(mallory)
    expect(keyId).toBe('jwt:mallory')
    for (const { apiKey } of [direct, indirect, keeper]) await works(service.client().as(apiKey))
    expect(await service.client().as(keeper.apiKey).ok(200, 'PATCH', DISABLE, { keyId })).toMatchObject({ keyId })
    const check = async (): Promise<void> => {
      await isRefused(await withToken({ sub: 'mallory' }))
      for (const { apiKey } of [direct, indirect]) await isRefused(service.client().as(apiKey))
      await works(service.client().as(keeper.apiKey))
      await works(await withToken({ sub: 'alice' }))
    }
    await check()
    await service.restart()
    await check()
    await service.client().as(keeper.apiKey).refuses(400, 'ALREADY_DISABLED', 'PATCH', DISABLE, { keyId })
    const { items } = (await service.client().as(keeper.apiKey).bulk('/admin/api-keys/bulk', { limit: 100 })) as {
      items: object[]
    }
    expect(items).toContainEqual(
      expect.objectContaining({ keyId, organizationExternalId: 'ACME', disabled: true, roles: [] }),
    )
  })

  it('is listed with its keys as disabled, and found so; control: keys of others are not', async () => {
    const trent = await withToken({ sub: 'trent' })
    const direct = await newKey(trent)
    const indirect = await newKey(service.client().as(direct.apiKey))
    const keeper = await newKey(service.client())
    const admin = service.client().as(keeper.apiKey)
    const gone = [direct.keyId, indirect.keyId]
    const listed = async (api: Client, filter: readonly object[]): Promise<readonly (readonly [string, boolean])[]> => {
      const { items } = (await api.bulk('/admin/api-keys/bulk', { filter, limit: 1000 })) as {
        items: { keyId: string; disabled: boolean }[]
      }
      return items.map(({ keyId, disabled }) => [keyId, disabled] as const)
    }
    const where = (valueBoolean: boolean) => [
      { fieldName: 'disabled', filterValues: [{ filterType: 'EQUALS', valueBoolean }] },
    ]
    for (const keyId of gone) expect(await listed(admin, where(false))).toContainEqual([keyId, false])
    await admin.ok(200, 'PATCH', DISABLE, { keyId: 'jwt:trent' })
    for (const api of [admin, service.client()]) {
      const [all, enabled, disabled] = await Promise.all(
        [[], where(false), where(true)].map((each) => listed(api, each)),
      )
      for (const keyId of gone) {
        expect(all).toContainEqual([keyId, true])
        expect(disabled).toContainEqual([keyId, true])
        expect(enabled).not.toContainEqual([keyId, expect.anything()])
      }
      expect(enabled).toContainEqual([keeper.keyId, false])
      expect(disabled).toContainEqual(['jwt:trent', true])
      expect(all).toHaveLength(enabled!.length + disabled!.length)
    }
  })

  it('keeps its keys if only its token has expired', async () => {
    const key = await newKey(await withToken({ sub: 'carol' }))
    await works(service.client().as(key.apiKey))
    await isRefused(await withToken({ sub: 'carol', iat: now - 600, exp: now - 1 }))
    await works(service.client().as(key.apiKey))
  })

  it('is disabled by its organization for itself, by a root for its tenant, by the operator for all', async () => {
    const at = (sub: string, org: string): Promise<Client> => withToken({ sub, org })
    const branch = service.client().as((await newKey(service.client(), { organizationExternalId: 'BRANCH' })).apiKey)
    const root = service.client().as((await newKey(service.client())).apiKey)
    await branch.ok(200, 'PATCH', DISABLE, { keyId: 'jwt:dave' })
    await isRefused(await at('dave', 'BRANCH'))
    for (const org of ['ACME', 'OTHER']) await works(await at('dave', org))
    await root.ok(200, 'PATCH', DISABLE, { keyId: 'jwt:dave' })
    for (const org of ['BRANCH', 'ACME']) await isRefused(await at('dave', org))
    await works(await at('dave', 'OTHER'))
    await root.ok(200, 'PATCH', DISABLE, { keyId: 'jwt:erin' }, { organization: 'BRANCH' })
    await isRefused(await at('erin', 'BRANCH'))
    await works(await at('erin', 'ACME'))
    await service.client().ok(200, 'PATCH', DISABLE, { keyId: 'jwt:dave' })
    for (const org of ['BRANCH', 'ACME', 'OTHER']) await isRefused(await at('dave', org))
  })

  it('is not disabled or rotated by a key without administration, and its name must be valid', async () => {
    const viewer = service.client().as((await newKey(service.client(), { bundle: 'VIEWER' })).apiKey)
    await viewer.refuses(403, 'ROLE_REQUIRED', 'PATCH', DISABLE, { keyId: 'jwt:alice' })
    await service.client().refuses(400, 'MALFORMED_KEY_ID', 'PATCH', DISABLE, { keyId: 'jwt:' })
    await service.client().refuses(400, 'MALFORMED_KEY_ID', 'PATCH', '/admin/api-keys/rotate', { keyId: 'jwt:mallory' })
  })
})
