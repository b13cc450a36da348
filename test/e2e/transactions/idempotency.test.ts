// One idempotency key has one effect, for every kind of repetition: a retry, two concurrent requests, another body,
// another endpoint.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once, type Answer } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Ids, NewAccount, NewPosition, Result } from '../models.ts'
import { SOL } from '../records.ts'

const PATH = '/positions/transfer'

let world: World
let feePayer: Ids
let from: Ids
let to: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  const authority = await world.records.account()
  const instrument = await world.records.instrument('TOKEN_2022', authority)
  from = await world.records.position(await world.records.account(), instrument, 1_000_000n)
  to = await world.records.position(await world.records.account(), instrument)
})
afterAll(() => world.stop())

const send = (itemData: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer<Result>> =>
  world.api.send<Result>('POST', PATH, itemData, { headers })
const payment = (lamports: number, members: object = {}) => ({
  source: { position: from },
  destination: { position: to },
  lamports,
  ...members,
})
const received = (): Promise<bigint> => world.chain.tokens(to.onchainId)
const isReplay = ({ headers }: Answer<unknown>): boolean => headers.get('idempotency-replayed') === 'true'

async function expectSettled(): Promise<void> {
  await world.records.positionsEqualChain(from, to)
  await world.records.accountsEqualChain(feePayer)
}

describe('a repeated request', () => {
  it.each([
    ['the header', (key: string) => [payment(7), once(key)] as const],
    ['the header in quotes', (key: string) => [payment(7), once(`"${key}"`)] as const],
    ['the body', (key: string) => [payment(7, { idempotencyId: key }), {}] as const],
    ['both', (key: string) => [payment(7, { idempotencyId: key }), once(key)] as const],
  ])('returns the first result, identified by %s', async (_where, request) => {
    const before = await received()
    const [body, headers] = request(randomUUID())
    const first = await send(body, headers)
    const replay = await send(body, headers)
    expect([first.status, replay.status]).toEqual([201, 201])
    expect([isReplay(first), isReplay(replay)]).toEqual([false, true])
    expect(replay.body.offchainId).toBe(first.body.offchainId)
    expect(replay.body.onchainId).toBe(first.body.onchainId)
    expect(await received()).toBe(before + 7n)
    await expectSettled()
  })

  it('is the same for a key in the header and in the body', async () => {
    const key = randomUUID()
    const before = await received()
    const first = await send(payment(3, { idempotencyId: key }))
    const replay = await send(payment(3), once(key))
    expect(replay.body.offchainId).toBe(first.body.offchainId)
    expect(isReplay(replay)).toBe(true)
    expect(await received()).toBe(before + 3n)
  })

  it('returns the present state of the transaction', async () => {
    const key = randomUUID()
    const first = await send(payment(2), { ...once(key), Prefer: 'respond-async' })
    await eventually(async () => expect((await send(payment(2), once(key))).body.status).toBe('FINALIZED'))
    expect((await send(payment(2), once(key))).body.offchainId).toBe(first.body.offchainId)
  })

  it('waits for the first request while that is open', async () => {
    const key = randomUUID()
    const before = await received()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(payment(11), once(key))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.onchainId)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(await received()).toBe(before + 11n)
    await expectSettled()
  })

  it('is recognized in any equivalent spelling of the body', async () => {
    const key = randomUUID()
    const first = await world.api.send<Result>(
      'POST',
      PATH,
      { source: { position: from }, destination: { position: to }, amount: '0.000010' },
      { headers: once(key) },
    )
    const replay = await world.api.send<Result>(
      'POST',
      PATH,
      { amount: 1e-5, destination: { position: to }, source: { position: from } },
      { headers: once(key) },
    )
    expect([first.status, replay.status]).toEqual([201, 201])
    expect(replay.body.offchainId).toBe(first.body.offchainId)
  })

  it('is recognized at every endpoint that writes', async () => {
    const [path, key] = ['/accounts', randomUUID()]
    const bodies = [
      { offchainReferences: { code: 'once' }, alreadyOnchain: false },
      { alreadyOnChain: false, offchainReferences: { code: 'once' } },
    ]
    const [one, other] = [
      await world.api.send<NewAccount>('POST', path, bodies[0]!, { headers: once(key) }),
      await world.api.send<NewAccount>('POST', path, bodies[1]!, { headers: once(key) }),
    ]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.body).toEqual(one.body)

    const seed = { seedLamports: 5_000_000, offchainReferences: { code: 'seeded once' } }
    const seeded = [1, 2].map(() => world.api.send<NewAccount>('POST', path, seed, { headers: once('seed') }))
    const [first, second] = await Promise.all(seeded)
    expect(second?.body.newAccount).toEqual(first?.body.newAccount)
    expect(second?.body.chainTransaction?.offchainId).toBe(first?.body.chainTransaction?.offchainId)

    const authority = await world.records.account()
    const mint = { mintAccount: {}, version: 'SPL', mintAuthority: authority }
    const mints = [1, 2].map(() =>
      world.api.ok<{ newFinancialInstrument: Ids }>(201, 'POST', '/financial-instruments', mint, {
        headers: once('mint'),
      }),
    )
    const [firstMint, secondMint] = await Promise.all(mints)
    expect(secondMint?.newFinancialInstrument).toEqual(firstMint?.newFinancialInstrument)

    const open = { owner: authority, financialInstrument: firstMint!.newFinancialInstrument }
    const opening = await world.api.ok<NewPosition>(201, 'POST', '/positions', open, { headers: once('open') })
    const openingReplay = await world.api.ok<NewPosition>(201, 'POST', '/positions', open, { headers: once('open') })
    expect(openingReplay.newPosition).toEqual(opening.newPosition)

    const close = { position: { position: opening.newPosition } }
    const closing = await world.api.ok<Result>(200, 'PATCH', '/positions/close', close, { headers: once('close') })
    const closingReplay = await world.api.ok<Result>(200, 'PATCH', '/positions/close', close, {
      headers: once('close'),
    })
    expect(closingReplay.offchainId).toBe(closing.offchainId)
    await expectSettled()
  })
})

describe('a different request', () => {
  it('with a used key is refused', async () => {
    const key = randomUUID()
    await send(payment(1), once(key))
    const before = await received()
    for (const body of [
      payment(2),
      payment(1, { memo: 'another' }),
      { ...payment(1), source: { position: to }, destination: { position: from } },
    ]) {
      await world.api.refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PATH, body, { headers: once(key) })
    }
    await world.api.refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PATH, payment(1), {
      headers: once(key),
      config: { computeUnitConfig: { price: 1 } },
    })
    expect(await received()).toBe(before)
  })

  it('with the key of an open request is refused', async () => {
    const key = randomUUID()
    const [first, other] = await Promise.all([send(payment(1), once(key)), send(payment(2), once(key))])
    expect([first.status, other.status].sort()).toEqual([201, 400])
    await expectSettled()
  })

  it('with two different keys is refused', async () => {
    await world.api.refuses(
      400,
      'IDEMPOTENCY_KEY_CONFLICT',
      'POST',
      PATH,
      payment(1, { idempotencyId: randomUUID() }),
      {
        headers: once(randomUUID()),
      },
    )
    await world.api.refuses(400, 'MALFORMED_HEADER', 'POST', PATH, payment(1), { headers: once('x'.repeat(256)) })
    await world.api.refuses(400, 'MALFORMED_UUID', 'POST', PATH, payment(1, { idempotencyId: 'not a uuid' }))
  })

  it('with a key used at another endpoint is refused', async () => {
    const key = randomUUID()
    await send(payment(1), once(key))
    const burn = await world.api.send<Result>(
      'POST',
      '/positions/burn',
      { source: { position: to }, lamports: 1 },
      { headers: once(key) },
    )
    expect([burn.status, isReplay(burn), burn.body.success]).toEqual([201, false, true])
  })

  it('without a key is refused', async () => {
    const before = await received()
    const results = await Promise.all([send(payment(5)), send(payment(5))])
    expect(new Set(results.map(({ body }) => body.onchainId)).size).toBe(2)
    expect(await received()).toBe(before + 10n)
  })
})

it('may use a key again after a refusal or a dry run', async () => {
  const key = randomUUID()
  const poor = await world.records.funded({}, 0n + SOL)
  const body = { source: poor, destination: feePayer, lamports: (2n * SOL).toString() }
  const path = '/positions/transfer-network-currency'
  await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', path, body, { headers: once(key) })
  await world.chain.airdrop(poor.onchainId, 2n * SOL)
  const dry = await world.api.send('POST', path, body, { headers: { ...once(key), 'Holdfast-Dry-Run': 'true' } })
  expect(dry.status).toBe(200)
  const answer = await world.api.send<Result>('POST', path, body, { headers: once(key) })
  expect([answer.status, isReplay(answer), answer.body.success]).toEqual([201, false, true])
  expect(await world.chain.lamports(poor.onchainId)).toBe(SOL)
  await world.records.accountsEqualChain(poor, feePayer)
})

it('is refused also if the first one failed on chain', async () => {
  const key = randomUUID()
  const body = payment(1, { lamports: '999999999999', offchainBalanceAvailabilityPrecheck: false })
  const first = await send(body, once(key))
  expect([first.status, first.body.success]).toEqual([201, false])
  const replay = await send(body, once(key))
  expect([replay.status, replay.body.success, replay.body.offchainId, isReplay(replay)]).toEqual([
    201,
    false,
    first.body.offchainId,
    true,
  ])
  await eventually(expectSettled)
})

it('shows the organization that the first one created as it is now', async () => {
  const body = { externalId: 'RENAMED', name: 'first' }
  const create = () => world.api.send<object>('POST', '/admin/organizations', body, { headers: once('renamed') })
  const first = await create()
  await world.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'RENAMED', name: 'second' })
  await world.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'RENAMED' })
  const replay = await create()
  expect([replay.status, isReplay(replay)]).toEqual([201, true])
  expect(replay.body).toEqual({ ...first.body, name: 'second', status: 'FROZEN' })
})

it('shows until when the previous secret of a webhook is valid now', async () => {
  const url = 'https://hooks.example.com/rotated'
  const { newWebhook } = await world.api.ok<{ newWebhook: { offchainId: string } }>(201, 'POST', '/webhooks', {
    url,
    eventTypes: ['loan.created'],
  })
  const rotate = (key: string, graceSeconds: number) =>
    world.api.send<object>('PATCH', '/webhooks/rotate', { ...newWebhook, graceSeconds }, { headers: once(key) })
  const first = await rotate('rotation 1', 3600)
  expect(first.body).toMatchObject({ previousSecretValidUntil: expect.stringMatching(/Z$/) as string })
  await rotate('rotation 2', 0)
  const replay = await rotate('rotation 1', 3600)
  expect([replay.status, isReplay(replay)]).toEqual([200, true])
  expect(replay.body).toEqual({ rotatedWebhook: newWebhook, previousSecretValidUntil: null })
})
