// Closing positions over HTTP: the remaining tokens, the recipient of the rent, and the reasons for a refusal.
import { createAssociatedTokenAccount } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Ids, NewPosition, Position, Result } from './models.ts'
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
const close = (itemData: object): Promise<Result> => world.api.ok<Result>(200, 'PATCH', '/positions/close', itemData)

describe.each(VERSIONS)('%s', (version) => {
  let instrument: Ids

  beforeAll(async () => {
    instrument = await world.records.instrument(version, authority, { freezeAuthority: authority })
  })

  it('closes an empty position and gives the rent to the fee payer', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument)
    const before = await world.chain.lamports(feePayer.onchainId)
    const rent = await world.chain.lamports(position.onchainId)
    const result = await close({ position: { position }, refundSolToFeePayer: true })
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await world.chain.exists(position.onchainId)).toBe(false)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(
      before + rent - (await world.chain.fee(result.onchainId!)),
    )
    expect(await world.records.positionRecord(position)).toMatchObject({
      state: 'CLOSED',
      status: 'CLOSED',
      balance: { lamports: 0 },
    })
    await world.records.accountsEqualChain(feePayer)
  })

  it('names a freeze authority that is none, also of a position that is not frozen', async () => {
    const position = await world.records.position(await world.records.account(), instrument)
    const body = { position: { position }, freezeAuthority: feePayer }
    const problem = await world.api.refuses(400, 'LOOKUP_MISMATCH', 'PATCH', '/positions/close', body)
    expect(problem.pointer).toBe('/itemData/freezeAuthority')
    expect((await close({ ...body, freezeAuthority: authority })).success).toBe(true)
  })

  it('shows a balance of 0 for a closed position whose address holds network currency', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument)
    await close({ position: { position } })
    await world.chain.airdrop(position.onchainId, SOL)
    const balance = await world.api.read('/positions/single/balance', { position })
    expect(balance).toMatchObject({ onchain: { lamports: 0 }, offchain: { lamports: 0 }, outOfBalance: false })
  })

  it('burns the remaining tokens', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 1_234n)
    const supply = await world.chain.supply(instrument.onchainId)
    await world.api.refuses(400, 'POSITION_NOT_EMPTY', 'PATCH', '/positions/close', { position: { position } })
    const result = await close({ position: { position }, burnRemainingTokenBalance: true })
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await world.chain.supply(instrument.onchainId)).toBe(supply - 1_234n)
    await world.records.instrumentEqualsChain(instrument)
  })

  it('transfers the remaining tokens, and the rent to another account', async () => {
    const [owner, heir] = await Promise.all([world.records.account(), world.records.funded({}, SOL)])
    const position = await world.records.position(owner, instrument, 99n)
    const target = await world.records.position(heir, instrument, 1n)
    const rent = await world.chain.lamports(position.onchainId)
    const result = await close({
      position: { owner, financialInstrument: instrument },
      transferRemainingTokenBalanceTo: { position: target },
      refundDestination: heir,
    })
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await world.chain.tokens(target.onchainId)).toBe(100n)
    expect(await world.chain.lamports(heir.onchainId)).toBe(SOL + rent)
    await world.records.positionsEqualChain(target)
    await world.records.accountsEqualChain(heir, feePayer)
  })

  it('transfers the remaining tokens to a position opened on request, or to an owner without an account', async () => {
    const heir = await world.records.account({ tokenDebitLimits: [] })
    const target = { owner: heir, financialInstrument: instrument }
    const position = await world.records.position(await world.records.account(), instrument, 7n)
    const body = { position: { position }, transferRemainingTokenBalanceTo: target }
    await world.api.refuses(400, 'POSITION_NOT_FOUND', 'PATCH', '/positions/close', body)
    const result = await close({ ...body, initializeDestinationPositionIfNeeded: true })
    expect(result.success, JSON.stringify(result)).toBe(true)
    const { onchain, offchain } = await world.api.read<Position>('/positions/single', target)
    expect(await world.chain.tokens(onchain.id)).toBe(7n)
    const heirs = { onchainId: onchain.id, offchainId: offchain.id }
    await world.records.positionsEqualChain(heirs)

    const outside = Keypair.generate()
    await world.chain.airdrop(outside.publicKey.toBase58(), SOL)
    const mint = new PublicKey(instrument.onchainId)
    const account = await createAssociatedTokenAccount(
      world.chain.connection,
      outside,
      mint,
      outside.publicKey,
      undefined,
      programOf(version),
    )
    const lookup = { position: { onchainId: account.toBase58(), offPlatform: true } }
    expect((await close({ position: { position: heirs }, transferRemainingTokenBalanceTo: lookup })).success).toBe(true)
    expect(await world.chain.tokens(account.toBase58())).toBe(7n)
    await world.records.accountsEqualChain(feePayer)
  })

  it('closes a position with a key of its own, with tokens deposited from outside', async () => {
    const owner = await world.records.account()
    const { newPosition } = await initialize({ owner, financialInstrument: instrument, position: { managed: true } })
    await world.records.mint(newPosition, 5n)
    const gift = 1_234_567n
    await world.chain.airdrop(newPosition.onchainId, gift)
    const before = await world.chain.lamports(feePayer.onchainId)
    const lamports = await world.chain.lamports(newPosition.onchainId)
    const result = await close({ position: { position: newPosition }, burnRemainingTokenBalance: true })
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await world.chain.exists(newPosition.onchainId)).toBe(false)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(
      before + lamports - (await world.chain.fee(result.onchainId!)),
    )
    expect(await world.records.positionRecord(newPosition)).toMatchObject({
      state: 'CLOSED',
      balance: { lamports: 0 },
      offchain: { lamportsBalance: 0 },
    })
    await world.records.accountsEqualChain(feePayer)
    await world.records.instrumentEqualsChain(instrument)
    await world.api.refuses(404, 'POSITION_NOT_FOUND', 'PATCH', '/positions/close', {
      position: { position: newPosition },
    })
  })

  it('does not conflict with a pending transfer, in either order', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 9n)
    const target = await world.records.position(await world.records.account(), instrument)
    const { offchainId } = await world.api.ok<Result>(201, 'POST', '/positions/transfer', {
      source: { position, owner: { ...owner, autoSign: false } },
      destination: { position: target },
      lamports: 4,
    })
    await world.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    await world.api.refuses(400, 'POSITION_BUSY', 'PATCH', '/positions/close', {
      position: { position },
      burnRemainingTokenBalance: true,
    })
    expect(
      (await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })).success,
    ).toBe(true)
    expect(
      (await close({ position: { position }, transferRemainingTokenBalanceTo: { position: target } })).success,
    ).toBe(true)
    expect(await world.chain.tokens(target.onchainId)).toBe(9n)
    await world.records.positionsEqualChain(target)
  })

  it('can be initialized again, as a new record with the same address', async () => {
    const owner = await world.records.account()
    const first = await world.records.position(owner, instrument, 3n)
    await close({ position: { position: first }, burnRemainingTokenBalance: true })
    const secondPosition = await world.records.position(owner, instrument, 4n)
    expect(secondPosition.onchainId).toBe(first.onchainId)
    expect(secondPosition.offchainId).not.toBe(first.offchainId)
    expect((await world.records.positionRecord(first)).state).toBe('CLOSED')
    const firstRecord = await world.api.read<Position>('/positions/single', {
      position: { onchainId: first.onchainId },
    })
    expect(firstRecord.offchain.id).toBe(secondPosition.offchainId)
    await world.records.positionsEqualChain(secondPosition)
    await world.api.refuses(404, 'POSITION_NOT_FOUND', 'PATCH', '/positions/close', {
      position: { position: { offchainId: first.offchainId } },
    })
  })

  it('refuses contradictory requests, and answers 404 for missing records', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 1n)
    const elsewhere = await world.records.position(owner, await world.records.instrument(version, authority))
    const refuses = (status: number, code: string, body: object) =>
      world.api.refuses(status, code, 'PATCH', '/positions/close', body)
    await refuses(400, 'MUTUALLY_EXCLUSIVE', {
      position: { position },
      refundSolToFeePayer: true,
      refundSolDestination: owner,
    })
    await refuses(400, 'MUTUALLY_EXCLUSIVE', {
      position: { position },
      burnRemainingTokenBalance: true,
      transferRemainingTokenBalanceTo: { position },
    })
    await refuses(400, 'INSTRUMENT_MISMATCH', {
      position: { position },
      transferRemainingTokenBalanceTo: { position: elsewhere },
    })
    await refuses(400, 'SAME_POSITION', { position: { position }, transferRemainingTokenBalanceTo: { position } })
    await refuses(404, 'POSITION_NOT_FOUND', { position: { owner: feePayer, financialInstrument: instrument } })
    expect(await world.chain.tokens(position.onchainId)).toBe(1n)
    await world.records.positionsEqualChain(position)
  })
})
