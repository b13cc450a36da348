// AES-256-GCM with a random 12-byte IV and a 16-byte tag. A sealed text is the base64 of IV, ciphertext and tag; it
// opens only with the same key and the same context.
import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'

const IV_LENGTH = 12
const TAG_LENGTH = 16

/**
 * Random bytes for the next IVs, which are not secret: requesting 12 bytes from the system costs as much as a thousand.
 */
const random = Buffer.alloc(85 * IV_LENGTH)
let used = random.length

/** Valid until the next call. */
function newIv(): Buffer {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += IV_LENGTH
  return random.subarray(used - IV_LENGTH, used)
}

export function seal(key: Uint8Array, plain: Uint8Array, context: Uint8Array): string {
  const iv = newIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_LENGTH })
  cipher.setAAD(context)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/**
 * Null when the text was not sealed under this key and context, or was changed since. The caller zeroes the returned
 * buffer.
 */
export function open(key: Uint8Array, sealed: string, context: Uint8Array): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < IV_LENGTH + TAG_LENGTH) return null
  const tagAt = bytes.length - TAG_LENGTH
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAAD(context)
  decipher.setAuthTag(bytes.subarray(tagAt))
  // GCM's `update` returns plaintext before `final` checks the tag: return nothing before that.
  const plain = decipher.update(bytes.subarray(IV_LENGTH, tagAt))
  try {
    decipher.final()
  } catch {
    plain.fill(0)
    return null
  }
  return plain
}
