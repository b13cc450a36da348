// A new tenant: an organization and a key with every right in it.
import { BUNDLES } from '../../src/contract/roles.ts'
import { restClient, type Rest } from './rest.ts'
import type { Served } from './process.ts'

export interface Tenant {
  readonly rest: Rest
  readonly apiKey: string
}

export async function createTenant({ host, port, bootstrapKey }: Served, externalId: string): Promise<Tenant> {
  const system = restClient(host, port, bootstrapKey)
  await system.post('/admin/organizations', { itemData: { externalId, name: `Bench ${externalId}` } })
  const { apiKey } = await system.post<{ apiKey: string }>('/admin/api-keys', {
    itemData: {
      organizationExternalId: externalId,
      name: 'bench',
      roles: [...BUNDLES.OPERATOR, 'ACCOUNT_POLICY_WRITE'],
    },
  })
  return { rest: restClient(host, port, apiKey), apiKey }
}
