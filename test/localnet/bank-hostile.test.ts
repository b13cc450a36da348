// Hostile input: for any bytes, the process continues, lamports are conserved except for fees, and the chain advances.

import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SYSVAR_SLOT_HASHES_PUBKEY,
} from '@solana/web3.js'
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lamportsOf, openTestBank, transfer, type TestBank } from './bank-chain.ts'

const PROGRAMS = [
  '11111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'AddressLookupTab1e1111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
].map((text) => new PublicKey(text).toBuffer())

let test: TestBank
let pool: Buffer[] = []
let signers: { readonly key: Buffer; readonly secret: KeyObject }[] = []
let table: Buffer
const sums = { funded: 0n }
/** Every program that may own an account. */
const owners = new Map<string, Uint8Array>()

function secretOf(keypair: Keypair): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({
    key: Buffer.concat([head, keypair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
}

beforeAll(async () => {
  test = await openTestBank()
  for (const owner of PROGRAMS) owners.set(owner.toString('hex'), owner)
  test.bank.on((event) => {
    if (event.type !== 'transaction') return
    for (const { account } of event.changed) owners.set(Buffer.from(account.owner).toString('hex'), account.owner)
  })
  await test.bank.advance(3)
  const keypairs = await Promise.all(Array.from({ length: 4 }, () => test.funded(10n ** 13n)))
  const payer = keypairs[0]!
  const mint = Keypair.generate()
  const nonce = Keypair.generate()
  const program = TOKEN_2022_PROGRAM_ID
  const position = getAssociatedTokenAddressSync(mint.publicKey, payer.publicKey, true, program)
  await test.run(
    [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        space: 82,
        lamports: 1_461_600,
        programId: program,
      }),
      createInitializeMint2Instruction(mint.publicKey, 6, payer.publicKey, payer.publicKey, program),
      createAssociatedTokenAccountInstruction(payer.publicKey, position, payer.publicKey, mint.publicKey, program),
      createMintToInstruction(mint.publicKey, position, payer.publicKey, 10n ** 12n, [], program),
    ],
    [payer, mint],
  )
  await test.run(
    SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: 2_000_000,
    }).instructions,
    [payer, nonce],
  )
  const authority = payer.publicKey
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot: test.bank.slot('finalized'),
  })
  const addresses = [...keypairs.map(({ publicKey }) => publicKey), mint.publicKey, nonce.publicKey, position, program]
  await test.run(
    [create, AddressLookupTableProgram.extendLookupTable({ lookupTable, authority, payer: authority, addresses })],
    [payer],
  )
  await test.bank.advance(1)
  table = lookupTable.toBuffer()
  signers = keypairs.map((keypair) => ({ key: keypair.publicKey.toBuffer(), secret: secretOf(keypair) }))
  const sysvars = [SYSVAR_RECENT_BLOCKHASHES_PUBKEY, SYSVAR_RENT_PUBKEY, SYSVAR_SLOT_HASHES_PUBKEY]
  pool = [...addresses, lookupTable, ...sysvars].map((key) => key.toBuffer()).concat(PROGRAMS)
  sums.funded = totalLamports()
})
afterAll(() => test.remove())

/** Lamports of all accounts, found by their owners. */
function totalLamports(): bigint {
  let total = 0n
  for (const owner of owners.values()) {
    for (const { account } of test.bank.accountsByProgram(owner)) total += account.lamports
  }
  return total
}

const compactLength = (value: number): Buffer =>
  value < 128 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7])
const sized = (bytes: Uint8Array): Buffer => Buffer.concat([compactLength(bytes.length), bytes])

/** Instruction data that begins like real data: a small tag and mostly zeros. */
const tagged = fc
  .tuple(
    fc.nat(45),
    fc.constantFrom(1, 4, 5, 8, 9, 12, 20, 36, 52, 80),
    fc.array(fc.tuple(fc.nat(79), fc.nat(255)), { maxLength: 4 }),
  )
  .map(([tag, length, values]) => {
    const data = Buffer.alloc(length)
    for (const [at, value] of values) data[at % length] = value
    data[0] = tag
    return data
  })
/** Mostly ordinary values. */
function seldom<T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}
const index = fc.oneof({ weight: 20, arbitrary: fc.nat(11) }, { weight: 1, arbitrary: fc.nat(255) })
const shape = fc.record({
  v0: fc.boolean(),
  signers: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
  others: fc.array(fc.nat(200), { maxLength: 9 }),
  program: fc.nat(PROGRAMS.length - 1),
  instructions: fc.array(
    fc.record({
      program: seldom(index, 4),
      accounts: fc.array(index, { maxLength: 8 }),
      data: fc.oneof(tagged, fc.uint8Array({ maxLength: 100 })),
    }),
    { maxLength: 5 },
  ),
  lookups: fc.array(
    fc.record({
      known: fc.boolean(),
      writable: fc.array(fc.nat(9), { maxLength: 3 }),
      readonly: fc.array(fc.nat(9), { maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
  header: seldom(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(9)), 12),
  doubled: seldom(fc.constant(true), 15),
  readonlySigned: fc.nat(1),
  readonlyUnsigned: fc.nat(3),
  blockhash: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  cut: seldom(fc.nat(1300), 20),
  flips: fc.oneof(
    { weight: 12, arbitrary: fc.constant([] as [number, number][]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(1300), fc.nat(255)), { maxLength: 3 }) },
  ),
})
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

/** Signed bytes: unmutated ones pass the signature check and reach the engine. */
function bytesOf(input: Shape): Buffer {
  const signing = input.signers.map((i) => signers[i]!)
  const program = PROGRAMS[input.program]!
  const all = [...signing.map(({ key }) => key), ...input.others.map((i) => pool[i % pool.length]!), program]
  const keys = input.doubled ? all : all.filter((key, i) => all.findIndex((other) => other.equals(key)) === i)
  const at = keys.findIndex((key) => key.equals(program))
  const limit = keys.length
  const [required, readonlySigned, readonlyUnsigned] = input.header ?? [
    signing.length,
    Math.min(input.readonlySigned, signing.length - 1),
    Math.min(input.readonlyUnsigned, keys.length - signing.length),
  ]
  const message = Buffer.concat([
    Buffer.from([...(input.v0 ? [0x80] : []), required, readonlySigned, readonlyUnsigned]),
    compactLength(keys.length),
    ...keys,
    input.blockhash ? new PublicKey(test.bank.latestBlockhash('confirmed').blockhash).toBuffer() : Buffer.alloc(32, 9),
    compactLength(input.instructions.length),
    ...input.instructions.flatMap(({ program: other, accounts, data }) => [
      Buffer.from([other ?? at]),
      sized(Buffer.from(accounts.map((i) => (i < 12 ? i % limit : i)))),
      sized(data),
    ]),
    ...(input.v0
      ? [
          compactLength(input.lookups.length),
          ...input.lookups.flatMap(({ known, writable, readonly }) => [
            known ? table : pool[0]!,
            sized(Buffer.from(writable)),
            sized(Buffer.from(readonly)),
          ]),
        ]
      : []),
  ])
  const signatures = Array.from({ length: required }, (_, i) =>
    signing[i] ? sign(null, message, signing[i].secret) : Buffer.alloc(64),
  )
  let bytes: Buffer = Buffer.concat([compactLength(required), ...signatures, message])
  if (input.cut !== null) bytes = bytes.subarray(0, input.cut % bytes.length)
  for (const [position, value] of input.flips) if (bytes.length > 0) bytes[position % bytes.length] = value
  return bytes
}

it('survives transactions of any shape', async () => {
  const kinds = new Map<string, number>()
  let fees = 0n
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { minLength: 50, maxLength: 50 }), async (shapes) => {
      const outcomes = await Promise.all(
        shapes.map((one, i) => {
          const bytes = bytesOf(one)
          if (i % 5 === 0)
            test.bank.simulate(bytes, { sigVerify: i % 2 === 0, replaceBlockhash: i % 3 === 0, accounts: [pool[0]!] })
          test.bank.messageFee(bytes.subarray(65))
          return test.bank.send(bytes)
        }),
      )
      for (const outcome of outcomes) {
        kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1)
        if (outcome.kind !== 'executed') continue
        const row = test.bank.transaction(outcome.signature)!
        fees += row.feeLamports
        const before = row.preBalances.reduce((sum, lamports) => sum + lamports, 0n)
        expect(row.postBalances.reduce((sum, lamports) => sum + lamports, 0n)).toBe(before - row.feeLamports)
      }
      if ((runs += 1) % 3 === 0) await test.bank.advance(1)
    }),
    { numRuns: 300, endOnFailure: true },
  )
  expect(kinds.get('executed')).toBeGreaterThan(1000)
  expect(totalLamports()).toBe(sums.funded - fees)
})

it('survives random bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 1400 }), async (bytes) => {
      expect((await test.bank.send(bytes)).kind).not.toBe('executed')
      test.bank.simulate(bytes, { sigVerify: false, replaceBlockhash: true, accounts: [] })
      test.bank.messageFee(bytes)
      expect(test.bank.account(bytes)).toBeNull()
    }),
    { numRuns: 3000 },
  )
})

it('continues afterwards, and restarts with the same accounts', async () => {
  const payer = await test.funded()
  const to = await test.funded(1_000_000n)
  await test.run(transfer(payer, to.publicKey, 5), [payer])
  const total = totalLamports()
  await test.restart()
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_005n)
  expect(totalLamports()).toBe(total)
})
