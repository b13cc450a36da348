// Bulk queries of instruments, positions, organizations and API keys over HTTP, and the changes by an administrator of
// the last two.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeyRecord, page } from '../../src/contract/schemas/answers.ts'
import { organization } from '../../src/contract/schemas/counterparty.ts'
import * as levels from '../../src/contract/schemas/levels.ts'
import { everythingIsFinal, startWorld, type World } from './harness.ts'
import type { Ids, Instrument, Position } from './models.ts'

interface Page<Item> {
  readonly count: number
  readonly items: readonly Item[]
}

interface Key {
  readonly keyId: string
  readonly apiKey: string
}

let world: World
let authority: Ids
let instrument: Ids
let position: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  authority = await world.records.account()
  instrument = await world.records.instrument('TOKEN_2022', authority, { onchainData: { name: 'Listed', symbol: 'L' } })
  await world.records.instrument('SPL', authority)
  position = await world.records.position(authority, instrument, 12n)
  await everythingIsFinal(world.api)
})
afterAll(() => world.stop())

const equals = (fieldName: string, valueString: string): object => ({
  filter: [{ fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] }],
})
const list = async <Item>(path: string, query: object): Promise<Page<Item>> =>
  (await world.api.bulk(path, query)) as Page<Item>

/**
 * The names of the members, and the names within each member that is an object; none within the two that are records by
 * name.
 */
function shapeOf(record: object): Record<string, readonly string[] | null> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      name === 'onchain' || name === 'offchain' ? Object.keys(value as object).sort() : null,
    ]),
  )
}

describe('lists', () => {
  it('of instruments are filtered by version and authority, at each level', async () => {
    const [one] = (await list<Instrument>('/financial-instruments/bulk/detailed', equals('version', 'TOKEN_2022')))
      .items
    expect(one).toEqual(await world.records.instrumentRecord(instrument))
    const both = await list<Instrument>(
      '/financial-instruments/bulk/compact',
      equals('mintAuthorityOnchainId', authority.onchainId),
    )
    expect(both.count).toBe(2)
    expect(both.items[0]!.mintAccount.offchain).not.toHaveProperty('lamportsBalance')
    const { items } = await list<object>('/financial-instruments/bulk/identifiers', equals('version', 'SPL'))
    expect(items.map((item) => Object.keys(item).sort())).toEqual([['mintAccount', 'version']])
  })

  it('of positions are filtered by owner, instrument and state, at each level', async () => {
    const [one] = (await list<Position>('/positions/bulk/detailed', equals('ownerOffchainId', authority.offchainId)))
      .items
    expect(one).toEqual(await world.records.positionRecord(position))
    const compact = await list<Position>(
      '/positions/bulk/compact',
      equals('financialInstrumentOnchainId', instrument.onchainId),
    )
    expect(compact).toMatchObject({
      count: 1,
      items: [{ offchain: { id: position.offchainId }, balance: { lamports: 12 } }],
    })
    expect(await list('/positions/bulk/identifiers', equals('state', 'FROZEN'))).toEqual({ count: 0, items: [] })
  })

  it('return the members of each level and no other', async () => {
    const identifiers = { onchain: ['id'], offchain: ['id'], managed: null, tenantOrganizationId: null }
    const compact = {
      onchain: ['id', 'lastTransactionAt', 'lastTransactionId'],
      offchain: ['accountNumber', 'alId', 'code', 'id', 'lastTransactionId', 'organizationExternalId', 'type'],
      managed: null,
      status: null,
      tenantOrganizationId: null,
    }
    for (const [level, members] of [
      ['identifiers', identifiers],
      ['compact', compact],
    ] as const) {
      const accounts = await list<object>(`/accounts/bulk/${level}`, {})
      const instruments = await list<Instrument>(`/financial-instruments/bulk/${level}`, {})
      const positions = await list<Position>(`/positions/bulk/${level}`, {})
      const all = [
        ...accounts.items,
        ...instruments.items.map(({ mintAccount }) => mintAccount),
        ...positions.items.map(({ owner }) => owner),
      ]
      expect(all.length, level).toBeGreaterThan(3)
      for (const record of all) expect(shapeOf(record), level).toEqual(members)
      for (const tokenPosition of positions.items) expect(shapeOf(tokenPosition), level).toMatchObject(members)
    }
  })

  it('of organizations include new and changed organizations', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'LISTED', name: 'Before' })
    const changedOrganization = await world.api.ok<object>(200, 'PATCH', '/admin/organizations', {
      externalId: 'LISTED',
      name: 'After',
    })
    expect(changedOrganization).toEqual({ updatedOrganization: { externalId: 'LISTED' } })
    const { count, items } = await list<object>('/admin/organizations/bulk', equals('externalId', 'LISTED'))
    expect([count, items[0]]).toEqual([
      1,
      expect.objectContaining({ externalId: 'LISTED', name: 'After', parentExternalId: null }),
    ])
  })

  it('of keys contain no secret; a rotated key has a new one, and a disabled key opens nothing', async () => {
    const newKey = await world.api.ok<Key>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'SYSTEM',
      name: 'listed',
      bundle: 'VIEWER',
    })
    const { items } = await list<object>('/admin/api-keys/bulk', equals('keyId', newKey.keyId))
    expect(items).toMatchObject([
      { keyId: newKey.keyId, name: 'listed', organizationExternalId: 'SYSTEM', disabled: false },
    ])
    expect(JSON.stringify(items)).not.toContain(newKey.apiKey.slice(16))
    const rotated = await world.api.ok<Key>(200, 'PATCH', '/admin/api-keys/rotate', {
      keyId: newKey.keyId,
      graceSeconds: 0,
    })
    expect(rotated.keyId).toBe(newKey.keyId)
    expect(rotated.apiKey).not.toBe(newKey.apiKey)
    const opens = async ({ apiKey }: Key): Promise<number> =>
      (await world.api.as(apiKey).send('POST', '/accounts/single', authority)).status
    expect([await opens(newKey), await opens(rotated)]).toEqual([401, 200])
    await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: newKey.keyId })
    expect(await opens(rotated)).toBe(401)
  })

  it('have exactly the documented members, at each level', async () => {
    // With limits, whose members have several shapes.
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: '1' }
    await world.records.account({ networkCurrencyDebitLimits: [{ destination: 'MANAGED', maxAllowedDebit }] })
    const { accounts, instruments, positions, transactions } = levels
    const of = { accounts, 'financial-instruments': instruments, positions, transactions }
    for (const [resource, model] of Object.entries(of)) {
      for (const level of ['detailed', 'compact', 'identifiers']) {
        const answer = await list(`/${resource}/bulk/${level}`, {})
        expect(answer.count, resource).toBeGreaterThan(0)
        // Parsing removes the members that the schema does not name.
        expect(model.parse(answer), `${resource} ${level}`).toEqual(answer)
      }
    }
    for (const [path, item] of [
      ['organizations', organization],
      ['api-keys', apiKeyRecord],
    ] as const) {
      const answer = await list(`/admin/${path}/bulk`, {})
      expect(page(item).parse(answer), path).toEqual(answer)
    }
  })
})

describe('the terms of a schedule or an approval policy', () => {
  interface Found {
    readonly items: readonly { readonly offchainId: string }[]
  }
  const ids = async (path: string, itemQuery: object): Promise<readonly string[]> =>
    ((await world.api.bulk(path, itemQuery)) as Found).items.map(({ offchainId }) => offchainId)
  const where = (fieldName: string, value: object) => ({ filter: [{ fieldName, filterValues: [value] }] })

  it('find and sort schedules by their start', async () => {
    const to = await world.records.account()
    const starts = ['2999-01-02T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
    const made: string[] = []
    for (const startAt of starts) {
      const itemData = { source: to, destination: to, lamports: 1 }
      const body = { operation: 'TRANSFER_NETWORK_CURRENCY', itemData, startAt, every: { code: 'DAYS', unit: 1 } }
      const { newSchedule } = await world.api.ok<{ newSchedule: Ids }>(201, 'POST', '/schedules', body)
      made.push(newSchedule.offchainId)
    }
    const found = (filterValue: object) => ids('/schedules/bulk', where('startAt', filterValue))
    expect(await found({ filterType: 'EQUALS', valueString: starts[0] })).toEqual([made[0]])
    expect(await found({ filterType: 'LESS_THAN', valueString: starts[0] })).toEqual([made[1]])
    const sort = [{ fieldName: 'startAt', sortDirection: 'ASC' }]
    expect(await ids('/schedules/bulk', { sort })).toEqual([made[1], made[0]])
  })

  it('find and sort policies by amount and number of approvers', async () => {
    const approvers = await Promise.all(
      [1, 2].map(async () => {
        const body = { organizationExternalId: 'SYSTEM', name: 'approver', roles: ['DEBIT_LIMIT_APPROVE'] }
        return (await world.api.ok<{ keyId: string }>(201, 'POST', '/admin/api-keys', body)).keyId
      }),
    )
    const financialInstrument = await world.records.instrument('SPL', await world.records.account())
    const made: string[] = []
    for (const more of [{ above: '10.5' }, { above: '9' }, { requiredApproversCount: 2 }]) {
      const terms = { operations: ['MINT'], financialInstrument, approvers, requiredApproversCount: 1, ...more }
      const { newApprovalPolicy } = await world.api.ok<{ newApprovalPolicy: Ids }>(
        201,
        'POST',
        '/approval-policies',
        terms,
      )
      made.push(newApprovalPolicy.offchainId)
    }
    const found = (fieldName: string, value: object) => ids('/approval-policies/bulk', where(fieldName, value))
    expect(await found('above', { filterType: 'GREATER_THAN', valueNumber: 10 })).toEqual([made[0]])
    expect(await found('above', { filterType: 'IS_NULL' })).toEqual([made[2]])
    expect(await found('requiredApproversCount', { filterType: 'EQUALS', valueNumber: 2 })).toEqual([made[2]])
    const sort = [{ fieldName: 'above', sortDirection: 'ASC' }]
    expect(await ids('/approval-policies/bulk', { sort })).toEqual([made[1], made[0], made[2]])
  })
})
