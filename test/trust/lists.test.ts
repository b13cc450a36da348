// Lists in answers are arrays, even without a value; and operands of a filter fit the type of the field.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../e2e/harness.ts'
import type { Ids } from '../e2e/models.ts'

const LISTS = [
  'globalFeePayerForOrgs',
  'orgsAllowedToSignWithPrivateKey',
  'solDebitApiKeys',
  'tokenDebitApiKeys',
  'privateKeyLocation',
] as const
let world: World
let account: Ids
let position: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  account = await world.records.account()
  instrument = await world.records.instrument('SPL', account)
  position = await world.records.position(account, instrument)
})
afterAll(() => world.stop())

/** Every object in an answer that is a detailed account. */
function accountsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'privateKeyLocation' in value && 'sharedAcrossTenants' in value ? [value as Record<string, unknown>] : []
  return [...own, ...Object.values(value).flatMap(accountsIn)]
}

describe('14.15: lists', () => {
  it('14.15: of an account are lists, at every endpoint that shows one', async () => {
    const { api } = world
    const answers = [
      await api.read<object>('/accounts/single', { offchainId: account.offchainId }),
      await api.read<object>('/positions/single', { position: { offchainId: position.offchainId } }),
      await api.read<object>('/financial-instruments/single', { offchainId: instrument.offchainId }),
      await api.bulk('/accounts/bulk/detailed', {}),
      await api.bulk('/positions/bulk/detailed', {}),
      await api.bulk('/financial-instruments/bulk/detailed', {}),
    ]
    for (const answer of answers) {
      const accounts = accountsIn(answer)
      expect(accounts.length).toBeGreaterThan(0)
      for (const each of accounts)
        for (const member of LISTS)
          expect(Array.isArray(each[member]), `${member}: ${JSON.stringify(each[member])}`).toBe(true)
    }
  })

  it('14.15: without a value are found as null, cleared or never set', async () => {
    const { api } = world
    const cleared = await world.records.account({ globalFeePayerForOrgs: ['SYSTEM'] })
    const find = async (filterType: string): Promise<string[]> => {
      const filter = [{ fieldName: 'orgsIsGlobalFeePayerFor', filterValues: [{ filterType }] }]
      return (
        (await api.bulk('/accounts/bulk/detailed', { filter })) as { items: { offchain: { id: string } }[] }
      ).items.map(({ offchain }) => offchain.id)
    }
    expect(await find('IS_NOT_NULL')).toEqual([cleared.offchainId])
    for (const globalFeePayerForOrgs of [[], null]) {
      await api.ok(200, 'PATCH', '/accounts', { account: cleared, globalFeePayerForOrgs })
      expect(await find('IS_NULL')).toEqual(expect.arrayContaining([account.offchainId, cleared.offchainId]))
      expect(await find('IS_NOT_NULL')).toEqual([])
    }
  })

  it('14.15: of an API key for all clusters, and of the caller, are lists', async () => {
    const { items } = (await world.api.bulk('/admin/api-keys/bulk', {})) as {
      items: { clusters: unknown; roles: unknown }[]
    }
    for (const { clusters, roles } of items) expect([clusters, Array.isArray(roles)]).toEqual([[], true])
    const answer = await fetch(`${world.url}/api/v1/whoami`, { headers: { authorization: world.api.bearer } })
    expect(((await answer.json()) as { clusters: unknown }).clusters).toEqual([])
  })

  it.each([
    ['/accounts/bulk/detailed', 'lamportsBalance', { filterType: 'EQUALS', valueString: '5' }, 'valueString'],
    ['/accounts/bulk/detailed', 'managed', { filterType: 'EQUALS', valueString: 'true' }, 'valueString'],
    ['/accounts/bulk/detailed', 'code', { filterType: 'EQUALS', valueNumber: 5 }, 'valueNumber'],
    ['/accounts/bulk/detailed', 'type', { filterType: 'EQUALS', valueString: 'PURSE' }, 'valueString'],
    ['/accounts/bulk/detailed', 'status', { filterType: 'IN', valuesString: ['ACTIVE', 'GONE'] }, 'valuesString/1'],
    ['/transactions/bulk/detailed', 'status', { filterType: 'EQUALS', valueString: 'DONE' }, 'valueString'],
    ['/accounts/bulk/detailed', 'privateKeyLocation', { filterType: 'EQUALS', valueString: 'VAULT' }, 'valueString'],
    [
      '/market-data/onchain-data-source/bulk',
      'defiProtocol',
      { filterType: 'EQUALS', valueString: 'X' },
      'valueString',
    ],
    ['/loans/bulk', 'status', { filterType: 'EQUALS', valueString: 'HALF' }, 'valueString'],
    ['/accounts/bulk/detailed', 'code', { filterType: 'EQUAL', valueString: 'A' }, null],
  ] as const)('14.15: %s by %s with %j is refused, naming the member', async (path, fieldName, value, member) => {
    const response = await fetch(`${world.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ itemQuery: { filter: [{ fieldName, filterValues: [value] }] } }),
    })
    const { errors } = (await response.json()) as { errors: { code: string; pointer: string }[] }
    const pointer = `/itemQuery/filter/0/filterValues/0/${member ?? 'filterType'}`
    expect([response.status, errors.map((each) => [each.code, each.pointer])]).toEqual([
      400,
      [['INVALID_VALUE', pointer]],
    ])
  })

  it('14.15 control: valid values are accepted', async () => {
    const by = (path: string, fieldName: string, value: object) =>
      world.api.bulk(path, { filter: [{ fieldName, filterValues: [{ filterType: 'EQUALS', ...value }] }] })
    expect(await by('/accounts/bulk/detailed', 'type', { valueString: 'WALLET' })).toMatchObject({
      items: [{}, {}, {}],
    })
    expect(await by('/loans/bulk', 'status', { valueString: 'ACTIVE' })).toEqual({ count: 0, items: [] })
    expect(await by('/accounts/bulk/detailed', 'lamportsBalance', { valueNumber: '0' })).toBeDefined()
  })
})
