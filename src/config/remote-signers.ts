// Parses HOLDFAST_SIGNERS: custodians that hold keys of location REMOTE and sign over HTTP. The value contains secrets
// and is never quoted.
import { jsonValue, type Parser } from './parse.ts'
import { Secret } from './secret.ts'

export interface RemoteSignerSetting {
  /** Name in requests (`privateKeyDetails.signer`). */
  readonly code: string
  /** Signatures are requested here. */
  readonly url: string
  /** The custodian names the key of a new account here; null: requests must give the public key. */
  readonly publicKeyUrl: string | null
  /** `whsec_` and base64: signs requests, and callbacks of the custodian. */
  readonly secret: Secret<string>
}

const MEMBERS: ReadonlySet<string> = new Set(['url', 'publicKeyUrl', 'secret'])
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64
const MAX_SIGNERS = 100

export const remoteSigners: Parser<readonly RemoteSignerSetting[]> = (text) => {
  const value = jsonValue(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('must be a JSON object: code to {"url","publicKeyUrl","secret"}')
  const entries = Object.entries(value)
  if (entries.length > MAX_SIGNERS) throw new Error(`must name at most ${MAX_SIGNERS} signers`)
  return entries.map(([code, each]) => signerIn(code, each))
}

function signerIn(code: string, value: unknown): RemoteSignerSetting {
  if (!/^[A-Z0-9_]{1,32}$/.test(code))
    throw new Error('must name signers in capital letters, digits and underscores, like ACME_CUSTODY')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`must give ${code} an object with "url" and "secret"`)
  const { url, publicKeyUrl = null, secret, ...others } = value as Record<string, unknown>
  if (Object.keys(others).length > 0)
    throw new Error(`must give ${code} no members other than ${[...MEMBERS].join(', ')}`)
  if (!isSafeUrl(url)) throw new Error(`must give ${code} a "url": ${RULE}`)
  if (publicKeyUrl !== null && !isSafeUrl(publicKeyUrl)) throw new Error(`must give ${code} a "publicKeyUrl": ${RULE}`)
  if (!isSecret(secret))
    throw new Error(
      `must give ${code} a "secret": whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
    )
  return { code, url, publicKeyUrl, secret: new Secret(secret) }
}

const RULE = 'https (http only on loopback) without user, password or fragment'

function isSafeUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname, username, password, hash } = new URL(value)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
  return isSafe && username === '' && password === '' && hash === ''
}

function isSecret(value: unknown): value is string {
  if (typeof value !== 'string' || !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value)) return false
  const { length } = Buffer.from(value.slice('whsec_'.length), 'base64')
  return length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES
}
