// The table becomes routers, one per resource: a router tries its rows one after the other, and this way it has few to try.
import { Router } from '@koa/router'
import { endpoint, type Gate } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { refuse } from './problem.ts'
import type { Route } from './route.ts'

export const DETAIL_LEVELS = ['detailed', 'compact', 'identifiers'] as const

type Handler = (exchange: Exchange, next: () => Promise<unknown>) => Promise<unknown>

/** Everything under /api/v1, and `pages` beside it. What matches nothing is a 404, or a 405 when only the method is wrong. */
export function routing(routes: readonly Route[], gate: Gate, pages: Router): Handler {
  const routers = new Map<string, Router>()
  for (const route of routes) {
    const router = routerOf(routers, route.path)
    for (const { path, extra } of spelledOut(route.path)) {
      router.register(path, [route.method], endpoint(route, gate, extra) as never)
    }
  }
  const dispatchers = new Map([...routers].map(([resource, router]) => [resource, router.routes() as unknown as Handler]))
  const toPages = pages.routes() as unknown as Handler

  return async function dispatch(exchange) {
    const { path } = exchange
    const handler = dispatchers.get(resourceOf(path)) ?? toPages
    await handler(exchange, () => Promise.reject(unmatched(exchange)))
  }
}

function unmatched(exchange: Exchange): Error {
  const matched = (exchange as { matched?: readonly { readonly methods: readonly string[] }[] }).matched ?? []
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))]
  if (methods.length === 0) return refuse(404, 'ROUTE_NOT_FOUND', 'there is no such endpoint')
  exchange.res.setHeader('Allow', methods.join(', '))
  return refuse(405, 'METHOD_NOT_ALLOWED', `this endpoint takes ${methods.join(', ')}`)
}

function routerOf(routers: Map<string, Router>, path: string): Router {
  const resource = resourceOf(path)
  const router = routers.get(resource) ?? new Router({ strict: true, sensitive: true })
  routers.set(resource, router)
  return router
}

/** `positions` of `/api/v1/positions/transfer`. */
function resourceOf(path: string): string {
  if (!path.startsWith('/api/v1/')) return ''
  const end = path.indexOf('/', 8)
  return end < 0 ? path.slice(8) : path.slice(8, end)
}

function spelledOut(path: string): { path: string; extra: Record<string, string> }[] {
  if (!path.includes('{detail-level}')) return [{ path, extra: {} }]
  return DETAIL_LEVELS.map((detailLevel) => ({ path: path.replace('{detail-level}', detailLevel), extra: { detailLevel } }))
}
