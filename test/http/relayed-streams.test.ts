// Event streams at a node that does not own the cell: the node relays the stream of the owner.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Api } from '../../src/http/ports.ts'
import { two, type Node } from './gateway-nodes.ts'

/** Longer than a test takes. */
const LONG_MS = 3_600_000

describe('an event stream at a node that does not own the cell', () => {
  const api: Partial<Api> = { callFor: (caller) => caller, read: () => ({ items: [], lastSequence: 0 }) as never }
  const open = async ({ url }: Node): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const response = await fetch(`${url}/api/v1/events/stream`, { headers: { authorization: 'Bearer full' } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    return response.body!.getReader()
  }
  /** Rejects if the stream is broken off. */
  const readToEnd = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    while (!(await reader.read()).done);
  }

  it('continues until the owner ends it', async () => {
    const { owner, gateway } = await two({ api })
    const reader = await open(gateway)
    expect(Buffer.from((await reader.read()).value!).toString()).toContain('retry:')
    owner.server.endStreams()
    await readToEnd(reader)
  })

  it('ends when that node is stopped, which does not wait for its client', async () => {
    const { owner, gateway } = await two({ api })
    const reader = await open(gateway)
    await reader.read()
    const stopped = gateway.server.stop(LONG_MS)
    await readToEnd(reader)
    await stopped
    while (owner.server.hasStreams(() => true)) await pause(5)
  }, 30_000)

  it('ends when that node is stopped before the owner has begun it', async () => {
    let stopped: Promise<void> | undefined
    const { gateway } = await two({
      api: {
        ...api,
        callFor(caller) {
          stopped ??= gateway.server.stop(LONG_MS)
          return caller
        },
      },
    })
    await readToEnd(await open(gateway))
    await stopped
  }, 30_000)
})
