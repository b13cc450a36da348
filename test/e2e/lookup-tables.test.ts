// Address lookup tables over HTTP: what stands on chain is read with the standard library, and transactions land through the tables.
import { randomBytes } from 'node:crypto'
import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import {
  AddressLookupTableAccount, AddressLookupTableProgram, Keypair, PublicKey, sendAndConfirmTransaction, Transaction, TransactionMessage,
  VersionedMessage, VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from './harness.ts'
import type { Account, Balance, DryRun, Ids, Result } from './models.ts'
import { SOL } from './records.ts'

const PATH = '/address-lookup-tables'
const LIMIT_BYTES = 1232

interface Created {
  readonly newAddressLookupTable: Ids
  readonly chainTransaction?: Result
  readonly chainTransactions?: readonly Result[]
}

interface Extended {
  readonly extendedAddressLookupTable: Ids
  readonly chainTransaction: Result
  readonly chainTransactions: readonly Result[]
}

interface Table {
  readonly addressLookupTable: Account
  readonly authority: { readonly onchain: { readonly id: string }; readonly offchain?: { readonly id: string } } | null
  readonly addresses: readonly { readonly onchainId: string; readonly offchainId?: string }[]
  readonly state: string
}

let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
})
afterAll(() => world.stop())

const anybody = (count: number): { onchainId: string; offPlatform: true }[] =>
  Array.from({ length: count }, () => ({ onchainId: new PublicKey(randomBytes(32)).toBase58(), offPlatform: true }))

const addressesOf = (lookups: readonly { onchainId: string }[]): string[] => lookups.map(({ onchainId }) => onchainId)

async function create(componentAddresses: readonly object[], members: object = {}): Promise<Created> {
  const created = await world.api.ok<Created>(201, 'POST', PATH, { addressLookupTable: {}, authority, componentAddresses, ...members })
  expect(created.chainTransaction?.success, JSON.stringify(created)).toBe(true)
  return created
}

async function extend(table: Ids, componentAddresses: readonly object[]): Promise<Extended> {
  const extended = await world.api.ok<Extended>(200, 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses })
  expect(extended.chainTransaction.success, JSON.stringify(extended)).toBe(true)
  return extended
}

const act = (table: Ids, action: string): Promise<{ chainTransaction: Result }> =>
  world.api.ok(200, 'PATCH', PATH, { addressLookupTable: table, action })

async function onchain(address: string): Promise<AddressLookupTableAccount> {
  const { value } = await world.chain.connection.getAddressLookupTable(new PublicKey(address))
  if (value === null) throw new Error(`no table ${address} on chain`)
  return value
}

const single = (table: Ids): Promise<Table> => world.api.read(`${PATH}/single`, { offchainId: table.offchainId })

/** What the record says, before anything could be folded in, is what stands on chain. */
async function equalsChain(table: Ids): Promise<Table> {
  const [shown, there, info] = await Promise.all([single(table), onchain(table.onchainId), world.chain.account(table.onchainId)])
  expect(shown.addresses.map(({ onchainId }) => onchainId)).toEqual(there.state.addresses.map((key) => key.toBase58()))
  expect(shown.authority?.onchain.id ?? null).toBe(there.state.authority?.toBase58() ?? null)
  expect(shown.state).toBe(there.state.authority === undefined ? 'FROZEN' : there.isActive() ? 'ACTIVE' : 'DEACTIVATING')
  expect(BigInt(shown.addressLookupTable.offchain.lamportsBalance)).toBe(BigInt(info?.lamports ?? -1))
  await world.records.accountsEqualChain(feePayer)
  return shown
}

const refuses = (code: string, method: 'POST' | 'PATCH', path: string, itemData: object) =>
  world.api.refused(400, code, method, path, itemData)

describe('a table', () => {
  it('is created with a few addresses in one transaction', async () => {
    const known = await world.records.account()
    const others = anybody(2)
    const { newAddressLookupTable: table, chainTransactions } = await create([known, ...others])
    expect(chainTransactions).toHaveLength(1)
    const shown = await equalsChain(table)
    expect(shown.addresses).toEqual([known, ...others.map(({ onchainId }) => ({ onchainId }))])
    expect(shown).toMatchObject({ state: 'ACTIVE', authority: { onchain: { id: authority.onchainId }, offchain: { id: authority.offchainId } } })
    expect(shown.addressLookupTable).toMatchObject({ managed: false, isDerived: true, status: 'ACTIVE', offchain: { type: 'ADDRESS_LOOKUP_TABLE' } })
    expect((await onchain(table.onchainId)).state.authority?.toBase58()).toBe(authority.onchainId)
    expect(await world.records.accountRecord(table)).toEqual(shown.addressLookupTable)
  })

  it('is created with many addresses by a plan, extended to 256 and no further', async () => {
    const first = anybody(60)
    const { newAddressLookupTable: table, chainTransactions, chainTransaction } = await create(first)
    expect(chainTransactions!.length).toBeGreaterThan(1)
    expect(chainTransactions!.at(-1)).toEqual(chainTransaction)
    await equalsChain(table)

    const more = anybody(196)
    const extended = await extend(table, more)
    expect(extended.extendedAddressLookupTable).toEqual(table)
    expect(extended.chainTransactions.length).toBeGreaterThan(6)
    const shown = await equalsChain(table)
    expect(shown.addresses.map(({ onchainId }) => onchainId)).toEqual(addressesOf([...first, ...more]))

    await refuses('TABLE_FULL', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: anybody(1) })
    await refuses('TABLE_FULL', 'POST', PATH, { addressLookupTable: {}, authority, componentAddresses: anybody(257) })
  })

  it('can be empty, and takes no address twice', async () => {
    const { newAddressLookupTable: table } = await create([])
    expect((await equalsChain(table)).addresses).toEqual([])
    await refuses('TABLE_EMPTY', 'PATCH', PATH, { addressLookupTable: table, action: 'FREEZE' })
    const [one] = anybody(1)
    await refuses('DUPLICATE_ADDRESS', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: [one, one] })
    await extend(table, [one!])
    await refuses('DUPLICATE_ADDRESS', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: [one] })
    await equalsChain(table)
  })

  it('derives its address: none can be given, unless it is on chain', async () => {
    const body = (addressLookupTable: object) => ({ addressLookupTable, authority, componentAddresses: [] })
    const [given] = anybody(1)
    await refuses('ADDRESS_DERIVED', 'POST', PATH, body({ onchainId: given!.onchainId }))
    await refuses('ADDRESS_DERIVED', 'POST', PATH, body({ privateKeyDetails: { publickKey: given!.onchainId } }))
    await refuses('ACCOUNT_NOT_ONCHAIN', 'POST', PATH, body({ onchainId: given!.onchainId, alreadyOnchain: true }))
    await refuses('LOOKUP_MISMATCH', 'POST', PATH, body({ onchainId: feePayer.onchainId, alreadyOnchain: true }))
    await refuses('USE_SPECIALISED_ENDPOINT', 'POST', '/accounts', { offchainReferences: { type: 'ADDRESS_LOOKUP_TABLE' } })
    await refuses('REQUIRED', 'POST', PATH, { addressLookupTable: {} })
  })

  it('made elsewhere is onboarded as it stands, and what others did to it since is learned', async () => {
    const owner = Keypair.generate()
    await world.chain.airdrop(owner.publicKey.toBase58(), 2n * SOL)
    const { connection } = world.chain
    const recentSlot = await connection.getSlot('finalized')
    const [creation, address] = AddressLookupTableProgram.createLookupTable({ authority: owner.publicKey, payer: owner.publicKey, recentSlot })
    const added = anybody(3)
    const growth = (lookups: typeof added) => AddressLookupTableProgram.extendLookupTable({
      lookupTable: address, authority: owner.publicKey, payer: owner.publicKey, addresses: lookups.map(({ onchainId }) => new PublicKey(onchainId)),
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(creation, growth(added)), [owner])
    const { newAddressLookupTable: table, chainTransaction } = await world.api.ok<Created>(201, 'POST', PATH, {
      addressLookupTable: { alreadyOnchain: true, onchainId: address.toBase58() },
    })
    expect(chainTransaction).toBeUndefined()
    expect((await equalsChain(table)).addresses.map(({ onchainId }) => onchainId)).toEqual(addressesOf(added))
    await refuses('ALREADY_EXISTS', 'POST', PATH, { addressLookupTable: { alreadyOnchain: true, onchainId: address.toBase58() } })

    const later = anybody(2)
    await sendAndConfirmTransaction(connection, new Transaction().add(growth(later)), [owner])
    await world.api.read<Balance>('/accounts/single/balance', { offchainId: table.offchainId })
    expect((await equalsChain(table)).addresses.map(({ onchainId }) => onchainId)).toEqual(addressesOf([...added, ...later]))
    const freeze = AddressLookupTableProgram.freezeLookupTable({ lookupTable: address, authority: owner.publicKey })
    await sendAndConfirmTransaction(connection, new Transaction().add(freeze), [owner])
    await refuses('TABLE_FROZEN', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: anybody(1) })
    expect(await equalsChain(table)).toMatchObject({ state: 'FROZEN', authority: null })
  })
})

describe('its end', () => {
  it('frozen, it stays as it is', async () => {
    const { newAddressLookupTable: table } = await create(anybody(3))
    expect((await act(table, 'FREEZE')).chainTransaction.success).toBe(true)
    expect(await equalsChain(table)).toMatchObject({ state: 'FROZEN', authority: null })
    await refuses('TABLE_FROZEN', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: anybody(1) })
    for (const action of ['FREEZE', 'DEACTIVATE', 'CLOSE']) await refuses('TABLE_FROZEN', 'PATCH', PATH, { addressLookupTable: table, action })
  })

  it('deactivated, it is closed when the chain lets it, and the rent returns', async () => {
    const { newAddressLookupTable: table } = await create(anybody(3))
    await refuses('TABLE_ACTIVE', 'PATCH', PATH, { addressLookupTable: table, action: 'CLOSE' })
    await act(table, 'DEACTIVATE')
    expect((await equalsChain(table)).state).toBe('DEACTIVATING')
    await refuses('TABLE_DEACTIVATED', 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses: anybody(1) })
    await refuses('TABLE_DEACTIVATED', 'PATCH', PATH, { addressLookupTable: table, action: 'FREEZE' })
    const early = await refuses('TABLE_DEACTIVATING', 'PATCH', PATH, { addressLookupTable: table, action: 'CLOSE' })
    expect(early.message).toMatch(/in about \d+ blocks/)

    const rent = await world.chain.lamports(table.onchainId)
    const before = await world.chain.lamports(feePayer.onchainId)
    const { chainTransaction } = await eventually(() => act(table, 'CLOSE'), 50_000)
    expect(chainTransaction.success).toBe(true)
    expect(await world.chain.exists(table.onchainId)).toBe(false)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before + rent - (await world.chain.fee(chainTransaction.onchainId!)))
    expect(await single(table)).toMatchObject({ state: 'CLOSED', addressLookupTable: { status: 'CLOSED' } })
    await world.records.accountsEqualChain(feePayer)
    await refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'PATCH', PATH, { addressLookupTable: table, action: 'CLOSE' })
  })
})

describe('its record', () => {
  it('is changed without a transaction, and found by what it says', async () => {
    const code = `T${Date.now()}`
    const { newAddressLookupTable: table } = await create(anybody(2), { addressLookupTable: { offchainReferences: { code }, comments: 'one' } })
    const updated = await world.api.ok<object>(200, 'PATCH', PATH, {
      addressLookupTable: { offchainReferences: { code } }, comments: 'two', offchainReferences: { name: 'pairs' },
    })
    expect(updated).toEqual({ updatedAddressLookupTable: table })
    const shown = await single(table)
    expect(shown.addressLookupTable).toMatchObject({ comments: 'two', offchain: { code, name: 'pairs' } })

    const query = async (fieldName: string, value: object): Promise<Table[]> => {
      const equals = (name: string, wanted: object) => ({ fieldName: name, filterValues: [{ filterType: 'EQUALS', ...wanted }] })
      const answer = await fetch(`${world.url}/api/v1${PATH}/bulk`, {
        method: 'POST',
        headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ itemQuery: { filter: [equals(fieldName, value), equals('code', { valueString: code })] } }),
      })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { items: Table[] }).items
    }
    for (const [fieldName, value] of [
      ['authorityOnchainId', { valueString: authority.onchainId }], ['authorityOffchainId', { valueString: authority.offchainId }],
      ['state', { valueString: 'ACTIVE' }], ['addressCount', { valueNumber: 2 }], ['type', { valueString: 'ADDRESS_LOOKUP_TABLE' }],
    ] as const) expect(await query(fieldName, value), fieldName).toEqual([shown])
    expect(await query('state', { valueString: 'FROZEN' })).toEqual([])
  })

  it('is another organization’s business only there', async () => {
    await refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'POST', `${PATH}/single`, { onchainId: feePayer.onchainId })
    await refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'POST', `${PATH}/single`, { onchainId: anybody(1)[0]!.onchainId })
    await refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'PATCH', `${PATH}/extend`, { addressLookupTable: feePayer, componentAddresses: anybody(1) })
  })
})

describe('transactions', () => {
  const message = async (result: Result) => (await world.chain.transaction(result.onchainId!)).transaction.message

  it('use the tables that make them smaller, and land', async () => {
    const minter = await world.records.account()
    const instrument = await world.records.instrument('TOKEN_2022', minter, { freezeAuthority: minter })
    const [alice, bob] = await Promise.all([world.records.account(), world.records.account()])
    const [from, to] = await Promise.all([world.records.position(alice, instrument, 1_000n), world.records.position(bob, instrument)])
    const transfer = { source: { position: from }, destination: { position: to }, lamports: 10 }
    const plain = await dryRun('/positions/transfer', transfer)

    // Room is short: a position is made on the way and frozen, and the memo is too long for all that by a little.
    const carol = await world.records.account()
    const config = { computeUnitConfig: { price: 1 } }
    const crowded = {
      source: { position: from }, destination: { owner: carol, financialInstrument: instrument }, lamports: 10,
      initializeDestinationPositionIfNeeded: true, freezeDestination: true,
    }
    const { sizeBytes } = await dryRun('/positions/transfer', { ...crowded, memo: 'm'.repeat(200) }, config)
    const long = { ...crowded, memo: 'm'.repeat(200 + LIMIT_BYTES - sizeBytes + 5) }
    const refusal = await world.api.refused(400, 'TRANSACTION_TOO_LARGE', 'POST', '/positions/transfer', long, { config })
    expect(refusal.message).toContain(`would be ${LIMIT_BYTES + 5} bytes, the limit is ${LIMIT_BYTES}`)
    expect(refusal.message).toMatch(/In one address lookup table of the organization 2 of its accounts make it 1209 bytes: /)
    const named = refusal.message.split('bytes: ')[1]!.split(', ')

    const { newAddressLookupTable: table } = await create(addressesAsLookups([...named, instrument.onchainId, from.onchainId, bob.onchainId]))
    const landed = await eventually(async () => {
      const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)
      expect(result.success, JSON.stringify(result)).toBe(true)
      expect((await message(result)).addressTableLookups).toHaveLength(1)
      return result
    })
    const { addressTableLookups } = await message(landed)
    expect(addressTableLookups[0]?.accountKey.toBase58()).toBe(table.onchainId)
    expect(addressTableLookups[0]!.writableIndexes.length + addressTableLookups[0]!.readonlyIndexes.length).toBeGreaterThanOrEqual(2)
    const through = await dryRun('/positions/transfer', transfer)
    expect(through.sizeBytes).toBeLessThan(plain.sizeBytes)
    expect([...through.accounts].sort()).toEqual([...plain.accounts].sort())
    const record = await world.api.read<{ accounts: readonly { onchainId: string }[] }>('/transactions/single', { offchainId: landed.offchainId })
    expect(record.accounts.map(({ onchainId }) => onchainId).sort()).toEqual([...plain.accounts].sort())

    const helped = await world.api.refused(400, 'TRANSACTION_TOO_LARGE', 'POST', '/positions/transfer', long, { config: { ...config, transactionVersion: 'LEGACY' } })
    expect(helped.message).toContain('with transactionVersion V0')
    const squeezed = await world.api.ok<Result>(201, 'POST', '/positions/transfer', long, { config })
    expect(squeezed.success, JSON.stringify(squeezed)).toBe(true)
    await world.records.positionsEqualChain(from, to)

    const legacy = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer, { config: { transactionVersion: 'LEGACY' } })
    expect((await message(legacy)).addressTableLookups).toEqual([])

    // A deactivated table serves for a while yet, but not us.
    await act(table, 'DEACTIVATE')
    const without = await world.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)
    expect((await message(without)).addressTableLookups).toEqual([])
    await world.records.positionsEqualChain(from, to)
  })

  it('prepared with a table are signed later', async () => {
    const { transfer, from, to, instrument } = await pair()
    const { newAddressLookupTable: table } = await create([from, to, instrument])
    const body = { ...transfer, source: { ...transfer.source, owner: { ...transfer.source.owner, autoSign: false } } }
    const prepared = await eventually(async () => {
      const made = await world.api.ok<Result>(201, 'POST', '/positions/transfer', body)
      expect(made.status).toBe('PREPARED')
      expect(lookupsOf(made)).toEqual([table.onchainId])
      return made
    })
    const transaction = { transaction: { offchainId: prepared.offchainId } }
    expect(await world.api.ok<Result>(200, 'POST', '/transactions/sign', transaction)).toMatchObject({ status: 'SIGNED' })
    expect(await world.api.ok<Result>(200, 'POST', '/transactions/submit', transaction)).toMatchObject({ success: true })
    expect(await world.chain.tokens(to.onchainId)).toBe(10n)
    await world.records.positionsEqualChain(from, to)
  })

  it('made elsewhere are judged by what the tables resolve, and refused where they do not', async () => {
    const { from, to, instrument, alice } = await pair()
    const { newAddressLookupTable: table } = await create([from, to, instrument])
    const { connection } = world.chain
    const lookup = await eventually(async () => {
      const found = await onchain(table.onchainId)
      expect(await connection.getSlot('confirmed')).toBeGreaterThan(found.state.lastExtendedSlot)
      return found
    })
    const send = createTransferCheckedInstruction(
      new PublicKey(from.onchainId), new PublicKey(instrument.onchainId), new PublicKey(to.onchainId), new PublicKey(alice.onchainId), 10, 6, [],
      TOKEN_2022_PROGRAM_ID,
    )
    const { blockhash } = await connection.getLatestBlockhash('confirmed')
    const made = (holding: AddressLookupTableAccount): string => {
      const draft = new TransactionMessage({ payerKey: new PublicKey(feePayer.onchainId), recentBlockhash: blockhash, instructions: [send] })
      return Buffer.from(new VersionedTransaction(draft.compileToV0Message([holding])).serialize()).toString('base64')
    }
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction: made(lookup) })
    const landed = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId: signed.offchainId } })
    expect(landed.success, JSON.stringify(landed)).toBe(true)
    expect((await message(landed)).addressTableLookups).toHaveLength(1)
    await world.records.positionsEqualChain(from, to)

    const nowhere = new AddressLookupTableAccount({ key: new PublicKey(anybody(1)[0]!.onchainId), state: lookup.state })
    const beyond = new AddressLookupTableAccount({
      key: lookup.key, state: { ...lookup.state, addresses: [...anybody(3).map(({ onchainId }) => new PublicKey(onchainId)), ...lookup.state.addresses] },
    })
    for (const table of [nowhere, beyond]) {
      await world.api.refused(403, 'INSTRUCTION_NOT_ALLOWED', 'POST', '/transactions/sign', { serializedTransaction: made(table) })
    }
  })

  it('that create and extend a table elsewhere leave the books right', async () => {
    const payer = await world.records.funded()
    const { connection } = world.chain
    const [payerKey, recentSlot] = [new PublicKey(payer.onchainId), await connection.getSlot('finalized')]
    const [creation, address] = AddressLookupTableProgram.createLookupTable({ authority: payerKey, payer: payerKey, recentSlot })
    const growth = AddressLookupTableProgram.extendLookupTable({
      lookupTable: address, authority: payerKey, payer: payerKey, addresses: anybody(4).map(({ onchainId }) => new PublicKey(onchainId)),
    })
    const { blockhash } = await connection.getLatestBlockhash('confirmed')
    const draft = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions: [creation, growth] }).compileToV0Message()
    const serializedTransaction = Buffer.from(new VersionedTransaction(draft).serialize()).toString('base64')
    const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })
    const landed = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId: signed.offchainId } })
    expect(landed.success, JSON.stringify(landed)).toBe(true)
    expect((await onchain(address.toBase58())).state.addresses).toHaveLength(4)
    await world.records.accountsEqualChain(payer)
  })

  /** A position with tokens and one without, and a transfer between them. */
  async function pair() {
    const instrument = await world.records.instrument('TOKEN_2022', await world.records.account())
    const [alice, bob] = await Promise.all([world.records.account(), world.records.account()])
    const [from, to] = await Promise.all([world.records.position(alice, instrument, 1_000n), world.records.position(bob, instrument)])
    const transfer = { source: { position: from, owner: { offchainId: alice.offchainId } }, destination: { position: to }, lamports: 10 }
    return { instrument, alice, bob, from, to, transfer }
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
