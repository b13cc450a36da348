// The answer of GET /whoami.
import { z } from 'zod'
import type { ModelOf } from '../values/validated.ts'

export const identity = z
  .object({
    keyId: z.string(),
    organizationExternalId: z.string(),
    tenantOrganizationId: z.string().meta({ description: 'The root organization of its tenant.' }),
    roles: z.array(z.string()),
    clusters: z.array(z.string()).nullable().meta({ description: 'null: all.' }),
    switches: z
      .object({
        everythingFrozen: z.boolean(),
        tenantFrozen: z.boolean(),
        organizationFrozen: z.boolean(),
        suspendedClusters: z.array(z.string()),
        tenantSuspendedOn: z.array(z.string()),
        organizationSuspendedOn: z.array(z.string()),
      })
      .optional()
      .meta({ id: 'SwitchesInForce' }),
  })
  .meta({ id: 'Identity', description: 'The organization and the rights of the API key.' })
export type IdentityModel = ModelOf<typeof identity>
export type SwitchesModel = NonNullable<IdentityModel['switches']>
