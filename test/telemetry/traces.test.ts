// Spans as a collector receives them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startTracing, withSpan } from '../../src/telemetry/traces.ts'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly parentSpanId?: string
}

it('a request is not part of the trace of another one that brought it', async () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    request.on('data', (part: Buffer) => received.push(part.toString()))
    request.on('end', () => response.setHeader('Content-Type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve))
  const stop = await startTracing(`http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`, '1')
  const read = (): Promise<void> => withSpan('read', {}, () => Promise.resolve(), { kind: 'SERVER', headers: {} })
  await withSpan('group', {}, read, { kind: 'SERVER', headers: {} })
  await stop()
  collector.closeAllConnections()
  collector.close()
  const { resourceSpans } = JSON.parse(received.join('')) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
  }
  const spans = resourceSpans[0]!.scopeSpans[0]!.spans
  expect(spans.map(({ name, parentSpanId = '' }) => [name, parentSpanId]).toSorted()).toEqual([
    ['group', ''],
    ['read', ''],
  ])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
})
