// A key can grant only its own rights: roles, clusters, and secrets of keys with more rights.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BUNDLES, ROLES } from '../../../src/contract/roles.ts'
import { createApiKey } from '../../../src/operations/admin/create-api-key.ts'
import { disableApiKey } from '../../../src/operations/admin/disable-api-key.ts'
import { rotateApiKey } from '../../../src/operations/admin/rotate-api-key.ts'
import { House, verdict } from './house.ts'

it('has the bundles of the interface', () => {
  expect(ROLES).toHaveLength(28)
  expect(BUNDLES.VIEWER.every((role) => role.endsWith('_READ'))).toBe(true)
  expect(BUNDLES.OPERATOR).not.toContain('ACCOUNT_POLICY_WRITE')
  expect(BUNDLES.OPERATOR).toEqual(expect.arrayContaining([...BUNDLES.VIEWER, 'LOANS_WRITE', 'EVENTS_WRITE']))
  expect(BUNDLES.OPERATOR.every((role) => /_(READ|WRITE)$/.test(role))).toBe(true)
  expect(ROLES.filter((role) => !BUNDLES.ADMIN.includes(role))).toEqual(['PLATFORM_ADMIN'])
})

it('lets a key create and rotate exactly the keys whose roles it has', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const someRoles = fc.subarray([...ROLES], { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(someRoles, someRoles, async (ownRoles, requestedRoles) => {
      const by = await house.key('ACME', {
        roles: ['TENANT_ADMIN', ...ownRoles.filter((role) => role !== 'PLATFORM_ADMIN')],
      })
      const has = house.caller(by.apiKey).roles
      const allowed = requestedRoles.every((role) => has.has(role))
      const input = { organizationExternalId: 'ACME', name: 'k', roles: requestedRoles }
      expect(await verdict(() => house.run(createApiKey, input, by.apiKey))).toBe(
        allowed ? 'done' : '403 ROLE_REQUIRED /itemData/roles',
      )
      const existing = await house.key('ACME', { roles: requestedRoles })
      const taking = verdict(() => house.run(rotateApiKey, { keyId: existing.keyId }, by.apiKey))
      expect(await taking).toBe(allowed ? 'done' : '403 ROLE_REQUIRED /itemData/keyId')
    }),
    { numRuns: 40 },
  )
})

it('names the missing roles', async () => {
  const house = await House.open()
  const by = await house.key('SYSTEM', { roles: ['TENANT_ADMIN', 'LOANS_READ'] })
  const roles = ['LOANS_READ', 'LOANS_WRITE', 'AUDIT_READ'] as const
  const input = { organizationExternalId: 'SYSTEM', name: 'k', roles }
  await expect(house.run(createApiKey, input, by.apiKey)).rejects.toThrow(
    'only its own roles; it lacks LOANS_WRITE, AUDIT_READ',
  )
})

it('refuses bundles beyond the caller, unknown roles, none and both, and expired dates', async () => {
  const house = await House.open()
  const by = await house.key('SYSTEM', { roles: ['TENANT_ADMIN', ...BUNDLES.VIEWER] })
  const system = { organizationExternalId: 'SYSTEM', name: 'k' }
  const create = (more: object) => verdict(() => house.run(createApiKey, { ...system, ...more }, by.apiKey))
  expect(await create({ bundle: 'VIEWER' })).toBe('done')
  expect(await create({ bundle: 'OPERATOR' })).toBe('403 ROLE_REQUIRED /itemData/bundle')
  expect(await create({ roles: ['ROOT'] })).toBe('400 UNKNOWN_ROLE /itemData/roles')
  expect(await create({ roles: [] })).toBe('400 ROLES_EMPTY /itemData/roles')
  expect(await create({})).toBe('400 EXACTLY_ONE /itemData')
  expect(await create({ bundle: 'VIEWER', roles: ['LOANS_READ'] })).toBe('400 EXACTLY_ONE /itemData')
  const expiresAt = (ms: number) => ({ bundle: 'VIEWER', expiresAt: new Date(house.clock.time + ms).toISOString() })
  expect(await create(expiresAt(0))).toBe('400 EXPIRES_IN_THE_PAST /itemData/expiresAt')
  expect(await create(expiresAt(1))).toBe('done')
})

it('keeps keys within the clusters of their creator', async () => {
  const house = await House.open()
  const by = await house.key('SYSTEM', { bundle: 'ADMIN', clusters: ['CHAIN_DEVNET'] })
  const wide = await house.key('SYSTEM', { bundle: 'VIEWER' })
  const narrow = await house.key('SYSTEM', { bundle: 'VIEWER' }, by.apiKey)
  expect(house.caller(narrow.apiKey).clusters).toEqual(new Set(['CHAIN_DEVNET']))
  const input = {
    organizationExternalId: 'SYSTEM',
    name: 'k',
    bundle: 'VIEWER',
    clusters: ['CHAIN_DEVNET', 'CHAIN_MAINNET'],
  } as const
  expect(await verdict(() => house.run(createApiKey, input, by.apiKey))).toBe(
    '403 CLUSTER_NOT_ALLOWED /itemData/clusters',
  )
  expect(await verdict(() => house.run(rotateApiKey, { keyId: wide.keyId }, by.apiKey))).toBe(
    '403 CLUSTER_NOT_ALLOWED /itemData/keyId',
  )
  expect(await verdict(() => house.run(rotateApiKey, { keyId: narrow.keyId }, by.apiKey))).toBe('done')
})

it('covers the own tenant with TENANT_ADMIN, every tenant with PLATFORM_ADMIN, and hides other records', async () => {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('ACME-FUND', 'ACME')
  await house.organization('OTHER')
  const admin = await house.key('ACME', { bundle: 'ADMIN' })
  const viewer = await house.key('ACME', { bundle: 'VIEWER' })
  const own = await house.key('ACME-FUND', { bundle: 'OPERATOR' }, admin.apiKey)
  const foreign = await house.key('OTHER', { bundle: 'VIEWER' })
  expect(house.caller(own.apiKey)).toMatchObject({ organization: 'ACME-FUND', tenant: 'ACME' })

  const notFound = '400 API_KEY_NOT_FOUND /itemData/keyId'
  for (const operation of [rotateApiKey, disableApiKey]) {
    expect(await verdict(() => house.run(operation, { keyId: foreign.keyId }, admin.apiKey))).toBe(notFound)
    expect(await verdict(() => house.run(operation, { keyId: '000000000000' }, admin.apiKey))).toBe(notFound)
    expect(await verdict(() => house.run(operation, { keyId: own.keyId }, viewer.apiKey))).toBe('403 ROLE_REQUIRED')
    expect(await verdict(() => house.run(operation, { keyId: own.keyId }, admin.apiKey))).toBe('done')
    expect(await verdict(() => house.run(operation, { keyId: foreign.keyId }))).toBe('done')
  }
  for (const organizationExternalId of ['OTHER', 'SYSTEM', 'NOBODY']) {
    const attempt = verdict(() =>
      house.run(createApiKey, { organizationExternalId, name: 'k', bundle: 'VIEWER' as const }, admin.apiKey),
    )
    expect(await attempt).toBe('400 ORGANIZATION_NOT_FOUND /itemData/organizationExternalId')
  }
})
