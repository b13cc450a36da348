// Parsing of transactions and base58, compared with the reference libraries.

import {
  Keypair,
  MessageV0,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { decodeBase58, decodeKey, decodeSignature, encodeBase58 } from '../../src/localnet/base58.ts'
import { errorJson, INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from '../../src/localnet/errors.ts'
import { isSane, parseMessage, parseTransaction } from '../../src/localnet/wire.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const keys = Array.from({ length: 6 }, () => Keypair.generate().publicKey)
const instruction = fc.record({
  program: fc.nat(5),
  accounts: fc.array(fc.record({ key: fc.nat(5), isSigner: fc.boolean(), isWritable: fc.boolean() }), {
    maxLength: 12,
  }),
  data: fc.uint8Array({ maxLength: 200 }),
})
/** Unsigned transactions as web3.js writes them, legacy and version 0, with and without lookups. */
const transaction = fc
  .record({
    legacy: fc.boolean(),
    instructions: fc.array(instruction, { maxLength: 4 }),
    blockhash: bytes32,
    lookups: fc.array(
      fc.record({
        table: bytes32,
        writable: fc.uint8Array({ minLength: 1, maxLength: 5 }),
        readonly: fc.uint8Array({ maxLength: 5 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ legacy, instructions, blockhash, lookups }) => {
    const builtMessage = new TransactionMessage({
      payerKey: keys[0]!,
      recentBlockhash: new PublicKey(blockhash).toBase58(),
      instructions: instructions.map(
        ({ program, accounts, data }) =>
          new TransactionInstruction({
            programId: keys[program]!,
            data: Buffer.from(data),
            keys: accounts.map(({ key, ...flags }) => ({ pubkey: keys[key]!, ...flags })),
          }),
      ),
    })
    const plain = legacy ? builtMessage.compileToLegacyMessage() : builtMessage.compileToV0Message()
    const message: VersionedMessage =
      plain instanceof MessageV0
        ? new MessageV0({
            header: plain.header,
            staticAccountKeys: plain.staticAccountKeys,
            recentBlockhash: plain.recentBlockhash,
            compiledInstructions: plain.compiledInstructions,
            addressTableLookups: lookups.map((lookup) => ({
              accountKey: new PublicKey(lookup.table),
              writableIndexes: [...lookup.writable],
              readonlyIndexes: [...lookup.readonly],
            })),
          })
        : plain
    return new VersionedTransaction(message)
  })

describe('transactions', () => {
  it('are parsed as web3.js serialized them', () => {
    fc.assert(
      fc.property(transaction, (reference) => {
        const bytes = Buffer.from(reference.serialize())
        fc.pre(bytes.length <= 1232)
        const read = parseTransaction(bytes)
        if ('malformed' in read) throw new Error(read.malformed)
        const { message } = reference
        expect(read.message.version).toBe(message.version)
        expect(read.message.keys.map((key) => new PublicKey(Buffer.from(key, 'latin1')).toBase58())).toEqual(
          message.staticAccountKeys.map((key) => key.toBase58()),
        )
        expect(read.message.requiredSignatures).toBe(message.header.numRequiredSignatures)
        expect(bs58.encode(Buffer.from(read.message.blockhash, 'latin1'))).toBe(message.recentBlockhash)
        expect(
          read.message.instructions.map(({ programIdIndex, accounts, data }) => [
            programIdIndex,
            [...accounts],
            [...data],
          ]),
        ).toEqual(
          message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [
            programIdIndex,
            accountKeyIndexes,
            [...data],
          ]),
        )
        expect(
          read.message.lookups.map(({ table, writable, readonly }) => [[...table], [...writable], [...readonly]]),
        ).toEqual(
          message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => [
            [...accountKey.toBytes()],
            writableIndexes,
            readonlyIndexes,
          ]),
        )
        expect(parseMessage(message.serialize())).toEqual({ ...read.message, bytes: Buffer.from(message.serialize()) })
      }),
    )
  })

  it('are accepted only if they serialize to the same bytes', () => {
    fc.assert(
      fc.property(
        transaction,
        fc.array(fc.tuple(fc.nat(1231), fc.nat(255)), { maxLength: 3 }),
        fc.integer({ min: -3, max: 3 }),
        (reference, changes, length) => {
          const bytes = Buffer.from(reference.serialize())
          const mutated = length < 0 ? bytes.subarray(0, length) : Buffer.concat([bytes, Buffer.alloc(length, 1)])
          for (const [at, value] of changes) mutated[at % mutated.length] = value
          const read = parseTransaction(mutated)
          if ('malformed' in read || !isSane(read)) return
          expect(Buffer.from(VersionedTransaction.deserialize(mutated).serialize()).equals(mutated)).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('are refused if too large, truncated, followed by bytes, of unknown version, or with a non-minimal length', () => {
    const message = new TransactionMessage({
      payerKey: keys[0]!,
      recentBlockhash: keys[1]!.toBase58(),
      instructions: [new TransactionInstruction({ programId: keys[2]!, keys: [], data: Buffer.alloc(90) })],
    }).compileToV0Message()
    const good = Buffer.from(new VersionedTransaction(message).serialize())
    expect(parseTransaction(good)).not.toHaveProperty('malformed')
    for (let length = 0; length < good.length; length += 1)
      expect(parseTransaction(good.subarray(0, length))).toHaveProperty('malformed')
    expect(parseTransaction(Buffer.concat([good, Buffer.from([0])]))).toHaveProperty('malformed')
    expect(parseTransaction(Buffer.alloc(1233))).toHaveProperty('malformed')
    for (let version = 0x81; version <= 0xff; version += 1) {
      const other = Buffer.from(good)
      other[65] = version
      expect(parseTransaction(other)).toEqual({ malformed: `transaction version ${version & 0x7f} is not supported` })
    }
    // The same number of signatures, in two bytes.
    expect(parseTransaction(Buffer.concat([Buffer.from([0x81, 0x00]), good.subarray(1)]))).toHaveProperty('malformed')
    expect(parseTransaction(Buffer.concat([Buffer.from([0x81, 0x80, 0x00]), good.subarray(1)]))).toHaveProperty(
      'malformed',
    )
  })

  it('never throw, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1300 }), (bytes) => {
        parseTransaction(bytes)
        parseMessage(bytes)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('base58', () => {
  it('encodes and decodes like the reference', () => {
    const zeros = fc
      .tuple(fc.nat(40), fc.uint8Array({ maxLength: 100 }))
      .map(([count, rest]) => Buffer.concat([Buffer.alloc(count), rest]))
    fc.assert(
      fc.property(fc.oneof(zeros, bytes32, fc.uint8Array({ minLength: 64, maxLength: 64 })), (bytes) => {
        const text = bs58.encode(bytes)
        expect(encodeBase58(bytes)).toBe(text)
        expect([...decodeBase58(text)!]).toEqual([...bytes])
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts keys and signatures of their length only, like the reference', () => {
    const some = fc.oneof(
      fc.uint8Array({ maxLength: 70 }),
      fc.constantFrom(32, 64).chain((n) => fc.uint8Array({ minLength: n, maxLength: n })),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 100 }),
          some.map((bytes) => bs58.encode(bytes)),
        ),
        (text) => {
          const reference = bs58.decodeUnsafe(text)
          const ofLength = (length: number) =>
            reference?.length === length ? Buffer.from(reference).toString('hex') : undefined
          expect(decodeKey(text)?.toString('hex')).toBe(ofLength(32))
          expect(decodeSignature(text)?.toString('hex')).toBe(ofLength(64))
        },
      ),
      { numRuns: 2000 },
    )
    expect(decodeKey('1'.repeat(32))).toHaveLength(32)
    for (const bad of ['', '1'.repeat(31), '1'.repeat(33), '0'.repeat(32), 'z'.repeat(45), '€'])
      expect(decodeKey(bad)).toBeNull()
  })
})

describe('error names', () => {
  const declared = readFileSync(
    createRequire(import.meta.url)
      .resolve('litesvm/dist/internal.js')
      .replace(/\.js$/, '.d.ts'),
    'utf8',
  )
  const namesOf = (name: string): string[] => {
    const body = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(declared)![1]!
    return [...body.matchAll(/(\w+) = (\d+)/g)].sort((a, b) => Number(a[2]) - Number(b[2])).map((match) => match[1]!)
  }

  it('are those of the engine, in its order', () => {
    expect(TRANSACTION_ERRORS).toEqual(namesOf('TransactionErrorFieldless'))
    expect(INSTRUCTION_ERRORS).toEqual(namesOf('InstructionErrorFieldless'))
  })

  it('have the JSON forms of a real node', () => {
    expect(errorJson(7)).toBe('BlockhashNotFound')
    expect(errorJson({ kind: 'instruction', index: 2, error: { custom: 17 } })).toEqual({
      InstructionError: [2, { Custom: 17 }],
    })
    expect(errorJson({ kind: 'instruction', index: 0, error: 31 })).toEqual({ InstructionError: [0, 'MissingAccount'] })
    expect(errorJson({ kind: 'DuplicateInstruction', index: 1 })).toEqual({ DuplicateInstruction: 1 })
    expect(errorJson({ kind: 'InsufficientFundsForRent', accountIndex: 3 })).toEqual({
      InsufficientFundsForRent: { account_index: 3 },
    })
  })
})
