// Parsers for the settings of a token issuer: issuer, keys, algorithms, and names of claims.
import { resolve } from 'node:path'
import type { KeySource } from '../keys/issuer-tokens.ts'
import { jsonValue, type Parser } from './parse.ts'

/** Asymmetric algorithms only: with a shared secret, every verifier of tokens could create one. */
export const TOKEN_ALGORITHMS = [
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
