// Idempotency keys over restarts, and rows of releases whose scope was the whole tenant.
import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once, type Answer, type Client } from '../e2e/client.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { Records, SOL } from '../e2e/records.ts'
import { startRestartable, type Restartable } from './fixtures/restartable.ts'

const PAY = '/positions/transfer-network-currency'
const ENDPOINT = `POST /api/v1${PAY}`
const CLUSTER = 'CHAIN_DEVNET'

let service: Restartable
const keys = new Map<string, string>()
let payer: Ids
let payee: Ids

beforeAll(async () => {
  service = await startRestartable()
  const api = service.client()
  for (const [externalId, parentExternalId] of [
    ['PARENT', undefined],
    ['CHILD', 'PARENT'],
  ] as const) {
    const parent = parentExternalId === undefined ? {} : { parentExternalId }
    await api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId, ...parent })
    const body = { organizationExternalId: externalId, name: 'test', bundle: 'ADMIN' }
    keys.set(externalId, (await api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)).apiKey)
  }
  const records = new Records(as('PARENT'), service.chain())
  const grants = { orgsAllowedToSignWithPrivateKey: ['PARENT', 'CHILD'], globalFeePayerForOrgs: ['PARENT', 'CHILD'] }
  payer = await records.funded({ ...grants, networkCurrencyDebitLimits: [], canPayFees: true }, 10n * SOL)
  payee = await records.funded({}, SOL)
})
afterAll(() => service.stop())

const as = (organization: string): Client => service.client().as(keys.get(organization)!)
const pay = (organization: string, lamports: number, key: string): Promise<Answer<Result>> =>
  as(organization).send<Result>('POST', PAY, payment(lamports), { headers: once(key) })
const payment = (lamports: number) => ({
  source: { onchainId: payer.onchainId },
  destination: { onchainId: payee.onchainId },
  lamports,
})
const isReplay = ({ headers }: Answer<unknown>): boolean => headers.get('idempotency-replayed') === 'true'
const received = (): Promise<bigint> => service.chain().lamports(payee.onchainId)

const oldScope = (key: string): string => hash('sha256', `${ENDPOINT}\u0000${key}`, 'hex')
const scope = (organization: string, key: string): string =>
  hash('sha256', `${organization}\u0000${ENDPOINT}\u0000${key}`, 'hex')

describe('attack 9, 14.9: after a restart', () => {
  it('each organization gets its own payment, and one without a payment creates it', async () => {
    const [key, before] = [randomUUID(), await received()]
    const first = await pay('PARENT', 2_001, key)
    await service.restart()
    const second = await pay('CHILD', 2_001, key)
    const replay = await pay('PARENT', 2_001, key)
    expect([first.status, second.status, isReplay(second), isReplay(replay)], JSON.stringify(second.body)).toEqual([
      201,
      201,
      false,
      true,
    ])
    expect(replay.body.onchainId).toBe(first.body.onchainId)
    expect(second.body.onchainId).not.toBe(first.body.onchainId)
    expect(await received()).toBe(before + 4_002n)
  })

  it('a row of an older release is replayed only to the organization that created it', async () => {
    const [key, unknownKey, before] = [randomUUID(), randomUUID(), await received()]
    const paymentResult = await pay('PARENT', 2_002, randomUUID())
    const reference = randomUUID()
    const first = await pay('PARENT', 2_003, reference)
    await service.restart(async (store) => {
      const row = store.idempotency('PARENT', CLUSTER, scope('PARENT', reference)) as { outcome: object }
      expect(row).toMatchObject({ outcome: { transactions: [first.body.offchainId] } })
      const at = { type: 'idempotency', tenant: 'PARENT', cluster: CLUSTER } as const
      const nowhere = { ...row, outcome: { ...row.outcome, transactions: [] } }
      const ops = [
        { ...at, scope: oldScope(key), row },
        { ...at, scope: oldScope(unknownKey), row: nowhere },
      ]
      await store.commit([{ tenant: 'PARENT', epoch: 1, ops }])
    })
    const replay = await pay('PARENT', 2_003, key)
    expect([replay.status, isReplay(replay), replay.body.onchainId], JSON.stringify(replay.body)).toEqual([
      201,
      true,
      first.body.onchainId,
    ])
    await as('PARENT').refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PAY, payment(2_004), { headers: once(key) })
    expect(await received()).toBe(before + 2_002n + 2_003n)
    const other = await pay('CHILD', 2_003, key)
    expect([other.status, isReplay(other), other.body.success], JSON.stringify(other.body)).toEqual([201, false, true])
    expect(other.body.onchainId).not.toBe(paymentResult.body.onchainId)
    expect(await received()).toBe(before + 2_002n + 2n * 2_003n)
    for (const organization of ['PARENT', 'CHILD']) {
      await as(organization).refuses(400, 'IDEMPOTENCY_KEY_REUSED', 'POST', PAY, payment(2_003), {
        headers: once(unknownKey),
      })
    }
    expect(await received()).toBe(before + 2_002n + 2n * 2_003n)
  })

  it('a UUID that an older release stored in upper case is replayed', async () => {
    const [key, reference, before] = [randomUUID().toUpperCase(), randomUUID(), await received()]
    const first = await pay('PARENT', 2_005, reference)
    await service.restart(async (store) => {
      const row = store.idempotency('PARENT', CLUSTER, scope('PARENT', reference)) as object
      const op = { type: 'idempotency', tenant: 'PARENT', cluster: CLUSTER, scope: scope('PARENT', key), row } as const
      await store.commit([{ tenant: 'PARENT', epoch: 1, ops: [op] }])
    })
    const replay = await pay('PARENT', 2_005, key)
    expect([replay.status, isReplay(replay), replay.body.onchainId]).toEqual([201, true, first.body.onchainId])
    expect(await received()).toBe(before + 2_005n)
  })
})
