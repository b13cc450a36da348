// Answers to input that never becomes a request. They have the form of every other answer.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEcho, type Problems, type RunningService } from './service.ts'

const UUID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
const BODY = '{"itemData":{"offchainReferences":{"code":"A"}}}'

/** A read that is answered when the test says so. */
let open = (): void => undefined
let arrived = (): void => undefined
let service: RunningService
beforeAll(async () => {
  service = await startEcho({
    api: {
      read: async () => {
        const opened = new Promise<void>((resolve) => (open = resolve))
        arrived()
        await opened
        return { answered: true } as never
      },
    },
  })
})
afterAll(async () => service[Symbol.asyncDispose]())

type More = (write: (bytes: string) => void, answered: (then: () => void) => void) => void

/** Sends bytes unchanged and returns the answers until the connection ends. */
function raw(bytes: string, more: More = () => undefined): Promise<string> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes)
      more(
        (rest) => void socket.write(rest),
        (then) => socket.once('data', then),
      )
    })
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('end', () => {
      socket.end()
      resolve(answer)
    })
    socket.on('error', reject)
  })
}

interface Refusal {
  readonly code: string | undefined
  readonly requestId: string
}

/** Checks the form of the answer. */
function expectRefusal(answer: string, status: number): Refusal {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  )
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  const { errors, requestId, status: stated } = JSON.parse(body) as Problems
  expect(stated).toBe(status)
  expect(requestId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(headers.get('x-request-id')).toBe(requestId)
  return { code: errors[0]?.code, requestId }
}

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`
const post = (...lines: string[]): string =>
  head(
    ...['POST /api/v1/accounts/single HTTP/1.1', 'Host: 127.0.0.1', 'Authorization: Bearer full'],
    ...['Content-Type: application/json', ...lines],
  )

describe('input that is no request', () => {
  it.each([
    ['random bytes', head('EHLO example')],
    ['an unknown method', head('FOO /livez HTTP/1.1', 'Host: 127.0.0.1')],
    ['conflicting lengths', head(post('Content-Length: 5').trim(), 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['no Host header', head('GET /livez HTTP/1.1', 'Connection: close')],
  ])('is answered with 400: %s', async (_what, bytes) => {
    expect(expectRefusal(await raw(bytes), 400).code).toBe('MALFORMED_REQUEST')
  })

  it.each([
    ['headers', head('GET /livez HTTP/1.1', 'Host: 127.0.0.1', `X-Padding: ${'x'.repeat(20_000)}`)],
    ['a request target', head(`GET /livez?${'x'.repeat(20_000)} HTTP/1.1`, 'Host: 127.0.0.1')],
  ])('is answered with 431 for the size of %s', async (_what, bytes) => {
    expect(expectRefusal(await raw(bytes), 431).code).toBe('HEADERS_TOO_LARGE')
  })

  it('is answered with 405 if it asks for a tunnel', async () => {
    const answer = await raw(head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443', `X-Request-Id: ${UUID}`))
    expect(expectRefusal(answer, 405)).toEqual({ code: 'METHOD_NOT_ALLOWED', requestId: UUID })
  })
})

describe('the request id of such an answer', () => {
  it('is that of the rejected headers', async () => {
    const padding = `X-Padding: ${'x'.repeat(20_000)}`
    const id = `X-Request-Id: ${UUID}`
    for (const lines of [
      [id, padding],
      [padding, id],
    ])
      expect(expectRefusal(await raw(head('GET /livez HTTP/1.1', ...lines)), 431).requestId).toBe(UUID)
  })

  it('is never that of an earlier request', async () => {
    const answers = await raw(
      head('GET /livez HTTP/1.1', 'Host: 127.0.0.1', `X-Request-Id: ${UUID}`) + head('EHLO example'),
    )
    const [, second = ''] = answers.split('{"status":"ok"}')
    expect(expectRefusal(second, 400).requestId).not.toBe(UUID)
  })

  it('is that of the request with the rejected body', async () => {
    const answer = await raw(post('Transfer-Encoding: chunked', `X-Request-Id: ${UUID}`), (write) => write('zz\r\n'))
    expect(expectRefusal(answer, 400)).toEqual({ code: 'MALFORMED_REQUEST', requestId: UUID })
  })
})

describe('an answer', () => {
  it.each([
    ['bytes that are no HTTP', head('EHLO example'), 400, 'MALFORMED_REQUEST'],
    ['a body that is no HTTP', `${post('Transfer-Encoding: chunked')}zz\r\n`, 400, 'MALFORMED_REQUEST'],
    ['a tunnel', head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'), 405, 'METHOD_NOT_ALLOWED'],
  ])('comes before the refusal of what follows its request: %s', async (_what, bytes, status, code) => {
    const waiting = new Promise<void>((resolve) => (arrived = resolve))
    const answers = raw(`${post(`Content-Length: ${BODY.length}`)}${BODY}${bytes}`)
    await waiting
    // The bytes that follow were read in the same turn: their refusal would have been written by now.
    await new Promise((resolve) => setTimeout(resolve, 20))
    open()
    const [first = '', second = ''] = (await answers).split('{"answered":true}')
    expect(first).toMatch(/^HTTP\/1\.1 200 /)
    expect(expectRefusal(second, status).code).toBe(code)
  })

  it('is not followed by another one for the body of its request', async () => {
    const unauthorized = post('Transfer-Encoding: chunked').replace('Bearer full', 'Bearer nobody')
    const answer = await raw(unauthorized, (write, answered) => answered(() => write('zz\r\n')))
    expect(expectRefusal(answer, 401).code).toBe('CREDENTIALS_INVALID')
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
  })
})

describe('an expectation', () => {
  it('that is unknown is ignored', async () => {
    const waiting = new Promise<void>((resolve) => (arrived = resolve))
    const answer = raw(`${post(`Content-Length: ${BODY.length}`, 'Expect: something', 'Connection: close')}${BODY}`)
    await waiting
    open()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*"answered":true/)
  })
})
