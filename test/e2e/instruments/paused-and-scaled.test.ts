// Paused instruments and instruments with a multiplier, set by the service, by an outside party, and for a future time.
import { pause, resume, updateMultiplier } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Balance, Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'

let world: World
let feePayer: Ids
let authority: Ids
/** The holder of authorities, which is not onboarded. */
let outsider: Keypair

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  outsider = Keypair.generate()
  await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
})
afterAll(() => world.stop())

const outside = () => ({ onchainId: outsider.publicKey.toBase58(), offPlatform: true })
const mintOf = ({ onchainId }: Ids): PublicKey => new PublicKey(onchainId)

async function pair(instrument: Ids, lamports: bigint): Promise<[Ids, Ids]> {
  const [one, other] = await Promise.all([world.records.account(), world.records.account()])
  return await Promise.all([
    world.records.position(one, instrument, lamports),
    world.records.position(other, instrument),
  ])
}

async function succeeds(path: string, itemData: object): Promise<Result> {
  const result = await world.api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

describe('paused', () => {
  /** All operations that move the instrument, as method, path and body. */
  const movements = (from: Ids, to: Ids): readonly (readonly ['POST' | 'PATCH', string, object])[] => [
    ['POST', '/positions/transfer', { source: { position: from }, destination: { position: to }, lamports: 1 }],
    ['POST', '/positions/mint', { destination: { position: to }, lamports: 1 }],
    ['POST', '/positions/burn', { source: { position: from }, lamports: 1 }],
    ['PATCH', '/positions/close', { position: { position: from }, burnRemainingTokenBalance: true }],
    ['PATCH', '/positions/close', { position: { position: from }, transferRemainingTokenBalanceTo: { position: to } }],
    [
      'POST',
      '/positions/trade',
      {
        legs: [
          { source: { position: from }, destination: { position: to }, lamports: 1 },
          { source: feePayer, destination: authority, lamports: 1_000_000 },
        ],
      },
    ],
  ]

  it('transfers and payments are refused; freezing, opening and closing empty positions continue', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      pausableAuthority: authority,
      freezeAuthority: authority,
    })
    const [from, to] = await pair(instrument, 10n)
    const [empty] = await pair(instrument, 0n)
    await world.api.ok(200, 'PATCH', '/financial-instruments/pause', { financialInstrument: instrument })
    const before = await world.chain.lamports(feePayer.onchainId)
    for (const [method, path, body] of movements(from, to))
      await world.api.refuses(400, 'INSTRUMENT_PAUSED', method, path, body)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    for (const path of ['freeze', 'unfreeze']) {
      const answer = await world.api.ok<Result>(200, 'PATCH', `/positions/${path}`, { position: { position: from } })
      expect(answer.success, JSON.stringify(answer)).toBe(true)
    }
    const closing = await world.api.ok<Result>(200, 'PATCH', '/positions/close', { position: { position: empty } })
    expect(closing.success, JSON.stringify(closing)).toBe(true)
    const newPosition = await world.records.position(await world.records.account(), instrument)
    await world.api.ok(200, 'PATCH', '/financial-instruments/unpause', { financialInstrument: instrument })
    await succeeds('/positions/transfer', { source: { position: from }, destination: { position: to }, lamports: 1 })
    await world.records.positionsEqualChain(from, to, newPosition)
    await world.records.accountsEqualChain(feePayer)
  })

  it('by an outside authority is enforced by the chain until observed; an unpause takes effect at once', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, { pausableAuthority: outside() })
    const [from, to] = await pair(instrument, 10n)
    await pause(world.chain.connection, outsider, mintOf(instrument), outsider)
    const body = { source: { position: from }, destination: { position: to }, lamports: 1 }
    const response = await world.api.send<Result & Problems>('POST', '/positions/transfer', body)
    // The mint is in use, so its pause may have been observed before the request.
    if (response.status === 201) expect(response.body.success).toBe(false)
    else expect(response.body.errors?.map(({ code }) => code)).toEqual(['INSTRUMENT_PAUSED'])
    await eventually(async () => expect((await world.records.positionRecord(from)).reserved.lamports).toBe(0))
    await world.api.read('/financial-instruments/single/circulating-supply', { financialInstrument: instrument })
    await world.api.refuses(400, 'INSTRUMENT_PAUSED', 'POST', '/positions/transfer', body)
    await resume(world.chain.connection, outsider, mintOf(instrument), outsider)
    await succeeds('/positions/transfer', body)
    await world.records.positionsEqualChain(from, to)
    await world.records.accountsEqualChain(feePayer)
  })
})

describe('a scaled instrument', () => {
  const readBalance = async (position: Ids) =>
    (await world.api.read<Balance>('/positions/single/balance', { position })).offchain
  const uiAmount = async (position: Ids): Promise<string> =>
    (await world.chain.connection.getTokenAccountBalance(new PublicKey(position.onchainId))).value.uiAmountString ?? ''

  it('uses the multiplier set by an outside authority, for requests and for answers', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      scaledUiAmountAuthority: outside(),
      scaledUiAmountMultiplier: 2,
    })
    const [from, to] = await pair(instrument, 9_000_000n)
    await updateMultiplier(world.chain.connection, outsider, mintOf(instrument), outsider, 3, 0n)
    await succeeds('/positions/transfer', { source: { position: from }, destination: { position: to }, amount: 6 })
    expect(await world.chain.tokens(to.onchainId)).toBe(2_000_000n)
    expect(await readBalance(to)).toEqual({ amount: 6, lamports: 2_000_000 })
    expect(await uiAmount(to)).toBe('6')
    // A third of a unit is rounded down, and never to zero.
    await succeeds('/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      amount: '0.000005',
    })
    expect(await world.chain.tokens(to.onchainId)).toBe(2_000_001n)
    await world.api.refuses(400, 'NOT_POSITIVE', 'POST', '/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      amount: '0.000002',
    })
    await world.records.positionsEqualChain(from, to)
  })

  it('changes at the effective time stored on chain', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      scaledUiAmountAuthority: outside(),
      scaledUiAmountMultiplier: 2,
    })
    const [from, to] = await pair(instrument, 8_000_000n)
    const becomesFour = async (inSeconds: number): Promise<void> => {
      const at = BigInt(Math.floor(Date.now() / 1000) + inSeconds)
      await updateMultiplier(world.chain.connection, outsider, mintOf(instrument), outsider, 4, at)
      // The service reads the mint.
      await world.api.read('/financial-instruments/single/circulating-supply', { financialInstrument: instrument })
    }
    await becomesFour(3_600)
    const move = () =>
      succeeds('/positions/transfer', { source: { position: from }, destination: { position: to }, amount: 4 })
    await move()
    expect(await world.chain.tokens(to.onchainId)).toBe(2_000_000n)
    expect(await readBalance(to)).toEqual({ amount: 4, lamports: 2_000_000 })
    expect(await world.records.instrumentRecord(instrument)).toMatchObject({ scaledUiAmountMultiplier: 2 })
    await becomesFour(5)
    // The service does not query the chain for a record, and the record changes all the same.
    await eventually(async () =>
      expect((await world.records.instrumentRecord(instrument)).scaledUiAmountMultiplier).toBe(4),
    )
    expect((await world.records.positionRecord(to)).balance).toEqual({ amount: 8, lamports: 2_000_000 })
    await eventually(async () => expect(await uiAmount(to)).toBe('8'))
    await move()
    expect(await world.chain.tokens(to.onchainId)).toBe(3_000_000n)
    await world.records.positionsEqualChain(from, to)
  })
})
