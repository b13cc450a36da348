// The gateway of a node: serves a request here if this node owns the cell, and forwards it once to the owner if another
// does. A request that finds no owner gets 503 `TENANT_UNAVAILABLE`; one that the owner did not answer, 504
// `OUTCOME_UNKNOWN`.
import { SERVER_CAPS } from '../config/server-caps.ts'
import { Refusal } from '../contract/refusal.ts'
import { ServedByOtherCell } from '../contract/served-by-other-cell.ts'
import type { CellGateway } from '../nodes/cell-gateway.ts'
import { READS_PATH, type GroupedRead } from '../nodes/grouped-hops.ts'
import { ABOUT, claimedBy, claimsForwarding, NODE_HEADER_PREFIX, NOT_TAKEN } from '../nodes/seal.ts'
import { HeldBytes } from './body/held-bytes.ts'
import { MAX_BODY_BYTES, readBody } from './body/read.ts'
import { answer, JSON_TYPE, type Exchange, type State } from './exchange.ts'
import { bearerOf } from './authenticate.ts'
import { bodyReadOf, noteForwarded } from './forwarded.ts'
import { answerReads } from './grouped-reads.ts'
import { RequestForwarder, unavailable, type RequestForwarderOptions } from './request-forwarder.ts'
import { frontRefusal } from './problem.ts'
import type { Route } from './route.ts'
import { spelledOut } from './router.ts'
import { SIGNER_ANSWER_BYTES, SIGNER_ANSWERS_PATH } from './signer-answers.ts'

/**
 * Maximum number of cells that a request is tried in: a move may make the known cell of its tenant outdated, but rarely
 * several times in a row.
 */
const MAX_CELLS = 4

export interface RequestGateway extends Pick<CellGateway, 'node' | 'ownerLeftMs' | 'where' | 'refresh'> {
  /** As in `CellGateway`. With several cells, it also sets the interface of the cell in the state. */
  enter(state: State): (() => void) | null
}

/** Path at which a node requests countersignatures of owners in other cells. */
export const COUNTERSIGN_PATH = '/cells/countersign'

/** The parts of a request that determine its cell. */
export interface GatewayRequest {
  readonly path: string
  readonly query: string
  readonly bearer: string | undefined
  /** For a request of SYSTEM: the tenant that it concerns, once a cell has reported it. */
  readonly servedFor?: string | undefined
  /** Rejects with a Refusal. */
  readonly body: () => Promise<Buffer>
}

export interface NodeGateway extends Pick<RequestForwarderOptions, 'seals' | 'hops' | 'times'> {
  /** The gateway of the first cell. */
  readonly gateway: RequestGateway
  /** Returns the gateway of the cell of a request, as currently known. Absent: there is one cell. */
  readonly gatewayFor?: (asked: GatewayRequest) => RequestGateway | Promise<RequestGateway>
  /** Answers a request at `COUNTERSIGN_PATH`. null: the cell is not on this node, and the request had no effect. */
  readonly countersigned?: (body: Buffer) => Promise<object | null>
}

export interface NodeGatewayOptions extends NodeGateway, Omit<RequestForwarderOptions, 'isRead' | 'isShortRead'> {
  readonly gateway: RequestGateway
  readonly routes: readonly Route[]
  /** Middleware around each request, before it is routed to a cell. */
  readonly around: (exchange: Exchange, next: () => unknown) => Promise<void>
  /** Serves a request that this node has admitted. */
  readonly dispatch: (exchange: Exchange) => unknown
}

type Serve = (exchange: Exchange) => Promise<unknown>

export function serveThroughGateway(options: NodeGatewayOptions): Serve {
  const { routes, around } = options
  const bodies = {
    maxBytes: Math.max(MAX_BODY_BYTES, ...routes.map(({ maxBodyBytes = 0 }) => maxBodyBytes)),
    held: new HeldBytes(),
  }
  const { isRead, isShortRead } = readsAmong(routes)
  const forwarder = new RequestForwarder({ ...options, isRead, isShortRead })
  const find = (exchange: Exchange): RequestGateway | Promise<RequestGateway> =>
    options.gatewayFor?.(gatewayRequestOf(exchange, bodies)) ?? options.gateway
  // These are not koa handlers, which may call the next one only once: the gateway may try a request in two cells.
  const next = async (exchange: Exchange): Promise<unknown> => await options.dispatch(exchange)
  let waiting = 0

  const toOwner: Serve = async (exchange) => {
    if (waiting >= SERVER_CAPS.openRequests) throw unavailable(1_000, 'this node forwards too many requests')
    waiting += 1
    try {
      // The sender of a custodian's answer is not known before its body is read.
      const maxBytes = isCallback(exchange.state.path) ? SIGNER_ANSWER_BYTES : bodies.maxBytes
      const body = await bodyOf(exchange, { ...bodies, maxBytes })
      await forwarder.forward(exchange, body, {
        find: () => find(exchange),
        here: (gateway) => here(exchange, gateway, next),
      })
    } finally {
      waiting -= 1
    }
  }

  const serve: Serve = async (exchange) => await (here(exchange, await find(exchange), next) ?? toOwner(exchange))

  const serveForwarded: Serve = async (exchange) => {
    const served = here(exchange, await find(exchange), next) ?? notTaken(exchange, 'moving')
    return await served.catch((error: unknown) => {
      throw error instanceof ServedByOtherCell ? servedInOtherCell(exchange, error) : error
    })
  }

  const serveGrouped = (exchange: Exchange, { servedFor }: GroupedRead): Promise<unknown> =>
    around(exchange, async () => {
      if (!isShortRead(exchange)) throw frontRefusal(404, 'ROUTE_NOT_FOUND', 'the endpoint does not exist')
      if (servedFor !== undefined) exchange.state.servedFor = servedFor
      await serveForwarded(exchange)
    })

  return async (exchange) => {
    const { path } = exchange.state
    const isForwarded = claimsForwarding(exchange.req.headers)
    if (path === COUNTERSIGN_PATH && options.countersigned !== undefined && isForwarded) {
      const body = await receive(exchange, options, bodies)
      const reply = (await options.countersigned(body)) ?? notTaken(exchange, 'moving')
      answer(exchange, 200, JSON_TYPE, JSON.stringify(reply))
      return
    }
    if (path === READS_PATH && isForwarded) {
      answerReads(exchange, await receive(exchange, options, bodies), serveGrouped)
      return
    }
    if (!path.startsWith('/api/') && !path.startsWith('/pay/')) return await next(exchange)
    if (isForwarded) {
      await receive(exchange, options, bodies)
      return await serveForwarded(exchange)
    }
    // Like the owner, does not read the body of a request without credentials.
    if (path.startsWith('/api/') && exchange.req.headers.authorization === undefined && !isCallback(path))
      throw frontRefusal(401, 'CREDENTIALS_MISSING', 'the header `Authorization: Bearer <API key>` is required')
    return await inCellOfTenant(exchange, () => serve(exchange))
  }
}

/** Serves a request of SYSTEM again in another cell if the first cell finds that it concerns a tenant of that cell. */
async function inCellOfTenant(exchange: Exchange, serve: () => Promise<unknown>): Promise<unknown> {
  for (let cells = 1; ; cells += 1) {
    try {
      return await serve()
    } catch (error) {
      if (!(error instanceof ServedByOtherCell)) throw error
      if (cells === MAX_CELLS) throw unavailable(1_000)
      const { state } = exchange
      state.leave?.()
      delete state.leave
      state.servedFor = error.tenant
    }
  }
}

/** Limits for reading bodies before the credentials are checked. */
interface Bodies {
  readonly maxBytes: number
  readonly held: HeldBytes
}

function gatewayRequestOf(exchange: Exchange, bodies: Bodies): GatewayRequest {
  const { path, query, servedFor } = exchange.state
  const bearer = bearerOf(exchange.req.headers.authorization ?? '')
  return { path, query, bearer, servedFor, body: () => bodyOf(exchange, bodies) }
}

/** Reads the body and keeps it, so that later readers can read it again. */
async function bodyOf({ req, res }: Exchange, { maxBytes, held }: Bodies): Promise<Buffer> {
  const known = bodyReadOf(req)
  if (known !== undefined) return known
  const body = await readBody(req, maxBytes, held.meter(res))
  noteForwarded(req, { body, client: null })
  return body
}

/** Custodians authenticate by a signature. */
function isCallback(path: string): boolean {
  return path === SIGNER_ANSWERS_PATH
}

/** null: this node does not own the cell now. */
function here(exchange: Exchange, gateway: RequestGateway, next: Serve): Promise<unknown> | null {
  const leave = gateway.enter(exchange.state)
  return leave === null ? null : next(exchange).finally(leave)
}

type Reads = Pick<RequestForwarderOptions, 'isRead' | 'isShortRead'>

function readsAmong(routes: readonly Route[]): Reads {
  const namesOf = (some: readonly Route[]): ReadonlySet<string> =>
    new Set(some.flatMap(({ method, path }) => spelledOut(path).map((spelled) => `${method} ${spelled.path}`)))
  const reads = namesOf(routes.filter(({ kind }) => kind !== 'write'))
  const shortReads = namesOf(routes.filter(({ kind, path }) => kind === 'read' && !path.includes(':')))
  const nameOf = ({ req, state }: Exchange): string => `${req.method ?? ''} ${state.path}`
  return {
    isRead: (exchange) =>
      exchange.req.method === 'GET' || exchange.req.method === 'HEAD' || reads.has(nameOf(exchange)),
    isShortRead: (exchange) => exchange.req.headers.prefer === undefined && shortReads.has(nameOf(exchange)),
  }
}

/** Throws a Refusal unless the request was forwarded by another node, for this one, for the first time. */
async function receive(
  exchange: Exchange,
  { gateway, seals, log }: NodeGatewayOptions,
  { maxBytes, held }: Bodies,
): Promise<Buffer> {
  const { req, res, state } = exchange
  const body = await readBody(req, maxBytes, held.meter(res))
  const claimed = claimedBy(req.headers)
  const { method = '', url: path = '', headers } = req
  const problem = seals.problemOf({ ...claimed, method, path, body, headers, requestId: state.requestId })
  if (problem !== null) {
    log.error({ from: claimed.from, requestId: state.requestId, problem }, 'a forwarded request was refused')
    res.setHeader(NOT_TAKEN, 'refused')
    throw frontRefusal(
      400,
      'FORWARD_REFUSED',
      `headers ${NODE_HEADER_PREFIX}* are for nodes of this service: ${problem}`,
    )
  }
  if (claimed.to !== gateway.node) notTaken(exchange, 'misdirected')
  noteForwarded(req, { body, client: claimed.client })
  if (claimed.servedFor !== undefined) state.servedFor = claimed.servedFor
  return body
}

/** Reports that the request had no effect, so that the forwarding node may look up the owner again. */
function notTaken({ res }: Exchange, why: 'moving' | 'misdirected'): never {
  res.setHeader(NOT_TAKEN, why)
  throw unavailable(1_000)
}

/** As `notTaken`: the forwarding node looks up the owner of the tenant. */
function servedInOtherCell({ res }: Exchange, { tenant }: ServedByOtherCell): Refusal {
  res.setHeader(NOT_TAKEN, 'elsewhere')
  res.setHeader(ABOUT, encodeURIComponent(tenant))
  return unavailable(1_000)
}
