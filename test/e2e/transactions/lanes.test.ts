// Lanes over HTTP. Above the bound a request is refused before anything is signed, and every accepted transaction ends.
// A suspended lane accepts transactions and does not send them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once, type Client } from '../client.ts'
import { eventually, pastLifetimes, startWorld, type World } from '../harness.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { Records, SOL } from '../records.ts'

const PATH = '/positions/transfer-network-currency'
const ASYNC = { Prefer: 'respond-async' }
const BOUNDS = { perLane: 5, perTenant: 8, perCluster: 20 }
/** A transaction that a test delays must still land when it is sent, even on a busy machine. */
const SLOT_MS = '100'

interface Party {
  readonly api: Client
  readonly feePayers: readonly Ids[]
  readonly source: Ids
  readonly destination: Ids
}

let world: World
let acme: Party
let other: Party

async function party(externalId: string): Promise<Party> {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const key = { organizationExternalId: externalId, name: 'test', bundle: 'ADMIN' }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
  const api = world.api.as(apiKey)
  const records = new Records(api, world.chain)
  const feePayers = await Promise.all([records.feePayer(), records.feePayer()])
  const [source, destination] = await Promise.all([records.funded({}, 10n * SOL), records.funded({}, SOL)])
  return { api, feePayers, source, destination }
}

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: SLOT_MS }, (settings) => ({
    ...settings,
    admission: BOUNDS,
  }))
  ;[acme, other] = await Promise.all([party('ACME'), party('OTHER')])
})
afterAll(() => world.stop())

const pay = (
  { api, feePayers, source, destination }: Party,
  payer = 0,
  headers: Readonly<Record<string, string>> = {},
) =>
  api.send<Result & Problems>(
    'POST',
    PATH,
    { source, destination, lamports: 1_000 },
    {
      config: { feePayer: feePayers[payer]! },
      headers: { ...ASYNC, ...headers },
    },
  )
const many = (count: number, ...how: Parameters<typeof pay>) =>
  Promise.all(Array.from({ length: count }, () => pay(...how)))
const status = async (api: Client, { offchainId }: { readonly offchainId: string }) =>
  (await api.read<Result>('/transactions/status', { offchainId })).status
type Ended = Pick<Result, 'offchainId'>
const areAll = async (api: Client, results: readonly Ended[], wanted: string): Promise<void> => {
  for (const result of results) expect(await status(api, result)).toBe(wanted)
}
const become = (...all: Parameters<typeof areAll>): Promise<void> => eventually(() => areAll(...all))
/** As `become`, for an outcome that only the expiry of a blockhash proves. */
const areProven = (...all: Parameters<typeof areAll>): Promise<void> => pastLifetimes(world, () => areAll(...all))
const sends = async (api: Client, { offchainId }: { readonly offchainId: string }) => {
  const { history } = await api.read<{ history: { status: string }[] }>('/transactions/single', { offchainId })
  return history.filter((entry) => entry.status === 'SUBMITTED').length
}
const turn = (api: Client, which: 'suspend' | 'resume', itemData: object) =>
  api.ok<object>(200, 'PATCH', `/admin/lanes/${which}`, itemData)
describe('a bound of open transactions', () => {
  it('refuses requests beyond it with 429, even in one burst, and every accepted transaction ends', async () => {
    await turn(world.api, 'suspend', {})
    const before = await world.chain.lamports(acme.destination.onchainId)
    const answers = await many(30, acme)
    const acceptedPayments = answers.filter((answer) => answer.status === 201).map(({ body }) => body)
    const refusals = answers.filter((answer) => answer.status === 429)
    expect([acceptedPayments.length, refusals.length]).toEqual([BOUNDS.perLane, 30 - BOUNDS.perLane])
    for (const { headers, body } of refusals) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body.errors).toMatchObject([{ code: 'LANE_FULL', retryable: true }])
    }
    // Its other fee payer has a lane of its own, the tenant has one bound for both; another tenant has its own.
    expect((await many(10, acme, 1)).filter((answer) => answer.status === 201)).toHaveLength(
      BOUNDS.perTenant - BOUNDS.perLane,
    )
    expect((await pay(other)).status).toBe(201)
    for (const result of acceptedPayments)
      expect([result.success, await status(acme.api, result)]).toEqual([true, 'SIGNED'])

    const retryHeaders = once('refused, then accepted')
    expect((await pay(acme, 0, retryHeaders)).status).toBe(429)
    await turn(world.api, 'resume', {})
    await become(acme.api, acceptedPayments, 'FINALIZED')
    const retry = await eventually(async () => {
      const answer = await pay(acme, 0, retryHeaders)
      expect(answer.status).toBe(201)
      return answer.body
    })
    await become(acme.api, [retry], 'FINALIZED')
    await eventually(async () => {
      expect(await world.chain.lamports(acme.destination.onchainId)).toBe(
        before + BigInt(BOUNDS.perTenant + 1) * 1_000n,
      )
    })
  })

  it('counts signed transactions that wait for Submit, which sends them regardless of the bounds', async () => {
    const signedPayments: Result[] = []
    for (let index = 0; index < BOUNDS.perLane; index += 1) {
      const prepared = await acme.api.ok<Result>(
        201,
        'POST',
        PATH,
        {
          source: { ...acme.source, autoSign: false },
          destination: acme.destination,
          lamports: 2_000,
        },
        { config: { feePayer: acme.feePayers[0]! } },
      )
      expect(prepared.status).toBe('PREPARED')
      signedPayments.push(
        await acme.api.ok<Result>(200, 'POST', '/transactions/sign', {
          transaction: { offchainId: prepared.offchainId },
        }),
      )
    }
    expect(signedPayments.map((result) => result.status)).toEqual(signedPayments.map(() => 'SIGNED'))
    expect((await pay(acme)).status).toBe(429)
    for (const { offchainId } of signedPayments) {
      const response = await acme.api.send<Result>(
        'POST',
        '/transactions/submit',
        { transaction: { offchainId } },
        { headers: ASYNC },
      )
      expect(response.status, JSON.stringify(response.body)).toBe(200)
    }
    await become(acme.api, signedPayments, 'FINALIZED')
    const free = await pay(acme)
    expect(free.status).toBe(201)
    await become(acme.api, [free.body], 'FINALIZED')
  })

  it('does not count a refused request', async () => {
    const poor = await world.records.with(acme.api).account()
    for (let index = 0; index < 2 * BOUNDS.perTenant; index += 1) {
      const body = { source: poor, destination: acme.destination, lamports: 1_000 }
      await acme.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PATH, body, {
        config: { feePayer: acme.feePayers[0]! },
      })
    }
    const free = await pay(acme)
    expect(free.status).toBe(201)
    await become(acme.api, [free.body], 'FINALIZED')
  })
})

describe('a suspension', () => {
  it('of a tenant by its own administrator affects no other tenant; a resumption sends once', async () => {
    const suspended = { chainClusterId: 'CHAIN_DEVNET', organizationExternalId: 'ACME' }
    expect(await turn(acme.api, 'suspend', { organizationExternalId: 'ACME' })).toEqual({ suspended })
    const heldPayments = (await many(3, acme)).map(({ body }) => body)
    const free = (await many(3, other)).map(({ body }) => body)
    await become(other.api, free, 'FINALIZED')
    for (const result of heldPayments)
      expect([await status(acme.api, result), await sends(acme.api, result)]).toEqual(['SIGNED', 0])
    const metrics = await (await fetch(`${world.url}/metrics`)).text()
    expect(metrics).toMatch(/^holdfast_lane_suspensions 1$/m)
    expect(metrics).toMatch(/^holdfast_lanes_held_transactions 3$/m)
    await acme.api.refuses(400, 'ALREADY_SUSPENDED', 'PATCH', '/admin/lanes/suspend', {
      organizationExternalId: 'ACME',
    })
    expect(await turn(acme.api, 'resume', { organizationExternalId: 'ACME' })).toEqual({ resumed: suspended })
    await become(acme.api, heldPayments, 'FINALIZED')
    await acme.api.refuses(400, 'NOT_SUSPENDED', 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'ACME' })
    await acme.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/admin/lanes/suspend', {})
  })

  it('of a fee payer stops its lane: expiry is proven, and cancelled transactions are never sent', async () => {
    const [account] = acme.feePayers
    await turn(acme.api, 'suspend', { account })
    const [expiring, unwanted] = (await many(2, acme)).map(({ body }) => body)
    const free = await pay(acme, 1)
    await become(acme.api, [free.body], 'FINALIZED')
    const cancelled = await acme.api.ok<Result>(200, 'PATCH', '/transactions/cancel', {
      offchainId: unwanted!.offchainId,
    })
    expect(cancelled.status).toBe('SIGNED')
    await areProven(acme.api, [expiring!], 'EXPIRED')
    await become(acme.api, [unwanted!], 'CANCELLED')
    const latePayments = (await many(2, acme)).map(({ body }) => body)
    await acme.api.ok<Result>(200, 'PATCH', '/transactions/cancel', { offchainId: latePayments[0]!.offchainId })
    await turn(acme.api, 'resume', { account })
    await become(acme.api, [latePayments[1]!], 'FINALIZED')
    await areProven(acme.api, [latePayments[0]!], 'CANCELLED')
    for (const result of [expiring!, unwanted!, latePayments[0]!]) expect(await sends(acme.api, result)).toBe(0)
    await world.records.with(acme.api).accountsEqualChain(acme.source, acme.destination, ...acme.feePayers)
  })
})
