// Transactions with address lookup tables: smaller, resolved with the tables as they are on chain, and evaluated by the
// resolved accounts.
import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import type { DryRun, Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { unknownAccounts, PATH, Tables, type Created } from './tables.ts'

const LIMIT_BYTES = 1232

let tables: Tables
let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  // What is signed and submitted later must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '100' })
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  tables = new Tables(world, authority)
})
afterAll(() => world.stop())

describe('transactions', () => {
  const message = async (result: Result) => (await world.chain.transaction(result.onchainId!)).transaction.message

  it('use lookup tables that make them smaller, and land', async () => {
    const minter = await world.records.account()
    const instrument = await world.records.instrument('TOKEN_2022', minter, { freezeAuthority: minter })
    const [alice, bob] = await Promise.all([world.records.account(), world.records.account()])
    const [from, to] = await Promise.all([
      world.records.position(alice, instrument, 1_000n),
      world.records.position(bob, instrument),
    ])
    const transfer = { source: { position: from }, destination: { position: to }, lamports: 10 }
    const plain = await dryRun('/positions/transfer', transfer)

    // The space is short: the transaction opens and freezes a position, and the memo is slightly too long for all of
    // that.
    const carol = await world.records.account()
    const config = { computeUnitConfig: { price: 1 } }
    const crowded = {
      source: { position: from },
      destination: { owner: carol, financialInstrument: instrument },
      lamports: 10,
      initializeDestinationPositionIfNeeded: true,
      freezeDestination: true,
    }
    const { sizeBytes } = await dryRun('/positions/transfer', { ...crowded, memo: 'm'.repeat(200) }, config)
    const long = { ...crowded, memo: 'm'.repeat(200 + LIMIT_BYTES - sizeBytes + 5) }
    const refusal = await world.api.refuses(400, 'TRANSACTION_TOO_LARGE', 'POST', '/positions/transfer', long, {
      config,
    })
    expect(refusal.message).toContain(`would be ${LIMIT_BYTES + 5} bytes, the limit is ${LIMIT_BYTES}`)
    expect(refusal.message).toMatch(
      /In one address lookup table of the organization 2 of its accounts make it 1209 bytes: /,
    )
    const addresses = refusal.message.split('bytes: ')[1]!.split(', ')

    const { newAddressLookupTable: table } = await tables.create(
      addressesAsLookups([...addresses, instrument.onchainId, from.onchainId, bob.onchainId]),
    )
    const landed = await eventually(async () => {
      const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)
      expect(result.success, JSON.stringify(result)).toBe(true)
      expect((await message(result)).addressTableLookups).toHaveLength(1)
      return result
    })
    const { addressTableLookups } = await message(landed)
    expect(addressTableLookups[0]?.accountKey.toBase58()).toBe(table.onchainId)
    expect(
      addressTableLookups[0]!.writableIndexes.length + addressTableLookups[0]!.readonlyIndexes.length,
    ).toBeGreaterThanOrEqual(2)
    const through = await dryRun('/positions/transfer', transfer)
    expect(through.sizeBytes).toBeLessThan(plain.sizeBytes)
    expect([...through.accounts].sort()).toEqual([...plain.accounts].sort())
    const record = await world.api.read<{ accounts: readonly { onchainId: string }[] }>('/transactions/single', {
      offchainId: landed.offchainId,
    })
    expect(record.accounts.map(({ onchainId }) => onchainId).sort()).toEqual([...plain.accounts].sort())

    const helped = await world.api.refuses(400, 'TRANSACTION_TOO_LARGE', 'POST', '/positions/transfer', long, {
      config: { ...config, transactionVersion: 'LEGACY' },
    })
    expect(helped.message).toContain('with transactionVersion V0')
    const squeezed = await world.api.ok<Result>(201, 'POST', '/positions/transfer', long, { config })
    expect(squeezed.success, JSON.stringify(squeezed)).toBe(true)
    await world.records.positionsEqualChain(from, to)

    const legacy = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer, {
      config: { transactionVersion: 'LEGACY' },
    })
    expect((await message(legacy)).addressTableLookups).toEqual([])

    // A deactivated table still resolves for some time, but the service does not use it.
    await tables.act(table, 'DEACTIVATE')
    const without = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)
    expect((await message(without)).addressTableLookups).toEqual([])
    await world.records.positionsEqualChain(from, to)
  })

  it('prepared with a table can be signed later', async () => {
    const { transfer, from, to, instrument } = await pair()
    const { newAddressLookupTable: table } = await tables.create([from, to, instrument])
    const body = { ...transfer, source: { ...transfer.source, owner: { ...transfer.source.owner, autoSign: false } } }
    const prepared = await eventually(async () => {
      const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', body)
      expect(result.status).toBe('PREPARED')
      expect(lookupsOf(result)).toEqual([table.onchainId])
      return result
    })
    const transaction = { transaction: { offchainId: prepared.offchainId } }
    expect(await world.api.ok<Result>(200, 'POST', '/transactions/sign', transaction)).toMatchObject({
      status: 'SIGNED',
    })
    expect(await world.api.ok<Result>(200, 'POST', '/transactions/submit', transaction)).toMatchObject({
      success: true,
    })
    expect(await world.chain.tokens(to.onchainId)).toBe(10n)
    await world.records.positionsEqualChain(from, to)
  })

  it('use tables as they are on chain; under a nonce only tables that no other party can close', async () => {
    const { transfer, from, to, instrument } = await pair()
    const [nonce] = (
      await world.api.ok<{ newDurableNonceAccounts: Ids[] }>(201, 'POST', '/durable-nonce-accounts', {
        nonceAuthority: authority,
        count: 1,
      })
    ).newDurableNonceAccounts
    const { newAddressLookupTable: foreignTable } = await outsiders(
      [instrument.onchainId],
      [to.onchainId, unknownAccounts(1)[0]!.onchainId, from.onchainId],
    )
    const through = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)
    expect({ success: through.success, lookups: lookupsOf(through) }, JSON.stringify(through)).toEqual({
      success: true,
      lookups: [foreignTable.onchainId],
    })
    expect(await world.chain.tokens(to.onchainId)).toBe(10n)
    await world.records.positionsEqualChain(from, to)
    await eventually(() => tables.equalsChain(foreignTable))

    const durable = { config: { messageLifetimeStrategy: 'DURABLE_NONCE' } }
    const without = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer, durable)
    expect({ success: without.success, lookups: lookupsOf(without) }, JSON.stringify(without)).toEqual({
      success: true,
      lookups: [],
    })
    const sysvar = { onchainId: 'SysvarRecentB1ockHashes11111111111111111111', offPlatform: true }
    const { newAddressLookupTable: ownTable } = await tables.create([nonce!, sysvar, from, to, instrument])
    const coveredTransfer = await eventually(async () => {
      const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer, durable)
      expect(lookupsOf(result)).toEqual([ownTable.onchainId])
      return result
    })
    expect(coveredTransfer.success, JSON.stringify(coveredTransfer)).toBe(true)
    const { staticAccountKeys } = await message(coveredTransfer)
    expect(staticAccountKeys.map((key) => key.toBase58())).toContain(nonce!.onchainId)
    await world.records.positionsEqualChain(from, to)
  })

  it('made elsewhere are evaluated with resolved tables, and refused if a table does not resolve', async () => {
    const { from, to, instrument, alice } = await pair()
    const { newAddressLookupTable: table } = await tables.create([from, to, instrument])
    const { connection } = world.chain
    const lookup = await eventually(async () => {
      const onchainTable = await tables.onchain(table.onchainId)
      expect(await connection.getSlot('confirmed')).toBeGreaterThan(onchainTable.state.lastExtendedSlot)
      return onchainTable
    })
    const send = createTransferCheckedInstruction(
      new PublicKey(from.onchainId),
      new PublicKey(instrument.onchainId),
      new PublicKey(to.onchainId),
      new PublicKey(alice.onchainId),
      10,
      6,
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    const { blockhash } = await connection.getLatestBlockhash('confirmed')
    const buildSerialized = (holding: AddressLookupTableAccount): string => {
      const draft = new TransactionMessage({
        payerKey: new PublicKey(feePayer.onchainId),
        recentBlockhash: blockhash,
        instructions: [send],
      })
      return Buffer.from(new VersionedTransaction(draft.compileToV0Message([holding])).serialize()).toString('base64')
    }
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', {
      serializedTransaction: buildSerialized(lookup),
    })
    const landed = await world.api.ok<Result>(200, 'POST', '/transactions/submit', {
      transaction: { offchainId: signed.offchainId },
    })
    expect(landed.success, JSON.stringify(landed)).toBe(true)
    expect((await message(landed)).addressTableLookups).toHaveLength(1)
    await world.records.positionsEqualChain(from, to)

    const nowhere = new AddressLookupTableAccount({
      key: new PublicKey(unknownAccounts(1)[0]!.onchainId),
      state: lookup.state,
    })
    const beyond = new AddressLookupTableAccount({
      key: lookup.key,
      state: {
        ...lookup.state,
        addresses: [...unknownAccounts(3).map(({ onchainId }) => new PublicKey(onchainId)), ...lookup.state.addresses],
      },
    })
    for (const table of [nowhere, beyond]) {
      await world.api.refuses(403, 'INSTRUCTION_NOT_ALLOWED', 'POST', '/transactions/sign', {
        serializedTransaction: buildSerialized(table),
      })
    }
  })

  it('that create and extend a table elsewhere leave the books consistent', async () => {
    const payer = await world.records.funded({ canPayFees: true })
    const { connection } = world.chain
    const [payerKey, recentSlot] = [new PublicKey(payer.onchainId), await connection.getSlot('finalized')]
    const [creation, address] = AddressLookupTableProgram.createLookupTable({
      authority: payerKey,
      payer: payerKey,
      recentSlot,
    })
    const growth = AddressLookupTableProgram.extendLookupTable({
      lookupTable: address,
      authority: payerKey,
      payer: payerKey,
      addresses: unknownAccounts(4).map(({ onchainId }) => new PublicKey(onchainId)),
    })
    const { blockhash } = await connection.getLatestBlockhash('confirmed')
    const draft = new TransactionMessage({
      payerKey,
      recentBlockhash: blockhash,
      instructions: [creation, growth],
    }).compileToV0Message()
    const serializedTransaction = Buffer.from(new VersionedTransaction(draft).serialize()).toString('base64')
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })
    const landed = await world.api.ok<Result>(200, 'POST', '/transactions/submit', {
      transaction: { offchainId: signed.offchainId },
    })
    expect(landed.success, JSON.stringify(landed)).toBe(true)
    expect((await tables.onchain(address.toBase58())).state.addresses).toHaveLength(4)
    await world.records.accountsEqualChain(payer)
  })

  /** A position with tokens and one without, and a transfer between them. */
  async function pair() {
    const instrument = await world.records.instrument('TOKEN_2022', await world.records.account())
    const [alice, bob] = await Promise.all([world.records.account(), world.records.account()])
    const [from, to] = await Promise.all([
      world.records.position(alice, instrument, 1_000n),
      world.records.position(bob, instrument),
    ])
    const transfer = {
      source: { position: from, owner: { offchainId: alice.offchainId } },
      destination: { position: to },
      lamports: 10,
    }
    return { instrument, alice, bob, from, to, transfer }
  }

  /** A table of another party, onboarded with `first` and since extended by `then`. */
  async function outsiders(first: readonly string[], then: readonly string[]): Promise<Created> {
    const owner = Keypair.generate()
    await world.chain.airdrop(owner.publicKey.toBase58(), 2n * SOL)
    const { connection } = world.chain
    const recentSlot = await connection.getSlot('finalized')
    const [creation, address] = AddressLookupTableProgram.createLookupTable({
      authority: owner.publicKey,
      payer: owner.publicKey,
      recentSlot,
    })
    const growth = (addresses: readonly string[]) =>
      AddressLookupTableProgram.extendLookupTable({
        lookupTable: address,
        authority: owner.publicKey,
        payer: owner.publicKey,
        addresses: addresses.map((each) => new PublicKey(each)),
      })
    await sendAndConfirmTransaction(connection, new Transaction().add(creation, growth(first)), [owner])
    const body = { addressLookupTable: { alreadyOnchain: true, onchainId: address.toBase58() } }
    const creationResult = await world.api.ok<Created>(201, 'POST', PATH, body)
    await sendAndConfirmTransaction(connection, new Transaction().add(growth(then)), [owner])
    await eventually(async () => {
      const { context, value } = await connection.getAddressLookupTable(address, { commitment: 'finalized' })
      expect(value?.state.addresses).toHaveLength(first.length + then.length)
      expect(context.slot).toBeGreaterThan(value!.state.lastExtendedSlot)
    })
    return creationResult
  }

  function lookupsOf({ serializedMessage }: Result): string[] {
    const { addressTableLookups } = VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64'))
    return addressTableLookups.map(({ accountKey }) => accountKey.toBase58())
  }

  async function dryRun(path: string, itemData: object, config: object = {}): Promise<DryRun['dryRun']> {
    const headers = { 'Holdfast-Dry-Run': 'true' }
    return (await world.api.ok<DryRun>(200, 'POST', path, itemData, { headers, config })).dryRun
  }
})

function addressesAsLookups(addresses: readonly string[]): object[] {
  return [...new Set(addresses)].map((onchainId) => ({ onchainId, offPlatform: true }))
}
