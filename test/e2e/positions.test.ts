// Positions over HTTP, for both token programs: opened as the associated account or under a key of their own, and
// looked up.
import { createAssociatedTokenAccount, getAccountLen, ExtensionType } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Balance, Ids, NewPosition, Position, Result } from './models.ts'
import { programOf, type Version } from './onchain.ts'
import { SOL } from './records.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']

let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
})
afterAll(() => world.stop())

const initialize = (itemData: object): Promise<NewPosition> =>
  world.api.ok<NewPosition>(201, 'POST', '/positions', itemData)

describe.each(VERSIONS)('%s', (version) => {
  let instrument: Ids

  beforeAll(async () => {
    instrument = await world.records.instrument(version, authority, {
      freezeAuthority: authority,
      mintAccount: { offchainReferences: { code: version } },
    })
  })

  describe('initialize', () => {
    it('opens the associated token account', async () => {
      const owner = await world.records.account()
      const { newPosition, chainTransaction } = await initialize({
        owner,
        financialInstrument: instrument,
        position: { isDerived: true, offchainReferences: { code: `ata-${version}`, name: 'Main' }, comments: 'first' },
      })
      expect(chainTransaction).toMatchObject({ success: true })
      expect(newPosition.onchainId).toBe(world.records.associated(owner, instrument, version))
      const token = await world.chain.token(newPosition.onchainId)
      expect(token).toMatchObject({
        amount: 0n,
        isInitialized: true,
        isFrozen: false,
        delegate: null,
        closeAuthority: null,
      })
      expect((await world.chain.account(newPosition.onchainId))?.owner.equals(programOf(version))).toBe(true)
      expect(await world.records.positionRecord(newPosition)).toMatchObject({
        onchain: { id: newPosition.onchainId, creationTransactionId: chainTransaction?.onchainId },
        offchain: {
          id: newPosition.offchainId,
          type: 'ASSET_TOKEN_ACCOUNT',
          code: `ata-${version}`,
          name: 'Main',
          tokenBalance: 0,
          tokenDecimals: 6,
        },
        isDerived: true,
        managed: false,
        state: 'INITIALIZED',
        status: 'ACTIVE',
        comments: 'first',
        wasOnchainAlready: false,
        owner: { onchain: { id: owner.onchainId }, offchain: { id: owner.offchainId } },
        financialInstrument: { onchain: { id: instrument.onchainId }, offchain: { id: instrument.offchainId } },
      })
      await world.records.positionsEqualChain(newPosition)
      await world.records.accountsEqualChain(feePayer)
    })

    it('opens one with a key of its own, generated or given', async () => {
      const owner = await world.records.account()
      const keypair = Keypair.generate()
      const creation = await initialize({ owner, financialInstrument: instrument, position: { managed: true } })
      const outsideCreation = await initialize({
        owner,
        financialInstrument: instrument,
        position: { privateKeyDetails: { privateKey: bs58.encode(keypair.secretKey) } },
      })
      expect(creation.chainTransaction, JSON.stringify(creation)).toMatchObject({ success: true })
      expect(outsideCreation.newPosition.onchainId).toBe(keypair.publicKey.toBase58())
      for (const { newPosition } of [creation, outsideCreation]) {
        expect((await world.chain.token(newPosition.onchainId)).owner.toBase58()).toBe(owner.onchainId)
        await world.records.mint(newPosition, 7n)
      }
      await world.records.positionsEqualChain(creation.newPosition, outsideCreation.newPosition)
      await world.records.accountsEqualChain(feePayer)
      await world.api.refuses(400, 'LOOKUP_AMBIGUOUS', 'POST', '/positions/single', {
        owner,
        financialInstrument: instrument,
      })
      const { newPosition: derived } = await initialize({ owner, financialInstrument: instrument })
      const record = await world.api.read<Position>('/positions/single', { owner, financialInstrument: instrument })
      expect(record.offchain.id).toBe(derived.offchainId)
    })

    it('opens one for an unknown owner', async () => {
      const outside = Keypair.generate().publicKey.toBase58()
      const { newPosition, chainTransaction } = await initialize({
        owner: { onchainId: outside, offPlatform: true },
        financialInstrument: instrument,
      })
      expect(chainTransaction?.success).toBe(true)
      expect((await world.chain.token(newPosition.onchainId)).owner.toBase58()).toBe(outside)
      await world.records.positionsEqualChain(newPosition)
    })

    it('onboards one that exists on chain', async () => {
      const payer = Keypair.generate()
      await world.chain.airdrop(payer.publicKey.toBase58(), SOL)
      const owner = await world.records.account()
      const address = await createAssociatedTokenAccount(
        world.chain.connection,
        payer,
        new PublicKey(instrument.onchainId),
        new PublicKey(owner.onchainId),
        undefined,
        programOf(version),
      )
      const { newPosition, chainTransaction } = await initialize({
        owner,
        financialInstrument: instrument,
        position: { isDerived: true, alreadyOnchain: true, onchainId: address.toBase58() },
      })
      expect(chainTransaction).toBeUndefined()
      expect(await world.records.positionRecord(newPosition)).toMatchObject({ wasOnchainAlready: true })
      await world.records.positionsEqualChain(newPosition)
      const nobody = await world.records.account()
      await world.api.refuses(400, 'ACCOUNT_NOT_ONCHAIN', 'POST', '/positions', {
        owner: nobody,
        financialInstrument: instrument,
        position: { alreadyOnchain: true },
      })
    })

    it('records an associated account opened by others, without a transaction', async () => {
      const payer = Keypair.generate()
      await world.chain.airdrop(payer.publicKey.toBase58(), SOL)
      const owner = await world.records.account()
      const [mint, holder] = [new PublicKey(instrument.onchainId), new PublicKey(owner.onchainId)]
      await createAssociatedTokenAccount(world.chain.connection, payer, mint, holder, undefined, programOf(version))
      const before = await world.chain.lamports(feePayer.onchainId)
      const { newPosition, chainTransaction } = await initialize({ owner, financialInstrument: instrument })
      expect(chainTransaction).toBeUndefined()
      expect(newPosition.onchainId).toBe(world.records.associated(owner, instrument, version))
      expect(await world.records.positionRecord(newPosition)).toMatchObject({
        wasOnchainAlready: true,
        isDerived: true,
        state: 'INITIALIZED',
      })
      expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
      await world.records.mint(newPosition, 3n)
      await world.records.positionsEqualChain(newPosition)
      await world.records.accountsEqualChain(feePayer)
    })

    it('pays only the missing rent if the address holds network currency', async () => {
      const owner = await world.records.account()
      await world.chain.airdrop(world.records.associated(owner, instrument, version), 1_000_000n)
      const { newPosition, chainTransaction } = await initialize({ owner, financialInstrument: instrument })
      expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })
      await world.records.positionsEqualChain(newPosition)
      const other = await world.records.account()
      const address = world.records.associated(other, instrument, version)
      await world.chain.airdrop(address, 5_000_000n)
      const body = {
        destination: { owner: other, financialInstrument: instrument },
        lamports: 1,
        initializeDestinationPositionIfNeeded: true,
      }
      expect((await world.api.ok<Result>(201, 'POST', '/positions/mint', body)).success).toBe(true)
      const { offchain } = await world.api.read<Position>('/positions/single', { position: { onchainId: address } })
      await world.records.positionsEqualChain({ onchainId: address, offchainId: offchain.id })
      await world.records.accountsEqualChain(feePayer)
    })

    it('belongs to its creator if the owner is of another tenant, which can have a record of its own', async () => {
      const name = `OWNER_${version}`
      await world.api.ok(201, 'POST', '/admin/organizations', { externalId: name, name })
      const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
        organizationExternalId: name,
        name: 'k',
        bundle: 'ADMIN',
      })
      const theirApi = world.api.as(apiKey)
      const otherRecords = world.records.with(theirApi)
      const theirPayer = await otherRecords.feePayer()
      const owner = await otherRecords.account()
      const body = { owner: { ...owner, otherTenantOrganizationExternalId: name }, financialInstrument: instrument }
      const { newPosition } = await initialize(body)
      expect(await world.records.positionRecord(newPosition)).toMatchObject({
        tenantOrganizationId: 'SYSTEM',
        owner: { onchain: { id: owner.onchainId } },
      })
      expect(
        (await theirApi.send('POST', '/positions/single', { position: { offchainId: newPosition.offchainId } })).status,
      ).toBe(404)
      await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/positions', body)
      const own = await theirApi.ok<NewPosition>(201, 'POST', '/positions', { owner, financialInstrument: instrument })
      expect(own.chainTransaction).toBeUndefined()
      expect(own.newPosition.onchainId).toBe(newPosition.onchainId)
      await world.records.mint(newPosition, 9n)
      await otherRecords.positionsEqualChain(own.newPosition)
      await world.records.positionsEqualChain(newPosition)
      await world.records.accountsEqualChain(feePayer)
      await otherRecords.accountsEqualChain(theirPayer)
    })

    it('refuses a key whose address is used on chain', async () => {
      const keypair = Keypair.generate()
      await world.chain.airdrop(keypair.publicKey.toBase58(), SOL)
      await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/positions', {
        owner: await world.records.account(),
        financialInstrument: instrument,
        position: { privateKeyDetails: { privateKey: bs58.encode(keypair.secretKey) } },
      })
    })

    it('answers 409 to an existing position, also for concurrent requests', async () => {
      const owner = await world.records.account()
      const body = { owner, financialInstrument: instrument }
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => world.api.send<NewPosition>('POST', '/positions', body)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
      await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/positions', body)
      const newPosition = answers.find(({ status }) => status === 201)?.body.newPosition
      await world.records.positionsEqualChain(newPosition!)
      await world.records.accountsEqualChain(feePayer)
    })

    it('refuses an address that is not the associated one, and missing parties', async () => {
      const onchainId = Keypair.generate().publicKey.toBase58()
      const owner = await world.records.account()
      const refuses = (code: string, body: object) => world.api.refuses(400, code, 'POST', '/positions', body)
      await refuses('ADDRESS_MISMATCH', {
        owner,
        financialInstrument: instrument,
        position: { isDerived: true, onchainId },
      })
      await refuses('ACCOUNT_NOT_FOUND', { owner: { onchainId }, financialInstrument: instrument })
      await refuses('INSTRUMENT_NOT_FOUND', { owner, financialInstrument: { onchainId } })
      await refuses('INSTRUMENT_NOT_FOUND', { owner, financialInstrument: owner })
    })
  })

  describe('lookup', () => {
    it('finds a position by id, by owner and instrument, and by an authority with exactly one instrument', async () => {
      const minter = await world.records.account()
      const only = await world.records.instrument(version, minter, { freezeAuthority: authority })
      const owner = await world.records.account()
      const position = await world.records.position(owner, only, 5n)
      const lookups = [
        { position },
        { position: { onchainId: position.onchainId } },
        { owner, financialInstrument: only },
        { position, owner, financialInstrument: only, mintAuthority: minter, freezeAuthority: authority },
        { owner, mintAuthority: minter },
      ]
      for (const lookup of lookups) {
        expect(await world.api.read('/positions/single', lookup), JSON.stringify(lookup)).toMatchObject({
          offchain: { id: position.offchainId },
        })
        expect((await world.api.read<Balance>('/positions/single/balance', lookup)).onchain).toEqual({
          amount: 0.000005,
          lamports: 5,
        })
      }
    })

    it('reports members that disagree, and an empty lookup', async () => {
      const owner = await world.records.account()
      const other = await world.records.account()
      const position = await world.records.position(owner, instrument)
      const elsewhere = await world.records.instrument(version, authority)
      const refuses = (status: number, code: string, lookup: object) =>
        world.api.refuses(status, code, 'POST', '/positions/single/balance', lookup)
      await refuses(400, 'LOOKUP_MISMATCH', { position, owner: other })
      await refuses(400, 'LOOKUP_MISMATCH', { position, financialInstrument: elsewhere })
      for (const named of [{ owner, financialInstrument: instrument }, { position }])
        for (const role of ['mintAuthority', 'freezeAuthority'])
          await refuses(400, 'LOOKUP_MISMATCH', { ...named, [role]: other })
      await refuses(404, 'POSITION_NOT_FOUND', { owner: other, financialInstrument: instrument })
      await refuses(404, 'POSITION_NOT_FOUND', { position: other })
      await refuses(404, 'POSITION_NOT_FOUND', { position: { onchainId: Keypair.generate().publicKey.toBase58() } })
    })

    it('answers 404 for any missing part, at endpoints with a 404', async () => {
      const owner = await world.records.account()
      const onchainId = Keypair.generate().publicKey.toBase58()
      const cases: readonly [string, object, string][] = [
        ['ACCOUNT_NOT_FOUND', { owner: { onchainId }, financialInstrument: instrument }, 'owner'],
        ['INSTRUMENT_NOT_FOUND', { owner, financialInstrument: { onchainId } }, 'financialInstrument'],
        ['INSTRUMENT_NOT_FOUND', { owner, financialInstrument: owner }, 'financialInstrument'],
        ['INSTRUMENT_NOT_FOUND', { owner, mintAuthority: owner }, 'mintAuthority'],
        [
          'ACCOUNT_NOT_FOUND',
          { owner, financialInstrument: instrument, freezeAuthority: { onchainId } },
          'freezeAuthority',
        ],
      ]
      for (const [code, lookup, member] of cases) {
        for (const path of ['/positions/single', '/positions/single/balance']) {
          expect((await world.api.refuses(404, code, 'POST', path, lookup)).pointer).toBe(`/itemData/${member}`)
        }
        const closing = await world.api.refuses(404, code, 'PATCH', '/positions/close', { position: lookup })
        expect(closing.pointer).toBe(`/itemData/position/${member}`)
        await world.api.refuses(400, code, 'POST', '/positions/burn', { source: lookup, lamports: 1 })
      }
    })

    it('finds the instrument by both authorities, within the tenant only', async () => {
      const [minter, freezer, owner] = (await Promise.all([1, 2, 3].map(() => world.records.account()))) as [
        Ids,
        Ids,
        Ids,
      ]
      const one = await world.records.instrument(version, minter, { freezeAuthority: freezer })
      const both = await world.records.instrument(version, minter, { freezeAuthority: authority })
      const [first, second] = [await world.records.position(owner, one), await world.records.position(owner, both)]
      const findAddress = async (lookup: object) =>
        (await world.api.read<Position>('/positions/single', lookup)).onchain.id
      expect(await findAddress({ owner, freezeAuthority: freezer })).toBe(first.onchainId)
      expect(await findAddress({ owner, mintAuthority: minter, freezeAuthority: freezer })).toBe(first.onchainId)
      expect(await findAddress({ owner, mintAuthority: minter, freezeAuthority: authority })).toBe(second.onchainId)
      await world.api.refuses(400, 'LOOKUP_AMBIGUOUS', 'POST', '/positions/single', { owner, mintAuthority: minter })
      await world.api.refuses(404, 'INSTRUMENT_NOT_FOUND', 'POST', '/positions/single', {
        owner,
        mintAuthority: owner,
        freezeAuthority: freezer,
      })

      const name = `LOOKUP_${version}`
      await world.api.ok(201, 'POST', '/admin/organizations', { externalId: name, name })
      const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
        organizationExternalId: name,
        name: 'k',
        bundle: 'ADMIN',
      })
      const otherRecords = world.records.with(world.api.as(apiKey))
      await otherRecords.feePayer()
      // Another tenant names our freezer as its own freeze authority: its instrument is not counted among ours.
      await otherRecords.instrument(version, await otherRecords.account(), { freezeAuthority: freezer })
      expect(await findAddress({ owner, freezeAuthority: freezer })).toBe(first.onchainId)
      await world.api
        .as(apiKey)
        .refuses(404, 'INSTRUMENT_NOT_FOUND', 'POST', '/positions/single', { owner, mintAuthority: minter })
    })

    it('is the same for every operation on a balance', async () => {
      const owner = await world.records.account()
      const other = await world.records.account()
      const position = await world.records.position(owner, instrument, 5n)
      const elsewhere = await world.records.instrument(version, authority)
      for (const lookup of [
        { position, owner: other },
        { position, financialInstrument: elsewhere },
        { position, owner, financialInstrument: elsewhere },
      ]) {
        await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', '/positions/burn', { source: lookup, lamports: 1 })
      }
    })
  })

  it('has the account size that its program requires', async () => {
    const position = await world.records.position(await world.records.account(), instrument)
    const expected = version === 'SPL' ? 165 : getAccountLen([ExtensionType.ImmutableOwner])
    expect((await world.chain.account(position.onchainId))?.data).toHaveLength(expected)
  })
})
