// The switches for sending: who may set each, what it stops, and that it survives a restart.
import { expect, it } from 'vitest'
import { Suspensions } from '../../../src/submission/suspensions.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import { resumeLanes } from '../../../src/operations/admin/resume-lanes.ts'
import { suspendLanes } from '../../../src/operations/admin/suspend-lanes.ts'
import { CLUSTER, House, verdict } from './house.ts'

const EVERY = { tenant: null, organization: null, lane: null }

async function twoTenants() {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('FUND', 'ACME')
  await house.organization('OTHER')
  const wallets = {
    acme: await house.wallet('ACME', 'ACME'),
    fund: await house.wallet('ACME', 'FUND'),
    other: await house.wallet('OTHER', 'OTHER'),
  }
  const admin = (await house.key('ACME', { bundle: 'ADMIN' })).apiKey
  /** The transactions that would be sent on the cluster, as `tenant/organization/lane`. */
  const sending = (cluster = CLUSTER) => {
    const suspensions = new Suspensions()
    for (const { head } of house.engine.directory.entries()) {
      const suspension = ofKind(head, 'suspension')
      if (suspension?.value === 'suspended' && suspension.cluster === cluster) suspensions.add(suspension.context.scope)
    }
    return [
      ['ACME', 'ACME', wallets.acme.address],
      ['ACME', 'FUND', wallets.fund.address],
      ['ACME', 'FUND', wallets.acme.address],
      ['OTHER', 'OTHER', wallets.other.address],
      ['OTHER', 'OTHER', wallets.acme.address],
    ].flatMap(([tenant = '', organization = '', lane = ''], index) =>
      suspensions.holds({ tenant, organization, lane }) ? [] : [index],
    )
  }
  return { house, wallets, admin, sending }
}

it('stop an organization, a tenant by its root, and a cluster, through a restart, until they are resumed', async () => {
  const { house, admin, sending } = await twoTenants()
  expect(await house.run(suspendLanes, { organizationExternalId: 'FUND' }, admin)).toEqual({
    suspended: { chainClusterId: CLUSTER, organizationExternalId: 'FUND' },
  })
  expect(sending()).toEqual([0, 3, 4])
  expect(sending('CHAIN_MAINNET')).toEqual([0, 1, 2, 3, 4])
  await house.run(suspendLanes, { organizationExternalId: 'ACME' }, admin)
  await house.restart()
  expect(sending()).toEqual([3, 4])
  expect(await verdict(() => house.run(suspendLanes, { organizationExternalId: 'ACME' }, admin))).toBe(
    '400 ALREADY_SUSPENDED /itemData',
  )
  await house.run(resumeLanes, { organizationExternalId: 'ACME' }, admin)
  expect(sending()).toEqual([0, 3, 4])
  expect(await house.run(suspendLanes, {})).toEqual({ suspended: { chainClusterId: CLUSTER, everything: true } })
  expect(sending()).toEqual([])
  expect(await house.run(resumeLanes, {})).toEqual({ resumed: { chainClusterId: CLUSTER, everything: true } })
  await house.run(resumeLanes, { organizationExternalId: 'FUND' }, admin)
  expect(sending()).toEqual([0, 1, 2, 3, 4])
  for (const input of [{}, { organizationExternalId: 'OTHER' }]) {
    expect(await verdict(() => house.run(resumeLanes, input))).toBe('400 NOT_SUSPENDED /itemData')
  }
})

it('stop the lane of an account for every tenant, by the owner of its key', async () => {
  const { house, wallets, admin, sending } = await twoTenants()
  const account = { offchainId: wallets.acme.id }
  const ids = { chainClusterId: CLUSTER, onchainId: wallets.acme.address, offchainId: wallets.acme.id }
  expect(await house.run(suspendLanes, { account }, admin)).toEqual({ suspended: ids })
  expect(sending()).toEqual([1, 3])
  expect(await verdict(() => house.run(suspendLanes, { account: { onchainId: wallets.acme.address } }))).toBe(
    '400 ALREADY_SUSPENDED /itemData',
  )
  expect(await house.run(resumeLanes, { account }, admin)).toEqual({ resumed: ids })
  expect(sending()).toEqual([0, 1, 2, 3, 4])
})

it('of an unmanaged account stop only own transactions through it', async () => {
  const { house, wallets, admin, sending } = await twoTenants()
  const note = await house.wallet('OTHER', 'OTHER', generateKeypair(), {
    managed: false,
    address: wallets.acme.address,
  })
  const other = (await house.key('OTHER', { bundle: 'ADMIN' })).apiKey
  await house.run(suspendLanes, { account: { offchainId: note.id } }, other)
  expect(sending()).toEqual([0, 1, 2, 3])
  expect(await verdict(() => house.run(resumeLanes, { account: { offchainId: wallets.acme.id } }, admin))).toBe(
    '400 NOT_SUSPENDED /itemData',
  )
  await house.run(resumeLanes, { account: { offchainId: note.id } }, other)
  expect(sending()).toEqual([0, 1, 2, 3, 4])
})

it('record who changed them last', async () => {
  const { house, admin } = await twoTenants()
  const { keyId } = house.caller(admin)
  await house.run(suspendLanes, { organizationExternalId: 'ACME' })
  house.clock.time += 1_000
  await house.run(resumeLanes, { organizationExternalId: 'ACME' }, admin)
  const records = [...house.engine.directory.entries()].flatMap(({ head }) => ofKind(head, 'suspension') ?? [])
  expect(records).toMatchObject([
    {
      tenant: 'ACME',
      cluster: CLUSTER,
      value: 'resumed',
      context: { scope: { ...EVERY, tenant: 'ACME' }, by: keyId, at: '2026-11-21T08:00:01.000Z' },
    },
  ])
})

it('can be changed only by their administrators', async () => {
  const { house, wallets, admin, sending } = await twoTenants()
  const systemAdmin = (await house.key('SYSTEM', { bundle: 'ADMIN' })).apiKey
  const operator = (await house.key('ACME', { bundle: 'OPERATOR' })).apiKey
  for (const operation of [suspendLanes, resumeLanes]) {
    const turn = (input: object, bearer: string) => verdict(() => house.run(operation, input, bearer))
    const noAccount = '400 ACCOUNT_NOT_FOUND /itemData/account'
    expect(await turn({ account: { onchainId: wallets.other.address } }, admin)).toBe(noAccount)
    expect(await turn({ account: { onchainId: generateKeypair().address } }, admin)).toBe(noAccount)
    const noOrganization = '400 ORGANIZATION_NOT_FOUND /itemData/organizationExternalId'
    for (const organizationExternalId of ['OTHER', 'SYSTEM'])
      expect(await turn({ organizationExternalId }, admin)).toBe(noOrganization)
    for (const bearer of [admin, systemAdmin]) expect(await turn({}, bearer)).toBe('403 ROLE_REQUIRED /itemData')
    expect(await turn({ organizationExternalId: 'ACME' }, operator)).toBe('403 ROLE_REQUIRED')
    const both = { account: { offchainId: wallets.acme.id }, organizationExternalId: 'ACME' }
    expect(await turn(both, admin)).toBe('400 TARGET_AMBIGUOUS /itemData')
  }
  expect(sending()).toEqual([0, 1, 2, 3, 4])
})
