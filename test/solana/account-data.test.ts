// Reading the data of accounts, for any content.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/address.ts'
import { FormatError } from '../../src/solana/format-error.ts'
import { decodeMint } from '../../src/solana/mint-layout.ts'
import { decodeLookupTable, decodeNonce } from '../../src/solana/system-layout.ts'
import { decodeTokenAccount } from '../../src/solana/token-layout.ts'

describe('throws only typed errors, for any data', () => {
  it('throws only typed errors, whatever the data', () => {
    const data = fc.oneof(
      fc.uint8Array({ maxLength: 120 }),
      fc.uint8Array({ minLength: 160, maxLength: 400 }),
      fc.uint8Array({ minLength: 166, maxLength: 400 }).map((bytes) => {
        bytes[45] = bytes[108] = 1
        bytes[165] = 1 + (bytes[0]! & 1)
        bytes[166] = bytes[166]! % 28
        bytes[167] = bytes[169] = 0
        return bytes
      }),
    )
    const owners = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM, LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM)
    fc.assert(
      fc.property(data, owners, (bytes, owner) => {
        for (const read of [decodeMint, decodeTokenAccount, decodeNonce, decodeLookupTable]) {
          try {
            read(bytes, owner)
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})
