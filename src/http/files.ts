// Endpoints that return a file: GET without a body, with the same order of checks as every other endpoint.
import type { Router } from '@koa/router'
import { instrumentLogo } from '../operations/instruments/logo.ts'
import { admittedCaller } from './admitted.ts'
import type { EndpointDependencies } from './endpoint.ts'
import { answerFile, type Exchange } from './exchange.ts'
import { frontRefusal } from './problem.ts'
import { isUuid } from '../contract/values/identity.ts'

/** Not in the table of routes, whose endpoints use JSON. */
export const LOGO_PATH = '/api/v1/financial-instruments/{offchainId}/logo'
/** Logos are uploaded by clients: forbid scripts in them. */
const NO_CONTENT_POLICY = `default-src 'none'; sandbox; frame-ancestors 'none'`

export function files(router: Router, gate: EndpointDependencies): void {
  router.get(LOGO_PATH.replace('{offchainId}', ':offchainId'), (context) =>
    logo(context as never, gate, context.params['offchainId'] ?? ''),
  )
}

async function logo(exchange: Exchange, gate: EndpointDependencies, offchainId: string): Promise<void> {
  const caller = await admittedCaller(exchange, gate, `GET ${LOGO_PATH}`, ['INSTRUMENTS_READ'])
  const { apiFor, clusters } = gate
  const cluster = clusters.of(exchange.state.query, caller)
  if (!isUuid(offchainId)) throw frontRefusal(404, 'INSTRUMENT_NOT_FOUND', 'offchainId must be a UUID')
  const api = apiFor(exchange)
  const { organization, tenant } = api.callFor(caller, { cluster, overrideOrganization: undefined })
  const call = {
    caller,
    organization,
    tenant,
    cluster,
    requestId: exchange.state.requestId,
    endpoint: exchange.state.endpoint,
    idempotency: null,
    waitMs: 0,
    dryRun: false,
  }
  const { contentType, fileName, base64 } = await api.read(call, instrumentLogo, {
    offchainId: offchainId.toLowerCase(),
  })
  exchange.res.setHeader('Content-Security-Policy', NO_CONTENT_POLICY)
  exchange.res.setHeader('X-Content-Type-Options', 'nosniff')
  exchange.res.setHeader('Content-Disposition', `inline; filename*=UTF-8''${encodeURIComponent(fileName)}`)
  answerFile(exchange, contentType, Buffer.from(base64, 'base64'))
}
