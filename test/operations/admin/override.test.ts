// The organizations for which a key may act (completion 5.2), as a full matrix, and its clusters.
import { expect, it } from 'vitest'
import { CLUSTER, House, verdict } from './house.ts'

const ORGANIZATIONS = ['SYSTEM', 'ACME', 'ACME-A', 'ACME-B', 'OTHER', 'OTHER-A'] as const
type Organization = (typeof ORGANIZATIONS)[number]
const TENANT: Record<Organization, string> = {
  SYSTEM: 'SYSTEM',
  ACME: 'ACME',
  'ACME-A': 'ACME',
  'ACME-B': 'ACME',
  OTHER: 'OTHER',
  'OTHER-A': 'OTHER',
}
/** The organizations for which a key with ORGANIZATION_OVERRIDE may act, besides its own. */
const REACH: Record<Organization, readonly Organization[]> = {
  SYSTEM: ['ACME', 'ACME-A', 'ACME-B', 'OTHER', 'OTHER-A'],
  ACME: ['ACME-A', 'ACME-B'],
  'ACME-A': [],
  'ACME-B': [],
  OTHER: ['OTHER-A'],
  'OTHER-A': [],
}

it('acts for the own organization, for those below it with the role, and for all from the system tenant', async () => {
  const house = await House.open()
  for (const root of ['ACME', 'OTHER']) await house.organization(root)
  const children = [
    ['ACME-A', 'ACME'],
    ['ACME-B', 'ACME'],
    ['OTHER-A', 'OTHER'],
  ] as const
  for (const [child, parent] of children) await house.organization(child, parent)
  const pointer = '/tenancyConfig/overrideOrganizationExternalId'
  for (const from of ORGANIZATIONS) {
    const withRole = house.caller((await house.key(from, { roles: ['ORGANIZATION_OVERRIDE'] })).apiKey)
    const without = house.caller((await house.key(from, { bundle: 'OPERATOR' })).apiKey)
    const refusal = new Map([
      [withRole, `403 OVERRIDE_NOT_ALLOWED ${pointer}`],
      [without, `403 ROLE_REQUIRED ${pointer}`],
    ])
    for (const caller of [withRole, without]) {
      expect(house.access.callContext(caller, { cluster: CLUSTER })).toEqual({
        organization: from,
        tenant: TENANT[from],
      })
      const unknownOverride = { cluster: CLUSTER, overrideOrganizationExternalId: 'NOBODY' }
      expect(await verdict(() => house.access.callContext(caller, unknownOverride))).toBe(refusal.get(caller))
    }
    for (const to of ORGANIZATIONS) {
      const override = { cluster: CLUSTER, overrideOrganizationExternalId: to }
      for (const caller of [withRole, without]) {
        const allowed = to === from || (caller === withRole && REACH[from].includes(to))
        if (allowed)
          expect(house.access.callContext(caller, override)).toEqual({ organization: to, tenant: TENANT[to] })
        else expect(await verdict(() => house.access.callContext(caller, override))).toBe(refusal.get(caller))
      }
    }
  }
})

it('is limited to the clusters of the key', async () => {
  const house = await House.open()
  const caller = house.caller((await house.key('SYSTEM', { bundle: 'ADMIN', clusters: ['CHAIN_DEVNET_1'] })).apiKey)
  expect(house.access.callContext(caller, { cluster: 'CHAIN_DEVNET_1' })).toEqual({
    organization: 'SYSTEM',
    tenant: 'SYSTEM',
  })
  expect(await verdict(() => house.access.callContext(caller, { cluster: CLUSTER }))).toBe('403 CLUSTER_NOT_ALLOWED')
})
