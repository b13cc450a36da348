// Forwards short reads: those of one turn of the event loop to the same node travel in one request, which saves most of
// the cost of a hop. Each gets its answer as soon as the owner has it.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { FrameReader, frameOf } from './frames.ts'
import { setPatientTimeout, type Hop, type HopAnswer, type HopOutcome, type HopRequest, type Hops } from './hop.ts'
import { notTakenBecause, type RemoteOwner } from './reach-owner.ts'
import type { ForwardedRequest, Seals } from './seal.ts'

/** Path at which a node receives grouped reads. */
export const READS_PATH = '/cells/reads'
/** Limits of a group. */
const MAX_READS = 64
export const MAX_READ_BYTES = 16_384
/** Larger than any answer. */
const MAX_ANSWER_BYTES = 2 ** 30
/** How long reads are sent one by one to a node whose release has no `READS_PATH`. */
const UNSUPPORTED_MS = 60_000

/** The parts of a grouped read that the owner needs. */
export type GroupedRead = Pick<ForwardedRequest, 'method' | 'path' | 'client' | 'servedFor'> & {
  /** Includes the request id. */
  readonly headers: IncomingHttpHeaders
}

/** Head of an answer: the position of its read in the group, then status and headers. */
export type GroupedAnswer = readonly [at: number, status: number, headers: IncomingHttpHeaders]

export interface ShortRead {
  readonly head: GroupedRead
  readonly body: Buffer
  readonly answerMs: number
  /** The request that is sent if no other read travels with it. */
  readonly alone: () => HopRequest
}

interface Queued {
  readonly read: ShortRead
  readonly report: (outcome: HopOutcome) => void
  /** True once the client has disconnected. */
  abandoned: boolean
  /** Called when the client disconnects after the read was sent. */
  onAbandoned: () => void
}

export class GroupedHops {
  readonly #hops: Pick<Hops, 'send'>
  readonly #seals: Pick<Seals, 'headersFor'>
  readonly #node: string
  /** By node and URL. */
  readonly #queues = new Map<string, Queued[]>()
  readonly #unsupportedUntilMs = new Map<string, number>()

  constructor(hops: Pick<Hops, 'send'>, seals: Pick<Seals, 'headersFor'>, node: string) {
    this.#hops = hops
    this.#seals = seals
    this.#node = node
  }

  send(to: RemoteOwner, read: ShortRead): Hop {
    if ((this.#unsupportedUntilMs.get(to.url) ?? 0) > performance.now()) return this.#hops.send(read.alone())
    let queued: Queued
    const outcome = new Promise<HopOutcome>((report) => {
      queued = { read, report, abandoned: false, onAbandoned: () => undefined }
      const queue = this.#queueOf(to)
      queue.push(queued)
      if (queue.length >= MAX_READS) this.#flush(to)
    })
    return { outcome, cancel: () => abandon(queued) }
  }

  #queueOf(to: RemoteOwner): Queued[] {
    const key = keyOf(to)
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = []
      this.#queues.set(key, queue)
      setImmediate(() => this.#flush(to))
    }
    return queue
  }

  #flush(to: RemoteOwner): void {
    const key = keyOf(to)
    const queue = this.#queues.get(key)?.filter(isAwaited)
    if (queue === undefined) return
    this.#queues.delete(key)
    if (queue.length === 0) return
    if (queue.length === 1) this.#sendAlone(queue[0]!)
    else void this.#sendTogether(to, queue)
  }

  #sendAlone(queued: Queued): void {
    const hop = this.#hops.send(queued.read.alone())
    queued.onAbandoned = () => hop.cancel()
    void hop.outcome.then(queued.report)
  }

  async #sendTogether(to: RemoteOwner, queue: readonly Queued[]): Promise<void> {
    const answerMs = Math.max(...queue.map(({ read }) => read.answerMs))
    const hop = this.#hops.send(this.#groupOf(to, queue, answerMs))
    const timeout = setPatientTimeout(answerMs, () => hop.cancel())
    // The group is aborted only when no client waits any more.
    for (const each of queue) each.onAbandoned = () => (queue.some(isAwaited) ? undefined : hop.cancel())
    const outcome = await hop.outcome
    if (outcome.kind !== 'answered' || notTakenBecause(outcome.answer) !== null)
      for (const { report } of queue) report(outcome)
    else if (outcome.answer.status === 200) await deliver(outcome.answer, queue)
    else this.#sendApart(to, queue, outcome.answer)
    clearTimeout(timeout)
  }

  #groupOf({ node, url }: RemoteOwner, queue: readonly Queued[], answerMs: number): HopRequest {
    const body = Buffer.concat(queue.map(({ read: { head, body } }) => frameOf(head, body)))
    const requestId = randomUUID()
    const place = { method: 'POST', path: READS_PATH, body }
    const headers = { 'content-type': 'application/octet-stream' }
    const sealed = this.#seals.headersFor({ ...place, headers, requestId, client: '', from: this.#node, to: node })
    return { ...place, url, answerMs, headers: { ...headers, 'x-request-id': requestId, ...sealed } }
  }

  /** The release of the node has no `READS_PATH`, or the answer is an error that concerns no read in particular. */
  #sendApart({ url }: RemoteOwner, queue: readonly Queued[], { status, body }: HopAnswer): void {
    if (status === 404) this.#unsupportedUntilMs.set(url, performance.now() + UNSUPPORTED_MS)
    if (!Buffer.isBuffer(body)) body.destroy()
    for (const queued of queue.filter(isAwaited)) this.#sendAlone(queued)
  }
}

const isAwaited = ({ abandoned }: Queued): boolean => !abandoned

function abandon(queued: Queued): void {
  queued.abandoned = true
  queued.report({ kind: 'unanswered' })
  queued.onAbandoned()
}

const keyOf = ({ node, url }: RemoteOwner): string => `${node} ${url}`

/** Reports each answer when it arrives. Reads without an answer when the stream ends are unanswered. */
async function deliver({ body }: HopAnswer, queue: readonly Queued[]): Promise<void> {
  const waiting = new Map(queue.entries())
  const reader = new FrameReader<GroupedAnswer>(MAX_ANSWER_BYTES, ([at, status, headers], bytes) => {
    waiting.get(at)?.report({ kind: 'answered', answer: { status, headers, body: bytes } })
    waiting.delete(at)
  })
  try {
    for await (const part of Buffer.isBuffer(body) ? [body] : body) reader.push(part as Buffer)
  } catch {
    // The connection ended early, the timeout has expired, or the URL belongs to another service.
  }
  for (const { report } of waiting.values()) report({ kind: 'unanswered' })
}
