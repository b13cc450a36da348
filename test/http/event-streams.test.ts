// Streams and their clients: a slow one holds one page and is finally closed, a quiet one gets a heartbeat, and all end
// with the service.
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EventStreams, type EventSubscription, type StreamLimits } from '../../src/http/event-streams.ts'
import type { EventPage } from '../../src/contract/schemas/event.ts'
import { Refusal } from '../../src/contract/refusal.ts'
import { eventually } from '../e2e/harness.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(
  followed: Partial<EventSubscription>,
  limits: Partial<StreamLimits> = {},
): Promise<{ streams: EventStreams; client: IncomingMessage }> {
  const streams = new EventStreams(limits)
  const subscription: EventSubscription = {
    keyId: 'key',
    tenant: 'tenant',
    logOf: 'tenant',
    after: 0,
    read: () => Promise.resolve({ items: [], lastSequence: 0 }),
    subscribe: () => () => undefined,
    ...followed,
  }
  const server = createServer((req, res) => streams.open({ req, res } as never, subscription)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = await new Promise<IncomingMessage>((resolve) =>
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, resolve),
  )
  client.on('error', () => undefined)
  return { streams, client }
}

const endless =
  (counts: { pages: number }): EventSubscription['read'] =>
  (after, limit): Promise<EventPage> => {
    counts.pages += 1
    const items = Array.from({ length: limit }, (_, index) => ({
      id: `00000000-0000-8000-8000-${String(after + index + 1).padStart(12, '0')}`,
      sequence: after + index + 1,
      type: 'account.updated',
      at: '2026-01-01T00:00:00.000Z',
      tenantOrganizationId: 'ACME',
      chainClusterId: 'CHAIN_DEVNET',
      resource: { kind: 'account', onchainId: null, offchainId: '00000000-0000-4000-8000-000000000000' },
      data: { comments: 'x'.repeat(5_000) },
    }))
    return Promise.resolve({ items, lastSequence: after + limit })
  }

/** A broken connection is an end too. */
const waitForClose = (client: IncomingMessage): Promise<void> =>
  new Promise((resolve) => void client.once('close', () => resolve()))

describe('an event stream', () => {
  it('reads no further than its client, and drops a client that reads nothing', async () => {
    const counts = { pages: 0 }
    const { streams, client } = await serve({ read: endless(counts) }, { stalledMs: 300 })
    await eventually(() => {
      expect(streams.size).toBe(0)
      return Promise.resolve()
    })
    // The bytes that the socket buffers between them hold, with pages of a megabyte each.
    expect(counts.pages).toBeLessThan(30)
    const read = counts.pages
    client.resume()
    await waitForClose(client)
    expect(counts.pages).toBe(read)
  })

  it('continues as long as its client reads', async () => {
    // The clock advances only here: 200 ms with each page, which is less than the timeout of the client.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const counts = { pages: 0 }
    const { streams, client } = await serve({ read: endless(counts) }, { stalledMs: 300 })
    client.resume()
    for (let seenPages = 0; seenPages <= 60; seenPages = counts.pages) {
      while (counts.pages === seenPages) {
        expect(streams.size).toBe(1)
        await new Promise(setImmediate)
      }
      vi.advanceTimersByTime(200)
    }
    client.destroy()
    while (streams.size > 0) await new Promise(setImmediate)
  })

  it('sends heartbeats while idle, and checks the rights of its client again', async () => {
    let allowed = true
    const { client } = await serve(
      {
        read: () =>
          allowed ? Promise.resolve({ items: [], lastSequence: 0 }) : Promise.reject(new Error('not any more')),
      },
      { heartbeatMs: 20 },
    )
    let text = ''
    client.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    await eventually(() => {
      expect(text).toMatch(/^retry: \d+\n\n(: \n\n){3}/)
      return Promise.resolve()
    })
    allowed = false
    await waitForClose(client)
  })

  it('ends properly when the service stops', async () => {
    const { streams, client } = await serve({})
    client.resume()
    streams.end()
    await once(client, 'end')
    expect(client.complete).toBe(true)
  })

  it('counts for the tenant of its key, and ends with the tenant whose events it shows', async () => {
    const { streams, client } = await serve({ tenant: 'SYSTEM', logOf: 'ACME' }, { maxPerTenant: 1 })
    client.resume()
    expect(streams.has((tenant) => tenant === 'SYSTEM')).toBe(false)
    expect(streams.has((tenant) => tenant === 'ACME')).toBe(true)
    const more = { keyId: 'other', logOf: 'BETA', after: 0, read: vi.fn(), subscribe: vi.fn() }
    expect(() => streams.open({} as never, { ...more, tenant: 'SYSTEM' })).toThrow(Refusal)
    streams.end((tenant) => tenant === 'SYSTEM')
    expect(client.complete).toBe(false)
    streams.end((tenant) => tenant === 'ACME')
    await once(client, 'end')
    expect(client.complete).toBe(true)
  })

  it('releases the log with its client', async () => {
    let listening = 0
    const { client } = await serve(
      {
        subscribe: () => {
          listening += 1
          return () => void (listening -= 1)
        },
      },
      // Longer than the test: only the end of the connection may release the log.
      { heartbeatMs: 600_000 },
    )
    await eventually(() => {
      expect(listening).toBe(1)
      return Promise.resolve()
    })
    client.destroy()
    await eventually(() => {
      expect(listening).toBe(0)
      return Promise.resolve()
    }, 5_000)
  })
})
