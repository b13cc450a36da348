// Outermost middleware: request id, common headers, errors as problem documents, timing and logging. No error passes
// it.
import { Refusal } from '../contract/refusal.ts'
import { isTracing, withSpan, type Attributes, type SpanOptions } from '../telemetry/traces.ts'
import { answer, requestIdOf, type Exchange, type State, type ApiFor } from './exchange.ts'
import { bearerOf } from './authenticate.ts'
import { uniteIdempotencyKeys } from './preferences.ts'
import type { Api, RequestLog, RequestMetrics, HttpSettings } from './ports.ts'
import { internalProblem, PROBLEM_TYPE, refusalProblem, frontRefusal, type ProblemAnswer } from './problem.ts'
import { sendOverdue } from './send.ts'
import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../config/networks.ts'

export interface ShellOptions {
  readonly log: RequestLog
  readonly metrics: RequestMetrics
  /** True once the service is stopping; connections are then not kept alive. */
  readonly draining: () => boolean
  readonly apiFor: ApiFor
  readonly checkHost: HostCheck
}

export function shell(options: ShellOptions): (exchange: Exchange, next: () => unknown) => Promise<void> {
  const { log, metrics, draining, apiFor, checkHost } = options
  const observe = observer(metrics)

  return async function around(exchange, next) {
    const startedAt = performance.now()
    sendOverdue(startedAt)
    const { id, valid } = requestIdOf(exchange.req)
    const { res } = exchange
    const target = originForm(exchange.req.url ?? '/')
    exchange.req.url = target
    exchange.state = stateOf(target, id)
    res.setHeader('X-Request-Id', id)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('X-Content-Type-Options', 'nosniff')
    if (draining()) res.setHeader('Connection', 'close')
    const respond = async (): Promise<void> => {
      try {
        checkHost(exchange.req)
        checkPath(target)
        uniteIdempotencyKeys(exchange.req)
        if (!valid) throw frontRefusal(400, 'MALFORMED_UUID', 'the header x-request-id must be a UUID')
        await next()
      } catch (error) {
        if (isOfRight(error)) await noteRefusal(exchange, apiFor(exchange), log)
        answerProblem(exchange, problemOf(error, exchange, log))
      }
    }
    if (isTracing())
      await withSpan(`${exchange.req.method ?? ''} request`, { requestId: id }, respond, spanOf(exchange))
    else await respond()
    exchange.state.leave?.()
    observe(exchange.state.endpoint, res.statusCode, (performance.now() - startedAt) / 1000)
    const { endpoint, caller } = exchange.state
    log.debug({ requestId: id, endpoint, status: res.statusCode, keyId: caller?.keyId }, 'answered')
  }
}

/** Names as OpenTelemetry gives them. The route, never the path: a path may hold ids. */
function spanOf({ req, state, res }: Exchange): SpanOptions<void> {
  const attributes = (): Attributes => {
    const route = state.endpoint.slice(state.endpoint.indexOf(' ') + 1)
    const routed = state.endpoint === 'other' ? {} : { 'http.route': route }
    return { 'http.request.method': req.method ?? '', ...routed, 'http.response.status_code': res.statusCode }
  }
  return {
    kind: 'SERVER',
    headers: req.headers,
    after: attributes,
    renamed: () => (state.endpoint === 'other' ? (req.method ?? '') : state.endpoint),
    hasFailed: () => res.statusCode >= 500,
  }
}

/**
 * A client may also send the scheme and the host (RFC 9112, 3.2.2). Without a fragment: koa ignores it, so all code
 * must see the path that koa matches.
 */
function originForm(target: string): string {
  const mark = target.indexOf('#')
  const whole = mark < 0 ? target : target.slice(0, mark)
  if (whole.startsWith('/') || !URL.canParse(whole)) return whole
  const { pathname, search } = new URL(whole)
  return pathname + search
}

/**
 * koa finds a path also in a target that is neither in origin form nor a valid URL, while the gateway of a node reads
 * the target itself.
 */
function checkPath(target: string): void {
  if (!target.startsWith('/'))
    throw frontRefusal(400, 'MALFORMED_REQUEST', 'the request target must be a path or an absolute URL')
}

function stateOf(url: string, requestId: string): State {
  const mark = url.indexOf('?')
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
  return { requestId, path, query, endpoint: 'other', caller: undefined, body: undefined }
}

/** A missing right, or invalid credentials. */
function isOfRight(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.status === 403 || (error.status === 401 && error.problems[0]?.code === 'CREDENTIALS_INVALID')
}

/** Runs before the response: the audit entry of a refusal is recorded before the caller learns of it. */
async function noteRefusal({ state, req }: Exchange, api: Api, log: RequestLog): Promise<void> {
  const { caller, requestId, endpoint: action, body } = state
  const bearer = caller === undefined ? bearerOf(req.headers.authorization ?? '') : undefined
  try {
    await api.refused({ caller, bearer, action, requestId, body })
  } catch (error) {
    log.error({ requestId, err: error }, 'a refusal could not be recorded in the audit log')
  }
}

function problemOf(error: unknown, exchange: Exchange, log: RequestLog): ProblemAnswer {
  const { requestId, endpoint } = exchange.state
  if (error instanceof Refusal) return refusalProblem(error, error.status, requestId)
  log.error({ requestId, endpoint, err: error }, 'a request failed')
  return internalProblem(requestId)
}

function answerProblem(exchange: Exchange, problem: ProblemAnswer): void {
  const { res } = exchange
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (problem.status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="holdfast"')
  if (problem.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(problem.retryAfterSeconds))
  else if (problem.status === 503 || problem.status === 429) res.setHeader('Retry-After', '1')
  answer(exchange, problem.status, PROBLEM_TYPE, problem.body)
}

/** Caches one metric series per endpoint and status. */
function observer(metrics: RequestMetrics): (endpoint: string, status: number, seconds: number) => void {
  const latencies = metrics.latencies(
    'holdfast_http_request_seconds',
    'Time from the headers of a request to its response',
    ['endpoint', 'status'],
  )
  const series = new Map<string, ReturnType<typeof latencies>>()
  return (endpoint, status, seconds) => {
    const key = `${status} ${endpoint}`
    let one = series.get(key)
    if (one === undefined) {
      one = latencies({ endpoint, status: String(status) })
      series.set(key, one)
    }
    one.observe(seconds)
  }
}

/** Throws a Refusal (421 `HOST_NOT_ALLOWED`; 400 for a request of HTTP/1.1 without the header). */
type HostCheck = (request: IncomingMessage) => void

/**
 * Against DNS rebinding of a service on loopback: a page of any site can make its own name resolve to this machine and
 * let the browser send requests, which carry that name as Host. Skipped where other names are legitimate: beyond
 * loopback, behind a proxy, and with TLS, because such a page has no certificate.
 */
export function hostCheck({ host, tls, trustedProxy }: Pick<HttpSettings, 'host' | 'tls' | 'trustedProxy'>): HostCheck {
  const takesEveryName = !isLoopbackHost(host) || tls !== null || trustedProxy.length > 0
  return ({ headers, httpVersion }) => {
    if (headers.host === undefined) {
      if (httpVersion === '1.1') throw frontRefusal(400, 'MALFORMED_REQUEST', 'the header Host is required')
      return
    }
    if (takesEveryName || isLoopbackHost(nameIn(headers.host))) return
    throw frontRefusal(421, 'HOST_NOT_ALLOWED', 'the Host header must name this machine: localhost, 127.0.0.1 or [::1]')
  }
}

/** Host name without port and brackets. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return bracketed ?? plain
}
