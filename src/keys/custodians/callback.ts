// Verifies callbacks of custodians: signed as webhooks are, with the secret of the custodian.
import { timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../config/secret.ts'
import { signWebhook } from '../webhook-secret.ts'

/** Difference of the clocks, and age of a repeated callback. */
const MAX_SKEW_SECONDS = 300

export interface CallbackHeaders {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

/** @param nowSeconds Unix time */
export function isSignedCallback(
  secret: Secret<string>,
  { id, timestamp, signature }: CallbackHeaders,
  body: string,
  nowSeconds: number,
): boolean {
  if (id === undefined || timestamp === undefined || signature === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > MAX_SKEW_SECONDS) return false
  const expected = Buffer.from(signWebhook(secret.reveal(), `${id}.${timestamp}.${body}`))
  return signature.split(' ').some((each) => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
