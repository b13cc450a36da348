import { randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import { expect, test } from 'vitest'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { SealedKeyError, Vault } from '../../src/keys/vault.ts'
import type { KeyReference, SealedKey } from '../../src/keys/vault.ts'

const vault = new Vault(new MasterKey(randomBytes(32)))

function sealedKey(id: string, keyVersion = 1, by = vault) {
  const keypair = generateKeypair()
  const reference: KeyReference = { tenant: 'tenant-1', cluster: 'CHAIN_DEVNET', id, address: keypair.address }
  return { keypair, reference, row: by.seal(reference, keypair, keyVersion) }
}

test('a sealed key opens to the same key, after a trip through JSON', () => {
  const { keypair, reference, row } = sealedKey('a')
  const opened = vault.open(reference, JSON.parse(JSON.stringify(row)))
  expect(opened.privateKeyText()).toBe(keypair.privateKeyText())
})

test('a row holds no form of the key', () => {
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

test('no field, and no set of fields, of one row is good in another', () => {
  const elsewhere = new Vault(new MasterKey(randomBytes(32)))
  const mine = sealedKey('a', 1)
  const others = [sealedKey('b', 1), sealedKey('b', 2), sealedKey('b', 2, elsewhere)]
  const fields = ['keyVersion', 'masterKeyId', 'dek', 'seed'] as const
  for (const other of others) {
    for (let chosen = 1; chosen < 2 ** fields.length; chosen += 1) {
      const swapped = fields.filter((_, bit) => (chosen & (1 << bit)) !== 0)
      const row: SealedKey = { ...mine.row, ...Object.fromEntries(swapped.map((field) => [field, other.row[field]])) }
      if (JSON.stringify(row) === JSON.stringify(mine.row)) continue
      expect(() => vault.open(mine.reference, row), swapped.join('+')).toThrow(SealedKeyError)
    }
  }
})

test('a row of the same account under an earlier data key does not mix with a later one', () => {
  const { keypair, reference, row } = sealedKey('a')
  const later = vault.seal(reference, keypair)
  expect(() => vault.open(reference, { ...row, dek: later.dek })).toThrow(SealedKeyError)
  expect(() => vault.open(reference, { ...row, seed: later.seed })).toThrow(SealedKeyError)
})

test('a row is good for its own tenant, cluster, account and address only', () => {
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

test('names that run into each other are still different names', () => {
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
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => vault.open(reference, { ...row, [field]: changed.toString('base64') })).toThrow(SealedKeyError)
    }
    expect(() => vault.open(reference, { ...row, [field]: bytes.subarray(0, 10).toString('base64') })).toThrow(
      SealedKeyError,
    )
  }
})

test('another master key is told by its id, and malformed rows are refused', () => {
  const { reference, row } = sealedKey('a')
  const other = new Vault(new MasterKey(randomBytes(32)))
  expect(() => other.open(reference, row)).toThrow(/another master key/)
  for (const bad of [null, undefined, 'text', {}, { ...row, v: 2 }, { ...row, dek: 1 }, { ...row, keyVersion: '1' }]) {
    expect(() => vault.open(reference, bad)).toThrow(SealedKeyError)
  }
})

test('a key is sealed for its own address only', () => {
  expect(() =>
    vault.seal({ tenant: 't', cluster: 'c', id: 'i', address: generateKeypair().address }, generateKeypair()),
  ).toThrow()
})
