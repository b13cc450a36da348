// An idempotency key belongs to one organization of a tenant: the result of one organization is never the answer to
// another.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once, type Answer, type Client } from '../e2e/client.ts'
import { startWorld, type World } from '../e2e/harness.ts'
import type { Ids, NewAccount, Result } from '../e2e/models.ts'
import type { Records } from '../e2e/records.ts'
import { SOL } from '../e2e/records.ts'

const PAY = '/positions/transfer-network-currency'

interface Party {
  readonly name: string
  readonly api: Client
  readonly records: Records
}

let world: World
let parent: Party
let child: Party
let payer: Ids
let payee: Ids

async function party(name: string, parentExternalId?: string): Promise<Party> {
  const body = { externalId: name, name, ...(parentExternalId === undefined ? {} : { parentExternalId }) }
  await world.api.ok(201, 'POST', '/admin/organizations', body)
  const key = { organizationExternalId: name, name: 'test', bundle: 'ADMIN' }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
  const api = world.api.as(apiKey)
  return { name, api, records: world.records.with(api) }
}

beforeAll(async () => {
  world = await startWorld()
  parent = await party('PARENT')
  child = await party('CHILD', 'PARENT')
  const limits = { networkCurrencyDebitLimits: [], orgsAllowedToSignWithPrivateKey: ['PARENT', 'CHILD'] }
  payer = await parent.records.funded(
    { ...limits, canPayFees: true, globalFeePayerForOrgs: ['PARENT', 'CHILD'] },
    10n * SOL,
  )
  payee = await parent.records.funded({}, SOL)
})
afterAll(() => world.stop())

/** The same body for every sender. */
const payment = (lamports: number) => ({
  source: { onchainId: payer.onchainId },
  destination: { onchainId: payee.onchainId },
  lamports,
})
const pay = (by: Client, lamports: number, key: string, organization?: string): Promise<Answer<Result>> =>
  by.send<Result>('POST', PAY, payment(lamports), {
    headers: once(key),
    ...(organization === undefined ? {} : { organization }),
  })
const isReplay = ({ headers }: Answer<unknown>): boolean => headers.get('idempotency-replayed') === 'true'
const received = (): Promise<bigint> => world.chain.lamports(payee.onchainId)

function expectTwoPayments(first: Answer<Result>, second: Answer<Result>): void {
  expect([first.status, second.status], JSON.stringify([first.body, second.body])).toEqual([201, 201])
  expect([first.body.success, second.body.success]).toEqual([true, true])
  expect(second.body.onchainId).not.toBe(first.body.onchainId)
}

describe('attack 9: the same key and body of two organizations of a tenant', () => {
  it('pays twice, each answered with its own transaction; control: the same organization gets a replay', async () => {
    const [key, before] = [randomUUID(), await received()]
    const first = await pay(parent.api, 1_001, key)
    const second = await pay(child.api, 1_001, key)
    expectTwoPayments(first, second)
    expect(isReplay(second)).toBe(false)
    const [parentReplay, childReplay] = [await pay(parent.api, 1_001, key), await pay(child.api, 1_001, key)]
    expect([isReplay(parentReplay), isReplay(childReplay)]).toEqual([true, true])
    expect([parentReplay.body.onchainId, childReplay.body.onchainId]).toEqual([
      first.body.onchainId,
      second.body.onchainId,
    ])
    expect(await received()).toBe(before + 2_002n)
  })

  it('pays twice for concurrent requests', async () => {
    const [key, before] = [randomUUID(), await received()]
    const [first, second] = await Promise.all([pay(parent.api, 1_002, key), pay(child.api, 1_002, key)])
    expectTwoPayments(first, second)
    expect(await received()).toBe(before + 2_004n)
  })

  it('belongs to the organization, for any key that acts for it: never paid twice', async () => {
    const [key, before] = [randomUUID(), await received()]
    const first = await pay(parent.api, 1_003, key, 'CHILD')
    const replay = await pay(world.api, 1_003, key, 'CHILD')
    expect([first.status, isReplay(replay)], JSON.stringify(replay.body)).toEqual([201, true])
    expect(replay.body.onchainId).toBe(first.body.onchainId)
    // `tenancyConfig` is part of the body.
    await child.api.refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PAY, payment(1_003), { headers: once(key) })
    expect(await received()).toBe(before + 1_003n)
    await child.api.refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PAY, payment(1_004), { headers: once(key) })
  })

  it('creates one account for each', async () => {
    const headers = once(randomUUID())
    const [one, other] = [
      await parent.api.ok<NewAccount>(201, 'POST', '/accounts', { comments: 'the same' }, { headers }),
      await child.api.ok<NewAccount>(201, 'POST', '/accounts', { comments: 'the same' }, { headers }),
    ]
    expect(one.newAccount.offchainId).not.toBe(other.newAccount.offchainId)
  })
})
