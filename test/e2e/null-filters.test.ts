// Every nullable field can be filtered by null in every bulk query, and a filter may declare an address as text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../../src/http/pages/openapi.ts'
import { routes } from '../../src/http/routes.ts'
import { everythingIsFinal, startWorld, type World } from './harness.ts'
import type { Ids } from './models.ts'

interface Field {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

interface Page {
  readonly count: number
  readonly items: readonly { readonly onchain: { readonly id: string } }[]
}

interface Refused {
  readonly status: number
  readonly errors: readonly { readonly code: string; readonly pointer: string }[]
}

const { paths, components } = openApi(routes, ['CHAIN_DEVNET'])
const BULK = Object.keys(paths)
  .filter((path) => path.includes('/bulk'))
  .map((path) => path.replace('/api/v1', '').replace('{detail-level}', 'detailed'))

let world: World
let coded: Ids
let plain: Ids
let position: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  coded = await world.records.account({
    comments: 'noted',
    offchainReferences: { code: 'CODED', alId: 'AL', accountNumber: '7', name: 'Named' },
  })
  plain = await world.records.account()
  instrument = await world.records.instrument('TOKEN_2022', plain)
  position = await world.records.position(plain, instrument, 5n)
  await world.records.account({ managed: false, onchainId: 'SysvarC1ock11111111111111111111111111111111' })
  await everythingIsFinal(world.api)
})
afterAll(() => world.stop())

/** The query fields that the API document lists for a path. */
function fieldsAt(path: string): readonly Field[] {
  const operation = Object.entries(paths).find(
    ([each]) => each.replace('/api/v1', '').replace('{detail-level}', 'detailed') === path,
  )![1]
  const text = JSON.stringify(operation['post'])
  const schemas = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) =>
    JSON.stringify((components.schemas as never)[name!]),
  )
  const match = /"x-fields":(\[.*?\])/.exec([text, ...schemas].join('\n'))
  expect(match, path).not.toBeNull()
  return JSON.parse(match![1]!) as Field[]
}

const by = (fieldName: string, value: object): object => ({
  filter: [{ fieldName, filterValues: [value] }],
  limit: 1_000,
})
/** Members that a query requires beside `itemQuery`. */
const besides = (path: string): object =>
  path.endsWith('/holders/bulk') ? { itemData: { financialInstrument: instrument } } : {}
const count = async (path: string, query: object): Promise<number> =>
  ((await world.api.bulk(path, query, besides(path))) as Page).count

async function readRefusal(path: string, itemQuery: object): Promise<Refused> {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ ...besides(path), itemQuery }),
  })
  return { status: response.status, errors: ((await response.json()) as { errors: Refused['errors'] }).errors }
}

it('every resource has a bulk query', () => expect(BULK.length).toBeGreaterThan(12))

describe.each(BULK)('%s', (path) => {
  it('is partitioned by every nullable field, and refuses filters on other fields', async () => {
    const all = await count(path, {})
    // The audit log grows with every refused request.
    const grows = path === '/audit/bulk'
    for (const { name, nullable } of fieldsAt(path)) {
      if (nullable) {
        const [without, having] = [
          await count(path, by(name, { filterType: 'IS_NULL' })),
          await count(path, by(name, { filterType: 'IS_NOT_NULL' })),
        ]
        if (!grows) expect([name, without + having]).toEqual([name, all])
      } else {
        const { status, errors } = await readRefusal(path, by(name, { filterType: 'IS_NULL' }))
        const pointer = '/itemQuery/filter/0/filterValues/0/filterType'
        expect([name, status, errors.map((each) => [each.code, each.pointer])]).toEqual([
          name,
          400,
          [['OPERATOR_NOT_ALLOWED', pointer]],
        ])
      }
    }
  })

  it('accepts TEXT as the type of an address, and only for text fields', async () => {
    for (const { name, type } of fieldsAt(path)) {
      if (type === 'TEXT' || type === 'BOOLEAN') continue
      const filter = by(name, { dataType: 'TEXT', filterType: 'EQUALS', valueString: '2026-01-01T00:00:00Z' })
      if (type === 'ONCHAIN_ADDRESS_ID') expect([name, await count(path, filter)]).toEqual([name, 0])
      else expect([name, (await readRefusal(path, filter)).errors[0]?.code]).toEqual([name, 'DATA_TYPE_MISMATCH'])
    }
  })
})

it('does not count records as null if only their visibility hides the field', () => {
  const isNullable = (path: string, name: string) => fieldsAt(path).find((each) => each.name === name)?.nullable
  expect(isNullable('/accounts/bulk/detailed', 'lamportsBalance')).toBe(false)
  expect(isNullable('/positions/bulk/detailed', 'tokenBalance')).toBe(false)
  expect(isNullable('/accounts/bulk/detailed', 'externalOrganizationId')).toBe(false)
  expect(isNullable('/accounts/bulk/detailed', 'comments')).toBe(true)
})

it('filters accounts by null fields', async () => {
  const findAddresses = async (fieldName: string, filterType: string): Promise<string[]> => {
    const { items } = (await world.api.bulk('/accounts/bulk/detailed', by(fieldName, { filterType }))) as Page
    return items.map(({ onchain }) => onchain.id)
  }
  for (const name of ['code', 'alId', 'accountNumber', 'offchainReferenceName', 'comments']) {
    const [without, having] = [await findAddresses(name, 'IS_NULL'), await findAddresses(name, 'IS_NOT_NULL')]
    expect([name, having]).toEqual([name, [coded.onchainId]])
    expect(without).toContain(plain.onchainId)
    expect(without).not.toContain(coded.onchainId)
  }
  const keyless = await findAddresses('privateKeyLocation', 'IS_NULL')
  expect(keyless).toContain('SysvarC1ock11111111111111111111111111111111')
  expect(keyless).not.toContain(plain.onchainId)
})

it('filters a position by its address, typed as text', async () => {
  const query = by('ownerOnchainId', { dataType: 'TEXT', filterType: 'EQUALS', valueString: plain.onchainId })
  const { items } = (await world.api.bulk('/positions/bulk/detailed', query)) as Page
  expect(items.map(({ onchain }) => onchain.id)).toEqual([position.onchainId])
})
