// GET /whoami: the information for the holder of a key.
import { expect, it } from 'vitest'
import { ROLES } from '../../src/contract/roles.ts'
import { startEcho, type Problems } from './service.ts'

it('returns the identity of any valid key, and nothing to others', async () => {
  await using service = await startEcho()
  const ask = async (bearer: string) =>
    await service.request('GET', '/api/v1/whoami', undefined, { authorization: `Bearer ${bearer}` })
  expect((await ask('reader')).body).toEqual({
    keyId: 'reader000000',
    organizationExternalId: 'ACME',
    tenantOrganizationId: 'ACME',
    roles: ['ACCOUNTS_READ'],
    clusters: [],
  })
  expect((await ask('elsewhere')).body).toEqual({
    keyId: 'elsewhere000',
    organizationExternalId: 'ACME',
    tenantOrganizationId: 'ACME',
    roles: [...ROLES].sort(),
    clusters: ['CHAIN_MAINNET'],
  })
  const response = await ask('nobody')
  expect([response.status, (response.body as Problems).errors[0]?.code]).toEqual([401, 'CREDENTIALS_INVALID'])
  expect((await fetch(`${service.url}/api/v1/whoami`)).status).toBe(401)
  expect((await service.post('/api/v1/whoami', {})).status).toBe(405)
})

it('is refused while the service is unavailable, and counts toward the rate limit of the key', async () => {
  await using closed = await startEcho({ api: { accepting: false } })
  expect((await closed.request('GET', '/api/v1/whoami')).status).toBe(503)
  await using narrow = await startEcho({ settings: { rateLimit: { perSecond: 0.001, burst: 1 } } })
  expect((await narrow.request('GET', '/api/v1/whoami')).status).toBe(200)
  expect((await narrow.request('GET', '/api/v1/whoami')).status).toBe(429)
})

it('refuses an unknown cluster or parameter, as every endpoint does', async () => {
  await using service = await startEcho()
  const ask = async (query: string, key = 'reader') => {
    const bearer = { authorization: `Bearer ${key}` }
    const { status, body } = await service.request('GET', `/api/v1/whoami${query}`, undefined, bearer)
    return [status, (body as Partial<Problems>).errors?.[0]?.code]
  }
  expect(await ask('?chainClusterId=CHAIN_NOWHERE')).toEqual([400, 'UNKNOWN_CLUSTER'])
  expect(await ask('?cluster=CHAIN_DEVNET')).toEqual([400, 'UNKNOWN_PARAMETER'])
  expect(await ask('?chainClusterId=CHAIN_DEVNET')).toEqual([200, undefined])
  expect(await ask('?chainClusterId=CHAIN_DEVNET', 'elsewhere')).toEqual([200, undefined])
})
