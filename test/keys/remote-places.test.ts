// Vault's transit engine and AWS KMS, each with a server that follows its API: the requests, the answers, and that no
// answer is trusted for more than it states.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { openAwsKms } from '../../src/keys/aws-kms.ts'
import type { ListedKeys } from '../../src/keys/key-place.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import { VaultTransit } from '../../src/keys/vault-transit.ts'
import { startKms, startVault, TOKEN, type ContractServer } from './contract-servers.ts'
import { signatureIn } from './signed-answer.ts'

const message = Buffer.from('a message that is to be signed')
const TAG = '0123abcd'
const servers = {} as Record<'vault' | 'aws-kms', ContractServer>

beforeAll(async () => {
  servers.vault = await startVault()
  servers['aws-kms'] = await startKms()
  process.env['AWS_ACCESS_KEY_ID'] = 'id'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret'
})
beforeEach(() => {
  for (const server of Object.values(servers)) server.asked.length = 0
})
afterAll(() => {
  for (const server of Object.values(servers)) server.close()
})

const vault = (token = TOKEN, tag = TAG) =>
  new VaultTransit({ url: servers.vault.url, token: new Secret(token), mount: 'transit', tag })
const kms = (tag = TAG) => openAwsKms({ region: 'eu-central-1', endpoint: servers['aws-kms'].url, tag })
type Open = (tag?: string) => Promise<ListedKeys>
const places: [kept: 'vault' | 'aws-kms', open: Open][] = [
  ['vault', (tag) => Promise.resolve(vault(TOKEN, tag))],
  ['aws-kms', (tag) => kms(tag)],
]

test.each(places)('%s generates a key that never leaves it, and signs deterministically', async (placeName, open) => {
  const place = await open()
  const key = await place.make(undefined)
  expect(key).toMatchObject({ v: 1, kept: placeName })
  const one = await signatureIn(place.signer(key).sign(message, 'q'))
  const two = await signatureIn((await open()).signer(key).sign(message, 'q'))
  expect(verifySignature(message, one, key.address)).toBe(true)
  expect(Buffer.from(two).equals(Buffer.from(one))).toBe(true)
  const { asked } = servers[placeName]
  const createBody = asked[0]!.body
  if (placeName === 'vault')
    expect(createBody).toEqual({ type: 'ed25519', exportable: false, allow_plaintext_backup: false })
  else {
    expect(createBody).toMatchObject({ KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' })
    expect(asked.at(-1)!.body).toMatchObject({ MessageType: 'RAW', SigningAlgorithm: 'ED25519_SHA_512' })
  }
})

test.each(places)('%s out of order is retried later; a missing key is refused for good', async (placeName, open) => {
  const server = servers[placeName]
  const place = await open()
  const key = await place.make(undefined)
  server.trouble = { status: 503, body: { __type: 'InternalException' } }
  await expect(place.signer(key).sign(message, 'q')).rejects.toBeInstanceOf(Error)
  await expect(place.make(undefined)).rejects.toMatchObject({ code: 'KEY_STORE_UNAVAILABLE' })
  server.trouble = null
  server.keys.delete(key.name)
  expect((await place.signer(key).sign(message, 'q')).kind).toBe('refused')
})

test('an answer of a vault that is too long is not read, however it is compressed', async () => {
  const key = await vault().make()
  const body = { data: { signature: 'vault:v1:', more: 'x'.repeat(70_000) } }
  for (const isCompressed of [false, true]) {
    servers.vault.trouble = { status: 200, body, isCompressed }
    await expect(vault().signer(key).sign(message, 'q')).rejects.toThrow('the answer of the vault is larger than')
    await expect(vault().make()).rejects.toMatchObject({ code: 'KEY_STORE_UNAVAILABLE' })
  }
  servers.vault.trouble = null
})

test('a refused token is in no message, and no request is refused for good', async () => {
  const key = await vault().make()
  const failure: unknown = await vault('hvs.wrong')
    .signer(key)
    .sign(message, 'q')
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).toContain('403')
  expect(String(failure)).not.toContain('hvs.wrong')
})

test.each(places)('%s lists keys generated for this service that are unknown', async (_kept, open) => {
  const before = await open()
  const [ownKey, lostKey] = [await before.make(undefined), await before.make(undefined)]
  const others = await (await open('ffffffff')).make(undefined)
  const place = await open()
  const unknownNames = await place.unknown((name) => name === ownKey.name)
  expect(unknownNames).toContain(lostKey.name)
  expect(unknownNames).not.toContain(ownKey.name)
  expect(unknownNames).not.toContain(others.name)
})

test('a vault key that is being generated is not listed as unknown', async () => {
  const place = vault()
  const { name } = await place.make()
  expect(await place.unknown(() => false)).not.toContain(name)
})

test('a vault without keys has no unknown ones; a refused list is reported', async () => {
  const empty = await startVault()
  const place = new VaultTransit({ url: empty.url, token: new Secret(TOKEN), mount: 'transit', tag: TAG })
  expect(await place.unknown(() => false)).toEqual([])
  empty.close()
  await expect(vault('hvs.wrong').unknown(() => false)).rejects.toThrow('403')
})
