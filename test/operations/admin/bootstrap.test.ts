// First and later starts: the records that they create, and those that they leave unchanged.
import { expect, it } from 'vitest'
import { organizationKey } from '../../../src/engine/index/index-keys.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { bootstrap } from '../../../src/operations/admin/bootstrap.ts'
import { ROLES } from '../../../src/contract/roles.ts'
import { House, secretOf } from './house.ts'

it('creates the system organization and a key with every role, once', async () => {
  const house = await House.open()
  expect(house.caller()).toEqual({
    keyId: house.root.keyId,
    organization: 'SYSTEM',
    tenant: 'SYSTEM',
    system: true,
    roles: new Set(ROLES),
    clusters: null,
  })
  expect(await house.restart()).toBe('unchanged')
  expect(await bootstrap(house.engine, house.root, house.platform)).toBe('unchanged')
  expect([...house.engine.directory.entries()].map(({ head }) => head.kind).sort()).toEqual(['apiKey', 'organization'])
  expect(house.engine.directory.first(organizationKey('SYSTEM'))?.committed?.tenant).toBe('SYSTEM')
  expect(house.caller().roles.has('PLATFORM_ADMIN')).toBe(true)
})

it('stores nothing that can authenticate', async () => {
  const house = await House.open()
  await house.restart()
  expect(await house.onDisk()).toContain(house.root.keyId)
  expect(await house.onDisk()).not.toContain(secretOf(house.root.apiKey))
})

it('adopts a changed secret, and adds a key with another id', async () => {
  const house = await House.open()
  const replacement = generateApiKey(house.root.keyId)
  expect(await house.restart(replacement)).toBe('replaced')
  expect(house.access.authenticate(house.root.apiKey)).toBe('invalid')
  expect(house.caller(replacement.apiKey).keyId).toBe(house.root.keyId)
  const second = generateApiKey()
  expect(await house.restart(second)).toBe('created')
  expect(house.caller(second.apiKey).system).toBe(true)
  expect(house.caller(replacement.apiKey).system).toBe(true)
  expect(await house.restart(null)).toBe('none')
  expect(house.caller(second.apiKey).system).toBe(true)
})
