// Webhooks of the real service to a real receiver that verifies with the public library. It fails, delays, redirects,
// limits the rate, hangs up and stops. Rotation, disabling and redelivery; visibility of events; and forbidden targets.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, once } from './client.ts'
import { eventually, startWorld, type World } from './harness.ts'
import type { NewAccount } from './models.ts'
import { accept, type Behaviour, Receiver, verify } from './receiver.ts'
import type { Created, WebhookRecord } from './webhook-records.ts'

let world: World
let receiver: Receiver
/** A host:port without a listener so far. */
let vacant: string
const open: { api: Client; offchainId: string }[] = []

beforeAll(async () => {
  receiver = await Receiver.start()
  const passing = await Receiver.start()
  vacant = passing.host
  passing.stop()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: `${receiver.host}, ${vacant}` })
})
afterAll(async () => {
  await world.stop()
  receiver.stop()
})
beforeEach(async () => {
  for (const { api, offchainId } of open.splice(0)) await api.send('PATCH', '/webhooks/disable', { offchainId })
  receiver.behave = accept
  receiver.forget()
})

async function create(
  eventTypes?: readonly string[],
  api = world.api,
): Promise<{ offchainId: string; secret: string }> {
  const creation = await api.ok<Created>(201, 'POST', '/webhooks', {
    url: receiver.url(),
    ...(eventTypes === undefined ? {} : { eventTypes }),
  })
  open.push({ api, offchainId: creation.newWebhook.offchainId })
  return { offchainId: creation.newWebhook.offchainId, secret: creation.secret! }
}

async function recordOf(offchainId: string, api = world.api): Promise<WebhookRecord> {
  const filter = [{ fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }]
  const { items } = (await api.bulk('/webhooks/bulk', { filter })) as { items: WebhookRecord[] }
  return items[0]!
}

/** Creates accounts and changes each this number of times; returns their ids. */
async function changes(accounts: number, each: number, api = world.api): Promise<string[]> {
  return await Promise.all(
    Array.from({ length: accounts }, async () => {
      const { newAccount } = await api.ok<NewAccount>(201, 'POST', '/accounts', {})
      for (let change = 1; change <= each; change += 1) {
        await api.ok(200, 'PATCH', '/accounts', {
          account: { offchainId: newAccount.offchainId },
          comments: `change ${change}`,
        })
      }
      return newAccount.offchainId
    }),
  )
}

/** Waits for at least this number of deliveries. */
async function waitForDeliveries(count: number): Promise<void> {
  await eventually(() => {
    expect(receiver.taken.length).toBeGreaterThanOrEqual(count)
    return Promise.resolve()
  })
}

describe('a webhook', () => {
  it('receives every event of its types, signed, in order per resource', async () => {
    const { secret } = await create(['account.*'])
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)![1]!, 'base64')).toHaveLength(32)
    const accounts = await changes(4, 5)
    await waitForDeliveries(24)
    expect(receiver.taken).toHaveLength(24)
    for (const delivery of receiver.taken) {
      const { event, headers } = delivery
      expect(verify(secret, delivery)).toEqual(event)
      expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' })
      expect(event).toMatchObject({
        tenantOrganizationId: 'SYSTEM',
        chainClusterId: 'CHAIN_DEVNET',
        resource: { kind: 'account' },
      })
      expect(Number.isNaN(Date.parse(event.timestamp))).toBe(false)
      expect(() => verify(secret, { ...delivery, text: delivery.text.replace('SYSTEM', 'SYSTEN') })).toThrow()
    }
    const order = receiver.order()
    expect([...order.keys()].sort()).toEqual([...accounts].sort())
    for (const sequences of order.values()) expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    const first = receiver.taken
      .filter(({ event }) => event.resource.offchainId === accounts[0])
      .map(({ event }) => event.type)
    expect(first).toEqual(['account.created', ...Array.from({ length: 5 }, () => 'account.updated')])
  })

  it('receives events from the downtime of its receiver in order, once it is back', async () => {
    const { offchainId } = await create(['account.*'])
    receiver.stop()
    try {
      const accounts = await changes(2, 3)
      await eventually(async () => {
        const { waiting, deliveries } = await recordOf(offchainId)
        expect(waiting.map(({ resourceOffchainId }) => resourceOffchainId).sort()).toEqual([...accounts].sort())
        expect(deliveries.every(({ delivered, httpStatus }) => !delivered && httpStatus === null)).toBe(true)
      })
    } finally {
      await receiver.startAgain()
    }
    await world.api.ok(200, 'PATCH', '/webhooks/redeliver', { offchainId })
    await waitForDeliveries(8)
    for (const sequences of receiver.order().values()) expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    expect([...receiver.order().values()].map((sequences) => sequences.length)).toEqual([4, 4])
  })

  it('receives all events in order through failures, delays, redirects, rate limits and hang-ups', async () => {
    const bad: readonly Behaviour[] = [
      (response) => response.writeHead(500).end(),
      (response) => response.writeHead(429, { 'retry-after': '2' }).end(),
      (response) => response.writeHead(403).end(),
      (response) => response.writeHead(302, { location: receiver.url('/elsewhere') }).end(),
      (response) => response.destroy(),
    ]
    receiver.behave = (response, delivery, attempt) => {
      const isLate = delivery.event.sequence % 3 === 0
      if (attempt === 1 && delivery.event.sequence % 2 === 0)
        bad[(delivery.event.sequence / 2) % bad.length]!(response, delivery, attempt)
      else if (isLate) setTimeout(() => accept(response, delivery, attempt), 50)
      else accept(response, delivery, attempt)
    }
    const { offchainId, secret } = await create(['account.*'])
    const accounts = await changes(6, 4)
    // Waiting events are sent at once, not at the next step of the retry schedule.
    await eventually(async () => {
      const { waiting } = await recordOf(offchainId)
      const hasFailed = waiting.length > 0 && waiting.every(({ failures }) => failures > 0)
      if (hasFailed) await world.api.ok(200, 'PATCH', '/webhooks/redeliver', { offchainId })
      expect([...receiver.order().values()].flat()).toHaveLength(30)
    })
    for (const delivery of receiver.came) verify(secret, delivery)
    expect(receiver.came.filter(({ path }) => path === '/elsewhere')).toEqual([])
    const order = receiver.order()
    expect([...order.keys()].sort()).toEqual([...accounts].sort())
    for (const sequences of order.values()) expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    await eventually(async () => expect((await recordOf(offchainId)).waiting).toEqual([]))
    const { deliveries } = await recordOf(offchainId)
    expect(deliveries.length).toBeLessThanOrEqual(50)
    expect(deliveries.some(({ delivered }) => !delivered)).toBe(true)
    for (const { delivered, httpStatus, errorMessage } of deliveries)
      expect(delivered).toBe(errorMessage === null && httpStatus === 204)
  })

  it('is disabled by 410, keeps its position, and continues after a redelivery request', async () => {
    receiver.behave = (response) => response.writeHead(410).end()
    const { offchainId } = await create()
    const [account] = await changes(1, 1)
    await eventually(async () =>
      expect(await recordOf(offchainId)).toMatchObject({ status: 'DISABLED', disabledBecause: 'GONE' }),
    )
    receiver.behave = accept
    receiver.forget()
    await changes(1, 0)
    expect(receiver.came).toEqual([])
    await world.api.ok(200, 'PATCH', '/webhooks/redeliver', { offchainId })
    await waitForDeliveries(3)
    expect(receiver.order().get(account!)).toHaveLength(2)
    expect(await recordOf(offchainId)).toMatchObject({ status: 'ENABLED', disabledBecause: null })
  })

  it('is signed with both secrets after a rotation, and only with the new one without a grace period', async () => {
    const { offchainId, secret } = await create(['account.created'])
    const rotated = await world.api.ok<{ secret: string }>(200, 'PATCH', '/webhooks/rotate', { offchainId })
    await changes(1, 0)
    await waitForDeliveries(1)
    expect(receiver.taken[0]!.headers['webhook-signature']!.split(' ')).toHaveLength(2)
    for (const valid of [secret, rotated.secret]) verify(valid, receiver.taken[0]!)
    const third = await world.api.ok<{ secret: string }>(200, 'PATCH', '/webhooks/rotate', {
      offchainId,
      graceSeconds: 0,
    })
    await changes(1, 0)
    await waitForDeliveries(2)
    verify(third.secret, receiver.taken[1]!)
    for (const oldSecret of [secret, rotated.secret]) expect(() => verify(oldSecret, receiver.taken[1]!)).toThrow()
  })

  it('redelivers from a sequence number or an event', async () => {
    const { offchainId } = await create(['account.*'])
    await changes(1, 3)
    await waitForDeliveries(4)
    const events = receiver.taken.map(({ event }) => event)
    await eventually(async () =>
      expect((await recordOf(offchainId)).lastSequence).toBeGreaterThanOrEqual(events.at(-1)!.sequence),
    )
    receiver.forget()
    await world.api.ok(200, 'PATCH', '/webhooks/redeliver', { offchainId, eventId: events[1]!.id })
    await waitForDeliveries(3)
    expect(receiver.taken.map(({ event }) => event)).toEqual(events.slice(1))
    await eventually(async () =>
      expect((await recordOf(offchainId)).lastSequence).toBeGreaterThanOrEqual(events.at(-1)!.sequence),
    )
    receiver.forget()
    await world.api.ok(200, 'PATCH', '/webhooks/redeliver', { offchainId, sequence: events[3]!.sequence })
    await waitForDeliveries(1)
    expect(receiver.taken[0]!.headers['webhook-id']).toBe(events[3]!.id)
    await world.api.refuses(400, 'NOT_DELIVERED_YET', 'PATCH', '/webhooks/redeliver', {
      offchainId,
      sequence: 1_000_000,
    })
    await world.api.refuses(400, 'EVENT_NOT_FOUND', 'PATCH', '/webhooks/redeliver', { offchainId, eventId: offchainId })
    await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'PATCH', '/webhooks/redeliver', {
      offchainId,
      eventId: offchainId,
      sequence: 1,
    })
  })

  it('is disabled once', async () => {
    const { offchainId } = await create()
    expect(await world.api.ok(200, 'PATCH', '/webhooks/disable', { offchainId })).toEqual({
      disabledWebhook: { offchainId },
    })
    await world.api.refuses(400, 'ALREADY_DISABLED', 'PATCH', '/webhooks/disable', { offchainId })
    expect(await recordOf(offchainId)).toMatchObject({ status: 'DISABLED', disabledBecause: 'REQUESTED' })
  })

  it('is created once under an idempotency key, and the replay contains no secret', async () => {
    const itemData = { url: receiver.url('/once') }
    const first = await world.api.ok<Created>(201, 'POST', '/webhooks', itemData, { headers: once('hook 1') })
    open.push({ api: world.api, offchainId: first.newWebhook.offchainId })
    const replay = await world.api.send<Created>('POST', '/webhooks', itemData, { headers: once('hook 1') })
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body]).toEqual([
      201,
      'true',
      { newWebhook: first.newWebhook },
    ])
    const text = JSON.stringify(await world.api.bulk('/webhooks/bulk', {}))
    expect(text).toContain(first.newWebhook.offchainId)
    expect(text).not.toContain('whsec_')
    expect(text).not.toContain(first.secret!.slice(6))
  })
})

describe('the receiver in the documentation', () => {
  it('runs as printed', async () => {
    const ROOT = join(import.meta.dirname, '..', '..')
    const recipe = readFileSync(join(ROOT, 'src', 'docs', 'receiving-events.md'), 'utf8')
    const program = /```js\n([^]*?)```/.exec(recipe)![1]!
    expect(program).toContain('.listen(4000)')
    const creation = await world.api.ok<Created>(201, 'POST', '/webhooks', {
      url: `http://${vacant}/hook`,
      eventTypes: ['account.*', 'transaction.finalized'],
    })
    const port = vacant.split(':')[1]!
    const code = program.replace('listen(4000)', `listen(${port}, '127.0.0.1', () => console.log('listens'))`)
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: creation.secret }
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT, env })
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    try {
      await eventually(async () => expect(await Promise.resolve(lines)).toEqual(['listens']))
      const [account] = await changes(1, 2)
      await eventually(async () => expect(await Promise.resolve(lines)).toHaveLength(4))
      const rows = lines.slice(1).map((line) => line.split(' '))
      expect(rows.map(([, type, resource]) => [type, resource])).toEqual([
        ['account.created', account],
        ['account.updated', account],
        ['account.updated', account],
      ])
    } finally {
      child.kill('SIGKILL')
      await world.api.ok(200, 'PATCH', '/webhooks/disable', creation.newWebhook)
    }
  })
})

describe('another tenant', () => {
  async function party(name: string, members: object = { bundle: 'ADMIN' }): Promise<Client> {
    await world.api.send('POST', '/admin/organizations', { externalId: name, name })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: name,
      name,
      ...members,
    })
    return world.api.as(apiKey)
  }

  it('receives no event of this tenant, and does not find its webhook', async () => {
    const [alpha, beta] = [await party('ALPHA'), await party('BETA')]
    const { offchainId } = await create(['*'], alpha)
    const { secret } = await create(['*'], beta)
    await changes(1, 1, alpha)
    const [account] = await changes(1, 1, beta)
    await waitForDeliveries(4)
    const ofBeta = receiver.taken.filter((delivery) => {
      try {
        return Boolean(verify(secret, delivery))
      } catch {
        return false
      }
    })
    expect(ofBeta.map(({ event }) => [event.tenantOrganizationId, event.resource.offchainId])).toEqual([
      ['BETA', account],
      ['BETA', account],
    ])
    for (const path of ['rotate', 'disable', 'redeliver']) {
      await beta.refuses(400, 'WEBHOOK_NOT_FOUND', 'PATCH', `/webhooks/${path}`, { offchainId })
    }
    expect(await beta.bulk('/webhooks/bulk', {})).toMatchObject({ count: 1 })
  })

  it('needs the role', async () => {
    const viewer = await party('ALPHA', { bundle: 'VIEWER' })
    await viewer.refuses(403, 'ROLE_REQUIRED', 'POST', '/webhooks', { url: receiver.url() })
    await viewer.bulk('/webhooks/bulk', {})
    const other = await party('ALPHA', { roles: ['ACCOUNTS_READ'] })
    await other.refuses(403, 'ROLE_REQUIRED', 'POST', '/webhooks/bulk', {})
  })
})

describe('a webhook target', () => {
  const port = (): string => receiver.host.split(':')[1]!

  it('is refused unless it is on the public internet, in any spelling', async () => {
    const inside = [
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://0/',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
      'https://[64:ff9b::7f00:1]/',
      'https://[fd00::1]/',
      'https://localhost/',
      'https://LOCALHOST./',
      `http://localhost:${port()}/`,
      'http://8.8.8.8/',
      'https://8.8.8.8:8443/',
      'http://127.0.0.1:1/',
      `http://[::1]:${port()}/`,
    ]
    for (const url of inside) {
      const problem = await world.api.refuses(400, 'OUTBOUND_NOT_ALLOWED', 'POST', '/webhooks', { url })
      expect(problem.pointer).toBe('/itemData/url')
    }
  })

  it('is an absolute https URL without credentials, or http if allowed by the settings', async () => {
    for (const url of [
      '/hook',
      'example.org',
      'ftp://example.org/',
      'file:///etc/passwd',
      'https://a:b@example.org/',
      'https://a@example.org/',
      '',
    ]) {
      await world.api.refuses(400, 'MALFORMED_URL', 'POST', '/webhooks', { url })
    }
    const creation = await world.api.ok<Created>(201, 'POST', '/webhooks', { url: 'https://hooks.example.invalid/a' })
    open.push({ api: world.api, offchainId: creation.newWebhook.offchainId })
  })

  it('subscribes to known events only', async () => {
    for (const eventTypes of [['account.craeted'], ['account'], ['*.created'], ['loans.*'], ['account.*', 'x']]) {
      await world.api.refuses(400, 'UNKNOWN_EVENT_TYPE', 'POST', '/webhooks', { url: receiver.url(), eventTypes })
    }
    const { offchainId } = await create(['transaction.finalized', 'position.*', 'loan.liquidated', 'acc*'])
    expect(await recordOf(offchainId)).toMatchObject({
      eventTypes: ['transaction.finalized', 'position.*', 'loan.liquidated', 'acc*'],
    })
  })
})
