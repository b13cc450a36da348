// The service as any client uses it: REST over HTTP with an API key.
import { TourFailed } from './tour-failed.ts'

export interface Ids {
  readonly onchainId: string
  readonly offchainId: string
}

/** The result of a chain transaction, with the members that `tour` checks. */
export interface TransactionResult {
  readonly success: boolean
  readonly status: string
  readonly onchainId: string
  readonly errorMessage?: string
}

export interface RestAnswer<Body> {
  readonly body: Body
  readonly replayed: boolean
}

export class Rest {
  readonly url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.url = url
    this.#key = key
  }

  /**
   * @param path below /api/v1, without a leading slash
   * @throws TourFailed unless the status is 200 or 201
   */
  async call<Body>(method: 'POST' | 'PATCH', path: string, body: object): Promise<RestAnswer<Body>> {
    const response = await fetch(`${this.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await response.text()
    if (!response.ok) throw new TourFailed(`${method} /api/v1/${path} answered ${response.status}: ${reasonOf(text)}`)
    return { body: parsed(text) as Body, replayed: response.headers.get('idempotency-replayed') === 'true' }
  }
}

/** Throws TourFailed for an answer that is not one of this service. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TourFailed(`the answer is not JSON: ${text.slice(0, 200)}`)
  }
}

function reasonOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors: readonly { code: string; message: string; pointer?: string }[] }
    return errors.map(({ code, message, pointer = '' }) => `${code} ${pointer} ${message}`).join('; ')
  } catch {
    return text.slice(0, 200)
  }
}
