// A client of the service's REST interface that knows a lost answer from a given one.
import { setTimeout as delay } from 'node:timers/promises'

export interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly body: Body
}

export type Body = Readonly<Record<string, unknown>>

export interface Ref {
  readonly onchainId: string
  readonly offchainId: string
}

export interface Api {
  /** Rejects when the answer is lost. */
  send(
    method: string,
    path: string,
    itemData: object,
    more?: { body?: object; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Repeats what was answered by nobody yet (`isBusy`). Rejects unless the answer is 200 or 201. */
  get(path: string, itemData: object): Promise<Body>
  make(path: string, itemData: object, body?: object): Promise<Body>
  /** A body that is no `itemData`. */
  query(path: string, body: object): Promise<Body>
}

/** Longer than a request waits for the chain. */
const LONGEST_WAIT_MS = 120_000
const REPEAT_MS = 100

export function apiOf(url: string, key: string): Api {
  const send: Api['send'] = async (method, path, itemData, { body = {}, headers = {} } = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ itemData, ...body }),
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    })
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, body: (await response.json()) as Body }
  }
  const sure = async (path: string, itemData: object, body: object = {}): Promise<Body> => {
    const deadline = performance.now() + LONGEST_WAIT_MS
    let answer = await send('POST', path, itemData, { body })
    while (isBusy(answer) && performance.now() < deadline) {
      await delay(REPEAT_MS)
      answer = await send('POST', path, itemData, { body })
    }
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const query: Api['query'] = async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    })
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  return { send, get: sure, make: sure, query }
}

export function refOf(body: Body, member: string): Ref {
  return body[member] as Ref
}

/** True when the answer says that nothing was decided: the same request is to be sent again. */
export function isBusy({ status }: Answer): boolean {
  return status === 503 || status === 429
}
