// Events over HTTP: each change is published once and in order, to the keys that may see it. Events can be replayed
// from any position, and followed as they happen.
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from './client.ts'
import { eventually, startWorld, type World } from './harness.ts'
import type { Ids, Result } from './models.ts'

interface Event {
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly at: string
  readonly tenantOrganizationId: string
  readonly chainClusterId: string
  readonly resource: { readonly kind: string; readonly onchainId: string | null; readonly offchainId: string }
  readonly data: Record<string, unknown>
}

interface Page {
  readonly items: readonly Event[]
  readonly lastSequence: number
}

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
})
afterAll(() => world.stop())

async function get(query: string, api: Client = world.api): Promise<{ status: number; body: Page }> {
  const response = await fetch(`${world.url}/api/v1/events${query}`, { headers: { authorization: api.bearer } })
  return { status: response.status, body: (await response.json()) as Page }
}

async function newest(api?: Client): Promise<number> {
  return (await get('?limit=0', api)).body.lastSequence
}

async function since(sequence: number, api?: Client): Promise<readonly Event[]> {
  const { status, body } = await get(`?after=${sequence}`, api)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
}

async function keyOf(organizationExternalId: string, roles: readonly string[]): Promise<Client> {
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId,
    name: 'test',
    roles,
  })
  return world.api.as(apiKey)
}

async function organization(externalId: string, parentExternalId?: string): Promise<void> {
  await world.api.ok(201, 'POST', '/admin/organizations', {
    externalId,
    name: externalId,
    ...(parentExternalId === undefined ? {} : { parentExternalId }),
  })
}

describe('replay', () => {
  it('returns every event of a transfer from its signature to its end, with the amounts', async () => {
    const [alice, bob] = [await world.records.funded(), await world.records.account()]
    const before = await newest()
    const { offchainId, onchainId } = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', {
      source: alice,
      destination: bob,
      lamports: 2_000_000,
    })
    const own = (events: readonly Event[]): Event[] =>
      events.filter(({ resource }) => resource.offchainId === offchainId)
    const events = await eventually(async () => {
      const newEvents = await since(before)
      expect(own(newEvents).at(-1)?.type).toBe('transaction.finalized')
      return newEvents
    })
    const statuses = own(events).map(({ type }) => type)
    expect(statuses[0]).toBe('transaction.signed')
    // If the service is slow to look and sees the transaction final at once, there is one event less.
    expect(statuses.filter((type) => type === 'transaction.confirmed').length).toBeLessThanOrEqual(1)
    expect(statuses.filter((type) => type === 'transaction.finalized')).toHaveLength(1)
    expect(own(events).at(-1)).toMatchObject({
      resource: { kind: 'transaction', onchainId, offchainId },
      data: { success: true, status: 'FINALIZED' },
      chainClusterId: 'CHAIN_DEVNET',
      tenantOrganizationId: 'SYSTEM',
    })
    const creditEvent = events.find(
      ({ type, resource }) => type === 'account.updated' && resource.offchainId === bob.offchainId,
    )
    expect(creditEvent).toMatchObject({
      resource: { kind: 'account', ...bob },
      data: { offchain: { lamportsBalance: 2_000_000, lastTransactionId: offchainId } },
    })
    expect(
      events.filter(({ resource }) => resource.offchainId === feePayer.offchainId).map(({ type }) => type),
    ).toEqual(['account.updated'])
    for (const event of events) expect(Number.isNaN(Date.parse(event.at))).toBe(false)
  })

  it('shows lists of accounts as the record does: `[]` if nothing is listed', async () => {
    const before = await newest()
    const owner = await world.records.account({ canPayFees: true })
    const limits = [{ destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 1 } }]
    const { keyId } = await world.api.ok<{ keyId: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'SYSTEM',
      name: 'debits',
      bundle: 'OPERATOR',
    })
    const members = {
      globalFeePayerForOrgs: ['SYSTEM'],
      orgsAllowedToSignWithPrivateKey: ['SYSTEM'],
      solDebitApiKeys: [keyId],
      tokenDebitApiKeys: [keyId],
      networkCurrencyDebitLimits: limits,
      tokenDebitLimits: limits,
    }
    const none = Object.fromEntries(Object.keys(members).map((member) => [member, null]))
    for (const changes of [
      members,
      none,
      { networkCurrencyDebitLimits: [] },
      { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } },
    ])
      await world.api.ok(200, 'PATCH', '/accounts', { account: owner, ...changes })
    const [set, cleared, free, other] = (await since(before))
      .filter(({ type, resource }) => type === 'account.updated' && resource.offchainId === owner.offchainId)
      .map(({ data }) => data)
    expect(Object.keys(set!).sort()).toEqual([...Object.keys(members), 'defaultDebitLimits'].sort())
    expect(set).toMatchObject({ solDebitApiKeys: [keyId], defaultDebitLimits: [] })
    expect(cleared).toEqual({
      ...Object.fromEntries(Object.keys(members).map((member) => [member, []])),
      defaultDebitLimits: ['networkCurrencyDebitLimits', 'tokenDebitLimits'],
    })
    expect(free).toEqual({ networkCurrencyDebitLimits: [], defaultDebitLimits: ['tokenDebitLimits'] })
    // The default limits for tokens apply to wallets only.
    expect(other).toMatchObject({ defaultDebitLimits: [] })
  })

  it('returns the whole log in pages of any size, without gaps and always the same', async () => {
    await world.records.account()
    const allEvents = await since(0)
    expect(allEvents.map(({ sequence }) => sequence)).toEqual(allEvents.map((_, index) => index + 1))
    const paged: Event[] = []
    for (let after = 0; ;) {
      const { body } = await get(`?after=${after}&limit=7`)
      paged.push(...body.items)
      if (body.lastSequence === after) break
      after = body.lastSequence
    }
    expect(paged.slice(0, allEvents.length)).toEqual(allEvents)
    expect(new Set(allEvents.map(({ id }) => id)).size).toBe(allEvents.length)
  })

  it('contains no unsent signatures, transaction bytes or secrets', async () => {
    const text = JSON.stringify(await since(0))
    for (const word of ['serialized', 'privateKey"', 'secret', 'signedBytes', 'message"'])
      expect(text).not.toContain(word)
  })

  it.each([
    ['after=-1', 'after'],
    ['after=x', 'after'],
    ['after=1&after=2', 'after'],
    ['limit=1001', 'limit'],
    ['limit=', 'limit'],
    ['chainClusterId=CHAIN_NONE', 'chainClusterId'],
    ['befor=1', 'befor'],
  ])('refuses %s, naming the parameter', async (query, name) => {
    const { status, body } = await get(`?${query}`)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(name)
  })
})

describe('visibility', () => {
  it('an organization sees its own events, its parent by override, and another tenant or role none', async () => {
    await organization('EV-PARENT')
    await organization('EV-CHILD', 'EV-PARENT')
    await organization('EV-OTHER')
    const child = await keyOf('EV-CHILD', ['EVENTS_READ', 'ACCOUNTS_WRITE'])
    const parent = await keyOf('EV-PARENT', ['EVENTS_READ', 'ACCOUNTS_WRITE', 'ORGANIZATION_OVERRIDE'])
    const other = await keyOf('EV-OTHER', ['EVENTS_READ'])
    const deaf = await keyOf('EV-CHILD', ['ACCOUNTS_READ'])
    await world.records.with(child).account()
    await world.records.with(parent).account()
    const [event] = await since(0, child)
    expect(event).toMatchObject({ type: 'account.created', tenantOrganizationId: 'EV-CHILD' })
    expect(await since(0, child)).toHaveLength(1)
    expect((await since(0, parent)).map(({ tenantOrganizationId }) => tenantOrganizationId)).toEqual(['EV-PARENT'])
    expect((await get('?overrideOrganizationExternalId=EV-CHILD', parent)).body.items).toEqual([event])
    expect((await get('?overrideOrganizationExternalId=EV-CHILD')).body.items, 'the system tenant').toEqual([event])
    expect(await since(0, other)).toEqual([])
    expect((await get('?overrideOrganizationExternalId=EV-CHILD', other)).status).toBe(403)
    expect((await get('', deaf)).status).toBe(403)
    expect(await newest(other)).toBe(0)
  })
})

/** Reads a stream until it has the requested messages. */
class Stream {
  readonly response: IncomingMessage
  text = ''
  ended = false

  private constructor(response: IncomingMessage) {
    this.response = response
    response
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        this.text += piece
      })
      .on('close', () => {
        this.ended = true
      })
      .on('error', () => undefined)
  }

  static open(headers: Record<string, string> = {}, query = '', api: Client = world.api): Promise<Stream> {
    return new Promise((resolve, reject) => {
      request(
        `${world.url}/api/v1/events/stream${query}`,
        { headers: { authorization: api.bearer, ...headers } },
        (response) => {
          resolve(new Stream(response))
        },
      )
        .on('error', reject)
        .end()
    })
  }

  get messages(): { id: number; event: string; data: Event }[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.startsWith('id: '))
      .map((block) => {
        const [id = '', event = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(' ') + 1))
        return { id: Number(id), event, data: JSON.parse(data) as Event }
      })
  }

  close(): void {
    this.response.destroy()
  }
}

describe('the stream', () => {
  it('delivers new events in the order of the log', async () => {
    const start = await newest()
    const stream = await Stream.open()
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const accounts = await Promise.all([1, 2, 3].map(() => world.records.account()))
    const received = await eventually(() => {
      const ids = stream.messages.map(({ data }) => data.resource.offchainId)
      expect(ids).toEqual(expect.arrayContaining(accounts.map(({ offchainId }) => offchainId)))
      return Promise.resolve(stream.messages)
    })
    stream.close()
    for (const { id, event, data } of received) expect([id, event]).toEqual([data.sequence, data.type])
    expect(received.map(({ data }) => data)).toEqual((await since(start)).slice(0, received.length))
  })

  it('resumes after the last event that the client received', async () => {
    const start = await newest()
    for (let n = 0; n < 3; n += 1) await world.records.account()
    const log = await since(start)
    const lastSequence = log[0]!.sequence
    const stream = await Stream.open({ 'Last-Event-ID': String(lastSequence) }, '?after=0')
    await eventually(() => {
      expect(stream.messages.length).toBeGreaterThanOrEqual(log.length - 1)
      return Promise.resolve()
    })
    stream.close()
    expect(stream.messages[0]!.id).toBe(lastSequence + 1)
  })

  it('continues with the next event for a client that is ahead of the log, as after a restore', async () => {
    const ahead = (await newest()) + 1_000
    const streams = [await Stream.open({ 'Last-Event-ID': String(ahead) }), await Stream.open({}, `?after=${ahead}`)]
    const start = await newest()
    await world.records.account()
    const { sequence } = (await since(start))[0]!
    for (const stream of streams) {
      await eventually(() => {
        expect(stream.messages[0]?.id).toBe(sequence)
        return Promise.resolve()
      })
      stream.close()
    }
  })

  it('refuses an invalid event id, and a key without the role', async () => {
    const malformed = await Stream.open({ 'Last-Event-ID': 'x' })
    expect(malformed.response.statusCode).toBe(400)
    const deaf = await keyOf('SYSTEM', ['ACCOUNTS_READ'])
    expect((await Stream.open({}, '', deaf)).response.statusCode).toBe(403)
  })

  it('ends before the next event once its key is disabled', async () => {
    const { apiKey, keyId } = await world.api.ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'SYSTEM',
      name: 'to be disabled',
      roles: ['EVENTS_READ'],
    })
    const stream = await Stream.open({}, '', world.api.as(apiKey))
    await world.records.account()
    await eventually(() => {
      expect(stream.messages.length).toBeGreaterThan(0)
      return Promise.resolve()
    })
    await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
    const countBefore = stream.messages.length
    await world.records.account()
    await eventually(() => {
      expect(stream.ended).toBe(true)
      return Promise.resolve()
    })
    expect(stream.messages).toHaveLength(countBefore)
  })

  it('is limited in number for each key', async () => {
    const api = await keyOf('SYSTEM', ['EVENTS_READ'])
    const streams = await Promise.all(Array.from({ length: 20 }, () => Stream.open({}, '', api)))
    expect((await Stream.open({}, '', api)).response.statusCode).toBe(429)
    for (const stream of streams) stream.close()
    await eventually(async () => {
      const nextStream = await Stream.open({}, '', api)
      nextStream.close()
      expect(nextStream.response.statusCode).toBe(200)
    })
  })
})
