// The door of a node: serves a request here if this node owns the cell, and forwards it once to the owner if another
// does. A request that finds no owner gets 503 `TENANT_UNAVAILABLE`; one whose answer did not come, 504
// `OUTCOME_UNKNOWN`.
import type { BlockList } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { SERVER_CAPS } from '../config/server-caps.ts'
import { Refusal } from '../contract/refusal.ts'
import { ServedElsewhere } from '../contract/served-elsewhere.ts'
import type { CellDoors } from '../nodes/cell-doors.ts'
import type { HopAnswer, Hops } from '../nodes/hop.ts'
import { isStillThere, MOVING_MS, notTakenBecause, reachOwner, type OwnerElsewhere } from '../nodes/reach-owner.ts'
import {
  ABOUT,
  claimedBy,
  claimsForwarding,
  NODE_HEADER_PREFIX,
  NOT_TAKEN,
  tenantIn,
  type Seals,
} from '../nodes/seal.ts'
import { systemClock } from '../time/clock.ts'
import { MAX_BODY_BYTES, readBody } from './body/read.ts'
import { answer, JSON_TYPE, type Exchange, type State } from './exchange.ts'
import { bearerOf } from './authenticate.ts'
import { bodyReadOf, noteForwarded } from './forwarded.ts'
import { clientAddress } from './peer.ts'
import { preferencesOf } from './preferences.ts'
import type { RequestLog, RequestMetrics } from './ports.ts'
import { frontRefusal } from './problem.ts'
import type { Route } from './route.ts'
import { send } from './send.ts'
import { SIGNER_ANSWER_BYTES, SIGNER_ANSWERS_PATH } from './signer-answers.ts'

/** What one cell knows of a request's tenant may be overtaken by a move, but not again and again. */
const MOST_CELLS = 4
/** Of an owner that cannot be reached, to the log. */
const UNREACHED_EVERY_MS = 5_000
const TIMES = { answerMs: 2_000, movingMs: MOVING_MS }

const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length', 'expect', 'forwarded', 'x-forwarded-for', 'x-request-id'],
])
const NOT_PASSED_BACK = new Set(['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade', 'date'])

export interface Doors extends Pick<CellDoors, 'node' | 'ownerLeftMs' | 'where' | 'refresh'> {
  /** As in `CellDoors`. With several cells, it also notes the interface of the entered cell in the state. */
  enter(state: State): (() => void) | null
}

/** Where a node asks an owner in another cell for countersignatures. */
export const COUNTERSIGN_PATH = '/cells/countersign'

/** What of a request says which cell it is for. */
export interface DoorRequest {
  readonly path: string
  readonly query: string
  readonly bearer: string | undefined
  /** Of a request of SYSTEM: the tenant that it is about, once a cell has reported it. */
  readonly servedFor?: string | undefined
  /** Rejects with a Refusal. */
  readonly body: () => Promise<Buffer>
}

export interface Door {
  /** Of the first cell. */
  readonly doors: Doors
  /** Of the cell that a request is for, as it is known now. Absent: there is one cell. */
  readonly doorsFor?: (asked: DoorRequest) => Doors | Promise<Doors>
  /** Answers a node that asks at `COUNTERSIGN_PATH`. null: not here, and nothing was done. */
  readonly countersigned?: (body: Buffer) => Promise<object | null>
  readonly seals: Seals
  readonly hops: Hops
  readonly times?: {
    /** For an answer, beyond the wait that the request asks for. */
    readonly answerMs: number
    /** How long a request waits at the door while the cell moves. */
    readonly movingMs: number
  }
}

export interface DoorOptions extends Door {
  readonly routes: readonly Route[]
  readonly trusted: BlockList
  readonly responseWaitMs: number
  readonly metrics: RequestMetrics
  readonly log: RequestLog
}

type Handler = (exchange: Exchange, next: () => Promise<unknown>) => Promise<unknown>

export function atDoor(options: DoorOptions): Handler {
  const { routes } = options
  const reads = new Set(routes.filter(({ kind }) => kind !== 'write').map(({ method, path }) => `${method} ${path}`))
  const mostBytes = Math.max(MAX_BODY_BYTES, ...routes.map(({ maxBodyBytes = 0 }) => maxBodyBytes))
  const passing = new Passing(options, (exchange) => isRead(exchange, reads))
  const find = (exchange: Exchange): Doors | Promise<Doors> =>
    options.doorsFor?.(askedBy(exchange, mostBytes)) ?? options.doors
  let waiting = 0

  const toOwner: Handler = async (exchange, next) => {
    if (waiting >= SERVER_CAPS.openRequests) throw unavailable(1_000, 'this node forwards too many requests')
    waiting += 1
    try {
      // The sender of a custodian's answer is not known before its body is read.
      const body = await bodyOf(exchange, isCallback(exchange.state.path) ? SIGNER_ANSWER_BYTES : mostBytes)
      await passing.pass(exchange, body, { find: () => find(exchange), next })
    } finally {
      waiting -= 1
    }
  }

  const serve: Handler = async (exchange, next) =>
    await (here(exchange, await find(exchange), next) ?? toOwner(exchange, next))

  return async (exchange, next) => {
    const { path } = exchange.state
    if (path === COUNTERSIGN_PATH && options.countersigned !== undefined && claimsForwarding(exchange.req.headers)) {
      const body = await receive(exchange, options, mostBytes)
      const said = (await options.countersigned(body)) ?? notTaken(exchange, 'moving')
      answer(exchange, 200, JSON_TYPE, JSON.stringify(said))
      return
    }
    if (!path.startsWith('/api/') && !path.startsWith('/pay/')) return await next()
    if (claimsForwarding(exchange.req.headers)) {
      await receive(exchange, options, mostBytes)
      const served = here(exchange, await find(exchange), next) ?? notTaken(exchange, 'moving')
      return await served.catch((error: unknown) => {
        throw error instanceof ServedElsewhere ? ofAnotherCell(exchange, error) : error
      })
    }
    // Without credentials, a body is not even read, as on the owner.
    if (path.startsWith('/api/') && exchange.req.headers.authorization === undefined && !isCallback(path))
      throw frontRefusal(401, 'CREDENTIALS_MISSING', 'the header `Authorization: Bearer <API key>` is required')
    return await inCellOfTenant(exchange, () => serve(exchange, next))
  }
}

/** Begins again in another cell when the one that serves a request of SYSTEM finds whom the request is about. */
async function inCellOfTenant(exchange: Exchange, serve: () => Promise<unknown>): Promise<unknown> {
  for (let cells = 1; ; cells += 1) {
    try {
      return await serve()
    } catch (error) {
      if (!(error instanceof ServedElsewhere)) throw error
      if (cells === MOST_CELLS) throw unavailable(1_000)
      const { state } = exchange
      state.leave?.()
      delete state.leave
      state.servedFor = error.tenant
    }
  }
}

function askedBy(exchange: Exchange, mostBytes: number): DoorRequest {
  const { path, query, servedFor } = exchange.state
  const bearer = bearerOf(exchange.req.headers.authorization ?? '')
  return { path, query, bearer, servedFor, body: () => bodyOf(exchange, mostBytes) }
}

/** It can be read again. */
async function bodyOf({ req }: Exchange, mostBytes: number): Promise<Buffer> {
  const known = bodyReadOf(req)
  if (known !== undefined) return known
  const body = await readBody(req, mostBytes)
  noteForwarded(req, { body, client: null })
  return body
}

/** Custodians authenticate by a signature. */
function isCallback(path: string): boolean {
  return path === SIGNER_ANSWERS_PATH
}

/** Null: this node does not own the cell now. */
function here({ state }: Exchange, doors: Doors, next: () => Promise<unknown>): Promise<unknown> | null {
  const leave = doors.enter(state)
  return leave === null ? null : next().finally(leave)
}

function isRead({ req, state }: Exchange, reads: ReadonlySet<string>): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return true
  const general = state.path.replace(/\/(?:detailed|compact|identifiers)$/, '/{detail-level}')
  return [state.path, general].some((path) => reads.has(`${req.method ?? ''} ${path}`))
}

/** Throws a Refusal unless the request was forwarded by another node, for this one, for the first time. */
async function receive(exchange: Exchange, { doors, seals, log }: DoorOptions, mostBytes: number): Promise<Buffer> {
  const { req, res, state } = exchange
  const body = await readBody(req, mostBytes)
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
  if (claimed.to !== doors.node) notTaken(exchange, 'misdirected')
  noteForwarded(req, { body, client: claimed.client })
  if (claimed.servedFor !== undefined) state.servedFor = claimed.servedFor
  return body
}

/** Nothing of the request was done, so the door may look for the owner again. */
function notTaken({ res }: Exchange, why: 'moving' | 'misdirected'): never {
  res.setHeader(NOT_TAKEN, why)
  throw unavailable(1_000)
}

/** As `notTaken`: the door looks for the owner of the tenant. */
function ofAnotherCell({ res }: Exchange, { tenant }: ServedElsewhere): Refusal {
  res.setHeader(NOT_TAKEN, 'elsewhere')
  res.setHeader(ABOUT, encodeURIComponent(tenant))
  return unavailable(1_000)
}

function unavailable(retryAfterMs: number, message = 'no node owns the data of the tenant at this moment'): Refusal {
  const problem = { code: 'TENANT_UNAVAILABLE', message, retryable: true }
  return new Refusal(503, [problem], Math.max(1, Math.ceil(retryAfterMs / 1_000)))
}

function outcomeUnknown(): Refusal {
  const message = 'the owner of the data did not answer: send the same request with the same Idempotency-Key'
  return new Refusal(504, [{ code: 'OUTCOME_UNKNOWN', message, retryable: false }])
}

/** Passes requests on to the owner. */
class Passing {
  readonly #options: DoorOptions
  readonly #isRead: (exchange: Exchange) => boolean
  readonly #counts = { answered: 0, refused: 0, unreached: 0, unanswered: 0 }
  /** By URL: when it was last logged that nobody answers there. */
  readonly #unreachedAtMs = new Map<string, number>()

  constructor(options: DoorOptions, isARead: (exchange: Exchange) => boolean) {
    this.#options = options
    this.#isRead = isARead
    for (const outcome of ['answered', 'refused', 'unreached', 'unanswered'] as const)
      options.metrics.observed(
        `holdfast_forwards_${outcome}_total`,
        `Requests forwarded to the owner of the cell: ${outcome}`,
        'counter',
        () => this.#counts[outcome],
      )
  }

  async pass(
    exchange: Exchange,
    body: Buffer,
    { find, next }: { readonly find: () => Doors | Promise<Doors>; readonly next: () => Promise<unknown> },
  ): Promise<void> {
    const { times: { movingMs } = TIMES } = this.#options
    await reachOwner<Doors, true>({
      ...{ clock: systemClock, movingMs, find, unavailable },
      doorsOf: (doors) => doors,
      here: async (doors) => {
        const served = here(exchange, doors, next)
        return served === null ? null : served.then(() => true)
      },
      there: async (doors, where) => ((await this.#hop(exchange, body, { where, doors })) ? true : null),
    })
  }

  /** False: not taken, and nothing of it was done. */
  async #hop(
    exchange: Exchange,
    body: Buffer,
    { where, doors }: { readonly where: OwnerElsewhere; readonly doors: Doors },
  ): Promise<boolean> {
    const { hops } = this.#options
    const { res } = exchange
    const hop = hops.send({ ...this.#requestOf(exchange, body, where), answerMs: this.#answerMs(exchange) })
    const onClose = (): void => hop.cancel()
    res.once('close', onClose)
    try {
      const outcome = await hop.outcome
      if (outcome.kind === 'unreached') {
        this.#counts.unreached += 1
        if (!(await isStillThere(doors, where))) return false
        this.#logUnreached(where)
        throw unavailable(doors.ownerLeftMs)
      }
      if (outcome.kind === 'unanswered') {
        this.#counts.unanswered += 1
        throw this.#isRead(exchange) ? unavailable(doors.ownerLeftMs) : outcomeUnknown()
      }
      const reason = notTakenBecause(outcome.answer)
      if (reason !== null) {
        this.#counts.refused += 1
        discard(outcome.answer)
        const tenant = tenantIn(String(outcome.answer.headers[ABOUT] ?? ''))
        if (reason === 'elsewhere' && tenant !== undefined) throw new ServedElsewhere(tenant)
        if (reason === 'moving') return false
        this.#options.log.error({ to: where.node, url: where.url }, reason)
        throw unavailable(1_000)
      }
      this.#counts.answered += 1
      await passBack(exchange, outcome.answer)
      return true
    } finally {
      res.off('close', onClose)
    }
  }

  /** Its lease is alive: it has died a moment ago, or its URL is wrong. */
  #logUnreached({ node, url }: OwnerElsewhere): void {
    const nowMs = systemClock.elapsed()
    if (nowMs - (this.#unreachedAtMs.get(url) ?? -Infinity) < UNREACHED_EVERY_MS) return
    this.#unreachedAtMs.set(url, nowMs)
    this.#options.log.error(
      { to: node, url },
      'the owner of a cell cannot be reached at its URL: if it is running, check its HOLDFAST_NODE_URL',
    )
  }

  #answerMs({ req }: Exchange): number {
    const { responseWaitMs, times: { answerMs } = TIMES } = this.#options
    return preferencesOf(req.headers, responseWaitMs).waitMs + answerMs
  }

  #requestOf({ req, state }: Exchange, body: Buffer, { node, url }: OwnerElsewhere) {
    const { doors, seals, trusted } = this.#options
    const { method = 'GET', url: path = '/' } = req
    const headers = forwardable(req.headers)
    const sealed = seals.headersFor({
      ...{ method, path, body, headers: req.headers },
      requestId: state.requestId,
      client: clientAddress(req, trusted),
      from: doors.node,
      to: node,
      servedFor: state.servedFor,
    })
    return { url, method, path, body, headers: { ...headers, ...sealed, 'x-request-id': state.requestId } }
  }
}

function forwardable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {}
  for (const name in headers) if (!NOT_FORWARDED.has(name)) forwarded[name] = headers[name]
  return forwarded
}

/** A stream ends with the connection to its owner; its client then connects again. */
async function passBack(exchange: Exchange, answer: HopAnswer): Promise<void> {
  const { res } = exchange
  exchange.respond = false
  if (res.destroyed) {
    discard(answer)
    return
  }
  for (const name in answer.headers) {
    const value = answer.headers[name]
    if (value !== undefined && !NOT_PASSED_BACK.has(name)) res.setHeader(name, value)
  }
  res.writeHead(answer.status)
  exchange.state.endpoint = 'forwarded'
  if (Buffer.isBuffer(answer.body)) {
    send(res, answer.body)
    return
  }
  res.flushHeaders()
  const passed = pipeline(answer.body, res).catch(() => res.destroy())
  if (answer.headers['content-type']?.startsWith('text/event-stream') !== true) await passed
}

function discard({ body }: HopAnswer): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}
