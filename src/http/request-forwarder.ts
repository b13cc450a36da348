// Forwards requests to the owner of their cell, and relays the answers.
import type { BlockList } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../contract/refusal.ts'
import { ServedByOtherCell } from '../contract/served-by-other-cell.ts'
import { GroupedHops, MAX_READ_BYTES } from '../nodes/grouped-hops.ts'
import type { Hop, HopAnswer, HopRequest, Hops } from '../nodes/hop.ts'
import { stillOwnsCell, MOVING_MS, notTakenBecause, reachOwner, type RemoteOwner } from '../nodes/reach-owner.ts'
import { ABOUT, tenantIn, type ForwardedRequest, type Seals } from '../nodes/seal.ts'
import { systemClock } from '../time/clock.ts'
import type { RequestGateway } from './node-gateway.ts'
import type { Exchange } from './exchange.ts'
import { clientAddress } from './peer.ts'
import type { RequestLog, RequestMetrics } from './ports.ts'
import { preferencesOf } from './preferences.ts'
import type { RelayedStreams } from './relayed-streams.ts'
import { send } from './send.ts'

/** Minimum interval between log lines about the same unreachable owner. */
const UNREACHED_EVERY_MS = 5_000
const TIMES = { answerMs: 2_000, movingMs: MOVING_MS }

const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length', 'expect', 'forwarded', 'x-forwarded-for', 'x-request-id'],
])
const NOT_RELAYED = new Set(['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade', 'date'])

export interface RequestForwarderOptions {
  /** The gateway of this node. */
  readonly gateway: Pick<RequestGateway, 'node'>
  readonly seals: Seals
  readonly hops: Hops
  readonly times?: {
    /** Timeout of an answer, in addition to the wait that the request asks for. */
    readonly answerMs: number
    /** How long a request waits on this node while the cell moves. */
    readonly movingMs: number
  }
  readonly trusted: BlockList
  readonly responseWaitMs: number
  readonly metrics: RequestMetrics
  readonly log: RequestLog
  /** True if the request has no effect, so that it can be repeated. */
  readonly isRead: (exchange: Exchange) => boolean
  /** True if the answer is short and needs no wait, so that the request can be forwarded in a group. */
  readonly isShortRead: (exchange: Exchange) => boolean
  readonly relayedStreams: RelayedStreams
}

/** The functions that serve a request in its currently known cell. */
export interface ServingCell {
  readonly find: () => RequestGateway | Promise<RequestGateway>
  /** null: this node does not own the cell now. */
  readonly here: (gateway: RequestGateway) => Promise<unknown> | null
}

export function unavailable(
  retryAfterMs: number,
  message = 'no node owns the data of the tenant at this moment',
): Refusal {
  const problem = { code: 'TENANT_UNAVAILABLE', message, retryable: true }
  return new Refusal(503, [problem], Math.max(1, Math.ceil(retryAfterMs / 1_000)))
}

function outcomeUnknown(): Refusal {
  const message = 'the owner of the data did not answer: send the same request with the same Idempotency-Key'
  return new Refusal(504, [{ code: 'OUTCOME_UNKNOWN', message, retryable: false }])
}

export class RequestForwarder {
  readonly #options: RequestForwarderOptions
  readonly #grouped: GroupedHops
  readonly #counts = { answered: 0, refused: 0, unreached: 0, unanswered: 0 }
  /** Time of the last log line about an unreachable owner, by URL. */
  readonly #unreachedAtMs = new Map<string, number>()

  constructor(options: RequestForwarderOptions) {
    this.#options = options
    this.#grouped = new GroupedHops(options.hops, options.seals, options.gateway.node)
    for (const outcome of ['answered', 'refused', 'unreached', 'unanswered'] as const)
      options.metrics.observed(
        `holdfast_forwards_${outcome}_total`,
        `Requests forwarded to the owner of the cell: ${outcome}`,
        'counter',
        () => this.#counts[outcome],
      )
  }

  async forward(exchange: Exchange, body: Buffer, { find, here }: ServingCell): Promise<void> {
    const { times: { movingMs } = TIMES } = this.#options
    await reachOwner<RequestGateway, true>({
      ...{ clock: systemClock, movingMs, find, unavailable },
      gatewayOf: (gateway) => gateway,
      here: async (gateway) => {
        const served = here(gateway)
        return served === null ? null : served.then(() => true)
      },
      there: async (gateway, where) => ((await this.#hop(exchange, body, { where, gateway })) ? true : null),
    })
  }

  /** Resolves to false if the owner did not accept the request, which had no effect. */
  async #hop(
    exchange: Exchange,
    body: Buffer,
    { where, gateway }: { readonly where: RemoteOwner; readonly gateway: RequestGateway },
  ): Promise<boolean> {
    const { res } = exchange
    const hop = this.#send(exchange, body, where)
    const onClose = (): void => hop.cancel()
    res.once('close', onClose)
    try {
      const outcome = await hop.outcome
      if (outcome.kind === 'unreached') {
        this.#counts.unreached += 1
        if (!(await stillOwnsCell(gateway, where))) return false
        this.#logUnreached(where)
        throw unavailable(gateway.ownerLeftMs)
      }
      if (outcome.kind === 'unanswered') {
        this.#counts.unanswered += 1
        throw this.#options.isRead(exchange) ? unavailable(gateway.ownerLeftMs) : outcomeUnknown()
      }
      const reason = notTakenBecause(outcome.answer)
      if (reason !== null) {
        this.#counts.refused += 1
        discard(outcome.answer)
        const tenant = tenantIn(String(outcome.answer.headers[ABOUT] ?? ''))
        if (reason === 'elsewhere' && tenant !== undefined) throw new ServedByOtherCell(tenant)
        if (reason === 'moving') return false
        this.#options.log.error({ to: where.node, url: where.url }, reason)
        throw unavailable(1_000)
      }
      this.#counts.answered += 1
      await relayAnswer(exchange, outcome.answer, this.#options.relayedStreams)
      return true
    } finally {
      res.off('close', onClose)
    }
  }

  /** Worth a warning, because the lease of the owner is valid: it has just died, or its URL is wrong. */
  #logUnreached({ node, url }: RemoteOwner): void {
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

  #send(exchange: Exchange, body: Buffer, where: RemoteOwner): Hop {
    const { hops, trusted, isShortRead } = this.#options
    const { req, state } = exchange
    const { method = 'GET', url: path = '/' } = req
    const headers = { ...forwardable(req.headers), 'x-request-id': state.requestId }
    const client = clientAddress(req, trusted)
    const answerMs = this.#answerMs(exchange)
    const alone = (): HopRequest => {
      const place = { method, path, body }
      const sealed = this.#sealFor(exchange, { ...place, client }, where)
      return { ...place, url: where.url, answerMs, headers: { ...headers, ...sealed } }
    }
    if (body.length > MAX_READ_BYTES || !isShortRead(exchange)) return hops.send(alone())
    const head = { method, path, headers, client, servedFor: state.servedFor }
    return this.#grouped.send(where, { head, body, answerMs, alone })
  }

  #sealFor(
    { req, state }: Exchange,
    place: Pick<ForwardedRequest, 'method' | 'path' | 'body' | 'client'>,
    { node: to }: RemoteOwner,
  ): Record<string, string> {
    const { gateway, seals } = this.#options
    const { requestId, servedFor } = state
    return seals.headersFor({ ...place, headers: req.headers, requestId, from: gateway.node, to, servedFor })
  }
}

function forwardable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {}
  for (const name in headers) if (!NOT_FORWARDED.has(name)) forwarded[name] = headers[name]
  return forwarded
}

/** If the connection to the owner is lost, the connection of the client ends too. */
async function relayAnswer(exchange: Exchange, answer: HopAnswer, relayedStreams: RelayedStreams): Promise<void> {
  const { res } = exchange
  exchange.respond = false
  if (res.destroyed) {
    discard(answer)
    return
  }
  for (const name in answer.headers) {
    const value = answer.headers[name]
    if (value !== undefined && !NOT_RELAYED.has(name)) res.setHeader(name, value)
  }
  res.writeHead(answer.status)
  exchange.state.endpoint = 'forwarded'
  if (Buffer.isBuffer(answer.body)) {
    send(res, answer.body)
    return
  }
  res.flushHeaders()
  if (answer.headers['content-type']?.startsWith('text/event-stream') === true) relayedStreams.relay(answer.body, res)
  else await pipeline(answer.body, res).catch(() => res.destroy())
}

function discard({ body }: HopAnswer): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}
