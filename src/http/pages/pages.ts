// Routes besides the API: health, metrics, the OpenAPI document, the Postman collection and the documentation.
import type { BlockList } from 'node:net'
import { Router } from '@koa/router'
import type { Caller } from '../../contract/call.ts'
import type { RequestAdmission } from '../admission.ts'
import type { Authenticator } from '../authenticate.ts'
import { answer, JSON_TYPE, type Exchange, type ApiFor } from '../exchange.ts'
import { isLocal } from '../peer.ts'
import type { HttpSettings, Readiness, RequestMetrics } from '../ports.ts'
import type { Route } from '../route.ts'
import type { Site } from '../../site/files.ts'
import { collection } from './collection.ts'
import { docs } from './docs/docs.ts'
import { openApi } from './openapi.ts'
import { payerPage } from './payer.ts'
import { site } from './site.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const NAMING_LABEL = /[{,](?:account|signer)="/
const NO_CONTENT_POLICY = `default-src 'none'; frame-ancestors 'none'`

export interface PagesOptions {
  readonly apiFor: ApiFor
  readonly readiness: () => Readiness
  readonly authenticator: Authenticator
  readonly admission: RequestAdmission
  readonly trusted: BlockList
  readonly routes: readonly Route[]
  readonly settings: HttpSettings
  readonly metrics: RequestMetrics
  readonly draining: () => boolean
  readonly served: Site
}

export function pages({
  apiFor,
  readiness,
  authenticator,
  admission,
  trusted,
  routes,
  settings,
  metrics,
  draining,
  served,
}: PagesOptions): Router {
  const document = once(() => openApi(routes, settings.clusters))
  const json = once(() => JSON.stringify(document()))
  const postman = once(() => JSON.stringify(collection(document())))

  const router = site(new Router({ strict: true, sensitive: true }), served)
    .get('/livez', (context) => page(context as never, '/livez', { body: '{"status":"ok"}' }))
    .get('/readyz', (context) => {
      const { ready, checks } = readiness()
      const serving = ready && !draining()
      const body = JSON.stringify({ status: serving ? 'ok' : draining() ? 'stopping' : 'not ready', checks })
      page(context, '/readyz', { status: serving ? 200 : 503, body })
    })
    .get('/metrics', async (context) => {
      const isOperator = isLocal(context.req, trusted) || (await scraper(context)).system
      const text = await metrics.render()
      page(context, '/metrics', { type: METRICS_TYPE, body: isOperator ? text : withoutNames(text) })
    })
    .get('/openapi.json', (context) => page(context as never, '/openapi.json', { body: json() }))
    .get('/collection.json', (context) => page(context as never, '/collection.json', { body: postman() }))
  docs(router, document, trusted)
  payerPage(router, apiFor, trusted)
  return router

  async function scraper(exchange: Exchange): Promise<Caller> {
    exchange.state.endpoint = 'GET /metrics'
    const caller = await authenticator.caller(exchange)
    exchange.state.caller = caller
    admission.admit(exchange, caller)
    return caller
  }
}

/** Series with a label that names an account, or the custodian of an organization, are of one tenant. */
function withoutNames(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('#') || !NAMING_LABEL.test(line))
    .join('\n')
}

interface Page {
  readonly status?: number
  readonly type?: string
  readonly body: string
}

/** @param path of the route: each endpoint is a metric series, so it never comes from the request */
function page(exchange: Exchange, path: string, { status = 200, type = JSON_TYPE, body }: Page): void {
  exchange.state.endpoint = `GET ${path}`
  exchange.res.setHeader('Content-Security-Policy', NO_CONTENT_POLICY)
  exchange.res.setHeader('Referrer-Policy', 'no-referrer')
  exchange.res.setHeader('X-Frame-Options', 'DENY')
  answer(exchange, status, type, body)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
