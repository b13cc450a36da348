// Address lookup tables: created with a recent slot, usable from the slot after an extension, unusable some time after
// deactivation.

import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  SYSVAR_SLOT_HASHES_PUBKEY,
} from '@solana/web3.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lamportsOf, openTestBank, transfer, type TestBank } from './bank-chain.ts'

let test: TestBank
let payer: Keypair
beforeEach(async () => {
  test = await openTestBank()
  payer = await test.funded()
  await test.bank.advance(3)
})
afterEach(() => test.remove())

async function newTable(addresses: PublicKey[]): Promise<PublicKey> {
  const authority = payer.publicKey
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot: test.bank.slot('finalized'),
  })
  await test.run([create], [payer])
  await test.run(
    [AddressLookupTableProgram.extendLookupTable({ lookupTable: table, authority, payer: authority, addresses })],
    [payer],
  )
  return table
}

function loadTable(table: PublicKey): AddressLookupTableAccount {
  const { data } = test.bank.account(table.toBytes())!
  return new AddressLookupTableAccount({ key: table, state: AddressLookupTableAccount.deserialize(data) })
}

it('loads addresses, and records them', async () => {
  const targets = Array.from({ length: 20 }, () => Keypair.generate().publicKey)
  const table = await newTable(targets)
  const transfers = targets.map((toPubkey) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 }),
  )
  // Not in the slot that added them.
  expect(await test.bank.send(test.build(transfers, [payer], { tables: [loadTable(table)] }))).toMatchObject({
    kind: 'refused',
    error: 'InvalidAddressLookupTableIndex',
  })
  await test.bank.advance(1)
  const row = await test.run(transfers, [payer], [loadTable(table)])
  for (const target of targets) expect(lamportsOf(test.bank, target)).toBe(1_000_000n)
  expect(row.loadedAddresses.readonly).toEqual([])
  expect([...row.loadedAddresses.writable].sort()).toEqual(targets.map((target) => target.toBase58()).sort())
  expect(row.accountKeys.slice(-20)).toEqual(row.loadedAddresses.writable)
  expect(row.postBalances.slice(-20)).toEqual(targets.map(() => 1_000_000n))
  await test.restart()
  const storedRow = test.bank.transaction(row.signature)!
  expect(storedRow.loadedAddresses).toEqual(row.loadedAddresses)
  expect(test.bank.signaturesForAddress(targets[3]!.toBytes(), { limit: 5 }).map((entry) => entry.signature)).toEqual([
    row.signature,
  ])
})

it('refuses a missing or invalid table, and an index beyond its end', async () => {
  const table = await newTable([Keypair.generate().publicKey])
  await test.bank.advance(1)
  const target = Keypair.generate().publicKey
  const pretended = (key: PublicKey, addresses: PublicKey[]): AddressLookupTableAccount =>
    new AddressLookupTableAccount({ key, state: { ...loadTable(table).state, addresses } })
  const send = (account: AddressLookupTableAccount): Promise<unknown> =>
    test.bank.send(test.build(transfer(payer, target, 1_000_000), [payer], { tables: [account] }))
  expect(await send(pretended(Keypair.generate().publicKey, [target]))).toMatchObject({
    error: 'AddressLookupTableNotFound',
  })
  expect(await send(pretended(payer.publicKey, [target]))).toMatchObject({ error: 'InvalidAddressLookupTableOwner' })
  expect(await send(pretended(table, [payer.publicKey, target]))).toMatchObject({
    error: 'InvalidAddressLookupTableIndex',
  })
})

it('serves a deactivated table while its slot hash is known, and not later; then it can be closed', async () => {
  const target = Keypair.generate().publicKey
  const table = await newTable([target])
  await test.bank.advance(1)
  const state = loadTable(table)
  const authority = payer.publicKey
  await test.run([AddressLookupTableProgram.deactivateLookupTable({ lookupTable: table, authority })], [payer])
  const close = AddressLookupTableProgram.closeLookupTable({ lookupTable: table, authority, recipient: authority })
  await test.bank.advance(400)
  await test.run(transfer(payer, target, 1_000_000), [payer], [state])
  expect(await test.bank.send(test.build([close], [payer]))).toMatchObject({
    kind: 'executed',
    error: { InstructionError: [0, 'InvalidArgument'] },
  })
  await test.bank.advance(113)
  expect(
    await test.bank.send(test.build(transfer(payer, target, 1_000_000), [payer], { tables: [state] })),
  ).toMatchObject({ error: 'AddressLookupTableNotFound' })
  await test.run([close], [payer])
  expect(test.bank.account(table.toBytes())).toBeNull()
})

it('contains the recent slots in the sysvar', () => {
  const { data } = test.bank.account(SYSVAR_SLOT_HASHES_PUBKEY.toBytes())!
  const bytes = Buffer.from(data)
  const slot = test.bank.slot('finalized')
  expect(bytes.readBigUInt64LE(0)).toBe(BigInt(slot + 1))
  expect(bytes.readBigUInt64LE(8)).toBe(BigInt(slot))
  expect(new PublicKey(bytes.subarray(16, 48)).toBase58()).toBe(test.bank.block(slot)!.blockhash)
})
