// Pausing, unpausing, the circulating supply and the closing of an instrument. The state of the chain is read with the
// standard library.
import { getPausableConfig } from '@solana/spl-token'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Pair, Result, WithTransaction } from '../models.ts'

const SUPPLY = '/financial-instruments/single/circulating-supply'

interface Supply {
  readonly onchainCirculatingSupply: Pair
  readonly offchainCirculatingSupply: Pair
  readonly outOfBalance: boolean
}

interface Closed extends WithTransaction {
  readonly closedFinancialInstrument: Ids
}

let world: World
let authority: Ids
let feePayer: Ids
let owner: Ids

beforeAll(async () => {
  world = await startWorld()
  authority = await world.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  owner = await world.records.account()
  feePayer = await world.records.feePayer()
})

afterAll(async () => await world.stop())

const patch = <T = Result>(path: string, itemData: object): Promise<T> =>
  world.api.ok<T>(200, 'PATCH', `/financial-instruments/${path}`, itemData)
const refuses = (code: string, path: string, itemData: object) =>
  world.api.refuses(400, code, 'PATCH', `/financial-instruments/${path}`, itemData)
const pausedOnChain = async (ids: Ids): Promise<boolean | undefined> =>
  getPausableConfig(await world.chain.mint(ids.onchainId))?.paused
const outside = () => Keypair.generate().publicKey.toBase58()

describe('pausing', () => {
  it('stops transfers of the instrument until it is unpaused, by the authority that is looked up', async () => {
    const pauser = await world.records.account()
    const instrument = await world.records.instrument('TOKEN_2022', authority, { pausableAuthority: pauser })
    const position = await world.records.position(owner, instrument, 500n)
    const financialInstrument = instrument

    expect(await patch('pause', { financialInstrument })).toMatchObject({ success: true })
    expect(await pausedOnChain(instrument)).toBe(true)
    expect(await world.records.instrumentRecord(instrument)).toMatchObject({ paused: true, status: 'ACTIVE' })
    await world.api.refuses(400, 'INSTRUMENT_PAUSED', 'POST', '/positions/mint', {
      destination: { position },
      lamports: 1,
    })
    await refuses('ALREADY_PAUSED', 'pause', { financialInstrument })

    expect(await patch('unpause', { financialInstrument, pausableAuthority: pauser })).toMatchObject({ success: true })
    expect(await pausedOnChain(instrument)).toBe(false)
    expect((await world.records.instrumentRecord(instrument)).paused).toBe(false)
    await refuses('NOT_PAUSED', 'unpause', { financialInstrument })
    await world.records.mint(position, 1n)
    await world.records.instrumentEqualsChain(instrument)
    await world.records.positionsEqualChain(position)
    await world.records.accountsEqualChain(feePayer)
  })

  it('requires the extension and its authority', async () => {
    const plain = await world.records.instrument('TOKEN_2022', authority)
    await refuses('EXTENSION_MISSING', 'pause', { financialInstrument: plain })
    await refuses('EXTENSION_MISSING', 'unpause', {
      financialInstrument: await world.records.instrument('SPL', authority),
    })
    const instrument = await world.records.instrument('TOKEN_2022', authority, { pausableAuthority: authority })
    await refuses('LOOKUP_MISMATCH', 'pause', { financialInstrument: instrument, pausableAuthority: owner })
    await refuses('INSTRUMENT_NOT_FOUND', 'pause', { financialInstrument: { onchainId: outside() } })
    await refuses('INSTRUMENT_NOT_FOUND', 'pause', { financialInstrument: owner })
  })

  it('waits for the signature of an outside authority', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      pausableAuthority: { onchainId: outside(), offPlatform: true },
    })
    expect(await patch('pause', { financialInstrument: instrument })).toMatchObject({
      status: 'PREPARED',
      success: false,
    })
    expect((await world.records.instrumentRecord(instrument)).paused).toBe(false)
  })
})

describe('the circulating supply', () => {
  it('is returned from the chain and from the books', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, { onchainData: { decimals: 2 } })
    const lookup = { financialInstrument: instrument }
    const read = () => world.api.read<Supply>(SUPPLY, lookup)
    const zero = { amount: 0, lamports: 0 }
    expect(await read()).toEqual({
      onchainCirculatingSupply: zero,
      offchainCirculatingSupply: zero,
      outOfBalance: false,
    })
    const position = await world.records.position(owner, instrument, 12_345n)
    await world.api.ok(201, 'POST', '/positions/burn', { source: { position }, lamports: 45 })
    const some = { amount: 123, lamports: 12_300 }
    expect(await read()).toEqual({
      onchainCirculatingSupply: some,
      offchainCirculatingSupply: some,
      outOfBalance: false,
    })
    expect(await world.chain.supply(instrument.onchainId)).toBe(12_300n)
  })

  it('is returned for instruments only', async () => {
    const path = SUPPLY
    await world.api.refuses(400, 'INSTRUMENT_NOT_FOUND', 'POST', path, { financialInstrument: owner })
    await world.api.refuses(400, 'INSTRUMENT_NOT_FOUND', 'POST', path, {
      financialInstrument: { onchainId: outside() },
    })
  })
})

describe('closing an instrument', () => {
  const members = () => ({ closingAuthority: authority })

  it('removes the mint from the chain and refunds its rent; empty positions can be closed afterwards', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      ...members(),
      onchainData: { name: 'Gone', symbol: 'G' },
    })
    const position = await world.records.position(owner, instrument, 7n)
    const refundDestination = await world.records.account()
    const rent = await world.chain.lamports(instrument.onchainId)
    await refuses('SUPPLY_NOT_ZERO', 'close', { financialInstrumentToClose: instrument })
    await world.api.ok(201, 'POST', '/positions/burn', { source: { position }, lamports: 7 })
    await refuses('LOOKUP_MISMATCH', 'close', { financialInstrumentToClose: instrument, closeAuthority: owner })

    const closing = await patch<Closed>('close', {
      financialInstrumentToClose: instrument,
      refundDestination,
      closeAuthority: authority,
    })
    expect(closing).toMatchObject({ closedFinancialInstrument: instrument, chainTransaction: { success: true } })
    expect(await world.chain.exists(instrument.onchainId)).toBe(false)
    expect(await world.chain.lamports(refundDestination.onchainId)).toBe(rent)
    expect(await world.records.instrumentRecord(instrument)).toMatchObject({
      status: 'CLOSED',
      mintAccount: { status: 'CLOSED', offchain: { lamportsBalance: 0 } },
    })
    await refuses('INSTRUMENT_NOT_FOUND', 'close', { financialInstrumentToClose: instrument })

    await world.api.refuses(400, 'CLOSED', 'POST', '/positions/mint', { destination: { position }, lamports: 1 })
    expect(await world.api.ok<Result>(200, 'PATCH', '/positions/close', { position: { position } })).toMatchObject({
      success: true,
    })
    await world.records.accountsEqualChain(refundDestination, feePayer)
  })

  it('refunds the fee payer unless another account is named, but only the account that paid', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, members())
    await patch('close', { financialInstrumentToClose: instrument })
    expect(await world.chain.exists(instrument.onchainId)).toBe(false)
    await world.records.accountsEqualChain(feePayer)
  })

  it('requires the extension', async () => {
    await refuses('EXTENSION_MISSING', 'close', {
      financialInstrumentToClose: await world.records.instrument('SPL', authority),
    })
    await refuses('EXTENSION_MISSING', 'close', {
      financialInstrumentToClose: await world.records.instrument('TOKEN_2022', authority),
    })
  })

  it('returns rent paid by another organization to that organization', async () => {
    const api = await organization('closers')
    const payer = await world.records.funded({ globalFeePayerForOrgs: ['closers'] })
    const records = world.records.with(api)
    const foreignAuthority = await records.account()
    const instrument = await records.instrument('TOKEN_2022', foreignAuthority, { closingAuthority: foreignAuthority })
    await world.records.accountsEqualChain(payer)
    const close = (more: object) =>
      api.send<Closed>('PATCH', '/financial-instruments/close', { financialInstrumentToClose: instrument, ...more })
    await api.refuses(400, 'RENT_OWED', 'PATCH', '/financial-instruments/close', {
      financialInstrumentToClose: instrument,
      refundDestination: foreignAuthority,
    })
    expect((await close({})).body.chainTransaction).toMatchObject({ success: true })
    await world.records.accountsEqualChain(payer)
    // An instrument of another organization is answered like a missing one.
    await refuses('INSTRUMENT_NOT_FOUND', 'close', {
      financialInstrumentToClose: await records.instrument('TOKEN_2022', foreignAuthority),
    })
  })
})

async function organization(externalId: string) {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: externalId,
    name: 'operator',
    bundle: 'OPERATOR',
  })
  return world.api.as(apiKey)
}
