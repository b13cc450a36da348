// GET /whoami: identity and rights of the calling key, for programs that show only what the key can do. Any valid key
// may call it; it returns no secret.
import type { Router } from '@koa/router'
import type { IdentityModel } from '../contract/schemas/identity-answer.ts'
import type { Gate } from './endpoint.ts'
import { answer, JSON_TYPE, type Exchange } from './exchange.ts'
import { frontRefusal } from './problem.ts'

/** Not in the table of routes, whose endpoints take a body. */
export const WHOAMI_PATH = '/api/v1/whoami'

export function whoami(router: Router, gate: Gate): void {
  router.get(WHOAMI_PATH, (exchange: Exchange) => answerIdentity(exchange, gate))
}

async function answerIdentity(exchange: Exchange, { apiFor, authenticator, admission, closed }: Gate): Promise<void> {
  exchange.state.endpoint = `GET ${WHOAMI_PATH}`
  if (closed(exchange)) throw frontRefusal(503, 'UNAVAILABLE', 'the service is stopping or not ready')
  const caller = await authenticator.caller(exchange)
  exchange.state.caller = caller
  admission.admit(exchange, caller)
  const { keyId, organization, tenant, roles, clusters } = caller
  const api = apiFor(exchange)
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
