// Tells nodes whether they have the same secret. The tag is in the database, where the secret cannot be guessed from it
// without the master key.
import { createHmac, hkdfSync } from 'node:crypto'

const TAG_DIGITS = 32

/** Equal for equal secrets of nodes with the same master key. */
export function nodeSecretTag(masterKey: Uint8Array, secret: string): string {
  const key = new Uint8Array(hkdfSync('sha256', masterKey, '', 'holdfast tag of the node secret', 32))
  return createHmac('sha256', key).update(secret, 'utf8').digest('hex').slice(0, TAG_DIGITS)
}
