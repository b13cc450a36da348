// Builds the router from the table of routes. Paths without parameters (nearly all) are also kept in a map, because the
// router tries its many rows one after another.
import { Router } from '@koa/router'
import { endpoint, type EndpointDependencies } from './endpoint.ts'
import type { EventStreams } from './event-streams.ts'
import { events } from './events.ts'
import type { Exchange } from './exchange.ts'
import { files } from './files.ts'
import { frontRefusal } from './problem.ts'
import type { Route } from './route.ts'
import { signerAnswers } from './signer-answers.ts'
import { whoami } from './whoami.ts'

const API = '/api/'

export const DETAIL_LEVELS = ['detailed', 'compact', 'identifiers'] as const

type Handler = (exchange: Exchange, next: () => Promise<unknown>) => unknown

const NO_NEXT = (): Promise<unknown> => Promise.resolve()

export interface Routing {
  /** Without a match: 404, or 405 if only the method is wrong. Needs a context of koa unless `isListed`. */
  readonly dispatch: (exchange: Exchange) => unknown
  /** True for an endpoint of the API whose path has no parameters: it needs no context of koa. */
  readonly isListed: (method: string, path: string) => boolean
}

/** @param router already contains the pages */
export function routing(
  routes: readonly Route[],
  gate: EndpointDependencies,
  streams: EventStreams,
  router: Router,
): Routing {
  for (const route of routes) {
    for (const { path, extra } of spelledOut(route.path))
      router.register(path, [route.method], endpoint(route, gate, extra) as never)
  }
  files(router, gate)
  events(router, gate, streams)
  whoami(router, gate)
  signerAnswers(router, gate)
  const table = literalRows(router)
  const search = router.routes() as unknown as Handler

  return {
    dispatch(exchange) {
      const handler = table.get(`${exchange.req.method ?? ''} ${exchange.state.path}`)
      if (handler !== undefined) return handler(exchange, NO_NEXT)
      return search(exchange, () => Promise.reject(unmatched(exchange)))
    },
    isListed: (method, path) => path.startsWith(API) && table.has(`${method} ${path}`),
  }
}

function literalRows(router: Router): ReadonlyMap<string, Handler> {
  const rows = new Map<string, Handler>()
  for (const { path, paramNames, methods, stack } of router.stack) {
    const [handler] = stack
    if (typeof path !== 'string' || paramNames.length > 0 || stack.length !== 1) continue
    for (const method of methods) rows.set(`${method} ${path}`, handler as unknown as Handler)
  }
  return rows
}

function unmatched(exchange: Exchange): Error {
  const matched = (exchange as { matched?: readonly { readonly methods: readonly string[] }[] }).matched ?? []
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))]
  if (methods.length === 0) return frontRefusal(404, 'ROUTE_NOT_FOUND', 'the endpoint does not exist')
  exchange.res.setHeader('Allow', methods.join(', '))
  return frontRefusal(405, 'METHOD_NOT_ALLOWED', `the endpoint supports ${methods.join(', ')}`)
}

/** A path for each detail level, if the path has one. */
export function spelledOut(path: string): { path: string; extra: Record<string, string> }[] {
  if (!path.includes('{detail-level}')) return [{ path, extra: {} }]
  return DETAIL_LEVELS.map((detailLevel) => ({
    path: path.replace('{detail-level}', detailLevel),
    extra: { detailLevel },
  }))
}
