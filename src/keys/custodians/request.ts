// One POST to a custodian, signed as webhooks are, with bounded time and size. Redirects fail: a request is sent only
// to the host that the operator named.
import type { Secret } from '../../config/secret.ts'
import { limitedText } from '../limited-answer.ts'
import type { SignerUnreached } from '../signer.ts'
import { signWebhook } from '../webhook-secret.ts'

const ANSWER_MS = 10_000
const MAX_ANSWER_BYTES = 16 * 1024
/** Errors after which nothing can have been sent. */
const UNREACHED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

export interface CustodianRequest {
  readonly url: string
  readonly secret: Secret<string>
  readonly id: string
  readonly body: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** `json`: of an answer with status 200 or 202. */
export type CustodianReply = { readonly kind: 'answered'; readonly json: unknown } | SignerUnreached

/** Rejects after any other answer, or none. Error messages and reasons contain neither the URL nor the secret. */
export async function requestCustodian({
  url,
  secret,
  id,
  body,
  timestamp,
}: CustodianRequest): Promise<CustodianReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret.reveal(), `${id}.${timestamp}.${body}`),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown): SignerUnreached => {
    const { cause, name } = error as { readonly cause?: { readonly code?: unknown }; readonly name: string }
    if (!UNREACHED.has(cause?.code)) throw new Error(`the signer did not answer (${name})`)
    return { kind: 'unreached', reason: `the signer cannot be reached (${String(cause?.code)})` }
  })
  if (!(response instanceof Response)) return response
  const text = await limitedText(response, MAX_ANSWER_BYTES, 'the answer of the signer')
  if (response.status !== 200 && response.status !== 202) throw new Error(`the signer answered ${response.status}`)
  try {
    return { kind: 'answered', json: JSON.parse(text) as unknown }
  } catch {
    throw new Error('the answer of the signer is no JSON')
  }
}
