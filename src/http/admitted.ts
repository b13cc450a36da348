// Identifies the caller of an endpoint without a JSON body, with the same checks in the same order as for every other
// request.
import type { Caller } from '../contract/call.ts'
import type { Role } from '../contract/roles.ts'
import { requireRole } from './authenticate.ts'
import type { EndpointDependencies } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { frontRefusal } from './problem.ts'

/**
 * Throws 503 `UNAVAILABLE`, 401, 403 `ROLE_REQUIRED`, 429.
 *
 * @param endpoint method and path, for logs and metrics
 * @param roles one of them is required; empty: any valid key may call the endpoint
 */
export async function admittedCaller(
  exchange: Exchange,
  { authenticator, admission, closed }: EndpointDependencies,
  endpoint: string,
  roles: readonly Role[],
): Promise<Caller> {
  exchange.state.endpoint = endpoint
  if (closed(exchange)) throw frontRefusal(503, 'UNAVAILABLE', 'the service is stopping or not ready')
  const caller = await authenticator.caller(exchange)
  exchange.state.caller = caller
  admission.admit(exchange, caller)
  if (roles.length > 0) requireRole(caller, roles)
  return caller
}
