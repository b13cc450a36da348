// Parsers for the settings of a token issuer: issuer, keys, algorithms, and names of claims.
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { KeySource } from '../keys/issuer-tokens.ts'
import { jsonValue, listOf, oneOf, type Parser } from './parse.ts'
import { SettingsError } from './settings-error.ts'

/** Asymmetric algorithms only: with a shared secret, every verifier of tokens could create one. */
const TOKEN_ALGORITHMS = [
  'EdDSA',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const

/** At least one: with none every token would be invalid. */
export const tokenAlgorithms: Parser<readonly string[]> = (text) => {
  const algorithms = listOf(oneOf(TOKEN_ALGORITHMS))(text)
  if (algorithms.length === 0) throw new Error('must name at least one algorithm')
  return algorithms
}

/** https, or http on loopback. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
}

export const issuer: Parser<string> = (text) => {
  if (!isSafeAddress(text)) throw new Error('must be an https URL (http on this host only), without user or password')
  return text
}

/** A URL, or the path of a file. */
export const keySource: Parser<KeySource> = (text) => {
  if (/^https?:/i.test(text)) return { kind: 'url', url: issuer(text) }
  if (text === '') throw new Error('must be a URL or a file')
  return { kind: 'file', path: resolve(text) }
}

export interface PublicKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The keys of a JWKS file. As RFC 7517 (section 5) asks, an entry that is no public key known here is ignored.
 * @throws SettingsError when the file cannot be read, is no JWKS, or holds no public key
 */
export function readIssuerKeys(path: string): PublicKeys {
  const wrong = (what: string): SettingsError => new SettingsError([`HOLDFAST_JWT_KEYS ${path} ${what}`])
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(`cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  const { keys } = (jsonValue(text) ?? {}) as { readonly keys?: unknown }
  const usable = Array.isArray(keys) ? keys.filter(isPublicKey) : []
  if (usable.length === 0) throw wrong('must be a JWKS with at least one public key: {"keys":[{"kty":...}]}')
  return { keys: usable }
}

function isPublicKey(key: unknown): key is Readonly<Record<string, unknown>> {
  // Of a private key the public half would be read too, but no token is verified with it.
  if (typeof key !== 'object' || key === null || 'd' in key) return false
  try {
    createPublicKey({ key, format: 'jwk' } as JsonWebKeyInput)
    return true
  } catch {
    return false
  }
}

export interface ClaimNames {
  /** Claim with the external id of the organization. */
  readonly organization: string
  /** Claim with roles and bundles: an array, or a text separated by blanks. */
  readonly roles: string
}

/** `{"organization":"org","roles":"scope"}`: both members, nothing else. */
export const claimNames: Parser<ClaimNames> = (text) => {
  const wrong = new Error('must be JSON with the names of two claims: {"organization":"...","roles":"..."}')
  const { organization, roles, ...others } = (jsonValue(text) ?? {}) as Record<string, unknown>
  const areNames = [organization, roles].every((name) => typeof name === 'string' && name !== '')
  if (!areNames || Object.keys(others).length > 0) throw wrong
  return { organization: organization as string, roles: roles as string }
}
