// GET /events and GET /events/stream: the event log, page by page or as server-sent events. Both read the same rows
// with the same rights. They are not in the table of routes, because they have no body.
import type { Router } from '@koa/router'
import type { Call, Caller } from '../contract/call.ts'
import { fetchEvents } from '../operations/events/fetch-events.ts'
import { admittedCaller } from './admitted.ts'
import { requireRole } from './authenticate.ts'
import type { EndpointDependencies } from './endpoint.ts'
import { STREAM_TYPE, type EventStreams } from './event-streams.ts'
import { answer, JSON_TYPE, type Exchange } from './exchange.ts'
import { Parameters } from './parameters.ts'
import { frontRefusal } from './problem.ts'

export const EVENTS_PATH = '/api/v1/events'
export const STREAM_PATH = '/api/v1/events/stream'
export const EVENTS_ROLE = 'EVENTS_READ'
export const MAX_EVENTS = 1_000

const SEQUENCES = { from: 0, to: Number.MAX_SAFE_INTEGER }
const LAST_EVENT_ID = /^\d{1,16}$/

export function events(router: Router, gate: EndpointDependencies, streams: EventStreams): void {
  router.get(EVENTS_PATH, (context) => page(context as never, gate))
  router.get(STREAM_PATH, (context) => stream(context as never, gate, streams))
}

async function page(exchange: Exchange, gate: EndpointDependencies): Promise<void> {
  const caller = await admittedCaller(exchange, gate, `GET ${EVENTS_PATH}`, [EVENTS_ROLE])
  const parameters = new Parameters(exchange.state.query)
  const after = parameters.wholeNumber('after', SEQUENCES, 0)
  const limit = parameters.wholeNumber('limit', { from: 0, to: MAX_EVENTS }, MAX_EVENTS)
  const call = callOf(exchange, gate, caller, parameters)
  answer(
    exchange,
    200,
    JSON_TYPE,
    JSON.stringify(await gate.apiFor(exchange).read(call, fetchEvents, { after, limit })),
  )
}

async function stream(exchange: Exchange, gate: EndpointDependencies, streams: EventStreams): Promise<void> {
  const caller = await admittedCaller(exchange, gate, `GET ${STREAM_PATH}`, [EVENTS_ROLE])
  const parameters = new Parameters(exchange.state.query)
  const asked = parameters.wholeNumber('after', SEQUENCES, -1)
  const call = callOf(exchange, gate, caller, parameters)
  if (exchange.req.method === 'HEAD') {
    answer(exchange, 200, STREAM_TYPE, '')
    return
  }
  const { authenticator } = gate
  const api = gate.apiFor(exchange)
  // A reconnecting client repeats its request and sends its position in the header.
  const got = lastEventId(exchange.req.headers['last-event-id'])
  streams.open(exchange, {
    keyId: caller.keyId,
    tenant: caller.tenant,
    logOf: call.tenant,
    after: got ?? (asked >= 0 ? asked : api.events.lastSequence(call.tenant)),
    read: async (after, limit) => {
      const now = await authenticator.caller(exchange)
      requireRole(now, [EVENTS_ROLE])
      api.callFor(now, { cluster: call.cluster, overrideOrganization: call.organization })
      return await api.read(call, fetchEvents, { after, limit })
    },
    subscribe: (appended) => api.events.subscribe(call.tenant, appended),
  })
}

/** `overrideOrganizationExternalId` in the query corresponds to `tenancyConfig` in a body. */
function callOf(
  exchange: Exchange,
  { apiFor, clusters }: EndpointDependencies,
  caller: Caller,
  parameters: Parameters,
): Call {
  const overrideOrganization = parameters.text('overrideOrganizationExternalId')
  const cluster = clusters.of(parameters.rest(), caller)
  const { organization, tenant } = apiFor(exchange).callFor(caller, { cluster, overrideOrganization })
  const { requestId, endpoint } = exchange.state
  return { caller, organization, tenant, cluster, requestId, endpoint, idempotency: null, waitMs: 0, dryRun: false }
}

/** Throws a Refusal (400). */
function lastEventId(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const value = typeof header === 'string' && LAST_EVENT_ID.test(header) ? Number(header) : NaN
  if (!(value <= SEQUENCES.to))
    throw frontRefusal(400, 'MALFORMED_HEADER', 'Last-Event-ID must be the sequence of an event')
  return value
}
