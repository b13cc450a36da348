import { randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import { expect, test } from 'vitest'
import { seal } from '../../src/keys/aead.ts'
import { generateKeypair, keypairFromSeed, verifySignature, type Keypair } from '../../src/keys/keypair.ts'
import { MasterKey, MasterKeys } from '../../src/keys/master-key.ts'
import { UnopenedKey } from '../../src/keys/unopened-key.ts'
import { SealedKeyError, SEED_CONTEXT, Vault } from '../../src/keys/vault.ts'
import type { KeyReference, PreparedKey, SealedKey } from '../../src/keys/vault.ts'

const vault = new Vault(new MasterKey(randomBytes(32)))

function sealedKey(id: string, keyVersion = 1, by = vault) {
  const keypair = generateKeypair()
  const reference: KeyReference = { tenant: 'tenant-1', cluster: 'CHAIN_DEVNET', id, address: keypair.address }
  return { keypair, reference, row: by.seal(reference, keypair, keyVersion) }
}

test('a sealed key opens to the same key after a JSON round trip', () => {
  const { keypair, reference, row } = sealedKey('a')
  const reopenedKey = vault.open(reference, JSON.parse(JSON.stringify(row)))
  expect(reopenedKey.privateKeyText()).toBe(keypair.privateKeyText())
})

test('a row contains the key in no form', () => {
  const { keypair, row } = sealedKey('a')
  const bytes = Buffer.concat([
    Buffer.from(row.dek, 'base64'),
    Buffer.from(row.seed, 'base64'),
    Buffer.from(JSON.stringify(row)),
  ])
  const seed = keypair.seed()
  for (const form of [
    seed,
    seed.toString('hex'),
    seed.toString('base64'),
    bs58.encode(seed),
    keypair.privateKeyText(),
  ]) {
    expect(bytes.includes(form)).toBe(false)
  }
  expect(sealedKey('a', 1).row.dek).not.toBe(row.dek)
})

test('no field or set of fields of one row is valid in another', () => {
  const otherVault = new Vault(new MasterKey(randomBytes(32)))
  const ownKey = sealedKey('a', 1)
  const others = [sealedKey('b', 1), sealedKey('b', 2), sealedKey('b', 2, otherVault)]
  const fields = ['keyVersion', 'masterKeyId', 'dek', 'seed'] as const
  for (const other of others) {
    for (let chosen = 1; chosen < 2 ** fields.length; chosen += 1) {
      const swappedFields = fields.filter((_, bit) => (chosen & (1 << bit)) !== 0)
      const row: SealedKey = {
        ...ownKey.row,
        ...Object.fromEntries(swappedFields.map((field) => [field, other.row[field]])),
      }
      if (JSON.stringify(row) === JSON.stringify(ownKey.row)) continue
      expect(() => vault.open(ownKey.reference, row), swappedFields.join('+')).toThrow(SealedKeyError)
    }
  }
})

test('an old row of an account does not mix with a row under a later data key', () => {
  const { keypair, reference, row } = sealedKey('a')
  const laterRow = vault.seal(reference, keypair)
  expect(() => vault.open(reference, { ...row, dek: laterRow.dek })).toThrow(SealedKeyError)
  expect(() => vault.open(reference, { ...row, seed: laterRow.seed })).toThrow(SealedKeyError)
})

test('a row is valid only for its own tenant, cluster, account and address', () => {
  const { reference, row } = sealedKey('a')
  for (const change of [
    { tenant: 'tenant-2' },
    { cluster: 'CHAIN_MAINNET' },
    { id: 'b' },
    { address: generateKeypair().address },
  ]) {
    expect(() => vault.open({ ...reference, ...change }, row)).toThrow(SealedKeyError)
  }
})

test('names with ambiguous concatenations are different names', () => {
  const keypair = generateKeypair()
  const { address } = keypair
  const row = vault.seal({ tenant: 't","c', cluster: 'x', id: '1', address }, keypair)
  expect(() => vault.open({ tenant: 't', cluster: 'c","x', id: '1', address }, row)).toThrow(SealedKeyError)
})

test('any flipped bit is noticed', () => {
  const { reference, row } = sealedKey('a')
  for (const field of ['dek', 'seed'] as const) {
    const bytes = Buffer.from(row[field], 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      expect(() => vault.open(reference, { ...row, [field]: damaged.toString('base64') })).toThrow(SealedKeyError)
    }
    expect(() => vault.open(reference, { ...row, [field]: bytes.subarray(0, 10).toString('base64') })).toThrow(
      SealedKeyError,
    )
  }
})

test('another master key is recognized by its id, and malformed rows are refused', () => {
  const { reference, row } = sealedKey('a')
  const other = new Vault(new MasterKey(randomBytes(32)))
  expect(() => other.open(reference, row)).toThrow(/another master key/)
  for (const bad of [null, undefined, 'text', {}, { ...row, v: 3 }, { ...row, dek: 1 }, { ...row, keyVersion: '1' }]) {
    expect(() => vault.open(reference, bad)).toThrow(SealedKeyError)
  }
})

test('a key is sealed for its own address only', () => {
  expect(() =>
    vault.seal({ tenant: 't', cluster: 'c', id: 'i', address: generateKeypair().address }, generateKeypair()),
  ).toThrow()
})

/** A row of version 1, under the master key of 32 sevens, of the seed of 32 fives. */
const OLD_REFERENCE: KeyReference = {
  tenant: 'ACME',
  cluster: 'CHAIN_DEVNET',
  id: 'one',
  address: '8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe',
}
const OLD_ROW: SealedKey = {
  v: 1,
  keyVersion: 1,
  masterKeyId: '4fbc18b8ccba112883c468eb4390350a',
  dek: 'A5NFCC7DnGdUXZQBq6FXvIC3hOEFJvl2JnoNP/sAVUpaBg7Xa16fzrBxzn/dPxh1r8H5+IHo743BNiO8',
  seed: 'lS7VOPH56Cez2SgYWhhN86zhLxZUSpyyzRCmTiN8CCYk0bYyOtF+Pphopy2vrsQhTqzw4DTjsMXwqUDv',
}
const oldMasterKey = (): MasterKey => new MasterKey(Buffer.alloc(32, 7))

test('a row of version 1 opens only in its place, also under a new master key, and never mixes with another', () => {
  const old = new Vault(oldMasterKey())
  const seedOf = (by: Vault, row: SealedKey): string => by.open(OLD_REFERENCE, row).seed().toString('hex')
  expect(seedOf(old, OLD_ROW)).toBe('05'.repeat(32))
  expect(() => old.open({ ...OLD_REFERENCE, id: 'two' }, OLD_ROW)).toThrow(SealedKeyError)
  expect(() => old.open(OLD_REFERENCE, { ...OLD_ROW, v: 2 })).toThrow(SealedKeyError)

  const both = new Vault(new MasterKeys(new MasterKey(Buffer.alloc(32, 8)), oldMasterKey()))
  const rewrapped = both.rewrap(OLD_REFERENCE, OLD_ROW)!
  expect([rewrapped.v, rewrapped.seed]).toEqual([1, OLD_ROW.seed])
  expect(seedOf(new Vault(new MasterKey(Buffer.alloc(32, 8))), rewrapped)).toBe('05'.repeat(32))

  const laterRow = old.seal(OLD_REFERENCE, keypairFromSeed(Buffer.alloc(32, 5)))
  expect([laterRow.v, seedOf(old, laterRow)]).toEqual([2, '05'.repeat(32)])
  for (const mixed of [
    { ...laterRow, v: 1 },
    { ...laterRow, seed: OLD_ROW.seed },
    { ...laterRow, dek: OLD_ROW.dek },
  ])
    expect(() => old.open(OLD_REFERENCE, mixed)).toThrow(SealedKeyError)
})

/** A key as the stock prepares it. */
function preparedKey(): { readonly prepared: PreparedKey; readonly keypair: Keypair } {
  const keypair = generateKeypair()
  const dataKey = randomBytes(32)
  const context = Buffer.concat([Buffer.from(SEED_CONTEXT), bs58.decode(keypair.address)])
  return { prepared: { address: keypair.address, seed: seal(dataKey, keypair.seed(), context), dataKey }, keypair }
}

const placeOf = (id: string, { address }: { readonly address: string }): KeyReference => ({
  tenant: 'tenant-1',
  cluster: 'CHAIN_DEVNET',
  id,
  address,
})
const message = Buffer.from('a message')

test('a prepared key becomes the row of its account, and its data key is overwritten', () => {
  const { prepared, keypair } = preparedKey()
  const other = preparedKey().prepared
  expect(() => vault.assign(placeOf('a', other), prepared)).toThrow(/own address/)
  const row = vault.assign(placeOf('a', prepared), prepared)
  expect(Buffer.from(prepared.dataKey).every((byte) => byte === 0)).toBe(true)
  expect(vault.open(placeOf('a', prepared), row).privateKeyText()).toBe(keypair.privateKeyText())
  expect(() => vault.open(placeOf('b', prepared), row)).toThrow(SealedKeyError)
  const otherRow = vault.assign(placeOf('a', other), other)
  for (const mixed of [
    { ...row, seed: otherRow.seed },
    { ...row, dek: otherRow.dek },
    { ...row, keyVersion: 2 },
  ])
    expect(() => vault.open(placeOf('a', prepared), mixed)).toThrow(SealedKeyError)
})

test('a prepared key signs before and after it is sealed, and can be sealed again for another attempt', () => {
  for (const isSignedFirst of [true, false]) {
    const { prepared } = preparedKey()
    const key = new UnopenedKey(vault, prepared)
    const checkSignature = (): void => expect(verifySignature(message, key.sign(message), key.address)).toBe(true)
    if (isSignedFirst) checkSignature()
    const first = key.seal(placeOf('a', key))
    checkSignature()
    const secondRow = key.seal(placeOf('b', key))
    checkSignature()
    for (const [id, row] of [
      ['a', first],
      ['b', secondRow],
    ] as const) {
      expect(vault.open(placeOf(id, key), row).address).toBe(key.address)
      expect(() => vault.open(placeOf(id === 'a' ? 'b' : 'a', key), row)).toThrow(SealedKeyError)
    }
  }
})
