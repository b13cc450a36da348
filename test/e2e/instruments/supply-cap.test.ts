// No mint of the service raises the supply of an instrument above its `maxSupply`, by any way of requesting the mint.
import { createMintToInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture } from '../limits/limit-fixture.ts'
import type { Ids, Problems, Result } from '../models.ts'

const PATH = '/financial-instruments'
const MINT = '/positions/mint'
const CODE = 'SUPPLY_CAP_EXCEEDED'

let world: World
let fixture: LimitFixture
let issuer: Ids
let holder: Ids
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  feePayer = await world.records.feePayer()
  issuer = await world.records.account()
  holder = await world.records.account()
})
afterAll(() => world.stop())

interface Capped {
  readonly ids: Ids
  readonly position: Ids
}

/** Decimals 2; `minted` raw units exist. */
async function createCapped(maxSupply: number | string, minted = 0n): Promise<Capped> {
  const ids = await world.records.instrument('TOKEN_2022', issuer, { maxSupply, onchainData: { decimals: 2 } })
  return { ids, position: await world.records.position(holder, ids, minted) }
}
const body = ({ position }: Capped, lamports: number, more: object = {}): object => ({
  destination: { position },
  lamports: String(lamports),
  ...more,
})
const mints = (token: Capped, lamports: number, more: object = {}): Promise<Result> =>
  world.api.ok<Result>(201, 'POST', MINT, body(token, lamports, more))
const refuses = (token: Capped, lamports: number, more: object = {}) =>
  world.api.refuses(400, CODE, 'POST', MINT, body(token, lamports, more))
const change = ({ ids }: Capped, maxSupply: unknown, api = world.api): Promise<unknown> =>
  api.ok(200, 'PATCH', PATH, { mintAccount: ids, maxSupply })
const supply = ({ ids }: Capped): Promise<bigint> => world.chain.supply(ids.onchainId)

describe('maxSupply', () => {
  it('is set at creation, returned, lowered, raised and removed; minting can reach but not exceed it', async () => {
    const token = await createCapped('10.00')
    expect((await world.records.instrumentRecord(token.ids)).maxSupply).toEqual({ amount: 10, lamports: 1_000 })
    expect(await mints(token, 600)).toMatchObject({ success: true })
    await refuses(token, 401)
    expect(await mints(token, 400)).toMatchObject({ success: true })
    await refuses(token, 1)
    // A limit below the supply permits no further mint.
    await change(token, 5)
    await refuses(token, 1)
    await change(token, '10.01')
    expect(await mints(token, 1)).toMatchObject({ success: true })
    await change(token, null)
    expect((await world.records.instrumentRecord(token.ids)).maxSupply).toBeNull()
    expect(await mints(token, 5_000)).toMatchObject({ success: true })
    await change(token, 0)
    await refuses(token, 1)
    expect(await supply(token)).toBe(6_001n)
  })

  it('has at most the decimals of the instrument, also for onboarded tokens', async () => {
    const token = await createCapped(1)
    await world.api.refuses(400, 'TOO_PRECISE', 'PATCH', PATH, { mintAccount: token.ids, maxSupply: '1.001' })
    await world.api.refuses(400, 'OVER_U64', 'PATCH', PATH, {
      mintAccount: token.ids,
      maxSupply: '18446744073709551616',
    })
    const plain = await world.records.instrument('SPL', issuer)
    expect((await world.records.instrumentRecord(plain)).maxSupply).toBeNull()
  })

  it('is lowered by any key that may change the instrument; raised or removed only with the policy role', async () => {
    const organization = await fixture.organization()
    const operator = await fixture.person(organization, 'OPERATOR')
    const admin = await fixture.person(organization, 'ADMIN')
    const records = world.records.with(admin.api)
    await records.feePayer()
    const ids = await records.instrument('SPL', await records.account(), { maxSupply: 100 })
    const token = { ids, position: ids }
    await change(token, 50, operator.api)
    for (const maxSupply of [51, null])
      await operator.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', PATH, { mintAccount: ids, maxSupply })
    await change(token, 51, admin.api)
    expect((await records.instrumentRecord(ids)).maxSupply?.amount).toBe(51)
  })

  it('is enforced for concurrent mints', async () => {
    const token = await createCapped(1)
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        world.api.send<Result & Problems>('POST', MINT, body(token, 9), { headers: { Prefer: 'respond-async' } }),
      ),
    )
    const refusals = answers.filter(({ status }) => status === 400)
    expect(refusals).toHaveLength(14)
    for (const answer of refusals) expect(answer.body.errors?.map(({ code }) => code)).toEqual([CODE])
    await eventually(async () => expect(await supply(token)).toBe(99n))
    await refuses(token, 2)
  })

  it('includes prepared mints, and is evaluated again before a signature', async () => {
    const token = await createCapped(1)
    const prepared = await mints(token, 60, { mintAuthority: { ...issuer, autoSign: false } })
    expect(prepared).toMatchObject({ status: 'PREPARED' })
    await refuses(token, 41)
    await change(token, '0.50')
    await world.api.refuses(400, CODE, 'POST', '/transactions/sign', {
      transaction: { offchainId: prepared.offchainId },
    })
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: prepared.offchainId })
    expect(await mints(token, 50)).toMatchObject({ success: true })
    expect(await supply(token)).toBe(50n)
  })

  it('is enforced for a transaction made elsewhere that Sign signs', async () => {
    const token = await createCapped(1, 60n)
    const keys = [token.ids, token.position, issuer].map(({ onchainId }) => new PublicKey(onchainId)) as [
      PublicKey,
      PublicKey,
      PublicKey,
    ]
    const buildMint = (amount: number) => createMintToInstruction(...keys, amount, [], TOKEN_2022_PROGRAM_ID)
    const foreign = async (...amounts: readonly number[]): Promise<object> => ({
      serializedTransaction: await fixture.foreign(feePayer.onchainId, amounts.map(buildMint)),
    })
    for (const amounts of [[41], [20, 21]]) {
      const {
        status,
        body: { errors },
      } = await world.api.send<Problems>('POST', '/transactions/sign', await foreign(...amounts))
      expect([status, errors?.map(({ code }) => code)]).toEqual([400, [CODE]])
    }
    expect(await supply(token)).toBe(60n)
  })

  it('is enforced for a batch as a whole, before the first item, and in its dry run', async () => {
    const token = await createCapped(1, 40n)
    const items = (count: number): object => ({
      operation: 'MINT',
      items: Array.from({ length: count }, () => body(token, 10)),
    })
    for (const headers of [{}, { 'Holdfast-Dry-Run': 'true' }])
      await world.api.refuses(400, CODE, 'POST', '/batches', items(7), { headers })
    await world.api.ok(201, 'POST', '/batches', items(6))
    await eventually(async () => expect(await supply(token)).toBe(100n))
  })

  it('is enforced for a key granted to another tenant', async () => {
    const [owner, other] = [await fixture.organization(), await fixture.organization()]
    const [ownerPerson, otherPerson] = [await fixture.person(owner, 'ADMIN'), await fixture.person(other, 'ADMIN')]
    const [ownerRecords, otherRecords] = [world.records.with(ownerPerson.api), world.records.with(otherPerson.api)]
    await ownerRecords.feePayer()
    await otherRecords.feePayer()
    const authority = await ownerRecords.account({ orgsAllowedToSignWithPrivateKey: [other] })
    const ids = await ownerRecords.instrument('SPL', authority, { maxSupply: 1, onchainData: { decimals: 2 } })
    const wallet = await otherRecords.account()
    const destination = { owner: wallet, financialInstrument: { onchainId: ids.onchainId } }
    const request = (lamports: string): object => ({
      destination,
      initializeDestinationPositionIfNeeded: true,
      lamports,
    })
    const problem = await otherPerson.api.refuses(400, CODE, 'POST', MINT, request('101'))
    expect(problem.message).not.toContain('maxSupply')
    expect(await otherPerson.api.ok<Result>(201, 'POST', MINT, request('100'))).toMatchObject({ success: true })
    await otherPerson.api.refuses(400, CODE, 'POST', MINT, request('1'))
    expect(await world.chain.supply(ids.onchainId)).toBe(100n)
  })
})
