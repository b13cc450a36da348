// Every member of Update Financial Instrument. The state of the chain is read with the standard library.
import {
  getDefaultAccountState,
  getMintCloseAuthority,
  getPausableConfig,
  getScaledUiAmountConfig,
  getTokenMetadata,
  getTransferHook,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { MintFixture } from './mint-fixture.ts'
import type { Ids, Instrument, Result, WithTransaction } from '../models.ts'

interface Updated extends WithTransaction {
  readonly updatedFinancialInstrument: Ids
  readonly chainTransactions?: readonly Result[]
  readonly chainPlan?: { readonly status: string; readonly steps: number; readonly confirmed: number }
}

let world: World
let authority: Ids
let feePayer: Ids
let fixture: MintFixture

beforeAll(async () => {
  world = await startWorld()
  authority = await world.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  feePayer = await world.records.feePayer()
  fixture = await MintFixture.open(world)
})

afterAll(async () => await world.stop())

const PATH = '/financial-instruments'
const update = (mintAccount: object, changes: object, options = {}): Promise<Updated> =>
  world.api.ok<Updated>(200, 'PATCH', PATH, { mintAccount, ...changes }, options)
const refuses = (code: string, mintAccount: object, changes: object) =>
  world.api.refuses(400, code, 'PATCH', PATH, { mintAccount, ...changes })
const instrument = (members: { readonly [member: string]: unknown; onchainData?: object } = {}) =>
  world.records.instrument('TOKEN_2022', authority, members)
const record = (ids: Ids): Promise<Instrument> => world.records.instrumentRecord(ids)
const mint = (ids: Ids) => world.chain.mint(ids.onchainId)
const metadata = (ids: Ids) =>
  getTokenMetadata(world.chain.connection, new PublicKey(ids.onchainId), 'confirmed', TOKEN_2022_PROGRAM_ID)

function expectSuccess(updated: Updated): Updated {
  expect(updated.chainTransaction, JSON.stringify(updated)).toMatchObject({ success: true })
  return updated
}

async function equalsChain(ids: Ids): Promise<void> {
  await world.records.instrumentEqualsChain(ids)
  const [{ onchainData }, chainMetadata] = await Promise.all([record(ids), metadata(ids)])
  const { name, symbol, uri } = onchainData
  // A text that was never set is empty on chain.
  expect({ name: name ?? '', symbol: symbol ?? '', uri: uri ?? '' }).toEqual({
    name: chainMetadata?.name,
    symbol: chainMetadata?.symbol,
    uri: chainMetadata?.uri,
  })
  expect(onchainData.simpleCustomMetadata ?? {}).toEqual(Object.fromEntries(chainMetadata?.additionalMetadata ?? []))
  const info = await world.chain.account(ids.onchainId)
  expect(BigInt(info?.lamports ?? 0)).toBeGreaterThanOrEqual(await world.chain.rent(info?.data.length ?? 0))
  await world.records.accountsEqualChain(feePayer)
}

describe('metadata on chain', () => {
  it('grows and shrinks; missing rent is paid, and null removes keys', async () => {
    const updater = await world.records.account()
    const ids = await instrument({
      updateAuthority: updater,
      onchainData: { name: 'Gold', symbol: 'GLD', simpleCustomMetadata: { isin: 'DE0001', issuer: 'Bank' } },
    })
    const rent = await world.chain.lamports(ids.onchainId)
    expectSuccess(
      await update(ids, {
        updateAuthority: updater,
        onchainData: {
          name: 'Gold, allocated Ω',
          uri: 'https://example.org/g.json',
          simpleCustomMetadata: { issuer: null, bars: 'x'.repeat(300), name: 'a key' },
        },
      }),
    )
    const chainMetadata = await metadata(ids)
    expect(chainMetadata).toMatchObject({ name: 'Gold, allocated Ω', symbol: 'GLD', uri: 'https://example.org/g.json' })
    expect(Object.fromEntries(chainMetadata?.additionalMetadata ?? [])).toEqual({
      isin: 'DE0001',
      bars: 'x'.repeat(300),
      name: 'a key',
    })
    const info = await world.chain.account(ids.onchainId)
    expect(BigInt(info?.lamports ?? 0)).toBe(await world.chain.rent(info?.data.length ?? 0))
    expect(await world.chain.lamports(ids.onchainId)).toBeGreaterThan(rent)
    await equalsChain(ids)

    expectSuccess(await update(ids, { onchainData: { symbol: 'AU', simpleCustomMetadata: null } }))
    expect((await metadata(ids))?.additionalMetadata).toEqual([])
    expect((await record(ids)).onchainData.simpleCustomMetadata).toBeNull()
    await equalsChain(ids)
  })

  it('is split over several transactions if needed, under one idempotency key', async () => {
    const ids = await instrument({ onchainData: { name: 'Plan', symbol: 'P' } })
    const simpleCustomMetadata = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`part ${index}`, 'y'.repeat(280)]),
    )
    const options = { headers: once('plan of metadata') }
    const updated = expectSuccess(
      await update(ids, { onchainData: { name: 'Planned', simpleCustomMetadata } }, options),
    )
    expect(updated.chainPlan).toMatchObject({ status: 'FINISHED' })
    expect(updated.chainTransactions?.length).toBeGreaterThan(2)
    expect(Object.fromEntries((await metadata(ids))?.additionalMetadata ?? [])).toEqual(simpleCustomMetadata)
    await equalsChain(ids)
    const replay = await update(ids, { onchainData: { name: 'Planned', simpleCustomMetadata } }, options)
    expect(replay.chainTransactions?.map(({ onchainId }) => onchainId)).toEqual(
      updated.chainTransactions?.map(({ onchainId }) => onchainId),
    )
  })

  it('cannot exceed a transaction, nor be added to a mint created without the pointer', async () => {
    const ids = await instrument({ onchainData: { name: 'Big' } })
    const problem = await refuses('TRANSACTION_TOO_LARGE', ids, {
      onchainData: { simpleCustomMetadata: { small: 'a', 'a/b': 'z'.repeat(1100) } },
    })
    expect(problem.pointer).toBe('/itemData/onchainData/simpleCustomMetadata/a~1b')
    const bare = await instrument()
    await refuses('EXTENSION_MISSING', bare, { onchainData: { name: 'Late' } })
  })

  it('can be added to a mint whose metadata pointer names the mint itself', async () => {
    const onboarded = async (mintAuthority: string | null, more: object = {}): Promise<Ids> => {
      const { address } = await fixture.bare(mintAuthority)
      const { newFinancialInstrument } = await world.api.ok<{ newFinancialInstrument: Ids }>(201, 'POST', PATH, {
        mintAccount: { onchainId: address },
        alreadyOnChain: true,
        ...more,
      })
      return newFinancialInstrument
    }
    const updater = await world.records.account()
    const ids = await onboarded(authority.onchainId, { updateAuthority: updater })
    expect(await metadata(ids)).toBeNull()
    const onchainData = {
      name: 'Late',
      symbol: 'LATE',
      uri: 'https://example.org/l.json',
      simpleCustomMetadata: { isin: 'DE0009', terms: 'x'.repeat(700) },
    }
    expectSuccess(await update(ids, { onchainData }))
    expect(await metadata(ids)).toMatchObject({
      updateAuthority: new PublicKey(updater.onchainId),
      name: 'Late',
      symbol: 'LATE',
      uri: 'https://example.org/l.json',
      additionalMetadata: Object.entries(onchainData.simpleCustomMetadata),
    })
    expect((await record(ids)).extensions).toContain('TOKEN_METADATA')
    await equalsChain(ids)
    // From then on it works like any other metadata.
    expectSuccess(await update(ids, { updateAuthority: updater, onchainData: { symbol: 'LT' } }))
    await equalsChain(ids)

    // Only the mint authority may add it.
    await refuses('NO_AUTHORITY', await onboarded(null), { onchainData: { name: 'Late' } })
    expect(await update(await onboarded(null), { onchainData: {} })).not.toHaveProperty('chainTransaction')
  })

  it('of an SPL instrument is stored offchain', async () => {
    const ids = await world.records.instrument('SPL', authority, { onchainData: { name: 'Old', symbol: 'OLD' } })
    expect(await update(ids, { onchainData: { name: 'New', uri: 'https://example.org' } })).toEqual({
      updatedFinancialInstrument: ids,
    })
    expect((await record(ids)).onchainData).toMatchObject({ name: 'New', symbol: 'OLD', uri: 'https://example.org' })
    await refuses('TOKEN_2022_REQUIRED', ids, { onchainData: { simpleCustomMetadata: { a: 'b' } } })
    await refuses('TOKEN_2022_REQUIRED', ids, { scaledUiAmountMultiplier: 2 })
  })
})

describe('offchain members', () => {
  it('change without a transaction', async () => {
    const ids = await instrument({ offchainData: { description: 'before', simpleCustomMetadata: { a: 1 } } })
    const references = { code: 'renamed', name: 'Renamed', type: 'FUNDS_TOKEN' }
    const updated = await update(ids, {
      mintAccountOffchainReferences: references,
      offchainData: {
        description: 'after',
        simpleCustomMetadata: null,
        complexCustomMetadata: { deep: [1, { b: 2 }] },
      },
    })
    expect(updated).toEqual({ updatedFinancialInstrument: ids })
    const now = await record(ids)
    expect(now.offchainData).toMatchObject({
      description: 'after',
      simpleCustomMetadata: null,
      complexCustomMetadata: { deep: [1, { b: 2 }] },
    })
    expect(now.mintAccount.offchain).toMatchObject(references)
    await update({ offchainReferences: { code: 'renamed' } }, { mintAccountOffchainReferences: { code: null } })
    expect((await record(ids)).mintAccount.offchain.code).toBeNull()
  })

  it('change together with a transaction, and a bad reference is reported with its pointer', async () => {
    const ids = await instrument({ pausableAuthority: authority })
    expectSuccess(await update(ids, { paused: true, offchainData: { description: 'paused' } }))
    expect(await record(ids)).toMatchObject({ paused: true, offchainData: { description: 'paused' } })
    const problem = await refuses('MEMBER_NOT_CHANGEABLE', ids, { mintAccountOffchainReferences: { type: 'NONCE' } })
    expect(problem.pointer).toBe('/itemData/mintAccountOffchainReferences/type')
  })
})

describe('extensions', () => {
  it('pause and unpause the instrument', async () => {
    const ids = await instrument({ pausableAuthority: authority })
    expectSuccess(await update(ids, { paused: true, currentPausableAuthority: authority }))
    expect(getPausableConfig(await mint(ids))?.paused).toBe(true)
    await refuses('ALREADY_PAUSED', ids, { paused: true })
    expectSuccess(await update(ids, { paused: false }))
    expect((await record(ids)).paused).toBe(false)
    expect(getPausableConfig(await mint(ids))?.paused).toBe(false)
  })

  it('change the default state, with the freeze authority', async () => {
    const freezer = await world.records.account()
    const ids = await instrument({ freezeAuthority: freezer, defaultPositionState: 'INITIALIZED' })
    expectSuccess(await update(ids, { defaultPositionState: 'FROZEN', freezeAuthority: freezer }))
    expect(getDefaultAccountState(await mint(ids))?.state).toBe(2)
    const owner = await world.records.account()
    const position = await world.records.position(owner, ids)
    expect((await world.records.positionRecord(position)).state).toBe('FROZEN')
    expectSuccess(await update(ids, { defaultPositionState: 'INITIALIZED' }))
    expect((await record(ids)).defaultPositionState).toBe('INITIALIZED')
    expect(getDefaultAccountState(await mint(ids))?.state).toBe(1)
    // An update without a change sends no transaction.
    expect(await update(ids, { defaultPositionState: 'INITIALIZED' })).toEqual({ updatedFinancialInstrument: ids })
    await world.records.positionsEqualChain(position)
  })

  it('change the multiplier at once, and amounts follow', async () => {
    const ids = await instrument({
      scaledUiAmountAuthority: authority,
      scaledUiAmountMultiplier: 2,
      onchainData: { decimals: 2 },
    })
    const position = await world.records.position(await world.records.account(), ids, 1_000n)
    expect((await world.records.positionRecord(position)).balance).toEqual({ amount: 20, lamports: 1_000 })
    expectSuccess(await update(ids, { scaledUiAmountMultiplier: '0.5' }))
    expect(getScaledUiAmountConfig(await mint(ids))).toMatchObject({ multiplier: 0.5, newMultiplier: 0.5 })
    expect((await record(ids)).scaledUiAmountMultiplier).toBe(0.5)
    expect((await world.records.positionRecord(position)).balance).toEqual({ amount: 5, lamports: 1_000 })
  })

  it('set and remove the program of a transfer hook', async () => {
    const program = Keypair.generate().publicKey.toBase58()
    const ids = await instrument({ transferHookAuthority: authority })
    expectSuccess(await update(ids, { transferHookProgram: { onchainId: program, offPlatform: true } }))
    expect(getTransferHook(await mint(ids))?.programId.toBase58()).toBe(program)
    expect((await record(ids)).transferHookProgram?.onchain.id).toBe(program)
    expectSuccess(await update(ids, { transferHookProgram: null }))
    expect(getTransferHook(await mint(ids))?.programId.equals(PublicKey.default)).toBe(true)
    expect((await record(ids)).transferHookProgram).toBeNull()
  })

  it('transfer every authority, and revoke it with null', async () => {
    const next = await world.records.account()
    const ids = await instrument({
      closingAuthority: authority,
      pausableAuthority: authority,
      scaledUiAmountAuthority: authority,
      transferHookAuthority: authority,
    })
    // All other changes are signed by the present authorities, in the same request.
    expectSuccess(
      await update(ids, {
        scaledUiAmountMultiplier: 3,
        paused: true,
        newClosingAuthority: next,
        currentClosingAuthority: authority,
        newPausableAuthority: next,
        newScaledUiAmountAuthority: next,
        newTransferHookAuthority: next,
      }),
    )
    const chainMint = await mint(ids)
    expect(getMintCloseAuthority(chainMint)?.closeAuthority.toBase58()).toBe(next.onchainId)
    expect(getPausableConfig(chainMint)).toMatchObject({ paused: true })
    expect(getPausableConfig(chainMint)?.authority.toBase58()).toBe(next.onchainId)
    expect(getScaledUiAmountConfig(chainMint)?.authority.toBase58()).toBe(next.onchainId)
    expect(getTransferHook(chainMint)?.authority.toBase58()).toBe(next.onchainId)
    const now = await record(ids)
    for (const name of [
      'closingAuthority',
      'pausableAuthority',
      'scaledUiAmountAuthority',
      'transferHookAuthority',
    ] as const) {
      expect(now[name]?.offchain.id, name).toBe(next.offchainId)
    }
    await refuses('LOOKUP_MISMATCH', ids, { newPausableAuthority: authority, currentPausableAuthority: authority })
    expectSuccess(await update(ids, { newScaledUiAmountAuthority: null, currentScaledUiAmountAuthority: next }))
    expect(getScaledUiAmountConfig(await mint(ids))?.authority.equals(PublicKey.default)).toBe(true)
    expect((await record(ids)).scaledUiAmountAuthority).toBeNull()
    await refuses('NO_AUTHORITY', ids, { scaledUiAmountMultiplier: 4 })
    await world.records.instrumentEqualsChain(ids)
  })

  it('are named in the refusal if the mint lacks them', async () => {
    const ids = await instrument()
    const changes = {
      paused: true,
      defaultPositionState: 'FROZEN',
      scaledUiAmountMultiplier: 2,
      transferHookProgram: null,
      newClosingAuthority: authority,
      newTransferHookAuthority: authority,
    }
    for (const [member, value] of Object.entries(changes)) {
      expect((await refuses('EXTENSION_MISSING', ids, { [member]: value })).pointer).toBe(`/itemData/${member}`)
    }
  })
})

describe('an update', () => {
  it('answers 404 for instruments of other organizations, and refuses an empty change', async () => {
    const expectMissing = (lookup: object) =>
      world.api.refuses(404, 'INSTRUMENT_NOT_FOUND', 'PATCH', PATH, { mintAccount: lookup, paused: true })
    await expectMissing({ onchainId: Keypair.generate().publicKey.toBase58() })
    await expectMissing(authority)
    await refuses('REQUIRED', authority, {})
  })

  it('waits for an outside authority, and changes nothing before', async () => {
    const outside = Keypair.generate().publicKey.toBase58()
    const ids = await instrument({
      updateAuthority: { onchainId: outside, offPlatform: true },
      onchainData: { name: 'Theirs' },
    })
    const { chainTransaction } = await update(ids, { onchainData: { name: 'Ours' } })
    expect(chainTransaction).toMatchObject({ status: 'PREPARED', success: false })
    expect((await record(ids)).onchainData.name).toBe('Theirs')
  })

  it('is evaluated against the present state when it is signed', async () => {
    const ids = await instrument({ pausableAuthority: authority })
    const { chainTransaction } = await world.api.ok<Updated>(
      200,
      'PATCH',
      PATH,
      { mintAccount: ids, paused: true },
      {
        headers: { Prefer: 'respond-async' },
      },
    )
    const response = await world.api.send<{ errors?: readonly { code: string }[] }>('PATCH', PATH, {
      mintAccount: ids,
      paused: true,
    })
    expect(response.status).toBe(400)
    expect(['INSTRUMENT_BUSY', 'ALREADY_PAUSED']).toContain(response.body.errors?.[0]?.code)
    await eventually(async () => expect((await record(ids)).paused).toBe(true))
    expect(chainTransaction?.offchainId).toBeDefined()
  })

  it('lets the party that receives the rent back pay for growth', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'growers', name: 'growers' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'growers',
      name: 'administrator',
      bundle: 'ADMIN',
    })
    const payer = await world.records.funded({ canPayFees: true, globalFeePayerForOrgs: ['growers'] })
    const api = world.api.as(apiKey)
    const records = world.records.with(api)
    const foreignAuthority = await records.account()
    const ids = await records.instrument('TOKEN_2022', foreignAuthority, { onchainData: { name: 'Small' } })
    const grow = (name: string, config = {}) =>
      api.send<Updated>('PATCH', PATH, { mintAccount: ids, onchainData: { name } }, config)
    expect((await grow('Larger than before')).body.chainTransaction).toMatchObject({ success: true })
    await world.records.accountsEqualChain(payer)
    const own = await records.account({ canPayFees: true })
    await world.chain.airdrop(own.onchainId, 1_000_000_000n)
    await api.read('/accounts/single/balance', own)
    await api.refuses(
      400,
      'FEE_PAYER_NOT_OWN',
      'PATCH',
      PATH,
      { mintAccount: ids, onchainData: { name: 'x'.repeat(80) } },
      { config: { feePayer: own } },
    )
    expect((await grow('Shrunk', { config: { feePayer: own } })).body.chainTransaction).toMatchObject({ success: true })
  })
})
