// Requests per second and open requests are bounded for a key, a tenant and the server.
import { describe, expect, it } from 'vitest'
import { SERVER_CAPS, tenantShareOf } from '../../src/config/server-caps.ts'
import { RequestAdmission } from '../../src/http/admission.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { Refusal } from '../../src/contract/refusal.ts'
import { eventually } from '../e2e/harness.ts'
import { startEcho, type Answer, type Problems } from '../http/service.ts'

const KEY_LIMIT = { perSecond: 200, burst: 400 }

function exchange(): Exchange {
  return { res: { headersSent: false, setHeader: () => undefined }, state: {} } as unknown as Exchange
}

/** The number of admitted requests of this many. */
function countAdmitted(
  admission: RequestAdmission,
  count: number,
  who: (index: number) => { keyId: string; tenant: string },
): number {
  let done = 0
  let first: unknown
  for (let index = 0; index < count; index += 1) {
    const one = exchange()
    try {
      admission.admit(one, who(index))
    } catch (error) {
      first ??= error
      continue
    }
    one.state.leave?.()
    done += 1
  }
  if (first !== undefined) {
    expect(first).toBeInstanceOf(Refusal)
    expect(first).toMatchObject({
      status: 429,
      problems: [{ code: 'RATE_LIMITED', retryable: true }],
      retryAfterSeconds: 1,
    })
  }
  return done
}

describe('14.12 requests per second', () => {
  it('of a tenant are a share of the server, for any number of keys; a single key keeps its rate', () => {
    const admission = new RequestAdmission({ rateLimit: KEY_LIMIT, tenantShare: 10 }, () => 0)
    expect(countAdmitted(admission, 1_000, () => ({ keyId: 'lone', tenant: 'LONE' }))).toBe(KEY_LIMIT.burst)
    const share = tenantShareOf(SERVER_CAPS.requestBurst, 10)
    expect(countAdmitted(admission, 2 * share, (index) => ({ keyId: `key ${index % 100}`, tenant: 'GREEDY' }))).toBe(
      share,
    )
    expect(countAdmitted(admission, 100, () => ({ keyId: 'other', tenant: 'OTHER' }))).toBe(100)
  })

  it('of all tenants are bounded, and a key beyond its own limit does not use up that of its tenant', () => {
    const admission = new RequestAdmission({ rateLimit: { perSecond: 1, burst: 10 }, tenantShare: 100 }, () => 0)
    expect(countAdmitted(admission, 1_000, () => ({ keyId: 'one', tenant: 'A' }))).toBe(10)
    const rest = SERVER_CAPS.requestBurst - 10
    expect(
      countAdmitted(admission, SERVER_CAPS.requestBurst + 1_000, (index) => ({ keyId: `key ${index}`, tenant: 'A' })),
    ).toBe(rest)
  })

  it('are never fewer for a tenant than for one key', () => {
    const admission = new RequestAdmission(
      { rateLimit: { perSecond: 50_000, burst: 100_000 }, tenantShare: 1 },
      () => 0,
    )
    expect(countAdmitted(admission, 1_000, () => ({ keyId: 'one', tenant: 'A' }))).toBe(1_000)
  })

  it('that count several times are repaid before the next', () => {
    let now = 0
    const admission = new RequestAdmission({ rateLimit: { perSecond: 1, burst: 2 }, tenantShare: 10 }, () => now)
    const who = { keyId: 'one', tenant: 'A' }
    admission.admit(exchange(), who)
    admission.charge(exchange(), who, 8)
    const isTaken = (): boolean => countAdmitted(admission, 1, () => who) === 1
    expect(isTaken()).toBe(false)
    now = 7_999
    expect(isTaken()).toBe(false)
    now = 8_001
    expect(isTaken()).toBe(true)
  })
})

describe('14.12 open requests', () => {
  it('of a tenant are a share of the server; an ended one makes room; another tenant is admitted', async () => {
    const most = tenantShareOf(SERVER_CAPS.openRequests, 1)
    let end = (): void => undefined
    const ending = new Promise<void>((resolve) => {
      end = resolve
    })
    let began = 0
    const caller = (keyId: string, tenant: string) => ({
      keyId,
      tenant,
      organization: tenant,
      system: false,
      roles: new Set(['ACCOUNTS_WRITE']),
      clusters: null,
    })
    await using service = await startEcho({
      settings: { tenantShare: 1 },
      api: {
        authenticate: (bearer) => caller(bearer, bearer.split('-')[0]!),
        callFor: ({ organization, tenant }) => ({ organization, tenant }),
        perform: async () => {
          began += 1
          await ending
          return { body: {}, replayed: false, dryRun: false }
        },
      },
    })
    const send = (bearer: string) =>
      service.post('/api/v1/accounts', { itemData: {} }, { authorization: `Bearer ${bearer}` })
    const first = Array.from({ length: most + 5 }, (_, index) => send(`GREEDY-${index % 7}`))
    const answers: Answer[] = []
    for (const request of first) void request.then((answer) => answers.push(answer))
    await eventually(async () => {
      expect(began + answers.length).toBe(most + 5)
      await Promise.resolve()
    })
    const refusals = [...answers]
    expect(refusals).toHaveLength(5)
    for (const { status, headers, body } of refusals) {
      expect([status, headers.get('retry-after'), (body as Problems).errors[0]?.code]).toEqual([
        429,
        '1',
        'TOO_MANY_OPEN_REQUESTS',
      ])
    }
    const others = send('OTHER-1')
    end()
    expect((await others).status).toBe(201)
    const statuses = (await Promise.all(first)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(most)
    expect((await send('GREEDY-1')).status).toBe(201)
  })
})
