// Readers of accounts outside of the token programs: sysvars compared with the engine, which writes them; the value of
// a nonce compared with the library; metadata outside of the mint, as other programs store it.
import { createRequire } from 'node:module'
import { pack } from '@solana/spl-token-metadata'
import type * as Engine from 'litesvm/dist/internal.js'
import { NonceAccount } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressBytes, addressOf, SYSTEM_PROGRAM } from '../../src/solana/address.ts'
import { decodeMetadataAccount } from '../../src/solana/metadata-account.ts'
import { readNonceValue } from '../../src/solana/nonce-value.ts'
import { decodeSlotHashes } from '../../src/solana/system-layout.ts'
import { clockSeconds } from '../../src/solana/sysvars.ts'
import { anyAddress, bytes32, key } from './arbitraries.ts'

const CLOCK = addressBytes('SysvarC1ock11111111111111111111111111111111')
const SLOT_HASHES = addressBytes('SysvarS1otHashes111111111111111111111111111')
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const engine = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof Engine
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !each.endsWith('\0'))

it('parses the clock written by the engine', () => {
  const vm = new engine.LiteSvm()
  const word = fc.bigInt({ min: 0n, max: 1n << 40n })
  const time = fc.bigInt({ min: -(1n << 62n), max: 1n << 62n })
  fc.assert(
    fc.property(word, word, word, word, time, (slot, start, epoch, leaders, seconds) => {
      vm.setClock(new engine.Clock(slot, start, epoch, leaders, seconds))
      expect(clockSeconds(vm.getAccount(CLOCK)!.data())).toBe(seconds)
    }),
  )
})

it('parses the SlotHashes written by the engine', () => {
  const vm = new engine.LiteSvm()
  const entry = fc.record({
    slot: fc.bigInt({ min: 0n, max: 1n << 60n }),
    hash: bytes32.map((bytes) => addressOf(bytes)),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (hashes) => {
      vm.setSlotHashes(hashes)
      const slots = vm.getSlotHashes().map(({ slot }) => slot)
      expect(decodeSlotHashes(vm.getAccount(SLOT_HASHES)!.data())).toEqual(slots)
      expect(slots.toSorted()).toEqual(hashes.map(({ slot }) => slot).toSorted())
    }),
  )
})

it('parses the value of a nonce like the library, and nothing else', () => {
  const account = (data: Uint8Array, owner = SYSTEM_PROGRAM) => ({
    owner,
    data: [Buffer.from(data).toString('base64'), 'base64'],
  })
  fc.assert(
    fc.property(bytes32, bytes32, fc.nat(), (authority, value, fee) => {
      const data = Buffer.alloc(80)
      data.writeUInt32LE(1, 0)
      data.writeUInt32LE(1, 4)
      data.set(authority, 8)
      data.set(value, 40)
      data.writeBigUInt64LE(BigInt(fee), 72)
      expect(readNonceValue(account(data))).toBe(NonceAccount.fromAccountData(data).nonce)
      expect(readNonceValue(account(data.subarray(0, 79)))).toBeNull()
      expect(readNonceValue(account(data, addressOf(authority)))).toBeNull()
      data.writeUInt32LE(0, 4)
      expect(readNonceValue(account(data))).toBeNull()
    }),
  )
})

const texts = fc.record({ name: text, symbol: text, uri: text })

it('parses metadata of the interface in an account of any program, behind other entries', () => {
  const kind = Buffer.from('70845a5a0b589d57', 'hex')
  const entry = (type: Uint8Array, value: Uint8Array): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(value.length)
    return Buffer.concat([type, length, value])
  }
  const others = fc.array(fc.tuple(fc.uint8Array({ minLength: 8, maxLength: 8 }), fc.uint8Array({ maxLength: 50 })))
  const pairs = fc.array(fc.tuple(text, text), { maxLength: 3 })
  fc.assert(
    fc.property(
      anyAddress,
      anyAddress,
      anyAddress,
      texts,
      pairs,
      others,
      (program, mint, authority, all, more, before) => {
        const value = Buffer.from(
          pack({ ...all, mint: key(mint), updateAuthority: key(authority), additionalMetadata: more }),
        )
        const data = Buffer.concat([...before.map(([type, bytes]) => entry(type, bytes)), entry(kind, value)])
        const read = { ...all, mint, updateAuthority: authority, additional: more }
        expect(decodeMetadataAccount(data, program)).toEqual(read)
        expect(decodeMetadataAccount(data.subarray(0, -1), program)).toBeNull()
      },
    ),
  )
})

it('parses metadata of Metaplex, whose texts are padded with zeros', () => {
  const padded = (value: string, room: number): Buffer => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Math.max(room, bytes.length))
    return Buffer.concat([length, bytes, Buffer.alloc(Math.max(0, room - bytes.length))])
  }
  fc.assert(
    fc.property(anyAddress, anyAddress, texts, fc.uint8Array({ maxLength: 60 }), (mint, authority, all, rest) => {
      const { name, symbol, uri } = all
      const data = Buffer.concat([
        ...[Buffer.of(4), addressBytes(authority), addressBytes(mint)],
        ...[padded(name, 32), padded(symbol, 10), padded(uri, 200), rest],
      ])
      expect(decodeMetadataAccount(data, METAPLEX)).toEqual({
        ...all,
        mint,
        updateAuthority: authority,
        additional: [],
      })
      // An edition, a collection record, or truncated data.
      expect(decodeMetadataAccount(Buffer.concat([Buffer.of(6), data.subarray(1)]), METAPLEX)).toBeNull()
      expect(decodeMetadataAccount(data.subarray(0, 300), METAPLEX)).toBeNull()
    }),
  )
})

it('never throws for metadata, with any bytes and program', () => {
  const program = fc.oneof(anyAddress, fc.constant(METAPLEX))
  fc.assert(
    fc.property(program, fc.uint8Array({ maxLength: 300 }), (owner, noise) => {
      decodeMetadataAccount(noise, owner)
      decodeMetadataAccount(Buffer.concat([Buffer.of(4), noise]), owner)
    }),
  )
})
