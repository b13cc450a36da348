// Keys in the secrets folder: sealed, stored before the record that refers to them, and removed with a record that is
// not created.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountKeys } from '../../src/keys/account-keys.ts'
import type { FreshKey } from '../../src/keys/fresh-key.ts'
import { Custodians } from '../../src/keys/custodians/custodians.ts'
import { ExternalKeys } from '../../src/keys/external-keys.ts'
import { generateKeypair, verifySignature } from '../../src/keys/keypair.ts'
import { KeyRing } from '../../src/keys/keyring.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { SecretsFolder } from '../../src/keys/secrets-folder.ts'
import { Vault } from '../../src/keys/vault.ts'

let parent: string
let path: string
/** The rows of the store, by record. */
let rows: Map<string, unknown>

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'holdfast-folder-'))
  path = join(parent, 'deep', 'secrets')
  rows = new Map()
})
afterEach(() => rmSync(parent, { recursive: true }))

/** As after a start: nothing is unsealed. */
function openFolder(masterKey = 7) {
  const vault = new Vault(new MasterKey(Buffer.alloc(32, masterKey)))
  const read = (tenant: string, cluster: string, id: string) => rows.get([tenant, cluster, id].join())
  const elsewhere = new ExternalKeys(vault, read, {
    folder: new SecretsFolder(path),
    secrets: null,
    players: null,
    custodians: new Custodians([], 'tag'),
    remote: new Map(),
  })
  const ring = new KeyRing({ vault, read: elsewhere.sealedRow })
  return { elsewhere, keys: new AccountKeys(vault, ring, {}, elsewhere) }
}

const placeOf = (id: string, { address }: { address: string }) => ({
  tenant: 'ACME',
  cluster: 'CHAIN_DEVNET',
  id,
  address,
})

function keepKey(id: string, fresh: Pick<FreshKey, 'address' | 'seal'>) {
  const place = placeOf(id, fresh)
  rows.set([place.tenant, place.cluster, id].join(), fresh.seal(place))
  return place
}

const message = Buffer.from('a message')
const files = () => readdirSync(path)

test('a key in the folder signs after a start, and is neither in the store nor in the clear', async () => {
  const pair = generateKeypair()
  const privateKey = pair.privateKeyText()
  const place = keepKey('one', await openFolder().keys.make({ location: 'SECRETS', privateKey }))
  const signer = openFolder().keys.signerFor(place)
  if (signer?.remote !== false) throw new Error('no local signer')
  expect(verifySignature(message, signer.sign(message), pair.address)).toBe(true)
  expect([...rows.values()]).toEqual([{ v: 1, kept: 'folder', address: pair.address, name: 'one' }])
  expect(files()).toEqual(['one.json'])
  expect([statSync(path).mode & 0o777, statSync(join(path, 'one.json')).mode & 0o777]).toEqual([0o700, 0o600])
  const text = readFileSync(join(path, 'one.json'), 'utf8')
  for (const form of ['hex', 'base64'] as const) expect(text).not.toContain(pair.seed().toString(form).slice(0, 40))
  expect(text).not.toContain(privateKey)
})

test('a file is valid only in its own place, under its own master key, and complete', async () => {
  const one = keepKey('one', await openFolder().keys.make({ location: 'SECRETS' }))
  const two = keepKey('two', await openFolder().keys.make({ location: 'SECRETS' }))
  expect(() => openFolder(8).keys.signerFor(one)).toThrow(/another master key/)
  const text = readFileSync(join(path, 'one.json'), 'utf8')
  writeFileSync(join(path, 'two.json'), text)
  expect(() => openFolder().keys.signerFor(two)).toThrow(/does not unwrap/)
  writeFileSync(join(path, 'one.json'), text.replace(/"seed":"..../, '"seed":"AAAA'))
  expect(() => openFolder().keys.signerFor(one)).toThrow(/was changed/)
  rmSync(join(path, 'one.json'))
  expect(() => openFolder().keys.signerFor(one)).toThrow(/is missing/)
})

test('an aborted creation removes its file; a crash before the record leaves a file that is reported', async () => {
  const { keys, elsewhere } = openFolder()
  const undone = (await keys.make({ location: 'SECRETS' })) as FreshKey
  undone.seal(placeOf('undone', undone))
  undone.discard?.(placeOf('undone', undone))
  keepKey('kept', await keys.make({ location: 'SECRETS' }))
  expect(await elsewhere.orphans({ fetch: () => Promise.resolve() })).toEqual([])
  const crashed = (await keys.make({ location: 'SECRETS' })) as FreshKey
  crashed.seal(placeOf('crashed', crashed))
  writeFileSync(join(path, 'torn.json'), '{"v":1,')
  // Not made by this service: no key can have these names.
  for (const other of ['._kept.json', 'my_notes.json', 'list.txt']) writeFileSync(join(path, other), '{}')
  expect((await openFolder().elsewhere.orphans({ fetch: () => Promise.resolve() })).sort()).toEqual(['crashed', 'torn'])
  expect(new SecretsFolder(path).names().sort()).toEqual(['crashed', 'kept', 'torn'])
})

test('a file that cannot be written aborts the creation', async () => {
  const fresh = (await openFolder().keys.make({ location: 'SECRETS' })) as FreshKey
  writeFileSync(join(parent, 'deep'), 'in the way')
  expect(() => fresh.seal(placeOf('one', fresh))).toThrow(/EEXIST|ENOTDIR/)
})

test('a second record of the address has its own sealed copy of the key', async () => {
  const one = keepKey('one', await openFolder().keys.make({ location: 'SECRETS' }))
  const inherited = openFolder().keys.inherit(one)!
  const two = keepKey('two', { address: one.address, seal: (place) => inherited.seal(place) })
  rmSync(join(path, 'one.json'))
  expect(openFolder().keys.signerFor(two)?.address).toBe(one.address)
})

test('a second record of an address whose key is in the store keeps the key there, and one without a key has none', () => {
  const { keys } = openFolder()
  const one = keepKey('one', keys.generate())
  const inherited = openFolder().keys.inherit(one)!
  const two = keepKey('two', { address: one.address, seal: (place) => inherited.seal(place) })
  expect(openFolder().keys.signerFor(two)?.address).toBe(one.address)
  expect(openFolder().elsewhere.rowOf(two)).toBeNull()
  expect(keys.inherit(placeOf('none', one))).toBeNull()
})
