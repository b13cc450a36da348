// Freezing and unfreezing within other operations: TOKEN_2022 only, signed by the freeze authority, and refused on SPL.
import { createAssociatedTokenAccount } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { programOf } from '../onchain.ts'
import { SOL } from '../records.ts'

let world: World
let feePayer: Ids
let authority: Ids
let freezer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  freezer = await world.records.account()
})
afterAll(() => world.stop())

async function succeeds(path: string, itemData: object): Promise<Result> {
  const result = await world.api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

const refuses = (code: string, path: string, itemData: object) => world.api.refuses(400, code, 'POST', path, itemData)
const isFrozen = async (position: Ids): Promise<boolean> => (await world.chain.token(position.onchainId)).isFrozen

async function pair(instrument: Ids, lamports: bigint): Promise<[Ids, Ids]> {
  const [one, other] = await Promise.all([world.records.account(), world.records.account()])
  return await Promise.all([
    world.records.position(one, instrument, lamports),
    world.records.position(other, instrument),
  ])
}

describe('TOKEN_2022', () => {
  let instrument: Ids

  beforeAll(async () => {
    instrument = await world.records.instrument('TOKEN_2022', authority, { freezeAuthority: freezer })
  })

  it('thaws before a transfer and freezes again after it, at both ends', async () => {
    const [from, to] = await pair(instrument, 0n)
    await succeeds('/positions/mint', { destination: { position: from }, lamports: 100, freezeDestination: true })
    expect(await isFrozen(from)).toBe(true)
    await refuses('POSITION_FROZEN', '/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      lamports: 1,
    })
    await refuses('POSITION_FROZEN', '/positions/burn', { source: { position: from }, lamports: 1 })
    await world.records.positionsEqualChain(from, to)

    await succeeds('/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      lamports: 10,
      unfreezeSource: true,
      freezeSource: true,
      freezeDestination: true,
    })
    expect([await isFrozen(from), await isFrozen(to)]).toEqual([true, true])
    await succeeds('/positions/transfer', {
      source: { position: from, freezeAuthority: freezer },
      destination: { position: to },
      lamports: 10,
      unfreezeSource: true,
      unfreezeDestination: true,
    })
    expect([await isFrozen(from), await isFrozen(to)]).toEqual([false, false])
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([80n, 20n])
    await succeeds('/positions/burn', { source: { position: from }, lamports: 5, freezeSource: true })
    await succeeds('/positions/burn', { source: { position: from }, lamports: 5, unfreezeSource: true })
    await succeeds('/positions/mint', { destination: { position: to }, lamports: 5, unfreezeDestination: true })
    expect([await isFrozen(from), await isFrozen(to)]).toEqual([false, false])
    await world.records.positionsEqualChain(from, to)
    await world.records.instrumentEqualsChain(instrument)
    await world.records.accountsEqualChain(feePayer)
  })

  it('requires only the freeze authority to sign', async () => {
    const [position] = await pair(instrument, 1n)
    const body = { source: { position }, lamports: 1, freezeSource: true }
    await refuses('LOOKUP_MISMATCH', '/positions/burn', { ...body, source: { position, freezeAuthority: authority } })
    const { onchainId } = await succeeds('/positions/burn', body)
    const { message } = (await world.chain.transaction(onchainId!)).transaction
    const signers = message.staticAccountKeys
      .slice(0, message.header.numRequiredSignatures)
      .map((key) => key.toBase58())
    expect(signers).toContain(freezer.onchainId)
    const without = await world.records.position(
      await world.records.account(),
      await world.records.instrument('TOKEN_2022', authority),
      1n,
    )
    await refuses('NO_AUTHORITY', '/positions/burn', { source: { position: without }, lamports: 1, freezeSource: true })
  })

  it('refuses a transfer to a frozen position before a fee is paid', async () => {
    const [from, to] = await pair(instrument, 10n)
    await succeeds('/positions/mint', { destination: { position: to }, lamports: 1, freezeDestination: true })
    const before = await world.chain.lamports(feePayer.onchainId)
    await refuses('POSITION_FROZEN', '/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      lamports: 1,
    })
    await refuses('POSITION_FROZEN', '/positions/mint', { destination: { position: to }, lamports: 1 })
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await world.records.positionsEqualChain(from, to)
  })

  it('closes a frozen position that is empty, and one with a balance only with the option to thaw', async () => {
    const [position, to] = await pair(instrument, 0n)
    await succeeds('/positions/mint', { destination: { position }, lamports: 9, freezeDestination: true })
    const close = { position: { position }, transferRemainingTokenBalanceTo: { position: to } }
    await world.api.refuses(400, 'POSITION_FROZEN', 'PATCH', '/positions/close', close)
    const thawing = { ...close, unfreezeIfNeeded: true, freezeAuthority: feePayer }
    const problem = await world.api.refuses(400, 'LOOKUP_MISMATCH', 'PATCH', '/positions/close', thawing)
    expect(problem.pointer).toBe('/itemData/freezeAuthority')
    const closing = await world.api.ok<Result>(200, 'PATCH', '/positions/close', { ...close, unfreezeIfNeeded: true })
    expect(closing.success, JSON.stringify(closing)).toBe(true)
    expect(await world.chain.tokens(to.onchainId)).toBe(9n)
    expect(await world.chain.exists(position.onchainId)).toBe(false)

    const [empty] = await pair(instrument, 1n)
    await succeeds('/positions/burn', { source: { position: empty }, lamports: 1, freezeSource: true })
    expect(await isFrozen(empty)).toBe(true)
    const closingResult = await world.api.ok<Result>(200, 'PATCH', '/positions/close', {
      position: { position: empty },
    })
    expect(closingResult.success, JSON.stringify(closingResult)).toBe(true)
    expect(await world.chain.exists(empty.onchainId)).toBe(false)
    await world.records.positionsEqualChain(to)
    await world.records.accountsEqualChain(feePayer)
  })

  it('closes into a position only if that is not frozen', async () => {
    const [position, to] = await pair(instrument, 3n)
    await world.api.ok(200, 'PATCH', '/positions/freeze', { position: { position: to } })
    const body = { position: { position }, transferRemainingTokenBalanceTo: { position: to } }
    const problem = await world.api.refuses(400, 'POSITION_FROZEN', 'PATCH', '/positions/close', body)
    expect(problem.pointer).toBe('/itemData/transferRemainingTokenBalanceTo')
    await world.api.ok(200, 'PATCH', '/positions/unfreeze', { position: { position: to } })
    expect((await world.api.ok<Result>(200, 'PATCH', '/positions/close', body)).success).toBe(true)
    expect(await world.chain.tokens(to.onchainId)).toBe(3n)
    await world.records.positionsEqualChain(to)
  })

  describe('frozen by default', () => {
    let byDefault: Ids

    beforeAll(async () => {
      byDefault = await world.records.instrument('TOKEN_2022', authority, {
        freezeAuthority: freezer,
        defaultPositionState: 'FROZEN',
      })
    })

    it('opens frozen positions', async () => {
      const position = await world.records.position(await world.records.account(), byDefault)
      expect(await isFrozen(position)).toBe(true)
      expect((await world.records.positionRecord(position)).state).toBe('FROZEN')
      await world.records.positionsEqualChain(position)
    })

    it('closes empty positions frozen, and those with a balance only with the option to thaw', async () => {
      const [owner, other] = await Promise.all([world.records.account(), world.records.account()])
      const [empty, full] = [
        await world.records.position(owner, byDefault),
        await world.records.position(other, byDefault),
      ]
      expect(
        (await world.api.ok<Result>(200, 'PATCH', '/positions/close', { position: { position: empty } })).success,
      ).toBe(true)
      await succeeds('/positions/mint', {
        destination: { position: full },
        lamports: 2,
        unfreezeDestination: true,
        freezeDestination: true,
      })
      const body = { position: { position: full }, burnRemainingTokenBalance: true }
      await world.api.refuses(400, 'POSITION_FROZEN', 'PATCH', '/positions/close', body)
      await world.api.refuses(400, 'LOOKUP_MISMATCH', 'PATCH', '/positions/close', {
        ...body,
        unfreezeIfNeeded: true,
        freezeAuthority: authority,
      })
      const closing = await world.api.ok<Result>(200, 'PATCH', '/positions/close', {
        ...body,
        unfreezeIfNeeded: true,
        freezeAuthority: freezer,
      })
      expect(closing.success, JSON.stringify(closing)).toBe(true)
      // The destination is frozen from the start: the request is refused before anything is signed.
      const third = await world.records.position(other, byDefault)
      await succeeds('/positions/mint', { destination: { position: third }, lamports: 2, unfreezeDestination: true })
      await world.api.refuses(400, 'POSITION_FROZEN', 'PATCH', '/positions/close', {
        position: { position: third },
        transferRemainingTokenBalanceTo: { owner, financialInstrument: byDefault },
        initializeDestinationPositionIfNeeded: true,
      })
      await world.records.positionsEqualChain(third)
      await world.records.instrumentEqualsChain(byDefault)
      await world.records.accountsEqualChain(feePayer)
    })

    it('opens, thaws, transfers and freezes in one transaction', async () => {
      const [owner, heir] = await Promise.all([world.records.account(), world.records.account()])
      const at = (holder: Ids) => ({ owner: holder, financialInstrument: byDefault })
      await succeeds('/positions/mint', {
        destination: at(owner),
        lamports: 50,
        initializeDestinationPositionIfNeeded: true,
        unfreezeDestination: true,
        freezeDestination: true,
      })
      await succeeds('/positions/transfer', {
        source: at(owner),
        destination: at(heir),
        lamports: 20,
        initializeDestinationPositionIfNeeded: true,
        unfreezeSource: true,
        unfreezeDestination: true,
        freezeDestination: true,
      })
      const [one, other] = await Promise.all(
        [owner, heir].map(async (holder) => {
          const { onchain, offchain } = await world.api.read<{ onchain: { id: string }; offchain: { id: string } }>(
            '/positions/single',
            at(holder),
          )
          return { onchainId: onchain.id, offchainId: offchain.id }
        }),
      )
      expect([await isFrozen(one!), await isFrozen(other!)]).toEqual([false, true])
      expect([await world.chain.tokens(one!.onchainId), await world.chain.tokens(other!.onchainId)]).toEqual([30n, 20n])
      await world.records.positionsEqualChain(one!, other!)
      await world.records.accountsEqualChain(feePayer)
    })
  })
})

describe('SPL', () => {
  it('refuses every flag for freezing', async () => {
    const instrument = await world.records.instrument('SPL', authority, { freezeAuthority: freezer })
    const [from, to] = await pair(instrument, 10n)
    for (const flag of ['unfreezeSource', 'freezeSource', 'unfreezeDestination', 'freezeDestination']) {
      const body = { source: { position: from }, destination: { position: to }, lamports: 1, [flag]: true }
      const { pointer } = await refuses('TOKEN_2022_REQUIRED', '/positions/transfer', body)
      expect(pointer).toBe(`/itemData/${flag}`)
    }
    for (const flag of ['unfreezeSource', 'freezeSource']) {
      const body = { source: { position: from }, lamports: 1, [flag]: true }
      expect((await refuses('TOKEN_2022_REQUIRED', '/positions/burn', body)).pointer).toBe(`/itemData/${flag}`)
    }
    await world.api.refuses(400, 'TOKEN_2022_REQUIRED', 'PATCH', '/positions/close', {
      position: { position: from },
      burnRemainingTokenBalance: true,
      unfreezeIfNeeded: true,
    })
    for (const flag of ['unfreezeDestination', 'freezeDestination']) {
      const body = { destination: { position: from }, lamports: 1, [flag]: true }
      expect((await refuses('TOKEN_2022_REQUIRED', '/positions/mint', body)).pointer).toBe(`/itemData/${flag}`)
    }
    expect(await world.chain.tokens(from.onchainId)).toBe(10n)
    await world.records.positionsEqualChain(from, to)
  })
})

describe.each(['SPL', 'TOKEN_2022'] as const)('one position of %s', (version) => {
  const change = (path: string, itemData: object) => world.api.ok<Result>(200, 'PATCH', `/positions/${path}`, itemData)
  const refusesChange = (code: string, path: string, itemData: object) =>
    world.api.refuses(400, code, 'PATCH', `/positions/${path}`, itemData)

  it('is frozen and thawed by its freeze authority, found or named, without effect on other positions', async () => {
    const instrument = await world.records.instrument(version, authority, { freezeAuthority: freezer })
    const [one, other] = await pair(instrument, 5n)
    await refusesChange('NOT_FROZEN', 'unfreeze', { position: { position: one } })
    expect(await change('freeze', { position: { position: one } })).toMatchObject({ success: true })
    expect([await isFrozen(one), await isFrozen(other)]).toEqual([true, false])
    expect(await world.records.positionRecord(one)).toMatchObject({ state: 'FROZEN' })
    await refusesChange('ALREADY_FROZEN', 'freeze', { position: { position: one } })
    await refusesChange('LOOKUP_MISMATCH', 'unfreeze', { position: { position: one }, freezeAuthority: authority })
    expect(await change('unfreeze', { position: { position: one }, freezeAuthority: freezer })).toMatchObject({
      success: true,
    })
    expect(await isFrozen(one)).toBe(false)
    await world.records.positionsEqualChain(one, other)
  })

  it('of an unknown owner is frozen by its address', async () => {
    const instrument = await world.records.instrument(version, authority, { freezeAuthority: freezer })
    const holder = await world.records.account()
    const own = await world.records.position(holder, instrument)
    const keypair = Keypair.generate()
    await world.chain.airdrop(keypair.publicKey.toBase58(), SOL)
    const mint = new PublicKey(instrument.onchainId)
    const account = await createAssociatedTokenAccount(
      world.chain.connection,
      keypair,
      mint,
      keypair.publicKey,
      {},
      programOf(version),
    )
    const stranger = account.toBase58()
    const position = { position: { onchainId: stranger, offPlatform: true }, financialInstrument: instrument }
    expect(await change('freeze', { position })).toMatchObject({ success: true })
    expect((await world.chain.token(stranger)).isFrozen).toBe(true)
    await refusesChange('ALREADY_FROZEN', 'freeze', { position })
    expect(await isFrozen(own)).toBe(false)
  })

  it('without a freeze authority cannot be frozen', async () => {
    const instrument = await world.records.instrument(version, authority)
    const [one] = await pair(instrument, 0n)
    await refusesChange('NO_AUTHORITY', 'freeze', { position: { position: one } })
  })
})

it('changes the record of a position, and nothing on chain', async () => {
  const instrument = await world.records.instrument('TOKEN_2022', authority)
  const [one] = await pair(instrument, 3n)
  const body = { position: { position: one }, comments: 'c', offchainReferences: { code: 'P-1' }, tokenDebitLimits: [] }
  const { updatedPosition } = await world.api.ok<{ updatedPosition: Ids }>(200, 'PATCH', '/positions', body)
  expect(updatedPosition).toEqual(one)
  expect(await world.records.positionRecord(one)).toMatchObject({
    comments: 'c',
    offchain: { code: 'P-1' },
    tokenDebitLimits: [],
    defaultDebitLimits: [],
  })
  await world.api.ok(200, 'PATCH', '/positions', {
    position: { position: one },
    comments: null,
    tokenDebitLimits: null,
  })
  expect(await world.records.positionRecord(one)).toMatchObject({
    comments: null,
    tokenDebitLimits: [],
    defaultDebitLimits: ['tokenDebitLimits'],
  })
  await world.records.positionsEqualChain(one)
})
