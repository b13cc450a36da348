// GET /whoami: identity and rights of the calling key, for programs that show only what the key can do. Any valid key
// may call it; it returns no secret.
import type { Router } from '@koa/router'
import type { IdentityModel } from '../contract/schemas/identity-answer.ts'
import { admittedCaller } from './admitted.ts'
import type { EndpointDependencies } from './endpoint.ts'
import { answer, JSON_TYPE, type Exchange } from './exchange.ts'

/** Not in the table of routes, whose endpoints take a body. */
export const WHOAMI_PATH = '/api/v1/whoami'

export function whoami(router: Router, gate: EndpointDependencies): void {
  router.get(WHOAMI_PATH, (exchange: Exchange) => answerIdentity(exchange, gate))
}

async function answerIdentity(exchange: Exchange, gate: EndpointDependencies): Promise<void> {
  const caller = await admittedCaller(exchange, gate, `GET ${WHOAMI_PATH}`, [])
  // An unknown parameter or cluster is refused here too; a key that may not use the cluster may still call this
  // endpoint.
  gate.clusters.of(exchange.state.query, { ...caller, clusters: null })
  const { keyId, organization, tenant, roles, clusters } = caller
  const api = gate.apiFor(exchange)
  const identity: IdentityModel = {
    keyId,
    organizationExternalId: organization,
    tenantOrganizationId: tenant,
    roles: [...roles].sort(),
    clusters: [...(clusters ?? [])].sort(),
    ...(api.switches === undefined ? {} : { switches: api.switches(caller) }),
  }
  answer(exchange, 200, JSON_TYPE, JSON.stringify(identity))
}
