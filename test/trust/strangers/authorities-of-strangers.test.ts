// Mint, Freeze and Unfreeze of another tenant's tokens need a key of that tenant, which accepts no requests: its
// records are answered as unknown ones are, however they are named. A position of another tenant is a destination of
// the tokens that the caller issues itself.
import { randomUUID } from 'node:crypto'
import { createMint } from '@solana/spl-token'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const FREEZE = ['PATCH', '/positions/freeze'] as const
const UNFREEZE = ['PATCH', '/positions/unfreeze'] as const
const MINT = ['POST', '/positions/mint'] as const

let world: World
let asker: Party
let owner: Party
/** Of the other tenant: its token, its holder, and the holder's position. */
let token: Ids
let holder: Ids
let position: Ids

beforeAll(async () => {
  world = await startWorld()
  ;[asker, owner] = [await newParty(world, 'ASKER'), await newParty(world, 'OWNER')]
  for (const { records } of [asker, owner]) await records.feePayer()
  const authority = await owner.records.account()
  token = await owner.records.instrument('TOKEN_2022', authority, { freezeAuthority: authority })
  holder = await owner.records.account()
  position = await owner.records.position(holder, token, 5n)
})
afterAll(() => world.stop())

const bodyOf = (path: string, lookup: object): object =>
  path === MINT[1] ? { destination: lookup, lamports: 1 } : { position: lookup }

async function refusalOf([method, path]: readonly ['PATCH' | 'POST', string], lookup: object): Promise<unknown> {
  const { status, body } = await asker.api.send<Problems>(method, path, bodyOf(path, lookup))
  return [status, body.errors?.map(({ code, pointer, message }) => ({ code, pointer, message }))]
}

const byId = ({ offchainId }: Ids): object => ({ offchainId })
const unknownId = (): object => ({ offchainId: randomUUID() })

describe.each([FREEZE, UNFREEZE, MINT])("14.10 %s %s of another tenant's position", (...endpoint) => {
  const at = `/itemData/${endpoint[1] === MINT[1] ? 'destination' : 'position'}`

  it.each<readonly [string, string, string, () => readonly [object, object]]>([
    ['its id', 'POSITION_NOT_FOUND', '/position', () => [{ position: byId(position) }, { position: unknownId() }]],
    [
      'its address',
      'POSITION_NOT_FOUND',
      '/position',
      () => [{ position: { onchainId: position.onchainId } }, { position: { onchainId: addressOf('unknown') } }],
    ],
    [
      'the id of its owner',
      'ACCOUNT_NOT_FOUND',
      '/owner',
      () => [
        { owner: byId(holder), financialInstrument: { onchainId: token.onchainId } },
        { owner: unknownId(), financialInstrument: { onchainId: token.onchainId } },
      ],
    ],
    [
      'the id of its instrument',
      'INSTRUMENT_NOT_FOUND',
      '/financialInstrument',
      () => [
        { owner: { onchainId: holder.onchainId, offPlatform: true }, financialInstrument: byId(token) },
        { owner: { onchainId: holder.onchainId, offPlatform: true }, financialInstrument: unknownId() },
      ],
    ],
  ])('is refused by %s', async (_name, code, member, lookups) => {
    const [ofStranger, ofNobody] = lookups()
    const refused = await refusalOf(endpoint, ofStranger)
    expect(refused).toMatchObject([400, [{ code, pointer: `${at}${member}` }]])
    expect(refused).toEqual(await refusalOf(endpoint, ofNobody))
  })

  it('is refused whatever authority is named', async () => {
    const authority = { onchainId: addressOf('some authority'), offPlatform: true }
    const [method, path] = endpoint
    const named = path === MINT[1] ? { mintAuthority: authority } : { freezeAuthority: authority }
    const send = async (lookup: object): Promise<unknown> => {
      const body = { ...bodyOf(path, { position: lookup }), ...named }
      const { status, body: answer } = await asker.api.send<Problems>(method, path, body)
      return [status, answer.errors?.map(({ code, pointer }) => [code, pointer])]
    }
    const refused = await send(byId(position))
    expect(refused).toEqual([400, [['POSITION_NOT_FOUND', `${at}/position`]]])
    expect(refused).toEqual(await send(unknownId()))
  })

  it('by its address with `offPlatform` waits for an outside signature', async () => {
    const named = { position: { onchainId: position.onchainId, offPlatform: true } }
    const [method, path] = endpoint
    if (path === UNFREEZE[1]) await asker.api.refuses(400, 'NOT_FROZEN', method, path, bodyOf(path, named))
    else
      expect(await asker.api.ok<Result>(path === MINT[1] ? 201 : 200, method, path, bodyOf(path, named))).toMatchObject(
        { status: 'PREPARED' },
      )
  })
})

it("control: the issuer mints to another tenant's position, freezes and unfreezes it", async () => {
  const { records, api } = asker
  const authority = await records.account()
  const issued = await records.instrument('TOKEN_2022', authority, { freezeAuthority: authority })
  const held = await owner.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
    owner: holder,
    financialInstrument: { onchainId: issued.onchainId },
  })
  for (const lookup of [byId(held.newPosition), { onchainId: held.newPosition.onchainId }]) {
    const named = { position: lookup }
    for (const [method, path] of [MINT, FREEZE, UNFREEZE])
      expect(
        await api.ok<Result>(path === MINT[1] ? 201 : 200, method, path, bodyOf(path, named)),
        `${path} ${JSON.stringify(lookup)}`,
      ).toMatchObject({ success: true })
  }
})

it('14.10 does not tell that a token has no authority', async () => {
  const plain = await owner.records.instrument('TOKEN_2022', await owner.records.account())
  const held = await owner.records.position(holder, plain, 1n)
  for (const endpoint of [FREEZE, UNFREEZE])
    expect(await refusalOf(endpoint, { position: byId(held) })).toEqual(
      await refusalOf(endpoint, { position: unknownId() }),
    )
})

it('control: an authority on record, whose key is kept elsewhere, is asked', async () => {
  const { chain } = world
  const authority = Keypair.generate()
  const onchainId = authority.publicKey.toBase58()
  await chain.airdrop(onchainId, SOL)
  const mint = await createMint(chain.connection, authority, authority.publicKey, authority.publicKey, 6, undefined, {
    commitment: 'confirmed',
  })
  await owner.api.ok(201, 'POST', '/financial-instruments', {
    mintAccount: { onchainId: mint.toBase58() },
    alreadyOnChain: true,
  })
  const { newPosition } = await owner.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
    owner: holder,
    financialInstrument: { onchainId: mint.toBase58() },
  })
  await asker.records.account({ onchainId, managed: false, alreadyOnchain: true })
  for (const lookup of [byId(newPosition), { onchainId: newPosition.onchainId }])
    for (const [method, path] of [MINT, FREEZE])
      expect(
        await asker.api.ok<Result>(path === MINT[1] ? 201 : 200, method, path, bodyOf(path, { position: lookup })),
      ).toMatchObject({ status: 'PREPARED' })
})

it('control: an organization that accepts requests is asked', async () => {
  await owner.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OWNER', acceptsSigningRequests: true })
  const [method, path] = FREEZE
  expect(await asker.api.ok<Result>(200, method, path, { position: { position: byId(position) } })).toMatchObject({
    status: 'PREPARED',
  })
  const requests = await owner.api.bulk('/transactions/bulk/detailed', {
    filter: [{ fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }],
  })
  expect(requests).toMatchObject({ count: 1 })
})
