// Requests of test clients. The built-in fetch takes several times the CPU time of a request for its streams and
// signals, which the clients of the tests do not use, and they make tens of thousands of requests.
import { Agent, request } from 'undici'

export interface LightRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Maximum wait for the head of the answer, and then for each part of its body. */
  readonly waitMs?: number
}

/** The members of a `Response` that the clients use. */
export interface LightResponse {
  readonly status: number
  readonly ok: boolean
  readonly statusText: string
  readonly headers: Headers
  text(): Promise<string>
  json(): Promise<unknown>
}

const agent = new Agent()
const builtIn = globalThis.fetch

/** Like `fetch`, which it calls where a test has replaced it. Follows no redirects. */
export async function lightFetch(url: string, options: LightRequest = {}): Promise<LightResponse> {
  if (globalThis.fetch !== builtIn) return await globalThis.fetch(url, options)
  const { method = 'GET', headers = {}, body, waitMs = 300_000 } = options
  const response = await request(url, {
    dispatcher: agent,
    method,
    headers,
    headersTimeout: waitMs,
    bodyTimeout: waitMs,
    ...(body === undefined ? {} : { body }),
  })
  const { statusCode, headers: received } = response
  return {
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    statusText: '',
    headers: new Headers(
      Object.entries(received).flatMap(([name, values = []]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    ),
    text: () => response.body.text(),
    json: () => response.body.json(),
  }
}
