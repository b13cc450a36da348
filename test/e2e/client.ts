// A client of the REST interface for tests: one key, one cluster, and a failure that shows the whole answer.
import { expect } from 'vitest'
import { lightFetch } from '../light-fetch.ts'
import { deviations } from './answer-contract.ts'
import type { Problem, Problems } from './models.ts'

export type Method = 'GET' | 'POST' | 'PATCH'

export interface Options {
  /** `chainTransactionConfig` of the body. */
  readonly config?: object
  /** `tenancyConfig.overrideOrganizationExternalId`. */
  readonly organization?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** Every answer in a test must match the API document. */
function asDescribed(method: Method, path: string, { status, body }: Answer<unknown>): void {
  const found = deviations(method, path, status, body)
  // Without a deviation there is nothing to say, and an expectation for each answer would take time.
  if (found.length > 0) expect(found, `the answer ${status} of ${method} ${path}`).toEqual([])
}

/** Headers of an idempotent request. */
export function once(key: string): Readonly<Record<string, string>> {
  return { 'Idempotency-Key': key }
}

export class Client {
  readonly #base: string
  readonly #key: string

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  /** For bodies without `itemData`. */
  get bearer(): string {
    return `Bearer ${this.#key}`
  }

  /** The same service under another key. */
  as(key: string): Client {
    return new Client(this.#base, key)
  }

  /** The answer to a bulk query. */
  async bulk(path: string, itemQuery: object, more: object = {}): Promise<unknown> {
    const { status, body } = await this.#fetch('POST', path, { ...more, itemQuery }, {})
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  /** The answer to any body. */
  async post<T>(path: string, body: object): Promise<Answer<T>> {
    return await this.#fetch<T>('POST', path, body, {})
  }

  async get<T>(path: string): Promise<Answer<T>> {
    const response = await lightFetch(`${this.#base}/api/v1${path}`, { headers: { authorization: this.bearer } })
    const body = JSON.parse(await response.text()) as T
    const answer = { status: response.status, headers: response.headers, body }
    asDescribed('GET', path, answer)
    return answer
  }

  async send<T>(method: Method, path: string, itemData: object, options: Options = {}): Promise<Answer<T>> {
    const body = {
      itemData,
      ...(options.config === undefined ? {} : { chainTransactionConfig: options.config }),
      ...(options.organization === undefined
        ? {}
        : { tenancyConfig: { overrideOrganizationExternalId: options.organization } }),
    }
    return await this.#fetch<T>(method, path, body, options.headers ?? {})
  }

  async #fetch<T>(
    method: Method,
    path: string,
    body: object,
    more: Readonly<Record<string, string>>,
  ): Promise<Answer<T>> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', ...more }
    const response = await lightFetch(`${this.#base}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, body: JSON.parse(text) as T }
    asDescribed(method, path, answer)
    return answer
  }

  /** The body of an answer with the expected status; fails with the whole answer otherwise. */
  async ok<T>(status: number, method: Method, path: string, itemData: object, options: Options = {}): Promise<T> {
    const answer = await this.send<T>(method, path, itemData, options)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status)
    return answer.body
  }

  read<T>(path: string, itemData: object, options: Options = {}): Promise<T> {
    return this.ok<T>(200, 'POST', path, itemData, options)
  }

  /** The only problem of a refusal. */
  async refuses(
    status: number,
    code: string,
    method: Method,
    path: string,
    itemData: object,
    options: Options = {},
  ): Promise<Problem> {
    const { status: actual, body } = await this.send<Problems>(method, path, itemData, options)
    expect({ status: actual, codes: body.errors?.map((error) => error.code) }, JSON.stringify(body)).toEqual({
      status,
      codes: [code],
    })
    return body.errors![0]!
  }
}
