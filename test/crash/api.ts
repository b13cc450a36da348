// A client of the REST interface that distinguishes a lost answer from a received one.
import { setTimeout as delay } from 'node:timers/promises'
import { lightFetch } from '../light-fetch.ts'

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
  /** Repeats requests without a decision (`isBusy`). Rejects unless the answer is 200 or 201. */
  get(path: string, itemData: object): Promise<Body>
  make(path: string, itemData: object, body?: object): Promise<Body>
  /** A body without `itemData`; repeated as well. */
  query(path: string, body: object): Promise<Body>
}

/** Longer than a request waits for the chain. */
const LONGEST_WAIT_MS = 120_000
const REPEAT_MS = 100

export function apiOf(url: string, key: string): Api {
  const request = async (
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await lightFetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      waitMs: LONGEST_WAIT_MS,
    })
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, body: (await response.json()) as Body }
  }
  const send: Api['send'] = (method, path, itemData, { body = {}, headers = {} } = {}) =>
    request(method, path, { itemData, ...body }, headers)
  const sure = async (path: string, ask: () => Promise<Answer>): Promise<Body> => {
    const deadline = performance.now() + LONGEST_WAIT_MS
    let answer = await ask()
    while (isBusy(answer) && performance.now() < deadline) {
      await delay(REPEAT_MS)
      answer = await ask()
    }
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const get = (path: string, itemData: object, body: object = {}): Promise<Body> =>
    sure(path, () => send('POST', path, itemData, { body }))
  const query = (path: string, body: object): Promise<Body> => sure(path, () => request('POST', path, body))
  return { send, get, make: get, query }
}

export function refOf(body: Body, member: string): Ref {
  return body[member] as Ref
}

/** True if the answer says that nothing was decided: the same request is to be sent again. */
export function isBusy({ status }: Answer): boolean {
  return status === 503 || status === 429
}
