// Encrypts an exported key to a recipient: a public key as JWK (RFC 7517), and a compact JWE (RFC 7516) that only its
// owner can open, `ECDH-ES+A256KW` with `A256GCM`, with an ephemeral key for each.
import { CompactEncrypt, importJWK } from 'jose'

const ALGORITHM = 'ECDH-ES+A256KW'
const ENCRYPTION = 'A256GCM'
const COORDINATE = /^[A-Za-z0-9_-]{43}$/

/** The JWK is not a public key that can be encrypted to. The message names the rule, never a value. */
export class RecipientError extends Error {
  override readonly name = 'RecipientError'
  /** The member at fault; null: the key as a whole. */
  readonly member: string | null

  constructor(member: string | null, reason: string) {
    super(reason)
    this.member = member
  }
}

export interface Recipient {
  /** The compact JWE of the text. */
  encrypt(text: string): Promise<string>
}

/**
 * Accepts `OKP` X25519 and `EC` P-256. A test encryption with the key is made first, so that no key is exported to a
 * recipient that cannot be encrypted to.
 * @throws RecipientError
 */
export async function recipientOf(jwk: Readonly<Record<string, unknown>>): Promise<Recipient> {
  if ('d' in jwk) throw new RecipientError('d', 'encryptTo takes a public key, and this one is private')
  const { use, alg, kid } = jwk
  if (use !== undefined && use !== 'enc')
    throw new RecipientError('use', 'the key is not for encryption: use must be "enc" or absent')
  if (alg !== undefined && alg !== ALGORITHM) throw new RecipientError('alg', `alg must be "${ALGORITHM}" or absent`)
  const header = { alg: ALGORITHM, enc: ENCRYPTION, ...(typeof kid === 'string' ? { kid } : {}) }
  const key = await imported(publicPartOf(jwk))
  const encrypt = async (text: string): Promise<string> =>
    await new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key)
  // A point of small order can be imported, but key agreement with it fails.
  await encrypt('').catch(() => {
    throw new RecipientError('x', 'nothing can be encrypted to this key')
  })
  return { encrypt }
}

type PublicPart =
  { readonly kty: 'OKP'; readonly crv: string; readonly x: string } | { kty: 'EC'; crv: string; x: string; y: string }

function publicPartOf({ kty, crv, x, y }: Readonly<Record<string, unknown>>): PublicPart {
  if (kty !== 'OKP' && kty !== 'EC') throw new RecipientError('kty', 'kty must be "OKP" or "EC"')
  const curve = kty === 'OKP' ? 'X25519' : 'P-256'
  if (crv !== curve) throw new RecipientError('crv', `crv must be "${curve}" with kty "${kty}"`)
  const ofLength = (member: string, value: unknown): string => {
    if (typeof value !== 'string' || !COORDINATE.test(value))
      throw new RecipientError(member, `${member} must be 32 bytes in base64url`)
    return value
  }
  if (kty === 'EC') return { kty, crv: curve, x: ofLength('x', x), y: ofLength('y', y) }
  if (y !== undefined) throw new RecipientError('y', 'y is not a member of an OKP key')
  return { kty, crv: curve, x: ofLength('x', x) }
}

async function imported(part: PublicPart): ReturnType<typeof importJWK> {
  try {
    return await importJWK(part, ALGORITHM)
  } catch {
    throw new RecipientError('x', 'not a point of the curve')
  }
}
