// The Postman collection, executed by a runner that works like that of Postman: every request in order, against the
// real service. The run completes, leaves nothing frozen, and the answers have the documented members.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { startWorld, type World } from './harness.ts'
import type { Result } from './models.ts'

interface Entry {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

interface Request {
  readonly method: string
  readonly header: readonly Entry[]
  readonly url: {
    readonly path: readonly string[]
    readonly query?: readonly Entry[]
    readonly variable?: readonly Entry[]
  }
  readonly body?: { readonly raw: string }
}

interface Collection {
  readonly item: readonly {
    readonly name: string
    readonly item: readonly { readonly name: string; readonly request: Request }[]
  }[]
}

interface Ran {
  readonly request: string
  readonly status: number
  readonly body: unknown
}

interface AuditRow {
  readonly action: string
  readonly outcome: string
  readonly resource: { readonly kind: string | null }
}

const REQUEST_MS = 120_000
const LAMPORTS = 2_000_000_000n
let world: World
let ran: readonly Ran[]

beforeAll(async () => {
  world = await startWorld()
  const wallet = (code: string, members: object = {}) =>
    world.records.funded({ offchainReferences: { code, type: 'WALLET' }, ...members }, LAMPORTS)
  await wallet('FEES', { canPayFees: true, networkCurrencyDebitLimits: [] })
  await wallet('CLIENT-7', { networkCurrencyDebitLimits: [] })
  await world.records.account({ offchainReferences: { code: 'ISSUER', type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  await world.records.account({ offchainReferences: { code: 'PUBLISHER', type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  const collection = (await (await fetch(`${world.url}/collection.json`)).json()) as Collection
  ran = await run(collection)
}, 300_000)
afterAll(() => world.stop())

async function run({ item }: Collection): Promise<Ran[]> {
  const calls: Ran[] = []
  for (const { request } of item.flatMap((folder) => folder.item)) calls.push(await send(request))
  return calls
}

async function send({ method, header, url, body }: Request): Promise<Ran> {
  const on = (entries: readonly Entry[] = []) =>
    entries.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value] as const)
  const values = Object.fromEntries((url.variable ?? []).map(({ key, value }) => [`:${key}`, value]))
  const path = `/${url.path.map((part) => values[part] ?? part).join('/')}`
  const query = new URLSearchParams(Object.fromEntries(on(url.query))).toString()
  const response = await fetch(`${world.url}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: { ...Object.fromEntries(on(header)), authorization: world.api.bearer },
    signal: AbortSignal.timeout(REQUEST_MS),
    ...(body === undefined ? {} : { body: body.raw }),
  })
  const text = await response.text()
  return {
    request: `${method} /${url.path.join('/')}`,
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
  }
}

const routeOf = (request: string) =>
  routes.find(({ method, path }) => `${method} ${path.replace('{detail-level}', ':detail-level')}` === request)

describe('the collection', () => {
  it('finishes, and every answer matches the interface', () => {
    expect(ran.length).toBeGreaterThan(routes.length)
    for (const { request, status, body } of ran) {
      // Only a custodian can sign this request.
      if (request === 'POST /api/v1/remote-signers/answers') continue
      expect([request, status, status < 500 && ![401, 403, 405, 413, 415].includes(status) ? 'fine' : body]).toEqual([
        request,
        status,
        'fine',
      ])
    }
  })

  it('returns exactly the documented members in every answer', () => {
    // A statement may be requested as CSV.
    const good = ran.filter(
      ({ request, status, body }) => status < 300 && routeOf(request) !== undefined && typeof body === 'object',
    )
    expect(good.length, `answered well: ${good.map(({ request }) => request).join(', ')}`).toBeGreaterThan(35)
    for (const { request, body } of good) {
      const parsed = routeOf(request)!.answer.safeParse(body)
      expect([request, parsed.error?.message]).toEqual([request, undefined])
      expect([request, parsed.data]).toEqual([request, body])
    }
  })

  it('creates transactions that succeed on chain', () => {
    for (const request of [
      'POST /api/v1/financial-instruments',
      'POST /api/v1/positions',
      'POST /api/v1/positions/mint',
      'POST /api/v1/positions/transfer',
    ]) {
      const { body } = ran.find((each) => each.request === request)! as { body: Result & { chainTransaction?: Result } }
      expect([request, (body.chainTransaction ?? body).success, body]).toEqual([request, true, body])
    }
  })

  it('leaves an audit row of every write, which names the kind of its resource', async () => {
    const { items } = (await world.api.bulk('/audit/bulk', { limit: 1000 })) as { readonly items: readonly AuditRow[] }
    const done = items.filter(({ outcome }) => outcome === 'DONE')
    expect(new Set(done.map(({ action }) => action)).size).toBeGreaterThan(15)
    expect(done.filter(({ resource }) => resource.kind === null)).toEqual([])
  })

  it('restores every switch: its wallet pays, nothing is frozen or suspended, its key works', async () => {
    const code = (name: string) => ({ offchainReferences: { code: name } })
    const payment = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', {
      source: code('CLIENT-7'),
      destination: code('TREASURY'),
      lamports: 1_000_000,
    })
    expect(payment).toMatchObject({ success: true })
    const organizations = JSON.stringify(await world.api.bulk('/admin/organizations/bulk', {}))
    expect(organizations).not.toMatch(/"(?:frozen|disabled)":true/)
    const { checks } = (await (await fetch(`${world.url}/readyz`)).json()) as { checks: object }
    expect(JSON.stringify(checks)).not.toMatch(/frozen|suspended/i)
  })
})
