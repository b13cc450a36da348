// Who gets a private key, and what that does to the account.
import { expect, it } from 'vitest'
import { isHolding } from '../../../src/engine/record.ts'
import { generateKeypair, keypairFromPrivateKey } from '../../../src/keys/keypair.ts'
import { accountPrivateKey, type PrivateKeyInput } from '../../../src/operations/account-private-key.ts'
import { freeze } from '../../../src/operations/freeze.ts'
import { House, verdict } from './house.ts'

async function acme() {
  const house = await House.open()
  await house.organization('ACME')
  await house.organization('OTHER')
  const exporter = (await house.key('ACME', { roles: ['PRIVATE_KEY_EXPORT'] })).apiKey
  const fetch = async (itemData: PrivateKeyInput, bearer = exporter) =>
    await accountPrivateKey(house.platform, house.call(bearer), { itemData }) as { privateKeyDetails: { privateKey: string } }
  const origin = (id: string) => {
    const state = house.engine.directory.byId(id)?.committed
    return state !== undefined && isHolding(state) ? state.context.keyOrigin : undefined
  }
  return { house, exporter, fetch, origin }
}

it('gives the key that signs for the account, and marks the account as exported first', async () => {
  const { house, fetch, origin } = await acme()
  const pair = generateKeypair()
  const wallet = await house.wallet('ACME', 'ACME', pair)
  expect(origin(wallet.id)).toBe('service')
  const { privateKeyDetails } = await fetch({ offchainId: wallet.id })
  expect(privateKeyDetails).toEqual({ location: ['DATABASE'], publickKey: pair.address, privateKey: pair.privateKeyText() })
  expect(keypairFromPrivateKey(privateKeyDetails.privateKey).address).toBe(wallet.address)
  expect(origin(wallet.id)).toBe('exported')
  await house.restart()
  expect(origin(wallet.id)).toBe('exported')
  expect(await fetch({ onchainId: wallet.address })).toEqual({ privateKeyDetails })
  expect(await house.onDisk()).not.toContain(privateKeyDetails.privateKey)
})

it('gives nobody else\'s key, shared or lent for signing as the account may be, and none without the role', async () => {
  const { house, fetch, origin } = await acme()
  const own = await house.wallet('ACME', 'ACME')
  const shared = await house.wallet('OTHER', 'OTHER', generateKeypair(), { shared: true })
  const lent = await house.wallet('OTHER', 'OTHER', generateKeypair(), { orgsAllowedToSignWithPrivateKey: ['ACME'] })
  for (const { id } of [shared, lent]) {
    expect(await verdict(() => fetch({ offchainId: id }))).toBe('404 ACCOUNT_NOT_FOUND /itemData')
    expect(origin(id)).toBe('service')
  }
  const admin = (await house.key('ACME', { roles: ['TENANT_ADMIN', 'ACCOUNTS_READ'] })).apiKey
  expect(await verdict(() => fetch({ offchainId: own.id }, admin))).toBe('403 ROLE_REQUIRED')
  expect(origin(own.id)).toBe('service')
})

it('gives no key that is frozen, threshold or not here, and encrypts to nobody', async () => {
  const { house, fetch, origin } = await acme()
  const frozen = await house.wallet('ACME', 'ACME')
  await house.run(freeze, { organizationExternalId: 'ACME' })
  expect(await verdict(() => fetch({ offchainId: frozen.id }))).toBe('403 FROZEN')
  expect(origin(frozen.id)).toBe('service')

  const other = (await house.key('OTHER', { roles: ['PRIVATE_KEY_EXPORT'] })).apiKey
  const threshold = await house.wallet('OTHER', 'OTHER', generateKeypair(), { keyLocation: ['DKG'] })
  const outside = await house.wallet('OTHER', 'OTHER', generateKeypair(), { managed: false, keyOrigin: 'none', keyLocation: [] })
  expect(await verdict(() => fetch({ offchainId: threshold.id }, other))).toBe('400 THRESHOLD_KEY /itemData')
  expect(await verdict(() => fetch({ offchainId: outside.id }, other))).toBe('404 PRIVATE_KEY_NOT_FOUND /itemData')
  const encrypted = { offchainId: threshold.id, encryptTo: { kty: 'OKP', crv: 'X25519', x: 'AA' } }
  expect(await verdict(() => fetch(encrypted, other))).toBe('400 ENCRYPTION_NOT_SUPPORTED /itemData/encryptTo')
})
