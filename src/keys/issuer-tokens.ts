// Tokens of a configured issuer (JWT access tokens by RFC 9068, validated by RFC 8725): the algorithms are pinned;
// issuer, audience, expiry and type are required; keys come only from the configured source, whatever a token's header
// says. The only file that verifies with `jose`.
import { readFile } from 'node:fs/promises'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import { isSafeAddress } from '../config/tokens.ts'

/** Source of the issuer's public keys: OpenID Connect discovery, a URL, or a file. */
export type KeySource =
  | { readonly kind: 'discovery' }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }

export interface IssuerSettings {
  /** The exact value of `iss`. */
  readonly issuer: string
  readonly audience: string
  readonly algorithms: readonly string[]
  readonly keys: KeySource
}

export type Claims = Readonly<JWTPayload>

/** The issuer's keys are unavailable. Says nothing about a token. */
class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

/** How far in the future `iat` and `nbf` may be, and the maximum lifetime after `iat`, in seconds. */
const MAX_AHEAD_S = 60
const MAX_LIFETIME_S = 86_400
/**
 * 1 to 255 characters, not UTF-16 units. Subjects with control characters or lone surrogates are rejected: two of them
 * could become one in a record, since stored text is well-formed.
 */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u
const ASK_TIMEOUT_MS = 5_000
const MAX_TOKEN_LENGTH = 8_192

export class IssuerTokens {
  readonly #settings: IssuerSettings
  readonly #now: () => number
  #keys: Promise<JWTVerifyGetKey> | undefined

  /** @param now Unix milliseconds */
  constructor(settings: IssuerSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** The claims of a valid token, null for any other. Rejects with IssuerUnavailable. */
  async verify(token: string): Promise<Claims | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null
    const { issuer, audience, algorithms } = this.#settings
    const keys = await this.#keySet()
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [...algorithms],
        issuer,
        audience,
        typ: 'at+jwt',
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: new Date(this.#now()),
        // Of `nbf`, which issuers set to `iat`. For `exp` there is none, see below.
        clockTolerance: MAX_AHEAD_S,
      })
      return isWithinRules(payload, this.#now() / 1000) ? payload : null
    } catch (error) {
      if (isUnavailable(error)) throw new IssuerUnavailable("the issuer's keys cannot be had", { cause: error })
      return null
    }
  }

  /** Created once; after a failure the next token tries again. */
  async #keySet(): Promise<JWTVerifyGetKey> {
    this.#keys ??= keySetOf(this.#settings)
    try {
      return await this.#keys
    } catch (error) {
      this.#keys = undefined
      throw new IssuerUnavailable("the issuer's keys cannot be had", { cause: error })
    }
  }
}

/** Rules beyond the signature: a usable subject, not issued in the future, not expired, and short-lived. */
function isWithinRules({ sub, iat, exp }: JWTPayload, nowSeconds: number): boolean {
  if (typeof sub !== 'string' || !SUBJECT.test(sub) || typeof iat !== 'number' || typeof exp !== 'number') return false
  return iat <= nowSeconds + MAX_AHEAD_S && exp > Math.floor(nowSeconds) && exp <= iat + MAX_LIFETIME_S
}

/**
 * The error classes of jose tell what is wrong with a token; any other error is a failed request or an invalid key set.
 */
function isUnavailable(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    !(error instanceof errors.JOSEError) ||
    isFailedAnswer(error)
  )
}

/** jose reports a key server's status other than 200 as its plain base class. */
function isFailedAnswer(error: errors.JOSEError): boolean {
  return error.code === 'ERR_JOSE_GENERIC'
}

async function keySetOf({ issuer, keys }: IssuerSettings): Promise<JWTVerifyGetKey> {
  if (keys.kind === 'file') return createLocalJWKSet(JSON.parse(await readFile(keys.path, 'utf8')) as JSONWebKeySet)
  const url = keys.kind === 'url' ? keys.url : await discovered(issuer)
  return createRemoteJWKSet(new URL(url), { timeoutDuration: ASK_TIMEOUT_MS })
}

/** OpenID Connect Discovery 1.0, section 4: the document must be the issuer's own. */
async function discovered(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
  const found = (await answer.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
  if (found.issuer !== issuer) throw new Error(`${address} is not of the issuer configured`)
  if (typeof found.jwks_uri !== 'string' || !isSafeAddress(found.jwks_uri))
    throw new Error(`${address} names no key set`)
  return found.jwks_uri
}
