import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { generateKeypair, verifySignature } from '../../src/keys/keypair.ts'
import { KeyRing } from '../../src/keys/keyring.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { SealedKeyError, Vault } from '../../src/keys/vault.ts'
import type { KeyReference } from '../../src/keys/vault.ts'

function setUp(options: { capacity?: number; idleMs?: number } = {}) {
  const vault = new Vault(new MasterKey(randomBytes(32)))
  const rows = new Map<string, unknown>()
  const clock = { nowMs: 0 }
  let reads = 0
  const read = (tenant: string, cluster: string, id: string): unknown => {
    reads += 1
    return rows.get([tenant, cluster, id].join())
  }
  const ring = new KeyRing({ vault, read, now: () => clock.nowMs, ...options })
  const addAccount = (id: string) => {
    const keypair = generateKeypair()
    const reference: KeyReference = { tenant: 't', cluster: 'c', id, address: keypair.address }
    rows.set(['t', 'c', id].join(), vault.seal(reference, keypair))
    return { keypair, reference }
  }
  return { ring, rows, clock, addAccount, reads: () => reads }
}

test('signs for a stored account and has no signer for another one', () => {
  const { ring, addAccount } = setUp()
  const { reference } = addAccount('a')
  const message = Buffer.from('message')
  const signer = ring.signerFor(reference)
  expect(signer?.address).toBe(reference.address)
  expect(verifySignature(message, signer!.sign(message), reference.address)).toBe(true)
  expect(ring.signerFor({ ...reference, id: 'b' })).toBeNull()
  expect(ring.signerFor({ ...reference, tenant: 'u' })).toBeNull()
  expect(ring.export({ ...reference, id: 'b' })).toBeNull()
})

test('refuses an address that does not match the key, unsealed or not', () => {
  const { ring, addAccount } = setUp()
  const { reference } = addAccount('a')
  const wrong = { ...reference, address: generateKeypair().address }
  expect(() => ring.signerFor(wrong)).toThrow(SealedKeyError)
  ring.signerFor(reference)
  expect(() => ring.signerFor(wrong)).toThrow(SealedKeyError)
})

test('reports a row that cannot be opened as an error, not as a missing key', () => {
  const { ring, rows, addAccount } = setUp()
  const { reference } = addAccount('a')
  rows.set('t,c,a', { ...(rows.get('t,c,a') as object), v: 9 })
  expect(() => ring.signerFor(reference)).toThrow(SealedKeyError)
})

test('unseals a key once while it is in use, and again after an idle time', () => {
  const { ring, clock, addAccount, reads } = setUp({ idleMs: 60_000 })
  const { reference } = addAccount('a')
  for (let use = 0; use < 5; use += 1) {
    clock.nowMs += 59_000
    ring.signerFor(reference)
  }
  expect(reads()).toBe(1)
  clock.nowMs += 60_000
  ring.signerFor(reference)
  expect(reads()).toBe(2)
})

test('removes idle keys from memory by itself', () => {
  const { ring, clock, addAccount } = setUp({ idleMs: 60_000 })
  const accounts = ['a', 'b', 'c'].map(addAccount)
  for (const { reference } of accounts) {
    ring.signerFor(reference)
    clock.nowMs += 1_000
  }
  ring.signerFor(accounts[0]!.reference)
  clock.nowMs += 59_500
  ring.sweep()
  expect(ring.size).toBe(1)
  ring.clear()
  expect(ring.size).toBe(0)
})

test('never exceeds its capacity, and evicts the least recently used key', () => {
  const { ring, addAccount, reads } = setUp({ capacity: 3 })
  const accounts = ['a', 'b', 'c', 'd'].map(addAccount)
  for (const { reference } of accounts.slice(0, 3)) ring.signerFor(reference)
  ring.signerFor(accounts[0]!.reference)
  ring.signerFor(accounts[3]!.reference)
  expect(ring.size).toBe(3)
  expect(reads()).toBe(4)
  ring.signerFor(accounts[0]!.reference)
  expect(reads()).toBe(4)
  ring.signerFor(accounts[1]!.reference)
  expect(reads()).toBe(5)
})

test('signs with a new key before its row is durable, until it is forgotten', () => {
  const { ring } = setUp()
  const keypair = generateKeypair()
  const reference = { tenant: 't', cluster: 'c', id: 'new', address: keypair.address }
  expect(() => ring.hold({ ...reference, address: generateKeypair().address }, keypair)).toThrow(SealedKeyError)
  ring.hold(reference, keypair)
  expect(ring.signerFor(reference)).not.toBeNull()
  ring.forget(reference)
  expect(ring.signerFor(reference)).toBeNull()
})

test('exports the whole key, and prints none of it', () => {
  const { ring, addAccount } = setUp()
  const { keypair, reference } = addAccount('a')
  expect(ring.export(reference)).toBe(keypair.privateKeyText())
  const text = inspect(ring, { depth: 10, showHidden: true }) + JSON.stringify(ring)
  for (const form of [keypair.privateKeyText(), keypair.seed().toString('hex'), keypair.seed().toString('base64')]) {
    expect(text).not.toContain(form)
  }
})
