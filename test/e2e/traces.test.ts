// With a collector configured, a transfer can be followed from the request through the operation to the write, and no
// secret is exported.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import { SOL } from './records.ts'

interface Span {
  readonly name: string
  /** 1: work within the process; 2: server; 3: client. */
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly {
    readonly key: string
    readonly value: { readonly stringValue?: string; readonly intValue?: number }
  }[]
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const received: string[] = []
let collector: Server
let world: World

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString())
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve))
  world = await startWorld({
    HOLDFAST_TRACES_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
  })
})
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

it('a transfer produces one trace of request, operation and commit, and another of its send', async () => {
  await world.records.feePayer()
  const [source, destination] = [await world.records.funded({}, SOL), await world.records.account()]
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const headers = { 'x-request-id': '5f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a99', traceparent }
  const body = { source, destination, lamports: 1_000_000 }
  const { offchainId } = await world.api.ok<{ offchainId: string }>(
    201,
    'POST',
    '/positions/transfer-network-currency',
    body,
    { headers },
  )
  const bearer = world.api.bearer
  await fetch(`${world.url}/api/v1/accounts/single/${offchainId}`, {
    method: 'POST',
    headers: { traceparent: 'nonsense' },
  })
  await world.stop()

  const spans = received.flatMap((text) =>
    (JSON.parse(text) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
  )
  const attribute = (span: Span | undefined, key: string): unknown => {
    const value = span?.attributes.find((each) => each.key === key)?.value
    return value?.stringValue ?? value?.intValue
  }
  const operation = spans.find((span) => attribute(span, 'transactions') === offchainId)
  expect(operation?.name).toBe('operation POST /api/v1/positions/transfer-network-currency')
  expect(attribute(operation, 'requestId')).toBe(headers['x-request-id'])
  const request = spans.find(({ spanId }) => spanId === operation?.parentSpanId)
  expect([request?.name, request?.kind, request?.status.code ?? 0]).toEqual([
    'POST /api/v1/positions/transfer-network-currency',
    2,
    0,
  ])
  expect(attribute(request, 'http.request.method')).toBe('POST')
  expect(attribute(request, 'http.route')).toBe('/api/v1/positions/transfer-network-currency')
  expect(attribute(request, 'http.response.status_code')).toBe(201)
  // Part of the trace of the caller; an invalid header starts a new trace.
  expect([request?.traceId, request?.parentSpanId]).toEqual(traceparent.split('-').slice(1, 3))
  const notFoundSpan = spans.find((span) => attribute(span, 'http.response.status_code') === 404)
  expect([
    notFoundSpan?.name,
    notFoundSpan?.kind,
    notFoundSpan?.parentSpanId ?? '',
    attribute(notFoundSpan, 'http.route'),
  ]).toEqual(['POST', 2, '', undefined])
  const resource = (JSON.parse(received[0]!) as Export).resourceSpans[0]!.resource.attributes
  expect(resource.find(({ key }) => key === 'service.name')?.value.stringValue).toBe('holdfast')
  expect(operation?.kind).toBe(1)
  expect(spans.filter(({ parentSpanId }) => parentSpanId === operation?.spanId).map(({ name }) => name)).toContain(
    'commit',
  )
  const sends = spans.filter((span) => span.name === 'lane send' && attribute(span, 'first') === offchainId)
  expect(sends.map(({ kind }) => kind)).toEqual([3])

  const secret = bearer.slice('Bearer hf_'.length).split('_')[1]!
  expect(received.join('').includes(secret)).toBe(false)
})
