// Access tokens of a configured issuer, found by OpenID Connect discovery: a valid token has the rights of its claims,
// and any other token has none.
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids } from '../models.ts'

const AUDIENCE = 'holdfast'
const good = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')

let world: World
let login: Server
let issuer: string
let requestedPaths: string[] = []
let isAway = false

beforeAll(async () => {
  login = createServer((request, response) => {
    requestedPaths.push(request.url ?? '')
    void answerTo(request.url ?? '').then((body) => {
      response.statusCode = isAway ? 503 : body === null ? 404 : 200
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(body ?? {}))
    })
  })
  await new Promise<void>((resolve) => void login.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(login.address() as AddressInfo).port}`
  world = await startWorld({
    HOLDFAST_JWT_ISSUER: issuer,
    HOLDFAST_JWT_AUDIENCE: AUDIENCE,
    HOLDFAST_JWT_CLAIMS: '{"organization":"org","roles":"scope"}',
  })
  for (const externalId of ['ACME', 'OTHER'])
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
})
afterAll(async () => {
  await world.stop()
  await new Promise((resolve) => login.close(resolve))
})

async function answerTo(url: string): Promise<object | null> {
  if (url === '/.well-known/openid-configuration') return { issuer, jwks_uri: `${issuer}/keys` }
  if (url === '/keys') return { keys: [{ ...(await exportJWK(good.publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' }] }
  if (url === '/strange-keys') return { keys: [{ ...(await exportJWK(stranger.publicKey)), kid: 'one', alg: 'EdDSA' }] }
  return null
}

interface Making {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject
}

async function token({ claims = {}, header = {}, key = good.privateKey }: Making = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'alice',
    iat: now,
    exp: now + 300,
    org: 'ACME',
    scope: 'OPERATOR',
    ...claims,
  }
  return await new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: 'one', typ: 'at+jwt', ...header }).sign(key)
}

/** Signed with the bytes of the public key as a shared secret. */
async function signWithPublicKey(): Promise<string> {
  const [, payload] = (await token()).split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one', typ: 'at+jwt' })).toString('base64url')
  const secret = good.publicKey.export({ format: 'der', type: 'spki' })
  return `${header}.${payload}.${createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')}`
}

async function buildUnsigned(): Promise<string> {
  const [, payload] = (await token()).split('.')
  return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`
}

const now = Math.floor(Date.now() / 1000)

describe('while the issuer does not answer', () => {
  beforeAll(() => (isAway = true))
  afterAll(() => (isAway = false))

  it('a token of it is answered with 503 and can be sent again', async () => {
    const headers = { authorization: `Bearer ${await token()}` }
    const answer = await fetch(`${world.url}/api/v1/whoami`, { headers })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ errors: [{ code: 'ISSUER_UNAVAILABLE', retryable: true }] })
  })

  it.each<[what: string, make: () => Promise<string>]>([
    ['three words', async () => await Promise.resolve('a.b.c')],
    ['a token of another issuer', () => token({ claims: { iss: 'https://login.example' } })],
    ['an expired token', () => token({ claims: { exp: now - 120 } })],
    ['a token signed with the public key as a secret', signWithPublicKey],
  ])('%s: nobody, without a request to the issuer', async (_what, make) => {
    requestedPaths = []
    await world.api.as(await make()).refuses(401, 'CREDENTIALS_INVALID', 'POST', '/accounts/bulk/compact', {})
    expect(requestedPaths).toEqual([])
  })
})

describe('a valid token', () => {
  it('acts for the organization and with the roles it names, and sees no other organization', async () => {
    const alice = world.api.as(await token())
    const account = (await alice.ok<{ newAccount: Ids }>(201, 'POST', '/accounts', {})).newAccount
    const record = await alice.read<{ tenantOrganizationId: string }>('/accounts/single', {
      offchainId: account.offchainId,
    })
    expect(record.tenantOrganizationId).toBe('ACME')
    const bob = world.api.as(await token({ claims: { sub: 'bob', org: 'OTHER' } }))
    await bob.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', { offchainId: account.offchainId })
  })

  it('has no role that it does not name', async () => {
    const viewer = world.api.as(await token({ claims: { scope: ['VIEWER', 'what the issuer calls its own'] } }))
    await viewer.refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', {})
    await viewer.bulk('/accounts/bulk/compact', {})
  })

  it('administers the platform only for the system tenant', async () => {
    const claims = { scope: 'PLATFORM_ADMIN TENANT_ADMIN' }
    const freeze = { organizationExternalId: 'OTHER' }
    await world.api
      .as(await token({ claims }))
      .refuses(403, 'ROLE_REQUIRED', 'POST', '/admin/organizations', { externalId: 'X', name: 'X' })
    const operator = world.api.as(await token({ claims: { ...claims, org: 'SYSTEM' } }))
    await operator.ok(200, 'PATCH', '/admin/freeze', freeze)
    await operator.ok(200, 'PATCH', '/admin/unfreeze', freeze)
  })
})

it.each<[what: string, make: () => Promise<string>]>([
  ['of another issuer', () => token({ claims: { iss: 'https://login.example' } })],
  ['for another audience', () => token({ claims: { aud: 'elsewhere' } })],
  ['expired', () => token({ claims: { exp: now - 120 } })],
  ['not yet valid', () => token({ claims: { nbf: now + 600 } })],
  ['without an end', () => token({ claims: { exp: undefined } })],
  ['of another type', () => token({ header: { typ: 'JWT' } })],
  ['signed by another key', () => token({ key: stranger.privateKey })],
  [
    'that brings a key of its own',
    async () => token({ key: stranger.privateKey, header: { jwk: await exportJWK(stranger.publicKey) } }),
  ],
  [
    'that says where its keys are',
    () => token({ key: stranger.privateKey, header: { jku: `${issuer}/strange-keys` } }),
  ],
  ['signed with the public key as a secret', signWithPublicKey],
  ['not signed at all', buildUnsigned],
  ['of an organization nobody knows', () => token({ claims: { org: 'NOBODY' } })],
  ['of no organization', () => token({ claims: { org: undefined } })],
  ['of nobody', () => token({ claims: { sub: '' } })],
])('a token %s is nobody', async (_what, make) => {
  requestedPaths = []
  await world.api.as(await make()).refuses(401, 'CREDENTIALS_INVALID', 'POST', '/accounts/bulk/compact', {})
  expect(requestedPaths).not.toContain('/strange-keys')
})

it('can be used beside API keys', async () => {
  await world.api.bulk('/accounts/bulk/compact', {})
})
