// Lookup tables make a message smaller or are not used, and do not change its meaning.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AddressLookupTableAccount, TransactionMessage, VersionedMessage } from '@solana/web3.js'
import { RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '../../src/solana/address.ts'
import { compileMessage } from '../../src/solana/compile.ts'
import { advanceNonce } from '../../src/solana/instructions/nonce.ts'
import { compileSmallest, lookableKeys } from '../../src/solana/lookups.ts'
import { accountKeys, isWritable, transactionSize, type LookupTable } from '../../src/solana/message.ts'
import { parseMessage } from '../../src/solana/parse.ts'
import { addressNumber, anyAddress, anyInstruction, fromWeb3, key, poolAddress } from './arbitraries.ts'

/** Outside of the pool, because no program pays fees. */
const feePayer = addressNumber(40)
const nonceAccount = addressNumber(3)
const advance = advanceNonce(nonceAccount, addressNumber(4))

/** Some begin by advancing a nonce. */
const instructions = fc
  .tuple(fc.boolean(), fc.array(anyInstruction, { minLength: 1, maxLength: 6 }))
  .map(([durable, list]) => (durable ? [advance, ...list] : list))

const contents = fc.uniqueArray(
  fc.oneof({ arbitrary: poolAddress, weight: 4 }, anyAddress, fc.constantFrom(RECENT_BLOCKHASHES_SYSVAR, feePayer)),
  { maxLength: 24 },
)
const tables: fc.Arbitrary<LookupTable[]> = fc
  .array(contents, { maxLength: 5 })
  .map((lists) => lists.map((addresses, index) => ({ address: addressNumber(100 + index), addresses })))

function web3Table({ address, addresses }: LookupTable): AddressLookupTableAccount {
  const state = {
    deactivationSlot: (1n << 64n) - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: addresses.map(key),
  }
  return new AddressLookupTableAccount({ key: key(address), state })
}

describe('a message with lookup tables', () => {
  it('is never larger than without, has the same meaning, and looks up no signer, program or nonce account', () => {
    fc.assert(
      fc.property(anyAddress, instructions, tables, (blockhash, list, atHand) => {
        const request = { feePayer, instructions: list, blockhash, version: 'V0' as const }
        const plain = compileMessage(request)
        const { message, keys } = compileSmallest(request, atHand)
        expect(transactionSize(message)).toBeLessThanOrEqual(transactionSize(plain))
        if (message.lookups.length > 0) expect(transactionSize(message)).toBeLessThan(transactionSize(plain))
        expect(parseMessage(message.bytes)).toEqual(message)
        expect(keys).toEqual(accountKeys(message, new Map(atHand.map((table) => [table.address, table.addresses]))))

        const lookedUp = new Set(keys.slice(message.staticKeys.length))
        for (const signer of plain.signers) expect(lookedUp).not.toContain(signer)
        for (const { program } of list) expect(lookedUp).not.toContain(program)
        if (list[0] === advance) expect(lookedUp).not.toContain(nonceAccount)
        expect(message.signers).toEqual(plain.signers)
        expect([...keys].sort()).toEqual([...plain.staticKeys].sort())
        for (const [index, address] of keys.entries()) {
          expect(isWritable(message, index), address).toBe(isWritable(plain, plain.staticKeys.indexOf(address)))
        }
        const ofTables = atHand
          .filter(({ address }) => message.lookups.some(({ table }) => table === address))
          .map(web3Table)
        const read = TransactionMessage.decompile(VersionedMessage.deserialize(message.bytes), {
          addressLookupTableAccounts: ofTables,
        })
        const without = TransactionMessage.decompile(VersionedMessage.deserialize(plain.bytes))
        expect(read.payerKey.toBase58()).toBe(feePayer)
        expect(read.instructions.map(fromWeb3)).toEqual(without.instructions.map(fromWeb3))
      }),
      { numRuns: 400 },
    )
  })

  it('uses the same tables with any cache, and one table rather than two', () => {
    const to = [10, 11, 12, 13].map(addressNumber)
    const list = [
      {
        program: SYSTEM_PROGRAM,
        accounts: to.map((address) => ({ address, signer: false, writable: true })),
        data: new Uint8Array(4),
      },
    ]
    const request = { feePayer, instructions: list, blockhash: addressNumber(2), version: 'V0' as const }
    const halves = [to.slice(0, 2), to.slice(2), to, to].map((addresses, index) => ({
      address: addressNumber(50 + index),
      addresses,
    }))
    const first = compileSmallest(request, halves)
    expect(first.message.lookups.map(({ table }) => table)).toEqual([addressNumber(52)])
    expect(compileSmallest(request, halves)).toEqual(first)
    expect(transactionSize(compileMessage(request)) - transactionSize(first.message)).toBe(4 * 31 - 34)
    // One account in a table costs more than it saves.
    expect(compileSmallest(request, [{ address: addressNumber(60), addresses: [to[0]!] }]).message.lookups).toEqual([])
    expect(compileSmallest({ ...request, version: 'LEGACY' }, halves).message.lookups).toEqual([])
    expect(lookableKeys(request, compileMessage(request))).toEqual(to)
  })
})
