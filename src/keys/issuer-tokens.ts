// Tokens of a configured issuer (JWT access tokens after RFC 9068, judged after RFC 8725): the algorithms are pinned, issuer, audience,
// expiry and type are demanded, and keys come only from the configured place, whatever a token's header says of keys. The place where
// `jose` verifies.
import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { isSafeAddress } from '../config/tokens.ts'

/** Where the issuer's public keys are: found by OpenID Connect discovery, at an address, or in a file. */
export type KeySource = { readonly kind: 'discovery' } | { readonly kind: 'url'; readonly url: string } | { readonly kind: 'file'; readonly path: string }

export interface IssuerSettings {
  /** The value of `iss`, exactly. */
  readonly issuer: string
  readonly audience: string
  readonly algorithms: readonly string[]
  readonly keys: KeySource
}

export type Claims = Readonly<JWTPayload>

/** The issuer's keys cannot be had: says nothing about a token. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

/** Both sides' clocks may differ by so much, seconds. */
const CLOCK_TOLERANCE_S = 30
/** How far ahead `iat` may be, and how long after it a token may be good, seconds. */
const MAX_AHEAD_S = 60
const MAX_LIFETIME_S = 86_400
/** Of `sub`, UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 255
/** Two subjects with such characters could be one in a record: what is stored is well-formed text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
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

  /** The claims of a good token, null for any other. Rejects with IssuerUnavailable. */
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
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(this.#now()),
      })
      return isWithinRules(payload, this.#now() / 1000) ? payload : null
    } catch (error) {
      if (isUnavailable(error)) throw new IssuerUnavailable("the issuer's keys cannot be had", { cause: error })
      return null
    }
  }

  /** Made once; what failed is tried again by the next token. */
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

/** What a token must be besides genuine and in time: about somebody with a usable name, not of the future, and short-lived. */
function isWithinRules({ sub, iat, exp }: JWTPayload, nowSeconds: number): boolean {
  const hasName = typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH && !UNPRINTABLE.test(sub)
  if (!hasName || typeof iat !== 'number' || typeof exp !== 'number') return false
  return iat <= nowSeconds + MAX_AHEAD_S && exp <= iat + MAX_LIFETIME_S
}

/** jose says by the class of its errors what a token did wrong; a failed request, or an answer that is no key set, is none of them. */
function isUnavailable(error: unknown): boolean {
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || !(error instanceof errors.JOSEError) || isFailedAnswer(error)
}

/** A key server that answers anything but 200 is the plain base class. */
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
  if (typeof found.jwks_uri !== 'string' || !isSafeAddress(found.jwks_uri)) throw new Error(`${address} names no key set`)
  return found.jwks_uri
}
