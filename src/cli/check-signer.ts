// Checks that a remote signer is reachable, with a signed request that requests no signature.
import { randomUUID } from 'node:crypto'
import type { RemoteSignerSetting } from '../config/remote-signers.ts'
import { requestCustodian } from '../keys/custodians/request.ts'

/** @param nowMs Unix milliseconds */
export async function checkSigner(
  { code, url, secret }: RemoteSignerSetting,
  nowMs: number,
): Promise<['ok' | 'warning' | 'failed', string]> {
  const id = randomUUID()
  const body = JSON.stringify({ type: 'check', id, timestamp: new Date(nowMs).toISOString(), signer: code })
  try {
    const reply = await requestCustodian({ url, secret, id, body, timestamp: Math.floor(nowMs / 1_000) })
    return reply.kind === 'unreached' ? ['failed', reply.reason] : ['ok', 'answers']
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown failure'
    return / answered 40[13]$/.test(reason)
      ? ['failed', `${reason}: it does not take the secret`]
      : ['warning', `${reason} to a check`]
  }
}
