// The accounts of a transfer hook, compared with the resolver of the SPL library, which reads them over a connection.
import {
  addExtraAccountMetasForExecute,
  createTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, type AccountInfo, type Connection } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, TOKEN_2022_PROGRAM } from '../../src/solana/address.ts'
import { compileMessage } from '../../src/solana/compile.ts'
import { FormatError } from '../../src/solana/format-error.ts'
import { transferChecked } from '../../src/solana/instructions/token.ts'
import { classify } from '../../src/solana/table/classify.ts'
import { foreignRefusal, lentSigners } from '../../src/solana/table/foreign.ts'
import { extraAccountListAddress, hookAccounts } from '../../src/solana/transfer-hook.ts'
import { addressNumber } from './arbitraries.ts'

const EXECUTE = Buffer.from('692565c54bfb661a', 'hex')
const [PROGRAM, MINT, SOURCE, DESTINATION, AUTHORITY] = [1, 2, 3, 4, 5].map(addressNumber) as [
  string,
  string,
  string,
  string,
  string,
]
const OTHERS = [11, 12, 13].map(addressNumber)
const LIST = extraAccountListAddress(MINT, PROGRAM)
const AMOUNT = 0x0102030405060708n
/** Source, mint, destination, authority, the list. */
const FIXED = 5

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const flags = fc.record({ signer: fc.boolean(), writable: fc.boolean() })

/** One entry, which may refer to `before` earlier accounts; those with data are the first `FIXED` and the others. */
function entry(before: number): fc.Arbitrary<Buffer> {
  const index = fc.integer({ min: 0, max: before - 1 })
  const withData = fc.integer({ min: 0, max: FIXED - 1 })
  const seed = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }).map((literal) => Buffer.from([1, literal.length, ...literal])),
    fc
      .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 16 }))
      .filter(([at, length]) => at + length <= 16)
      .map(([at, length]) => Buffer.from([2, at, length])),
    index.map((at) => Buffer.from([3, at])),
    fc
      .tuple(withData, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 32 }))
      .map((part) => Buffer.from([4, ...part])),
  )
  const seeds = fc
    .array(seed, { minLength: 1, maxLength: 4 })
    .map((all) => Buffer.concat(all))
    .filter(({ length }) => length <= 32)
    .map((packed) => Buffer.concat([packed, Buffer.alloc(32 - packed.length)]))
  const place = fc
    .tuple(withData, fc.integer({ min: 0, max: 200 }))
    .map(([at, offset]) => Buffer.concat([Buffer.from([2, at, offset])], 32))
  const knownKeys = fc
    .constantFrom(SOURCE, MINT, AUTHORITY, ...OTHERS)
    .map((address) => Buffer.from(new PublicKey(address).toBytes()))
  const configured = fc.oneof(
    knownKeys.map((address) => Buffer.concat([Buffer.from([0]), address])),
    bytes32.map((address) => Buffer.concat([Buffer.from([0]), address])),
    seeds.map((packed) => Buffer.concat([Buffer.from([1]), packed])),
    place.map((packed) => Buffer.concat([Buffer.from([2]), packed])),
    fc.tuple(index, seeds).map(([at, packed]) => Buffer.concat([Buffer.from([128 + at]), packed])),
  )
  return fc
    .tuple(configured, flags)
    .map(([head, { signer, writable }]) => Buffer.concat([head, Buffer.from([Number(signer), Number(writable)])]))
}

const entries = fc
  .integer({ min: 0, max: 5 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => entry(FIXED + at))))

function listOf(all: readonly Buffer[], room = 0): Buffer {
  const body = Buffer.alloc(4 + all.length * 35)
  body.writeUInt32LE(all.length, 0)
  all.forEach((each, index) => each.copy(body, 4 + index * 35))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([EXECUTE, length, body, Buffer.alloc(room)])
}

/** Data of every account except those that the entries derive. */
const accountData = fc
  .tuple(...Array.from({ length: 4 }, () => fc.uint8Array({ minLength: 240, maxLength: 240 })))
  .map((all) => new Map([SOURCE, MINT, DESTINATION, AUTHORITY].map((address, index) => [address, all[index]!])))

const transfer = {
  program: PROGRAM,
  mint: MINT,
  source: SOURCE,
  destination: DESTINATION,
  authority: AUTHORITY,
  amount: AMOUNT,
}

async function byTheLibrary(data: ReadonlyMap<string, Uint8Array>): Promise<object[]> {
  const info = (address: PublicKey): AccountInfo<Buffer> | null => {
    const bytes = data.get(address.toBase58())
    return bytes === undefined
      ? null
      : { data: Buffer.from(bytes), executable: false, lamports: 1, owner: new PublicKey(PROGRAM) }
  }
  const connection = { getAccountInfo: (address: PublicKey) => Promise.resolve(info(address)) } as unknown as Connection
  const key = (address: string): PublicKey => new PublicKey(address)
  const instruction = createTransferCheckedInstruction(
    key(SOURCE),
    key(MINT),
    key(DESTINATION),
    key(AUTHORITY),
    AMOUNT,
    0,
    [],
    TOKEN_2022_PROGRAM_ID,
  )
  await addExtraAccountMetasForExecute(
    connection,
    instruction,
    key(PROGRAM),
    key(SOURCE),
    key(MINT),
    key(DESTINATION),
    key(AUTHORITY),
    AMOUNT,
    'confirmed',
  )
  return instruction.keys
    .slice(4)
    .map(({ pubkey, isSigner, isWritable }) => ({ address: pubkey.toBase58(), signer: isSigner, writable: isWritable }))
}

describe('the accounts of a transfer hook', () => {
  it('are those that the library resolves, in the same order and with the same rights', async () => {
    await fc.assert(
      fc.asyncProperty(entries, accountData, fc.constantFrom(0, 40), async (all, data, room) => {
        const list = listOf(all, room)
        const contents = new Map<string, Uint8Array>([...data, [LIST, list]])
        const dataOf = (address: string): Uint8Array | null => contents.get(address) ?? null
        let expected: object[]
        try {
          expected = await byTheLibrary(contents)
        } catch {
          // What the library cannot resolve (data of a missing account) is refused, and nothing else is thrown.
          expect(() => hookAccounts(transfer, list, dataOf)).toThrow(FormatError)
          return
        }
        expect(hookAccounts(transfer, list, dataOf)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('are the program only if it has no list', () => {
    expect(hookAccounts(transfer, null, () => null)).toEqual([{ address: PROGRAM, signer: false, writable: false }])
  })

  it('are found behind entries for other instructions', () => {
    const other = Buffer.concat([Buffer.alloc(8, 9), Buffer.from([3, 0, 0, 0]), Buffer.from([1, 2, 3])])
    const literal = Buffer.concat([Buffer.from([0]), new PublicKey(OTHERS[0]!).toBuffer(), Buffer.from([0, 1])])
    const accounts = hookAccounts(transfer, Buffer.concat([other, listOf([literal])]), () => null)
    expect(accounts[0]).toEqual({ address: OTHERS[0], signer: false, writable: true })
  })

  it('of an invalid list are refused, with any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, marked) => {
        const list = marked ? Buffer.concat([EXECUTE, noise]) : noise
        try {
          hookAccounts(transfer, list, () => null)
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }),
    )
  })
})

describe('a signature beyond the authority of a transfer', () => {
  const [VICTIM, PAYER] = [addressNumber(21), addressNumber(22)]
  const effectsOf = (further: string, program = TOKEN_2022_PROGRAM, authority = AUTHORITY) => {
    const instruction = transferChecked({
      program,
      mint: MINT,
      source: SOURCE,
      destination: DESTINATION,
      authority,
      amount: 1n,
      decimals: 0,
      hookAccounts: [
        { address: further, signer: false, writable: true },
        { address: PROGRAM, signer: false, writable: false },
      ],
    })
    // The fee payer signs the message, in any role of an instruction.
    const message = compileMessage({
      feePayer: PAYER,
      instructions: [instruction],
      blockhash: addressOf(Buffer.alloc(32, 7)),
      version: 'V0',
    })
    return classify(message, message.staticKeys)
  }
  const rules = (...managed: string[]) => ({
    isManaged: (address: string) => managed.includes(address),
    isFixed: () => false,
    allowedPrograms: new Set<string>(),
  })

  it('would be available to the hook program, and is refused if it is ours', () => {
    const [effect] = effectsOf(PAYER)
    expect(lentSigners(effect!)).toEqual([PAYER])
    expect(foreignRefusal(effectsOf(PAYER), rules(PAYER))).toMatchObject({ type: 'TRANSFER_CHECKED' })
    expect(foreignRefusal(effectsOf(PAYER), rules())).toBeNull()
  })

  it('does not exist if the account does not sign, signs as the authority, or the program has no hooks', () => {
    expect(lentSigners(effectsOf(VICTIM)[0]!)).toEqual([])
    expect(foreignRefusal(effectsOf(VICTIM), rules(VICTIM, PAYER))).toBeNull()
    expect(lentSigners(effectsOf(AUTHORITY)[0]!)).toEqual([])
    expect(lentSigners(effectsOf(PAYER, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')[0]!)).toEqual([])
  })
})
