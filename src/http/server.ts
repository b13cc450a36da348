// The REST server: koa on Node's HTTP server, with limits against slow clients and floods, and graceful shutdown.
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import Koa from 'koa'
import { SERVER_CAPS, tenantShareOf } from '../config/server-caps.ts'
import { RequestAdmission } from './admission.ts'
import { Authenticator } from './authenticate.ts'
import { HeldBytes } from './body/held-bytes.ts'
import { Clusters } from './clusters.ts'
import { serveThroughGateway, type NodeGateway } from './node-gateway.ts'
import { EventStreams } from './event-streams.ts'
import type { ApiFor, Exchange, State } from './exchange.ts'
import { Failures } from './failures.ts'
import { pages } from './pages/pages.ts'
import { trustedProxies } from './peer.ts'
import type { Api, HttpSettings, RequestLog, RequestMetrics } from './ports.ts'
import { answerRejected, MAX_HEADER_BYTES } from './raw-refusals.ts'
import { RelayedStreams } from './relayed-streams.ts'
import type { Route } from './route.ts'
import { routing } from './router.ts'
import { routes as allRoutes } from './routes.ts'
import { hostCheck, shell } from './shell.ts'
import { EXISTING_BUILD, type Site } from '../site/files.ts'

/** Greater than the number of open requests, to allow idle connections, event streams, health checks and pages. */
const MAX_CONNECTIONS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/**
 * Longer than the idle timeout of common load balancers, so that the server does not close a connection under a
 * request.
 */
const KEEP_ALIVE_MS = 65_000
const DRAIN_POLL_MS = 25
/** A client that takes nothing of an answer for this time is disconnected: the answer would be kept in memory. */
const STALLED_MS = 60_000

export interface ServerOptions {
  readonly api: Api
  readonly settings: HttpSettings
  readonly log: RequestLog
  readonly metrics: RequestMetrics
  /** The built web pages; absent: the last build. */
  readonly served?: Site
  /** Absent: all routes. */
  readonly routes?: readonly Route[]
  /** One of several nodes. Absent: every request is served here. */
  readonly nodeGateway?: NodeGateway
  /** Time without progress after which a client that does not read its answer is disconnected. */
  readonly stalledMs?: number
}

export interface RestServer {
  /** Resolves with `http://host:port` once connections are accepted. */
  listen(): Promise<string>
  /** Rejects further requests with 503, except for health and documents, and ends all event streams. */
  drain(): void
  /**
   * Ends all event streams that are served here, or those of the events of some tenants: their clients connect again.
   */
  endStreams(of?: (tenant: string) => boolean): void
  /** True if a stream of the events of such a tenant is open. */
  hasStreams(of: (tenant: string) => boolean): boolean
  /** Drains, lets open requests finish for `graceMs`, then closes all connections. */
  stop(graceMs: number): Promise<void>
}

export function createServer({
  api,
  settings,
  log,
  metrics,
  served = EXISTING_BUILD,
  routes = allRoutes,
  nodeGateway,
  stalledMs = STALLED_MS,
}: ServerOptions): RestServer {
  let stopping = false
  const draining = (): boolean => stopping
  const trusted = trustedProxies(settings)
  const failures = new Failures()
  metrics.observed(
    'holdfast_authentication_failures_total',
    'Requests with invalid credentials',
    'counter',
    () => failures.total,
  )
  const apiFor: ApiFor = ({ state }) => state.api ?? api
  const authenticator = new Authenticator(apiFor, failures, trusted)
  const admission = new RequestAdmission(settings)
  const streams = new EventStreams({
    maxOpen: SERVER_CAPS.eventStreams,
    maxPerTenant: tenantShareOf(SERVER_CAPS.eventStreams, settings.tenantShare),
  })
  metrics.observed('holdfast_event_streams', 'Open event streams', 'gauge', () => streams.size)
  const relayedStreams = new RelayedStreams()
  const { dispatch, isListed } = routing(
    routes,
    {
      ...{ apiFor, authenticator, admission, held: new HeldBytes(settings.tenantShare) },
      clusters: new Clusters(settings.clusters),
      responseWaitMs: settings.responseWaitMs,
      closed: (exchange) => stopping || !apiFor(exchange).accepting,
    },
    streams,
    pages({
      ...{ apiFor, authenticator, admission, trusted, routes, settings, metrics, draining, served },
      readiness: () => api.readiness(),
    }),
  )
  const aroundEach = shell({ log, metrics, draining, apiFor, checkHost: hostCheck(settings) })
  const around = { routes, trusted, metrics, log, around: aroundEach, dispatch, relayedStreams }
  const routed = nodeGateway === undefined ? dispatch : serveThroughGateway({ ...settings, ...nodeGateway, ...around })
  const serve = (exchange: Exchange): Promise<unknown> => aroundEach(exchange, () => routed(exchange))
  const server = nodeServer(settings.tls, listener(serve, isListed, log), log, stalledMs)
  const drain = (): void => {
    stopping = true
    streams.end()
    relayedStreams.end()
  }

  return {
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(settings.port, settings.host, resolve)
      })
      return urlOf(server, settings.tls === null ? 'http' : 'https')
    },
    drain,
    endStreams: (of) => streams.end(of),
    hasStreams: (of) => streams.has(of),
    stop(graceMs) {
      drain()
      return close(server, graceMs)
    },
  }
}

/**
 * Serves listed endpoints without koa: they do not use its context, response listener or response handling, which cost
 * time per request.
 */
function listener(
  serve: (exchange: Exchange) => Promise<unknown>,
  isListed: (method: string, path: string) => boolean,
  log: RequestLog,
): RequestListener {
  const app = new Koa<State>()
  app.use(serve)
  app.on('error', (error: unknown) => log.debug({ err: error }, 'a connection failed'))
  const byKoa = app.callback()
  return (request, response) => {
    const { method = '', url = '' } = request
    const mark = url.indexOf('?')
    if (!isListed(method, mark < 0 ? url : url.slice(0, mark))) return void byKoa(request, response)
    // `shell` sets the state of this exchange, as it does for a koa context.
    serve({ req: request, res: response } as Exchange).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed')
      response.destroy()
    })
  }
}

/** Node's HTTP or HTTPS server, with limits on headers and connections. */
function nodeServer(tls: HttpSettings['tls'], answer: RequestListener, log: RequestLog, stalledMs: number): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    // `hostCheck` checks the header, so that the error has the common format.
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 5_000,
    noDelay: true,
  }
  const server =
    tls === null
      ? createHttpServer(options, answer)
      : createHttpsServer({ ...options, cert: tls.certificate, key: tls.key, minVersion: 'TLSv1.2' }, answer)
  server.maxConnections = MAX_CONNECTIONS
  const note = answerRejected(server, (error) => log.debug({ err: error }, 'a connection failed'))
  server.prependListener('request', (_request, response) => note(response))
  disconnectStalled(server, stalledMs)
  // An expectation other than `100-continue` may be ignored (RFC 9110, 10.1.1); Node would respond without problem
  // details.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/**
 * Node measures the time without progress of a socket. Only a socket with an answer that the client does not take is
 * destroyed: a request may wait longer for its answer, and an event stream may have nothing to send.
 */
function disconnectStalled(server: Server, stalledMs: number): void {
  server.setTimeout(stalledMs)
  server.prependListener('request', (_request, response) => {
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    })
  })
}

function urlOf(server: Server, scheme: string): string {
  const { address, port, family } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Node does not report when a keep-alive connection becomes idle, so idle connections are closed by polling. */
async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_POLL_MS)
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  server.closeIdleConnections()
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}
