import fc from 'fast-check'
import {
  AddressLookupTableAccount,
  SystemProgram,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/solana/address.ts'
import { compileMessage } from '../../src/solana/compile.ts'
import { FormatError } from '../../src/solana/format-error.ts'
import { advanceNonce } from '../../src/solana/instructions/nonce.ts'
import { transferLamports } from '../../src/solana/instructions/system.ts'
import {
  PACKET_LIMIT_BYTES,
  accountKeys,
  assembleTransaction,
  isWritable,
  messageHash,
  transactionSize,
} from '../../src/solana/message.ts'
import type { Instruction, LookupTable } from '../../src/solana/message.ts'
import { parseMessage, parseTransaction } from '../../src/solana/parse.ts'
import { addressNumber, anyAddress, anyInstruction, key, poolAddress, toWeb3 } from './arbitraries.ts'

const instructions = fc.array(anyInstruction, { minLength: 0, maxLength: 4 })
const tables: fc.Arbitrary<LookupTable[]> = fc.array(
  fc.record({ address: anyAddress, addresses: fc.array(poolAddress, { maxLength: 20 }) }),
  { maxLength: 3 },
)

function web3Table(table: LookupTable): AddressLookupTableAccount {
  const state = {
    deactivationSlot: 0n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: table.addresses.map(key),
  }
  return new AddressLookupTableAccount({ key: key(table.address), state })
}

function reference(feePayer: string, list: readonly Instruction[], blockhash: string): TransactionMessage {
  return new TransactionMessage({ payerKey: key(feePayer), instructions: list.map(toWeb3), recentBlockhash: blockhash })
}

/** web3.js compiles into a fixed 1232 bytes and throws for longer messages. */
function serialize(make: () => VersionedMessage): Uint8Array | null {
  try {
    return make().serialize()
  } catch {
    return null
  }
}

describe('compiling', () => {
  it('produces the bytes of web3.js, legacy', () => {
    fc.assert(
      fc.property(poolAddress, anyAddress, instructions, (feePayer, blockhash, list) => {
        const expected = serialize(() => reference(feePayer, list, blockhash).compileToLegacyMessage())
        const message = compileMessage({ feePayer, instructions: list, blockhash, version: 'LEGACY' })
        if (expected) expect(Buffer.from(message.bytes).equals(expected)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('produces the bytes of web3.js, v0 with tables', () => {
    let compared = 0
    fc.assert(
      fc.property(poolAddress, anyAddress, instructions, tables, (feePayer, blockhash, list, lookupTables) => {
        const expected = serialize(() =>
          reference(feePayer, list, blockhash).compileToV0Message(lookupTables.map(web3Table)),
        )
        const message = compileMessage({ feePayer, instructions: list, blockhash, version: 'V0', lookupTables })
        if (!expected) return
        compared++
        expect(Buffer.from(message.bytes).equals(expected)).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(300)
  })

  it('lists accounts and marks them writable like web3.js', () => {
    fc.assert(
      fc.property(poolAddress, anyAddress, instructions, tables, (feePayer, blockhash, list, lookupTables) => {
        const message = compileMessage({ feePayer, instructions: list, blockhash, version: 'V0', lookupTables })
        const expected = reference(feePayer, list, blockhash).compileToV0Message(lookupTables.map(web3Table))
        const keys = accountKeys(message, new Map(lookupTables.map((table) => [table.address, table.addresses])))
        const theirKeys = expected.getAccountKeys({ addressLookupTableAccounts: lookupTables.map(web3Table) })
        expect(keys).toEqual(
          theirKeys
            .keySegments()
            .flat()
            .map((each) => each.toBase58()),
        )
        keys.forEach((_, i) => expect(isWritable(message, i)).toBe(expected.isAccountWritable(i)))
        list.forEach((instruction, i) => {
          const compiled = message.instructions[i]!
          expect(keys[compiled.programIndex]).toBe(instruction.program)
          expect([...compiled.accountIndexes].map((at) => keys[at])).toEqual(
            instruction.accounts.map((account) => account.address),
          )
        })
      }),
      { numRuns: 200 },
    )
  })

  it('keeps a nonce account out of the tables, because a cluster does not look it up', () => {
    const [feePayer, nonce, authority, to] = [addressNumber(1), addressNumber(2), addressNumber(3), addressNumber(4)]
    const lookupTables = [{ address: addressNumber(5), addresses: [nonce, to] }]
    const list = [advanceNonce(nonce, authority), transferLamports(feePayer, to, 1n)]
    const message = compileMessage({
      feePayer,
      instructions: list,
      blockhash: addressNumber(6),
      version: 'V0',
      lookupTables,
    })
    expect(message.staticKeys).toContain(nonce)
    expect(message.staticKeys).not.toContain(to)
  })

  it('reports a size over the limit instead of throwing', () => {
    const list = Array.from({ length: 60 }, (_, i) => transferLamports(addressNumber(1), addressNumber(i + 30), 1n))
    const message = compileMessage({
      feePayer: addressNumber(1),
      instructions: list,
      blockhash: addressNumber(2),
      version: 'V0',
    })
    expect(transactionSize(message)).toBeGreaterThan(PACKET_LIMIT_BYTES)
    expect(assembleTransaction(message, [null]).length).toBe(transactionSize(message))
    expect(parseMessage(message.bytes).instructions.length).toBe(60)
  })

  it('refuses more than 256 accounts, tables on a legacy message, and malformed addresses', () => {
    const blockhash = addressNumber(2)
    const many = Array.from({ length: 300 }, (_, i) => {
      const to = addressOf(
        Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? i & 255 : at === 1 ? 200 + (i >> 8) : 3)),
      )
      return transferLamports(addressNumber(1), to, 1n)
    })
    const feePayer = addressNumber(1)
    expect(() => compileMessage({ feePayer, instructions: many, blockhash, version: 'V0' })).toThrow(FormatError)
    const lookupTables = [{ address: addressNumber(9), addresses: [] }]
    expect(() => compileMessage({ feePayer, instructions: [], blockhash, version: 'LEGACY', lookupTables })).toThrow(
      FormatError,
    )
    expect(() => compileMessage({ feePayer: 'nobody', instructions: [], blockhash, version: 'V0' })).toThrow(
      FormatError,
    )
  })

  it('assembles what web3.js serializes, and hashes what is signed', () => {
    const [feePayer, to] = [addressNumber(1), addressNumber(2)]
    const message = compileMessage({
      feePayer,
      instructions: [transferLamports(feePayer, to, 5n)],
      blockhash: to,
      version: 'V0',
    })
    const signature = Uint8Array.from({ length: 64 }, (_, i) => i + 1)
    const expected = new VersionedTransaction(VersionedMessage.deserialize(message.bytes), [signature])
    const bytes = assembleTransaction(message, [signature])
    expect(Buffer.from(bytes).equals(expected.serialize())).toBe(true)
    expect(messageHash(message.bytes)).toBe(createHash('sha256').update(message.bytes).digest('hex'))
    expect(() => assembleTransaction(message, [])).toThrow(FormatError)
    expect(() => assembleTransaction(message, [new Uint8Array(63)])).toThrow(FormatError)
    expect(SystemProgram.programId.toBase58()).toBe(message.staticKeys[2])
  })
})

describe('parsing bytes from outside', () => {
  const request = fc.record({ feePayer: poolAddress, blockhash: anyAddress, instructions })
  const compiled = fc.oneof(
    request.map((each) => compileMessage({ ...each, version: 'LEGACY' })),
    fc.tuple(request, tables).map(([each, lookupTables]) => compileMessage({ ...each, version: 'V0', lookupTables })),
  )

  /** The compiler accepts programs that pay the fee; a cluster does not. */
  const runnable = compiled.filter((message) =>
    message.instructions.every((instruction) => instruction.programIndex !== 0),
  )

  it('round-trips compiled messages', () => {
    fc.assert(
      fc.property(runnable, (message) => {
        expect(parseMessage(message.bytes)).toEqual(message)
        const signatures = message.signers.map((_, i) => (i % 2 ? null : new Uint8Array(64).fill(i + 1)))
        const parsed = parseTransaction(assembleTransaction(message, signatures))
        expect(parsed.message).toEqual(message)
        expect(parsed.signatures).toEqual(signatures)
      }),
      { numRuns: 300 },
    )
  })

  const edit = fc.record({ at: fc.nat(), value: fc.nat(255), kind: fc.constantFrom('set', 'insert', 'remove', 'cut') })

  function editMessage(
    bytes: Uint8Array,
    { at, value, kind }: { at: number; value: number; kind: string },
  ): Uint8Array {
    const list = [...bytes]
    const position = at % bytes.length
    if (kind === 'set') list[position] = value
    else if (kind === 'insert') list.splice(position, 0, value)
    else if (kind === 'remove') list.splice(position, 1)
    else list.length = position
    return Uint8Array.from(list)
  }

  it('accepts only bytes that serialize equally, and throws only typed errors', () => {
    fc.assert(
      fc.property(runnable, fc.array(edit, { minLength: 1, maxLength: 3 }), (message, edits) => {
        const unsignedBytes = assembleTransaction(
          message,
          message.signers.map(() => null),
        )
        const bytes = edits.reduce(
          (each, change) => (each.length === 0 ? each : editMessage(each, change)),
          unsignedBytes,
        )
        try {
          const parsed = parseTransaction(bytes)
          expect(Buffer.from(assembleTransaction(parsed.message, parsed.signatures)).equals(bytes)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('throws only typed errors for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const read of [parseMessage, parseTransaction]) {
          try {
            read(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError)
          }
        }
      }),
      { numRuns: 1500 },
    )
  })

  const plain = (): Uint8Array => {
    const feePayer = addressNumber(1)
    const list = [transferLamports(feePayer, addressNumber(2), 5n)]
    return compileMessage({ feePayer, instructions: list, blockhash: addressNumber(3), version: 'LEGACY' }).bytes
  }
  const codeOf = (read: () => unknown): string => {
    try {
      read()
    } catch (error) {
      return (error as FormatError).code
    }
    return 'taken'
  }

  it('names unknown versions', () => {
    expect(codeOf(() => parseMessage(Uint8Array.of(0x81, 1, 0, 1)))).toBe('VERSION_UNSUPPORTED')
    expect(codeOf(() => parseTransaction(Uint8Array.of(0x81, 1, 0, 1)))).toBe('VERSION_UNSUPPORTED')
    expect(codeOf(() => parseTransaction(Uint8Array.of(0x80, 1, 0, 1)))).toBe('MALFORMED')
  })

  it('refuses trailing bytes, long lengths, duplicate accounts, a program as the payer, and invalid indexes', () => {
    const bytes = plain()
    const change = (edit: (list: number[]) => void): string => {
      const list = [...bytes]
      edit(list)
      return codeOf(() => parseMessage(Uint8Array.from(list)))
    }
    expect(change(() => undefined)).toBe('taken')
    expect(change((list) => list.push(0))).toBe('MALFORMED')
    expect(change((list) => list.splice(3, 1, 0x83, 0))).toBe('MALFORMED')
    expect(change((list) => list.splice(4 + 32, 32, ...list.slice(4, 36)))).toBe('MALFORMED')
    const program = 4 + 4 * 32 + 1
    expect(bytes[program]).toBe(2)
    expect(
      change((list) => {
        list[program] = 0
      }),
    ).toBe('MALFORMED')
    expect(
      change((list) => {
        list[program] = 3
      }),
    ).toBe('MALFORMED')
    expect(
      change((list) => {
        list[program + 2] = 9
      }),
    ).toBe('MALFORMED')
    expect(
      change((list) => {
        list[0] = 0
      }),
    ).toBe('MALFORMED')
    expect(
      change((list) => {
        list[1] = 1
      }),
    ).toBe('MALFORMED')
    expect(
      change((list) => {
        list[2] = 3
      }),
    ).toBe('MALFORMED')
  })

  it('names an unresolved table', () => {
    const [feePayer, to, table] = [addressNumber(1), addressNumber(2), addressNumber(3)]
    const message = compileMessage({
      feePayer,
      instructions: [transferLamports(feePayer, to, 1n)],
      blockhash: to,
      version: 'V0',
      lookupTables: [{ address: table, addresses: [addressNumber(8), to] }],
    })
    expect(accountKeys(message, new Map([[table, [addressNumber(8), to]]]))).toContain(to)
    expect(codeOf(() => accountKeys(message, new Map()))).toBe('LOOKUP_UNRESOLVED')
    expect(codeOf(() => accountKeys(message, new Map([[table, [to]]])))).toBe('LOOKUP_UNRESOLVED')
  })
})
