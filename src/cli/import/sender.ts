// Sends requests that can be retried: each has its own idempotency key, so a retry after a lost answer, a stop or a
// kill has no further effect.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { parseRetryAfter } from '../../time/retry-after.ts'
import { CommandFailed } from '../command-failed.ts'
import { notTheService } from '../connect.ts'

export interface SentProblem {
  readonly code: string
  readonly message: string
  readonly pointer?: string
}

/** Members of the answer, or the problems of a refusal. */
export type SendResult =
  | {
      readonly body: Readonly<Record<string, unknown>>
      /** The answer to an earlier request with the same idempotency key, and not to an attempt of this one. */
      readonly isReplayed: boolean
      readonly problems?: undefined
    }
  | { readonly problems: readonly SentProblem[] }

const ATTEMPTS = 8
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** A service that asks for a longer wait is not waited for: the command can be run again. */
const LONGEST_ASKED_MS = 60_000

/** An idempotency key in the form of a UUID, derived from the parts. */
export function uuidOfParts(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

export class Sender {
  readonly url: string
  readonly #key: string
  readonly #pause: (ms: number) => Promise<unknown>

  /** @param pause replaced only in tests */
  constructor(url: string, key: string, pause: (ms: number) => Promise<unknown> = sleep) {
    this.url = url
    this.#key = key
    this.#pause = pause
  }

  /**
   * Retries transient failures. Rejects with CommandFailed if they last, if the service asks for a longer wait or does
   * not accept the API key, and if another server answers.
   */
  async post(path: string, body: object, idempotencyKey?: string): Promise<SendResult> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#once(path, body, idempotencyKey)
      const retryable = response === null || response.status === 429 || response.status >= 500
      if (!retryable) return await this.#answerOf(response, attempt === 1)
      const asked = parseRetryAfter(response?.headers.get('retry-after') ?? undefined, Date.now()) ?? 0
      if (attempt === ATTEMPTS || asked > LONGEST_ASKED_MS) throw await this.#unavailable(response)
      await this.#pause(Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS)))
    }
  }

  async #answerOf(response: Response, isFirst: boolean): Promise<SendResult> {
    const sent = await sentOf(response, isFirst)
    if (sent === null) throw notTheService(this.url)
    // No other request of this key would fare better.
    if (response.status === 401)
      throw new CommandFailed(`the service at ${this.url} does not accept the API key: ${problemsText(sent.problems)}`)
    return sent
  }

  async #unavailable(response: Response | null): Promise<CommandFailed> {
    const again = 'run the command again to resume'
    if (response === null)
      return new CommandFailed(`no service responds at ${this.url}: ${again}`, EXIT_CODES.unavailable)
    const { problems = [] } = (await sentOf(response, false)) ?? {}
    const codes = problems.map(({ code }) => code)
    const wait = response.headers.get('retry-after')
    const status = [response.status, ...codes].join(' ') + (wait === null ? '' : ` (Retry-After: ${wait})`)
    return new CommandFailed(`the service at ${this.url} answers ${status}: ${again}`, EXIT_CODES.unavailable)
  }

  /** null: no answer. */
  async #once(path: string, body: object, idempotencyKey: string | undefined): Promise<Response | null> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' }
    try {
      return await fetch(`${this.url}/api/v1/${path}`, {
        method: 'POST',
        headers: idempotencyKey === undefined ? headers : { ...headers, 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
        // Another host must not get the payments.
        redirect: 'manual',
      })
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }
}

export const problemsText = (problems: readonly SentProblem[] = []): string =>
  problems.map(({ code, message }) => `${code}: ${message}`).join('; ')

/** null: not an answer of the service. */
async function sentOf(response: Response, isFirst: boolean): Promise<SendResult | null> {
  const text = await response.text()
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    if (response.ok) return { body, isReplayed: isFirst && response.headers.get('idempotency-replayed') === 'true' }
    const { errors } = body as { errors?: readonly SentProblem[] }
    return Array.isArray(errors) ? { problems: errors } : null
  } catch {
    return null
  }
}
