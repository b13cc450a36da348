import { beforeEach, expect, test, vi } from 'vitest'
import { CellFinder } from '../../src/service/cell-finder.ts'
import type { GatewayRequest } from '../../src/http/node-gateway.ts'

const KEYS = { hf_ACMEACMEACME_secret: 'ACME', hf_SYSTEMSYSTEM_secret: 'SYSTEM' } as const
const [ACME_KEY, SYSTEM_KEY] = Object.keys(KEYS) as [string, string]
const tenantOfKey = new Map([
  ['ACMEACMEACME', 'ACME'],
  ['SYSTEMSYSTEM', 'SYSTEM'],
])
let cellOfTenant: Map<string, string>
let questions: string[]
let finder: CellFinder

beforeEach(() => {
  cellOfTenant = new Map([['ACME', 'red']])
  questions = []
  const ask = (what: string, from: ReadonlyMap<string, string>) => (name: string) => {
    questions.push(`${what} ${name}`)
    return Promise.resolve(from.get(name))
  }
  finder = new CellFinder({
    homes: {
      tenantOfKey: ask('key', tenantOfKey),
      tenantOfOrganization: ask('organization', new Map([['ACME-EU', 'ACME']])),
      cellOfTenant: ask('cell', { get: (tenant: string) => cellOfTenant.get(tenant) } as Map<string, string>),
    },
    first: 'main',
    organizationClaim: 'org',
  })
})

function buildRequest(
  bearer: string | undefined,
  { query = '', body = {} }: { query?: string; body?: unknown } = {},
): GatewayRequest {
  return { path: '/api/v1/accounts', query, bearer, body: () => Promise.resolve(Buffer.from(JSON.stringify(body))) }
}

const acting = { tenancyConfig: { overrideOrganizationExternalId: 'ACME-EU' } }

test('looks up the cell of a key once and caches it', async () => {
  for (let turn = 0; turn < 3; turn += 1)
    expect(await finder.find(buildRequest(ACME_KEY))).toEqual({ cell: 'red', tenant: 'ACME' })
  expect(questions).toEqual(['key ACMEACMEACME', 'cell ACME'])
})

test('sends an unknown name to the first cell and looks it up again next time', async () => {
  const unknownRequest = buildRequest('hf_nobodynobody_secret')
  for (let turn = 0; turn < 2; turn += 1)
    expect(await finder.find(unknownRequest)).toEqual({ cell: 'main', tenant: undefined })
  expect(questions).toEqual(['key nobodynobody', 'key nobodynobody'])
  expect(await finder.find(buildRequest(undefined))).toEqual({ cell: 'main', tenant: undefined })
  expect(await finder.find(buildRequest('not.a.token'))).toEqual({ cell: 'main', tenant: undefined })
})

test('routes a SYSTEM key to the cell of the tenant it acts for, and any other key to its own cell', async () => {
  expect(await finder.find(buildRequest(SYSTEM_KEY))).toEqual({ cell: 'main', tenant: 'SYSTEM' })
  expect(await finder.find(buildRequest(SYSTEM_KEY, { body: acting }))).toEqual({ cell: 'red', tenant: 'ACME' })
  const query = 'overrideOrganizationExternalId=ACME-EU'
  expect(await finder.find(buildRequest(SYSTEM_KEY, { query }))).toEqual({ cell: 'red', tenant: 'ACME' })
  expect(
    await finder.find(buildRequest(ACME_KEY, { body: { tenancyConfig: { overrideOrganizationExternalId: 'X' } } })),
  ).toEqual({ cell: 'red', tenant: 'ACME' })
  expect(questions).not.toContain('organization X')
})

test('routes a token to the cell of the organization it claims', async () => {
  const token = ['e30', Buffer.from('{"org":"ACME-EU"}').toString('base64url'), 'sig'].join('.')
  expect(await finder.find(buildRequest(token))).toEqual({ cell: 'red', tenant: 'ACME' })
})

test('finds a moved tenant in its new cell once the epoch of the former cell has changed', async () => {
  finder.seen([{ cell: 'red', epoch: 4 }])
  expect((await finder.find(buildRequest(ACME_KEY))).cell).toBe('red')
  cellOfTenant.set('ACME', 'blue')
  finder.seen([{ cell: 'red', epoch: 4 }])
  expect((await finder.find(buildRequest(ACME_KEY))).cell).toBe('red')
  finder.seen([{ cell: 'red', epoch: 5 }])
  expect((await finder.find(buildRequest(ACME_KEY))).cell).toBe('blue')
  cellOfTenant.set('ACME', 'green')
  finder.forget('ACME')
  expect((await finder.find(buildRequest(ACME_KEY))).cell).toBe('green')
})

test('does not cache an answer that was requested before a move and arrived after it', async () => {
  finder.seen([{ cell: 'red', epoch: 4 }])
  const search = finder.find(buildRequest(ACME_KEY))
  // The answer from before the move is under way.
  while (!questions.includes('cell ACME')) await Promise.resolve()
  cellOfTenant.set('ACME', 'blue')
  finder.seen([{ cell: 'red', epoch: 5 }])
  await search
  expect((await finder.find(buildRequest(ACME_KEY))).cell).toBe('blue')
})

test('shares one lookup among concurrent requests, also after the tenant was forgotten', async () => {
  await finder.find(buildRequest(ACME_KEY))
  questions.length = 0
  const searches = Array.from({ length: 100 }, () => {
    finder.forget('ACME')
    return finder.find(buildRequest(ACME_KEY))
  })
  for (const { cell } of await Promise.all(searches)) expect(cell).toBe('red')
  expect(questions).toEqual(['cell ACME'])
})

test('shares one lookup of a key that does not exist', async () => {
  await Promise.all(Array.from({ length: 100 }, () => finder.find(buildRequest('hf_nobodynobody_secret'))))
  expect(questions).toEqual(['key nobodynobody'])
})

test('does not answer with a lookup that began before the tenant was forgotten', async () => {
  const answers: ((cell: string) => void)[] = []
  const slow = new CellFinder({
    homes: {
      tenantOfKey: (keyId) => Promise.resolve(tenantOfKey.get(keyId)),
      tenantOfOrganization: () => Promise.resolve(undefined),
      cellOfTenant: () => new Promise((resolve) => answers.push(resolve)),
    },
    first: 'main',
    organizationClaim: null,
  })
  const pending = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count))
  const before = slow.cellOf('ACME')
  await pending(1)
  slow.forget('ACME')
  const after = [slow.cellOf('ACME'), slow.cellOf('ACME')]
  answers[0]!('red')
  expect(await before).toBe('red')
  await pending(2)
  // It began after the tenant was forgotten.
  after.push(slow.cellOf('ACME'))
  answers[1]!('blue')
  expect(await Promise.all(after)).toEqual(['blue', 'blue', 'blue'])
  expect(await slow.cellOf('ACME')).toBe('blue')
  expect(answers).toHaveLength(2)
})

test('a lookup that fails is made again by the next request', async () => {
  let isAway = true
  const away = new CellFinder({
    homes: {
      tenantOfKey: () => Promise.resolve(undefined),
      tenantOfOrganization: () => Promise.resolve(undefined),
      cellOfTenant: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('red')),
    },
    first: 'main',
    organizationClaim: null,
  })
  const failed = away.cellOf('ACME')
  away.forget('ACME')
  const alsoFailed = away.cellOf('ACME')
  await expect(failed).rejects.toThrow('away')
  await expect(alsoFailed).rejects.toThrow('away')
  isAway = false
  expect(await away.cellOf('ACME')).toBe('red')
})
