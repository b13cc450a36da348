// Tokens of a configured issuer (JWT access tokens by RFC 9068, validated by RFC 8725): the algorithms are pinned;
// issuer, audience, expiry and type are required; keys come only from the configured source, whatever a token's header
// says. The only file that verifies with `jose`.
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import { isSafeAddress, readIssuerKeys } from '../config/tokens.ts'
import { limitedText } from './limited-answer.ts'

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
const MAX_ANSWER_BYTES = 1_048_576

export interface IssuerWatch {
  /** Unix milliseconds. */
  now(): number
  /** Called once until `available`. */
  unavailable(cause: unknown): void
  available(): void
}

export class IssuerTokens {
  readonly #settings: IssuerSettings
  readonly #watch: IssuerWatch
  #keys: Promise<JWTVerifyGetKey> | undefined
  #isAvailable = true

  constructor(settings: IssuerSettings, watch: IssuerWatch) {
    this.#settings = settings
    this.#watch = watch
  }

  /** The claims of a valid token, null for any other. `unavailable`: the keys of the issuer cannot be read. */
  async verify(token: string): Promise<Claims | 'unavailable' | null> {
    if (token.length > MAX_TOKEN_LENGTH || !this.#mayBeValid(token)) return null
    try {
      const claims = await this.#verified(token, await this.#keySet())
      // A token that is refused does not show it: its key may be one that nobody asked for.
      if (claims === null) return null
      if (!this.#isAvailable) this.#watch.available()
      this.#isAvailable = true
      return claims
    } catch (error) {
      if (this.#isAvailable) this.#watch.unavailable(error)
      this.#isAvailable = false
      return 'unavailable'
    }
  }

  /** Judged without the keys: whatever is no token of the issuer must not make the service ask for them. */
  #mayBeValid(token: string): boolean {
    try {
      const claims = decodeJwt(token)
      const { alg } = decodeProtectedHeader(token)
      const isOfIssuer = claims.iss === this.#settings.issuer && this.#settings.algorithms.includes(alg ?? '')
      return isOfIssuer && isWithinRules(claims, this.#watch.now() / 1000)
    } catch {
      return false
    }
  }

  /** Rejects if the keys cannot be had. */
  async #verified(token: string, keys: JWTVerifyGetKey): Promise<Claims | null> {
    const { issuer, audience, algorithms } = this.#settings
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [...algorithms],
        issuer,
        audience,
        typ: 'at+jwt',
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: new Date(this.#watch.now()),
        // Of `nbf`, which issuers set to `iat`. For `exp` there is none, see below.
        clockTolerance: MAX_AHEAD_S,
      })
      return isWithinRules(payload, this.#watch.now() / 1000) ? payload : null
    } catch (error) {
      if (isUnavailable(error)) throw error
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
      throw error
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
  if (keys.kind === 'file') return createLocalJWKSet(readIssuerKeys(keys.path) as JSONWebKeySet)
  const url = keys.kind === 'url' ? keys.url : await discovered(issuer)
  return createRemoteJWKSet(new URL(url), { timeoutDuration: ASK_TIMEOUT_MS, [customFetch]: fetchLimited })
}

/** OpenID Connect Discovery 1.0, section 4: the document must be the issuer's own. */
async function discovered(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetchLimited(address, { redirect: 'error', signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
  const found = (await answer.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
  if (found.issuer !== issuer) throw new Error(`${address} is not of the issuer configured`)
  if (typeof found.jwks_uri !== 'string' || !isSafeAddress(found.jwks_uri))
    throw new Error(`${address} names no key set`)
  return found.jwks_uri
}

/** As `fetch`; rejects if the body is longer than `MAX_ANSWER_BYTES`. */
async function fetchLimited(address: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(address, options)
  if (!answer.ok) return answer
  return new Response(await limitedText(answer, MAX_ANSWER_BYTES, `the answer of ${address}`))
}
