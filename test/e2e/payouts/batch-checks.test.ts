// The checks of a batch as a whole before its first item is executed, and the answer of a dry run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBatchWorld, type BatchWorld } from './batch-world.ts'
import { BATCHES, type BatchFixture, type Estimate } from './batch-fixture.ts'
import type { World } from '../harness.ts'
import type { Ids, Problems } from '../models.ts'

let world: World
let fixture: BatchFixture
let cash: Ids
let treasury: Ids
let positions: readonly Ids[]
let holders: readonly Ids[]
let tokens: BatchWorld['tokens']

beforeAll(async () => {
  ;({ world, fixture, cash, treasury, positions, holders, tokens } = await startBatchWorld())
})
afterAll(() => world.stop())

const refusal = async (itemData: object): Promise<Problems> => {
  const { status, body } = await world.api.send<Problems>('POST', BATCHES, itemData)
  expect(status, JSON.stringify(body)).toBe(400)
  return body
}
const problems = ({ errors }: Problems) => errors!.map(({ code, pointer }) => [code, pointer])

describe('before the first item', () => {
  it('all problems of all items are reported, each with its pointer', async () => {
    const good = { source: { position: treasury }, destination: { position: positions[0]! }, lamports: 1 }
    const malformed = await refusal({
      operation: 'TRANSFER',
      items: [good, { ...good, lamports: 'x' }, { ...good, surprise: 1 }],
    })
    expect(problems(malformed)).toEqual([
      ['INVALID_VALUE', '/itemData/items/1/lamports'],
      ['UNKNOWN_MEMBER', '/itemData/items/2/surprise'],
    ])
    const ofNothing = await refusal({ operation: 'LEND', items: [], surprise: 1 })
    expect(problems(ofNothing).map(([, pointer]) => pointer)).toEqual(
      ['operation', 'items', 'surprise'].map((member) => `/itemData/${member}`),
    )
    const nobody = { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' }
    const before = ((await world.api.bulk(`${BATCHES}/bulk`, {})) as { count: number }).count
    const unresolved = await refusal({
      operation: 'TRANSFER',
      items: [
        good,
        { ...good, destination: { position: nobody } },
        { ...good, lamports: 1, amount: '7' },
        { ...good, source: { position: nobody } },
      ],
    })
    expect(problems(unresolved)).toEqual([
      ['POSITION_NOT_FOUND', '/itemData/items/1/destination/position'],
      expect.arrayContaining([expect.stringMatching(/^\/itemData\/items\/2\//)]),
      ['POSITION_NOT_FOUND', '/itemData/items/3/source/position'],
    ])
    expect(((await world.api.bulk(`${BATCHES}/bulk`, {})) as { count: number }).count).toBe(before)
  })

  it('conflicts between items are refused as conflicts with records, all at once', async () => {
    const at = (...items: readonly (readonly [code: string, pointer: string])[]) =>
      items.map(([code, pointer]) => [code, `/itemData/items/${pointer}`])
    const code = (value: string, more: object = {}) => ({ offchainReferences: { code: value }, ...more })
    const external = {
      managed: false,
      onchainId: holders[1]!.onchainId.replace(/.$/, (last) => (last === '2' ? '3' : '2')),
    }
    const accounts = [
      ...[code('twice'), code('once'), code('twice'), external, code('twice', { seedAmount: '0.01' }), external],
      ...[code('seeded', { seedAmount: '0.01' }), code('seeded', { seedAmount: '0.01' })],
    ]
    expect(problems(await refusal({ operation: 'CREATE_ACCOUNT', items: accounts }))).toEqual(
      at(
        ['ALREADY_EXISTS', '2/offchainReferences'],
        ['ALREADY_EXISTS', '4/offchainReferences'],
        ['ALREADY_EXISTS', '5/onchainId'],
        ['ALREADY_EXISTS', '7/offchainReferences'],
      ),
    )
    const [owner, other] = [await world.records.account(), await world.records.account()]
    const opening = (of: Ids, more: object = {}) => ({ owner: of, financialInstrument: cash, ...more })
    const named = { position: { isDerived: false, offchainReferences: { code: 'same' } } }
    const openings = [opening(owner), opening(other), opening(owner), opening(owner, named), opening(other, named)]
    expect(problems(await refusal({ operation: 'INITIALIZE_POSITION', items: openings }))).toEqual(
      at(['ALREADY_EXISTS', '2'], ['ALREADY_EXISTS', '4/position/offchainReferences']),
    )
    const frozen = await world.records.position(owner, cash)
    const switches = [positions[0]!, positions[1]!, positions[0]!, frozen].map((position) => ({
      position: { position },
    }))
    await fixture.waitForEnd(await fixture.create('FREEZE', [switches[3]!]))
    expect(problems(await refusal({ operation: 'FREEZE', items: switches }))).toEqual(
      at(['ALREADY_FROZEN', '2/position'], ['ALREADY_FROZEN', '3/position']),
    )
    expect(problems(await refusal({ operation: 'UNFREEZE', items: [switches[3]!, switches[3]!] }))).toEqual(
      at(['NOT_FROZEN', '1/position']),
    )
  })

  it('items beyond those that are tried together conflict with the first', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      offchainReferences: { code: `far ${index % 90}`, accountNumber: 'far' },
    }))
    expect(problems(await refusal({ operation: 'CREATE_ACCOUNT', items }))).toEqual(
      Array.from({ length: 10 }, (_, index) => ['ALREADY_EXISTS', `/itemData/items/${index + 90}/offchainReferences`]),
    )
  })

  it('the debits of all items together must be covered', async () => {
    const [free] = await tokens(treasury)
    const half = (free! / 2n + 1n).toString()
    const item = { source: { position: treasury }, destination: { position: positions[0]! }, lamports: half }
    expect(problems(await refusal({ operation: 'TRANSFER', items: [item, item] })).map(([code]) => code)).toEqual([
      'INSUFFICIENT_BALANCE',
    ])
    const many = Array.from({ length: 80 }, () => ({ ...item, lamports: (free! / 60n).toString() }))
    const { errors } = await refusal({ operation: 'TRANSFER', items: many })
    expect(errors!.map(({ code, pointer }) => [code, pointer])).toEqual([['INSUFFICIENT_BALANCE', '/itemData/items']])
    expect((await tokens(treasury))[0]).toBe(free)
  })

  it('a fee payer that cannot pay any transaction is refused once', async () => {
    const { newAccount: poor } = await world.api.ok<{ newAccount: Ids }>(201, 'POST', '/accounts', { canPayFees: true })
    const items = Array.from({ length: 80 }, (_, index) => ({
      source: { position: treasury },
      destination: { position: positions[index % positions.length]! },
      lamports: 1,
    }))
    const config = { feePayer: { offchainId: poor.offchainId } }
    const { status, body } = await world.api.send<Problems>(
      'POST',
      BATCHES,
      { operation: 'TRANSFER', items },
      { config },
    )
    expect(status).toBe(400)
    expect(problems(body)).toEqual([['INSUFFICIENT_BALANCE', '/chainTransactionConfig/feePayer']])
  })

  it('items that are all forbidden are refused as a single request is, and with other problems as a bad request', async () => {
    const [source, destination] = holders as readonly [Ids, Ids]
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: source })
    const item = { source, destination, lamports: 1 }
    const { status, body } = await world.api.send<Problems>('POST', BATCHES, {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [item, item],
    })
    expect(status).toBe(403)
    expect(problems(body)).toEqual([0, 1].map((index) => ['FROZEN', `/itemData/items/${index}`]))
    const nobody = { offchainId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' }
    const mixed = await refusal({
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [item, { ...item, destination: nobody }],
    })
    expect(problems(mixed).map(([code]) => code)).toEqual(['FROZEN', 'ACCOUNT_NOT_FOUND'])
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account: source })
  })

  it('private keys and idempotency keys of single items are refused', async () => {
    expect(
      problems(
        await refusal({
          operation: 'CREATE_ACCOUNT',
          items: [{}, { privateKeyDetails: { privateKey: '5'.repeat(88) } }],
        }),
      ),
    ).toEqual([['NOT_IN_BATCH', '/itemData/items/1/privateKeyDetails/privateKey']])
    const item = {
      source: { position: treasury },
      destination: { position: positions[0]! },
      lamports: 1,
      idempotencyId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
    }
    expect(problems(await refusal({ operation: 'TRANSFER', items: [item] }))).toEqual([
      ['NOT_IN_BATCH', '/itemData/items/0/idempotencyId'],
    ])
    expect(problems(await refusal({ operation: 'TRANSFER', items: [] })).map(([code]) => code)).toEqual(['TOO_SHORT'])
  })

  it('a dry run returns the totals and changes nothing', async () => {
    const items = positions.map((position) => ({
      source: { position: treasury },
      destination: { position },
      lamports: 1,
    }))
    const before = await tokens(treasury)
    const { status, body } = await world.api.send<Estimate>(
      'POST',
      BATCHES,
      { operation: 'TRANSFER', items },
      { headers: { 'Holdfast-Dry-Run': 'true' } },
    )
    expect([status, body.dryRun.itemsCount, body.dryRun.rentLamports]).toEqual([200, 45, 0])
    expect(body.dryRun.transactionsCount).toBeLessThanOrEqual(4)
    expect(body.dryRun.feeLamports).toBe(body.dryRun.transactionsCount * 10_000)
    expect(await tokens(treasury)).toEqual(before)
  })
})
