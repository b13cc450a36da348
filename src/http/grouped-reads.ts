// Serves the reads that another node has sent in one request, each like a separate request. Responses are written as
// soon as they are ready; one write contains all responses of a turn of the event loop.
import { IncomingMessage, ServerResponse } from 'node:http'
import { FrameReader, frameOf } from '../nodes/frames.ts'
import { READS_PATH, type GroupedAnswer, type GroupedRead } from '../nodes/grouped-hops.ts'
import type { Exchange } from './exchange.ts'
import { noteForwarded } from './forwarded.ts'
import { isOpen } from './pieces.ts'

/** Serves one read, whose exchange has no state yet. */
export type ServeRead = (exchange: Exchange, read: GroupedRead) => Promise<unknown>

/** Throws, and answers nothing, if the body is malformed. */
export function answerReads(exchange: Exchange, body: Buffer, serve: ServeRead): void {
  const { req, res } = exchange
  const reads: { readonly read: GroupedRead; readonly request: IncomingMessage }[] = []
  const reader = new FrameReader<GroupedRead>(body.length, (read, bytes) => {
    const request = new IncomingMessage(req.socket)
    Object.assign(request, { method: read.method, url: read.path, headers: read.headers })
    noteForwarded(request, { body: bytes, client: read.client })
    reads.push({ read, request })
  })
  reader.push(body)
  exchange.respond = false
  exchange.state.endpoint = `POST ${READS_PATH}`
  res.writeHead(200, { 'content-type': 'application/octet-stream' })
  const answers = new GroupedAnswers(res, reads.length)
  for (const [at, { read, request }] of reads.entries()) {
    const response: ServerResponse = new GroupedResponse(request, at, answers)
    // One turn per read, so that its response can be sent before the next read is served. `shell` sets the state.
    setImmediate(() => void serve({ req: request, res: response } as Exchange, read).catch(() => response.destroy()))
  }
}

/** Writes the answers of a group. */
class GroupedAnswers {
  readonly #res: ServerResponse
  #left: number
  #ready: Buffer[] = []
  #isPlanned = false

  constructor(res: ServerResponse, count: number) {
    this.#res = res
    this.#left = count
  }

  /** @param frame null: the read has no answer */
  add(frame: Buffer | null): void {
    this.#left -= 1
    if (frame !== null) this.#ready.push(frame)
    if (this.#isPlanned) return
    this.#isPlanned = true
    // Responses are sent one after another at the end of a turn (`send.ts`), so this write contains all of them.
    queueMicrotask(() => this.#write())
  }

  #write(): void {
    this.#isPlanned = false
    const ready = Buffer.concat(this.#ready)
    this.#ready = []
    if (!isOpen(this.#res)) return
    if (this.#left === 0) this.#res.end(ready)
    else if (ready.length > 0) this.#res.write(ready)
  }
}

/** The response to one read of a group. Its content must be written by one call of `end`. */
class GroupedResponse extends ServerResponse {
  readonly #at: number
  readonly #answers: GroupedAnswers
  #isAnswered = false

  constructor(request: IncomingMessage, at: number, answers: GroupedAnswers) {
    super(request)
    this.#at = at
    this.#answers = answers
  }

  override writeHead(status: number): this {
    this.statusCode = status
    return this
  }

  override end(content?: unknown, encoding?: unknown, written?: unknown): this {
    const bytes = typeof content === 'string' ? Buffer.from(content, encoding as BufferEncoding) : (content ?? '')
    const head: GroupedAnswer = [this.#at, this.statusCode, this.getHeaders() as GroupedAnswer[2]]
    this.#answer(frameOf(head, bytes as Buffer))
    if (typeof written === 'function') (written as () => void)()
    return this
  }

  override destroy(): this {
    this.#answer(null)
    return this
  }

  #answer(frame: Buffer | null): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#answers.add(frame)
  }
}
