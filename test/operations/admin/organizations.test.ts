// Organizations: their tenant, their place under a parent, and their changes.
import { expect, it } from 'vitest'
import { organizationKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { createOrganization } from '../../../src/operations/admin/create-organization.ts'
import { updateOrganization } from '../../../src/operations/admin/update-organization.ts'
import { House, verdict } from './house.ts'

const PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

it('belongs to the tenant of its root, also after a restart', async () => {
  const house = await House.open()
  expect(await house.run(createOrganization, { externalId: 'ACME', name: 'Acme' })).toEqual({
    externalId: 'ACME',
    name: 'Acme',
    parentExternalId: null,
    allowedPrograms: [],
    acceptedFeePayers: [],
    acceptsSigningRequests: false,
    destinationPolicy: 'OPEN',
    coolingOffHours: 0,
    reviewApproval: null,
    screening: null,
    status: 'ACTIVE',
    suspendedOnClusters: [],
  })
  const fund = await house.run(createOrganization, { externalId: 'FUND', name: 'Fund', parentExternalId: 'ACME' })
  expect(fund).toMatchObject({ parentExternalId: 'ACME' })
  await house.restart()
  const tenantOf = (externalId: string) => house.engine.directory.first(organizationKey(externalId))?.committed?.tenant
  expect(['SYSTEM', 'ACME', 'FUND'].map(tenantOf)).toEqual(['SYSTEM', 'ACME', 'ACME'])
})

it('reserves an external id once per installation, also for concurrent requests', async () => {
  const house = await House.open()
  await house.organization('ACME')
  const twin = { externalId: 'TWIN', name: 'Twin' }
  const create = (parentExternalId?: string) =>
    verdict(() => house.run(createOrganization, { ...twin, parentExternalId }))
  const verdicts = await Promise.all([create(), create('ACME'), create()])
  expect(verdicts).toEqual([
    'done',
    '400 ALREADY_EXISTS /itemData/externalId',
    '400 ALREADY_EXISTS /itemData/externalId',
  ])
  await house.restart()
  expect(await create('ACME')).toBe('400 ALREADY_EXISTS /itemData/externalId')
})

/** One character of two UTF-16 units. */
const EMOJI = '\u{1f600}'

it('refuses reserved external ids, and those that resemble another', async () => {
  const house = await House.open()
  const create = (externalId: string) => verdict(() => house.run(createOrganization, { externalId, name: 'n' }))
  for (const externalId of ['SYSTEM', 'system', ' System ', 'ＳＹＳＴＥＭ']) {
    expect(await create(externalId)).toBe('400 EXTERNAL_ID_RESERVED /itemData/externalId')
  }
  for (const malformed of [
    '',
    ' ACME',
    'ACME ',
    'AC\u0000ME',
    'A\nB',
    'e\u0301',
    '\ud800',
    'x'.repeat(256),
    EMOJI.repeat(256),
  ]) {
    expect(await create(malformed)).toBe('400 INVALID_TEXT /itemData/externalId')
  }
  for (const good of ['x'.repeat(255), EMOJI.repeat(255), 'Ümlaut & Söhne', '*', 'a!b%c'])
    expect(await create(good)).toBe('done')
})

it('is created under a root of the own tenant, or of any for the operator, who alone creates tenants', async () => {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('FUND', 'ACME')
  await house.organization('OTHER')
  const admin = await house.key('ACME', { bundle: 'ADMIN' })
  const viewer = await house.key('ACME', { bundle: 'VIEWER' })
  let count = 0
  const create = (parentExternalId: string | undefined, bearer?: string) => {
    count += 1
    return verdict(() =>
      house.run(createOrganization, { externalId: `NEW-${count}`, name: 'n', parentExternalId }, bearer),
    )
  }
  const pointer = '/itemData/parentExternalId'
  expect(await create('ACME', admin.apiKey)).toBe('done')
  expect(await create(undefined, admin.apiKey)).toBe('403 ROLE_REQUIRED')
  expect(await create('OTHER', admin.apiKey)).toBe(`400 ORGANIZATION_NOT_FOUND ${pointer}`)
  expect(await create('NOBODY', admin.apiKey)).toBe(`400 ORGANIZATION_NOT_FOUND ${pointer}`)
  expect(await create('FUND', admin.apiKey)).toBe(`400 PARENT_NOT_ALLOWED ${pointer}`)
  expect(await create('ACME', viewer.apiKey)).toBe('403 ROLE_REQUIRED')
  expect(await create('OTHER')).toBe('done')
  expect(await create('SYSTEM')).toBe(`400 PARENT_NOT_ALLOWED ${pointer}`)
})

it('changes the given members and keeps the others', async () => {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('OTHER')
  const admin = await house.key('ACME', { bundle: 'ADMIN' })
  const update = (more: object, externalId = 'ACME') =>
    house.run(updateOrganization, { externalId, ...more }, admin.apiKey)
  const context = () =>
    ofKind(house.engine.directory.first(organizationKey('ACME'))?.committed, 'organization')?.context
  expect(await update({ allowedPrograms: [PROGRAM, PROGRAM] })).toEqual({ updatedOrganization: { externalId: 'ACME' } })
  expect(await update({ name: 'Acme AG' })).toEqual({ updatedOrganization: { externalId: 'ACME' } })
  expect(await update({})).toEqual({ updatedOrganization: { externalId: 'ACME' } })
  expect(context()).toMatchObject({ name: 'Acme AG', allowedPrograms: [PROGRAM], parentExternalId: null })
  expect(await verdict(() => update({ name: ' ' }))).toBe('400 NAME_EMPTY /itemData/name')
  for (const outside of ['OTHER', 'NOBODY', 'SYSTEM']) {
    expect(await verdict(() => update({ name: 'mine' }, outside))).toBe(
      '400 ORGANIZATION_NOT_FOUND /itemData/externalId',
    )
  }
  await update({ allowedPrograms: [] })
  await house.restart()
  expect(context()).toMatchObject({ name: 'Acme AG', allowedPrograms: [] })
})
