// Who can export a private key, in which form, and the effect on the account.
import { compactDecrypt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { isHolding } from '../../../src/engine/records/record.ts'
import { generateKeypair, keypairFromPrivateKey } from '../../../src/keys/keypair.ts'
import { accountPrivateKey } from '../../../src/operations/accounts/private-key.ts'
import type { PrivateKeyInput } from '../../../src/contract/values/lookup.ts'
import { freeze } from '../../../src/operations/admin/freeze.ts'
import { House, verdict } from './house.ts'

type EncryptTo = NonNullable<PrivateKeyInput['encryptTo']>

async function acme() {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('OTHER')
  const exporter = (await house.key('ACME', { roles: ['PRIVATE_KEY_EXPORT'] })).apiKey
  const fetch = async (itemData: PrivateKeyInput, bearer = exporter) =>
    (await accountPrivateKey({ platform: house.platform, call: house.call(bearer) }, { itemData })) as {
      privateKeyDetails: { privateKey: string }
    }
  const origin = (id: string) => {
    const state = house.engine.directory.byId(id)?.committed
    return state !== undefined && isHolding(state) ? state.context.keyOrigin : undefined
  }
  return { house, exporter, fetch, origin }
}

it('returns the key that signs for the account, and marks the account as exported first', async () => {
  const { house, fetch, origin } = await acme()
  const pair = generateKeypair()
  const wallet = await house.wallet('ACME', 'ACME', pair)
  expect(origin(wallet.id)).toBe('service')
  const { privateKeyDetails } = await fetch({ offchainId: wallet.id })
  expect(privateKeyDetails).toEqual({
    location: ['DATABASE'],
    publickKey: pair.address,
    privateKey: pair.privateKeyText(),
  })
  expect(keypairFromPrivateKey(privateKeyDetails.privateKey).address).toBe(wallet.address)
  expect(origin(wallet.id)).toBe('exported')
  await house.restart()
  expect(origin(wallet.id)).toBe('exported')
  expect(await fetch({ onchainId: wallet.address })).toEqual({ privateKeyDetails })
  expect(await house.onDisk()).not.toContain(privateKeyDetails.privateKey)
})

it('marks the live record of the key if a closed one is named', async () => {
  const { house, fetch, origin } = await acme()
  const pair = generateKeypair()
  const old = await house.wallet('ACME', 'ACME', pair, { lamports: { balance: '0', reserved: '0' } })
  await house.engine.transact((unit) =>
    unit.send<'account'>(house.engine.directory.byId(old.id)!, { type: 'command.inactivate' }),
  ).durable
  const live = await house.wallet('ACME', 'ACME', pair)
  expect((await fetch({ offchainId: old.id })).privateKeyDetails.privateKey).toBe(pair.privateKeyText())
  expect(origin(live.id)).toBe('exported')
})

it('returns no key of another owner, even if shared or granted, and none without the role', async () => {
  const { house, fetch, origin } = await acme()
  const own = await house.wallet('ACME', 'ACME')
  const sharedWallet = await house.wallet('OTHER', 'OTHER', generateKeypair(), { shared: true })
  const signableWallet = await house.wallet('OTHER', 'OTHER', generateKeypair(), {
    orgsAllowedToSignWithPrivateKey: ['ACME'],
  })
  for (const { id } of [sharedWallet, signableWallet]) {
    expect(await verdict(() => fetch({ offchainId: id }))).toBe('404 ACCOUNT_NOT_FOUND /itemData')
    expect(origin(id)).toBe('service')
  }
  const admin = (await house.key('ACME', { roles: ['TENANT_ADMIN', 'ACCOUNTS_READ'] })).apiKey
  expect(await verdict(() => fetch({ offchainId: own.id }, admin))).toBe('403 ROLE_REQUIRED')
  expect(origin(own.id)).toBe('service')
})

it('returns no frozen, threshold or external key', async () => {
  const { house, fetch, origin } = await acme()
  const frozenWallet = await house.wallet('ACME', 'ACME')
  await house.run(freeze, { organizationExternalId: 'ACME' })
  expect(await verdict(() => fetch({ offchainId: frozenWallet.id }))).toBe('403 FROZEN')
  expect(origin(frozenWallet.id)).toBe('service')

  const other = (await house.key('OTHER', { roles: ['PRIVATE_KEY_EXPORT'] })).apiKey
  const threshold = await house.wallet('OTHER', 'OTHER', generateKeypair(), { keyLocation: ['DKG'] })
  const outside = await house.wallet('OTHER', 'OTHER', generateKeypair(), {
    managed: false,
    keyOrigin: 'none',
    keyLocation: [],
  })
  expect(await verdict(() => fetch({ offchainId: threshold.id }, other))).toBe('400 THRESHOLD_KEY /itemData')
  expect(await verdict(() => fetch({ offchainId: outside.id }, other))).toBe('404 PRIVATE_KEY_NOT_FOUND /itemData')
})

describe('with encryptTo', () => {
  const ALG = 'ECDH-ES+A256KW'
  const pairOf = async (crv: string) => {
    const { privateKey, publicKey } = await generateKeyPair(ALG, { crv, extractable: true })
    return { privateKey, jwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey) }
  }

  it.each(['X25519', 'P-256'])(
    'returns a JWE that the holder of the %s key can open, and no plain key',
    async (crv) => {
      const { house, fetch, origin } = await acme()
      const pair = generateKeypair()
      const wallet = await house.wallet('ACME', 'ACME', pair)
      const { jwk, privateKey } = await pairOf(crv)
      const answer = await fetch({
        offchainId: wallet.id,
        encryptTo: { ...jwk, kid: 'vault-1', use: 'enc', key_ops: [], ext: true } as EncryptTo,
      })
      const { privateKeyJwe, ...rest } = answer.privateKeyDetails as unknown as { privateKeyJwe: string }
      expect(rest).toEqual({ location: ['DATABASE'], publickKey: pair.address })
      expect(decodeProtectedHeader(privateKeyJwe)).toMatchObject({ alg: ALG, enc: 'A256GCM', kid: 'vault-1' })
      const { plaintext } = await compactDecrypt(privateKeyJwe, privateKey)
      expect(new TextDecoder().decode(plaintext)).toBe(pair.privateKeyText())
      expect(origin(wallet.id)).toBe('exported')
      expect(await house.onDisk()).not.toContain(privateKeyJwe)
    },
  )

  it('refuses an invalid public key, without marking the account', async () => {
    const { house, fetch, origin } = await acme()
    const wallet = await house.wallet('ACME', 'ACME')
    const x25519 = await pairOf('X25519')
    const p256 = await pairOf('P-256')
    const bad: (readonly [JWK, string])[] = [
      [{ kty: 'OKP', crv: 'X25519', x: 'AA' }, '/x'],
      [{ ...p256.jwk, y: p256.jwk.x! }, '/x'],
      [{ kty: 'EC', crv: 'P-256', x: p256.jwk.x! }, '/y'],
      [{ ...x25519.jwk, crv: 'Ed25519' }, '/crv'],
      [{ ...x25519.jwk, kty: 'RSA' }, '/kty'],
      [{ ...x25519.jwk, use: 'sig' }, '/use'],
      [{ ...x25519.jwk, alg: 'RSA-OAEP' }, '/alg'],
      // A point of small order: the agreed secret is known to everyone.
      [{ ...x25519.jwk, x: Buffer.alloc(32).toString('base64url') }, '/x'],
      [x25519.privateJwk, '/d'],
      [p256.privateJwk, '/d'],
    ]
    for (const [jwk, member] of bad) {
      const request = { offchainId: wallet.id, encryptTo: { ...jwk } as EncryptTo }
      expect(await verdict(() => fetch(request))).toBe(`400 ENCRYPTION_KEY_INVALID /itemData/encryptTo${member}`)
    }
    expect(origin(wallet.id)).toBe('service')
  })
})
