// Address lookup tables over HTTP. The state of the chain is read with the standard library.
import { AddressLookupTableProgram, Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Balance, Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { addressesOf, unknownAccounts, PATH, Tables, type Created, type Extended, type Table } from './tables.ts'

/** A deactivated table can be closed after 513 slots. */
const COOLDOWN_SLOTS = 513

let tables: Tables
let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  tables = new Tables(world, authority)
})
afterAll(() => world.stop())

describe('a table', () => {
  it('is created with a few addresses in one transaction', async () => {
    const knownAccount = await world.records.account()
    const others = unknownAccounts(2)
    const { newAddressLookupTable: table, chainTransactions } = await tables.create([knownAccount, ...others])
    expect(chainTransactions).toHaveLength(1)
    const record = await tables.equalsChain(table)
    expect(record.addresses).toEqual([knownAccount, ...others.map(({ onchainId }) => ({ onchainId }))])
    expect(record).toMatchObject({
      state: 'ACTIVE',
      authority: { onchain: { id: authority.onchainId }, offchain: { id: authority.offchainId } },
    })
    expect(record.addressLookupTable).toMatchObject({
      managed: false,
      isDerived: true,
      status: 'ACTIVE',
      offchain: { type: 'ADDRESS_LOOKUP_TABLE' },
    })
    expect((await tables.onchain(table.onchainId)).state.authority?.toBase58()).toBe(authority.onchainId)
    expect(await world.records.accountRecord(table)).toEqual(record.addressLookupTable)
  })

  it('is created with many addresses by a plan, and extended up to 256 addresses', async () => {
    const first = unknownAccounts(60)
    const { newAddressLookupTable: table, chainTransactions, chainTransaction } = await tables.create(first)
    expect(chainTransactions!.length).toBeGreaterThan(1)
    expect(chainTransactions!.at(-1)).toEqual(chainTransaction)
    await tables.equalsChain(table)

    const more = unknownAccounts(196)
    const extended = await tables.extend(table, more)
    expect(extended.extendedAddressLookupTable).toEqual(table)
    expect(extended.chainTransactions.length).toBeGreaterThan(6)
    const record = await tables.equalsChain(table)
    expect(addressesOf(record.addresses)).toEqual(addressesOf([...first, ...more]))

    await tables.refuses('TABLE_FULL', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: unknownAccounts(1),
    })
    await tables.refuses('TABLE_FULL', 'POST', '', {
      addressLookupTable: {},
      authority,
      componentAddresses: unknownAccounts(257),
    })
  })

  it('gets an address of its own, however many of one authority are created at once', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => tables.create([])))
    const addresses = created.map(({ newAddressLookupTable: { onchainId } }) => onchainId)
    expect(new Set(addresses).size).toBe(8)
    for (const { newAddressLookupTable: table } of created) await tables.equalsChain(table)
  })

  it('can be empty, and contains no address twice', async () => {
    const { newAddressLookupTable: table } = await tables.create([])
    expect((await tables.equalsChain(table)).addresses).toEqual([])
    await tables.refuses('TABLE_EMPTY', 'PATCH', '', { addressLookupTable: table, action: 'FREEZE' })
    const [one] = unknownAccounts(1)
    await tables.refuses('DUPLICATE_ADDRESS', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: [one, one],
    })
    await tables.extend(table, [one!])
    await tables.refuses('DUPLICATE_ADDRESS', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: [one],
    })
    await tables.equalsChain(table)
  })

  it('accepts any address, without revealing which are on record', async () => {
    const bare = unknownAccounts(6).map(({ onchainId }) => ({ onchainId }))
    const { newAddressLookupTable: table } = await world.api.ok<Created>(201, 'POST', PATH, {
      addressLookupTable: {},
      authority,
      componentAddresses: [...bare.slice(0, 3), { onchainId: authority.onchainId }],
    })
    await tables.extend(table, bare.slice(3))
    await tables.equalsChain(table)
    const componentAddresses = [{ ...unknownAccounts(1)[0]!, offPlatform: false }]
    await tables.refuses('ACCOUNT_NOT_FOUND', 'PATCH', '/extend', { addressLookupTable: table, componentAddresses })
    await tables.refuses('DUPLICATE_ADDRESS', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: [bare[0]],
    })
  })

  it('has a derived address: none can be given, unless the table exists on chain', async () => {
    const body = (addressLookupTable: object) => ({ addressLookupTable, authority, componentAddresses: [] })
    const [stranger] = unknownAccounts(1)
    await tables.refuses('ADDRESS_DERIVED', 'POST', '', body({ onchainId: stranger!.onchainId }))
    await tables.refuses(
      'ADDRESS_DERIVED',
      'POST',
      '',
      body({ privateKeyDetails: { publickKey: stranger!.onchainId } }),
    )
    const withPlayers = { dkgKeys: [{ session: { threshold: 2 } }] }
    await tables.refuses('ADDRESS_DERIVED', 'POST', '', body({ privateKeyDetails: withPlayers }))
    const withoutKey = { location: ['DATABASE'], dkgKeys: [] }
    await world.api.ok(201, 'POST', '/address-lookup-tables', body({ privateKeyDetails: withoutKey }))
    await tables.refuses(
      'ACCOUNT_NOT_ONCHAIN',
      'POST',
      '',
      body({ onchainId: stranger!.onchainId, alreadyOnchain: true }),
    )
    await tables.refuses('LOOKUP_MISMATCH', 'POST', '', body({ onchainId: feePayer.onchainId, alreadyOnchain: true }))
    await world.api.refuses(400, 'USE_SPECIALISED_ENDPOINT', 'POST', '/accounts', {
      offchainReferences: { type: 'ADDRESS_LOOKUP_TABLE' },
    })
    await tables.refuses('REQUIRED', 'POST', '', { addressLookupTable: {} })
  })

  it('made elsewhere is onboarded in its present state, and later changes by others are observed', async () => {
    const owner = Keypair.generate()
    await world.chain.airdrop(owner.publicKey.toBase58(), 2n * SOL)
    const { connection } = world.chain
    const recentSlot = await connection.getSlot('finalized')
    const [creation, address] = AddressLookupTableProgram.createLookupTable({
      authority: owner.publicKey,
      payer: owner.publicKey,
      recentSlot,
    })
    const addedAccounts = unknownAccounts(3)
    const growth = (lookups: typeof addedAccounts) =>
      AddressLookupTableProgram.extendLookupTable({
        lookupTable: address,
        authority: owner.publicKey,
        payer: owner.publicKey,
        addresses: lookups.map(({ onchainId }) => new PublicKey(onchainId)),
      })
    await sendAndConfirmTransaction(connection, new Transaction().add(creation, growth(addedAccounts)), [owner])
    const { newAddressLookupTable: table, chainTransaction } = await world.api.ok<Created>(201, 'POST', PATH, {
      addressLookupTable: { alreadyOnchain: true, onchainId: address.toBase58() },
    })
    expect(chainTransaction).toBeUndefined()
    expect((await tables.equalsChain(table)).addresses.map(({ onchainId }) => onchainId)).toEqual(
      addressesOf(addedAccounts),
    )
    await tables.refuses('ALREADY_EXISTS', 'POST', '', {
      addressLookupTable: { alreadyOnchain: true, onchainId: address.toBase58() },
    })

    const laterAccounts = unknownAccounts(2)
    await sendAndConfirmTransaction(connection, new Transaction().add(growth(laterAccounts)), [owner])
    await world.api.read<Balance>('/accounts/single/balance', { offchainId: table.offchainId })
    expect((await tables.equalsChain(table)).addresses.map(({ onchainId }) => onchainId)).toEqual(
      addressesOf([...addedAccounts, ...laterAccounts]),
    )
    const freeze = AddressLookupTableProgram.freezeLookupTable({ lookupTable: address, authority: owner.publicKey })
    await sendAndConfirmTransaction(connection, new Transaction().add(freeze), [owner])
    await tables.refuses('TABLE_FROZEN', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: unknownAccounts(1),
    })
    expect(await tables.equalsChain(table)).toMatchObject({ state: 'FROZEN', authority: null })
  })
})

describe('the end of a table', () => {
  it('freezing makes it immutable', async () => {
    const { newAddressLookupTable: table } = await tables.create(unknownAccounts(3))
    expect((await tables.act(table, 'FREEZE')).chainTransaction.success).toBe(true)
    expect(await tables.equalsChain(table)).toMatchObject({ state: 'FROZEN', authority: null })
    await tables.refuses('TABLE_FROZEN', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: unknownAccounts(1),
    })
    for (const action of ['FREEZE', 'DEACTIVATE', 'CLOSE'])
      await tables.refuses('TABLE_FROZEN', 'PATCH', '', { addressLookupTable: table, action })
  })

  it('deactivation allows closing after the cooldown, and the rent returns', async () => {
    const { newAddressLookupTable: table } = await tables.create(unknownAccounts(3))
    await tables.refuses('TABLE_ACTIVE', 'PATCH', '', { addressLookupTable: table, action: 'CLOSE' })
    await tables.act(table, 'DEACTIVATE')
    expect((await tables.equalsChain(table)).state).toBe('DEACTIVATING')
    await tables.refuses('TABLE_DEACTIVATED', 'PATCH', '/extend', {
      addressLookupTable: table,
      componentAddresses: unknownAccounts(1),
    })
    await tables.refuses('TABLE_DEACTIVATED', 'PATCH', '', { addressLookupTable: table, action: 'FREEZE' })
    const early = await tables.refuses('TABLE_DEACTIVATING', 'PATCH', '', {
      addressLookupTable: table,
      action: 'CLOSE',
    })
    expect(early.message).toMatch(/in about \d+ blocks/)

    const rent = await world.chain.lamports(table.onchainId)
    const before = await world.chain.lamports(feePayer.onchainId)
    await world.passSlots(COOLDOWN_SLOTS)
    const { chainTransaction } = await eventually(() => tables.act(table, 'CLOSE'))
    expect(chainTransaction.success).toBe(true)
    expect(await world.chain.exists(table.onchainId)).toBe(false)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(
      before + rent - (await world.chain.fee(chainTransaction.onchainId!)),
    )
    expect(await tables.single(table)).toMatchObject({ state: 'CLOSED', addressLookupTable: { status: 'CLOSED' } })
    await world.records.accountsEqualChain(feePayer)
    await tables.refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'PATCH', '', { addressLookupTable: table, action: 'CLOSE' })
  })
})

describe('the rent of a table', () => {
  it('is paid by one fee payer and returned to it', async () => {
    const organization = `ORG-${Date.now()}`
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: organization, name: 'Renters' })
    const landlord = await world.records.funded({ globalFeePayerForOrgs: [organization] })
    const account = async (itemData: object = {}): Promise<Ids> =>
      await world.records.account(itemData, { organization })
    const [owner, own] = [await account(), await account({ canPayFees: true })]
    await world.chain.airdrop(own.onchainId, 5n * SOL)
    const send = <T>(method: 'POST' | 'PATCH', path: string, itemData: object, config: object = {}): Promise<T> =>
      world.api.ok<T>(method === 'POST' ? 201 : 200, method, `${PATH}${path}`, itemData, { organization, config })
    const refuses = (itemData: object, feePayer: Ids) =>
      world.api.refuses(400, 'FEE_PAYER_NOT_OWN', 'PATCH', `${PATH}/extend`, itemData, {
        organization,
        config: { feePayer },
      })

    const body = { addressLookupTable: {}, authority: owner, componentAddresses: unknownAccounts(40) }
    const { newAddressLookupTable: table, chainTransactions } = await send<Created>('POST', '', body)
    expect(chainTransactions?.map(({ success }) => success)).toEqual([true, true])
    const more = { addressLookupTable: table, componentAddresses: unknownAccounts(2) }
    await refuses(more, own)
    expect((await send<Extended>('PATCH', '/extend', more)).chainTransaction.success).toBe(true)

    const { newAddressLookupTable: paidTable } = await send<Created>(
      'POST',
      '',
      { ...body, componentAddresses: [] },
      { feePayer: own },
    )
    await refuses({ ...more, addressLookupTable: paidTable }, landlord)
    expect(
      (await send<Extended>('PATCH', '/extend', { ...more, addressLookupTable: paidTable }, { feePayer: own }))
        .chainTransaction.success,
    ).toBe(true)

    await send('PATCH', '', { addressLookupTable: table, action: 'DEACTIVATE' })
    const rent = await world.chain.lamports(table.onchainId)
    const before = await world.chain.lamports(landlord.onchainId)
    await world.passSlots(COOLDOWN_SLOTS)
    await eventually(() => send('PATCH', '', { addressLookupTable: table, action: 'CLOSE' }, { feePayer: own }))
    expect(await world.chain.lamports(landlord.onchainId)).toBe(before + rent)
    await world.records.accountsEqualChain(landlord)
  })
})

describe('the record of a table', () => {
  it('is changed without a transaction, and filtered by its members', async () => {
    const code = `T${Date.now()}`
    const { newAddressLookupTable: table } = await tables.create(unknownAccounts(2), {
      addressLookupTable: { offchainReferences: { code }, comments: 'one' },
    })
    const updated = await world.api.ok<object>(200, 'PATCH', PATH, {
      addressLookupTable: { offchainReferences: { code } },
      comments: 'two',
      offchainReferences: { name: 'pairs' },
    })
    expect(updated).toEqual({ updatedAddressLookupTable: table })
    const record = await tables.single(table)
    expect(record.addressLookupTable).toMatchObject({ comments: 'two', offchain: { code, name: 'pairs' } })

    const query = async (fieldName: string, value: object): Promise<Table[]> => {
      const equals = (name: string, operand: object) => ({
        fieldName: name,
        filterValues: [{ filterType: 'EQUALS', ...operand }],
      })
      const answer = await fetch(`${world.url}/api/v1${PATH}/bulk`, {
        method: 'POST',
        headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
        body: JSON.stringify({
          itemQuery: { filter: [equals(fieldName, value), equals('code', { valueString: code })] },
        }),
      })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { items: Table[] }).items
    }
    for (const [fieldName, value] of [
      ['authorityOnchainId', { valueString: authority.onchainId }],
      ['authorityOffchainId', { valueString: authority.offchainId }],
      ['state', { valueString: 'ACTIVE' }],
      ['addressCount', { valueNumber: 2 }],
      ['type', { valueString: 'ADDRESS_LOOKUP_TABLE' }],
    ] as const)
      expect(await query(fieldName, value), fieldName).toEqual([record])
    expect(await query('state', { valueString: 'FROZEN' })).toEqual([])
  })

  it('of another organization is visible only there', async () => {
    await tables.refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'POST', '/single', { onchainId: feePayer.onchainId })
    await tables.refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'POST', '/single', {
      onchainId: unknownAccounts(1)[0]!.onchainId,
    })
    await tables.refuses('ADDRESS_LOOKUP_TABLE_NOT_FOUND', 'PATCH', '/extend', {
      addressLookupTable: feePayer,
      componentAddresses: unknownAccounts(1),
    })
  })
})

describe('a table whose authority is an account that was closed', () => {
  it('waits for an outside signature on every path, until the key is on record again', async () => {
    const key = bs58.encode(Keypair.generate().secretKey)
    const imported = { managed: true, privateKeyDetails: { privateKey: key } }
    const closed = await world.records.account(imported)
    const { newAddressLookupTable: table } = await new Tables(world, closed).create(unknownAccounts(1))
    await world.api.ok(200, 'PATCH', '/accounts/inactivate', { account: closed })

    const componentAddresses = unknownAccounts(1)
    // Rent of a table that others control is a debit to strangers.
    const paid = { config: { feePayer: await world.records.feePayer({ networkCurrencyDebitLimits: [] }) } }
    const changes = [
      () =>
        world.api.ok<Extended>(200, 'PATCH', `${PATH}/extend`, { addressLookupTable: table, componentAddresses }, paid),
      () => tables.act(table, 'FREEZE'),
      () => tables.act(table, 'DEACTIVATE'),
    ]
    for (const change of changes) {
      const { offchainId, status } = (await change()).chainTransaction
      expect(status).toBe('PREPARED')
      const signed = await world.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
      expect(signed.status).toBe('PREPARED')
      await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
    }
    expect(await tables.equalsChain(table)).toMatchObject({ state: 'ACTIVE', addresses: [{}] })

    await world.records.account(imported)
    await tables.extend(table, componentAddresses)
    expect((await tables.act(table, 'DEACTIVATE')).chainTransaction.success).toBe(true)
    expect(await tables.equalsChain(table)).toMatchObject({ state: 'DEACTIVATING', addresses: [{}, {}] })
  })
})
