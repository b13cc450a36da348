// A proxy between the client and the service that breaks connections, as the test decides for each request. It has
// always called the service first: the client loses answers, never the effect.
import { once as event } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Passed {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * `pass`: as it came. `cut`: asked, and the connection ended before the answer. `half`: ended in the middle of the
 * answer. `silent`: asked, and the answer never comes.
 */
export type Fault =
  | 'pass'
  | 'cut'
  | 'half'
  | 'silent'
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      /** A string is sent as it is. */
      readonly body: object | string
      /** The service is asked first, as by a proxy that then does not wait for the answer. */
      readonly isAsked?: boolean
    }

export class FaultProxy {
  readonly url: string
  /** Requests, in order of arrival. */
  readonly passed: Passed[] = []
  fault: (passed: Passed, count: number) => Fault = () => 'pass'
  readonly #streams = new Set<ServerResponse>()
  readonly #stop: () => Promise<void>

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url
    this.#stop = stop
  }

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await event(server, 'listening')
    const proxy = new FaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      server.close()
      server.closeAllConnections()
      await event(server, 'close')
    })
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void proxy.#pass(target, request, response),
    )
    return proxy
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  /** Ends every open stream, as a network does. */
  cutStreams(): number {
    const open = [...this.#streams]
    for (const response of open) response.destroy()
    return open.length
  }

  async #pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const passed = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    this.passed.push(passed)
    const fault = this.fault(passed, this.passed.length)
    const answered = typeof fault === 'object' ? fault : null
    const end = ({ status, headers, body: problem }: Exclude<Fault, string>): void => {
      response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      response.end(typeof problem === 'string' ? problem : JSON.stringify(problem))
    }
    if (answered !== null && answered.isAsked !== true) {
      end(answered)
      return
    }
    const onward = ask(`${target}${passed.path}`, { method: passed.method, headers: request.headers }, (answer) => {
      if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
        this.#streams.add(response)
        response.once('close', () => {
          this.#streams.delete(response)
          onward.destroy()
        })
        answer.on('error', () => response.destroy())
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        return void answer.pipe(response)
      }
      answer.toArray().then(
        (chunks: Buffer[]) => {
          const content = Buffer.concat(chunks)
          if (answered !== null) {
            end(answered)
            return
          }
          if (fault === 'silent') return
          if (fault === 'cut') return void response.destroy()
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          if (fault === 'half')
            return void response.write(content.subarray(0, content.length / 2), () => response.destroy())
          response.end(content)
        },
        () => response.destroy(),
      )
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }
}
