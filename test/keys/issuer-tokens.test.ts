// The length of a subject, and the instants of a token to the second: only `iat` may be ahead of the clock of the
// service.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IssuerTokens } from '../../src/keys/issuer-tokens.ts'
import { makeIssuer, type Issuer } from '../trust/fixtures/issuer.ts'

const NOW = 1_800_000_000

let issuer: Issuer
let tokens: IssuerTokens

beforeAll(async () => {
  issuer = await makeIssuer()
  const { HOLDFAST_JWT_ISSUER, HOLDFAST_JWT_AUDIENCE, HOLDFAST_JWT_KEYS } = issuer.settings
  tokens = new IssuerTokens(
    {
      issuer: HOLDFAST_JWT_ISSUER!,
      audience: HOLDFAST_JWT_AUDIENCE!,
      algorithms: ['EdDSA'],
      keys: { kind: 'file', path: HOLDFAST_JWT_KEYS! },
    },
    { now: () => NOW * 1_000 + 999, unavailable: () => undefined, available: () => undefined },
  )
})
afterAll(() => issuer.remove())

it.each([
  ['expires in a second', { exp: NOW + 1 }, true],
  ['expires now', { exp: NOW }, false],
  ['expired a second ago', { exp: NOW - 1 }, false],
  ['is valid from a minute ahead', { nbf: NOW + 60 }, true],
  ['is valid from two seconds more ahead', { nbf: NOW + 62 }, false],
  ['was issued a minute ahead', { iat: NOW + 60 }, true],
  ['has a subject of 255 characters', { sub: '\u{1f600}'.repeat(255) }, true],
  ['has a subject of 256 characters', { sub: 'x'.repeat(256) }, false],
  ['has no subject', { sub: '' }, false],
  ['was issued two seconds more ahead', { iat: NOW + 62 }, false],
])('14.13 a token that %s', async (_what, claims, isValid) => {
  const token = await issuer.token({ iat: NOW - 60, exp: NOW + 300, ...claims })
  expect((await tokens.verify(token)) !== null).toBe(isValid)
})

/** Tokens whose keys are in a file that does not exist yet, and what is reported of it. */
function watched(name: string) {
  const { HOLDFAST_JWT_ISSUER, HOLDFAST_JWT_AUDIENCE, HOLDFAST_JWT_KEYS } = issuer.settings
  const path = `${HOLDFAST_JWT_KEYS}.${name}`
  const reports: string[] = []
  const settings = { issuer: HOLDFAST_JWT_ISSUER!, audience: HOLDFAST_JWT_AUDIENCE!, algorithms: ['EdDSA'] }
  const later = new IssuerTokens(
    { ...settings, keys: { kind: 'file', path } },
    {
      now: () => NOW * 1_000,
      unavailable: (cause) => void reports.push(String(cause)),
      available: () => void reports.push('available'),
    },
  )
  return { later, path, reports, token: () => issuer.token({ iat: NOW, exp: NOW + 300 }) }
}

it('keys that cannot be read are reported once until they can be read again', async () => {
  const { later, path, reports, ...made } = watched('later')
  const token = await made.token()
  expect([await later.verify(token), await later.verify(token)]).toEqual(['unavailable', 'unavailable'])
  expect(reports).toEqual([expect.stringContaining(`HOLDFAST_JWT_KEYS ${path} cannot be read`)])
  // An entry of an unknown kind does not make the others unusable.
  const { keys } = JSON.parse(readFileSync(issuer.settings.HOLDFAST_JWT_KEYS!, 'utf8')) as { keys: object[] }
  writeFileSync(path, JSON.stringify({ keys: [{ kty: 'NEW' }, ...keys] }))
  expect(await later.verify(token)).toMatchObject({ sub: 'alice' })
  expect(reports.slice(1)).toEqual(['available'])
})

it('a token that is refused does not show that the keys can be read again', async () => {
  const { later, path, reports, ...made } = watched('other')
  const token = await made.token()
  expect(await later.verify(token)).toBe('unavailable')
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  writeFileSync(path, JSON.stringify({ keys: [{ ...other, kid: 'other' }] }))
  expect(await later.verify(token)).toBeNull()
  expect(reports).toHaveLength(1)
})

it.each(['discovery', 'key set'])('an answer of the issuer, its %s, is read up to a limit', async (long) => {
  const keySet = readFileSync(issuer.settings.HOLDFAST_JWT_KEYS!, 'utf8')
  let padding = 0
  const server = createServer(({ url }, answer) => {
    const isDiscovery = url === '/.well-known/openid-configuration'
    const discovery = JSON.stringify({ issuer: origin, jwks_uri: `${origin}/keys` })
    const isPadded = isDiscovery === (long === 'discovery')
    answer.end((isDiscovery ? discovery : keySet) + ' '.repeat(isPadded ? padding : 0))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reports: unknown[] = []
  const { HOLDFAST_JWT_AUDIENCE } = issuer.settings
  const asking = () =>
    new IssuerTokens(
      { issuer: origin, audience: HOLDFAST_JWT_AUDIENCE!, algorithms: ['EdDSA'], keys: { kind: 'discovery' } },
      { now: () => NOW * 1_000, unavailable: (cause) => void reports.push(cause), available: () => undefined },
    )
  const token = await issuer.token({ iss: origin, iat: NOW, exp: NOW + 300 })
  try {
    expect(await asking().verify(token)).toMatchObject({ sub: 'alice' })
    padding = 1_100_000
    expect(await asking().verify(token)).toBe('unavailable')
    expect(String(reports)).toContain('larger than 1048576 bytes')
  } finally {
    server.close()
  }
})
