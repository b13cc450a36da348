// The policy for outbound requests of clients: public addresses, allowed ones, a single name resolution, and bounds of
// size and time.
import { once as event } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outboundRule } from '../../../src/config/networks.ts'
import { Outbound, OutboundFailed, OutboundRefused } from '../../../src/operations/context/outbound/outbound.ts'
import { OutboundPolicy, type Address } from '../../../src/operations/context/outbound/policy.ts'
import { isPublicAddress } from '../../../src/operations/context/outbound/public-address.ts'

const BOUNDS = { maxBytes: 1_000, timeoutMs: 10_000 }

let server: Server
let port: number

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/slow') response.writeHead(200).write('a')
    else if (request.url === '/endless') response.writeHead(200).end('x'.repeat(2_000))
    else if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    else if (request.url === '/moved') response.writeHead(307, { location: 'http://169.254.169.254/' }).end()
    else response.writeHead(200, { 'content-type': 'Text/Plain; charset=utf-8' }).end(JSON.stringify(request.headers))
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const rules = (...texts: readonly string[]) => texts.map((text) => outboundRule(text))
const to = (...addresses: readonly string[]): readonly Address[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('a public address', () => {
  it('is not a special-purpose address', () => {
    const special = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.168.0.1',
      '198.19.0.1',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '2002:7f00:1::',
      '3fff::1',
      '2001:4860:4860::8888%eth0',
      'localhost',
      '',
    ]
    expect(special.filter(isPublicAddress)).toEqual([])
    expect(
      ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2001:4860:4860::8888', '2a00:1450:4001::1'].every(isPublicAddress),
    ).toBe(true)
  })

  it('is not in a private range, in any notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const [a = 0, b = 0] = text.split('.').map(Number)
        const isPrivate =
          a === 0 ||
          a === 10 ||
          a === 127 ||
          a >= 224 ||
          (a === 172 && b >= 16 && b < 32) ||
          (a === 192 && b === 168) ||
          (a === 169 && b === 254)
        if (isPrivate) expect(isPublicAddress(text)).toBe(false)
        // Never as a mapped address.
        expect(isPublicAddress(`::ffff:${text}`)).toBe(false)
      }),
    )
  })
})

describe('an outbound target', () => {
  const evaluate = (uri: string, addresses: readonly Address[], ...listed: readonly string[]) =>
    new OutboundPolicy(rules(...listed), () => Promise.resolve(addresses)).addressesOf(new URL(uri))

  it('is public, over https on its usual port', async () => {
    expect(await evaluate('https://example.org/a', to('8.8.8.8', '1.1.1.1'))).toEqual(to('8.8.8.8', '1.1.1.1'))
    await expect(evaluate('https://example.org:8443/', to('8.8.8.8'))).rejects.toThrow(OutboundRefused)
    await expect(evaluate('http://example.org/', to('8.8.8.8'))).rejects.toThrow(OutboundRefused)
    await expect(evaluate('https://example.org/', [])).rejects.toThrow(OutboundRefused)
    await expect(evaluate('https://a@example.org/', to('8.8.8.8'))).rejects.toThrow(OutboundRefused)
  })

  it('is refused if one of its addresses is not public', async () => {
    await expect(evaluate('https://example.org/', to('8.8.8.8', '10.0.0.1'))).rejects.toThrow(OutboundRefused)
    await expect(evaluate('https://example.org/', to('8.8.8.8', '::1'))).rejects.toThrow(OutboundRefused)
  })

  it('can be allowed by host and port, or by network', async () => {
    expect(await evaluate('http://inside.example:8080/', to('10.0.0.1'), 'inside.example:8080')).toEqual(to('10.0.0.1'))
    expect(await evaluate('http://INSIDE.example:8080/', to('10.0.0.1'), 'inside.example:8080')).toEqual(to('10.0.0.1'))
    await expect(evaluate('http://inside.example:8081/', to('10.0.0.1'), 'inside.example:8080')).rejects.toThrow(
      OutboundRefused,
    )
    expect(await evaluate('http://anything.example:9/', to('10.0.0.1'), '10.0.0.0/8')).toEqual(to('10.0.0.1'))
    await expect(evaluate('http://anything.example/', to('10.0.0.1', '11.0.0.1'), '10.0.0.0/8')).rejects.toThrow(
      OutboundRefused,
    )
    expect(await evaluate('http://[::1]:7/', [], '[::1]:7')).toEqual(to('::1'))
    expect(await evaluate('http://[fd00::5]/', [], 'fd00::/8')).toEqual(to('fd00::5'))
  })
})

describe('an outbound request', () => {
  const local = () => new Outbound(rules('127.0.0.0/8'), () => Promise.resolve(to('127.0.0.1')))

  it('goes to the address that was resolved once, without headers of the service', async () => {
    let lookups = 0
    // A second lookup would return another address.
    const outbound = new Outbound(rules('127.0.0.1/32'), () =>
      Promise.resolve(to(++lookups === 1 ? '127.0.0.1' : '10.0.0.1')),
    )
    const { status, contentType, body } = await outbound.fetch(`http://rebinding.example:${port}/`, BOUNDS)
    expect({ status, contentType, resolved: lookups }).toEqual({ status: 200, contentType: 'text/plain', resolved: 1 })
    expect(JSON.parse(body.toString())).toEqual({
      host: `rebinding.example:${port}`,
      'accept-encoding': 'identity',
      'user-agent': 'holdfast',
      connection: 'close',
    })
  })

  it('is limited in size and time, and follows redirects only if allowed', async () => {
    const fails = async (path: string, bounds: object = {}) => {
      await expect(local().fetch(`http://host.example:${port}${path}`, { ...BOUNDS, ...bounds })).rejects.toThrow(
        OutboundFailed,
      )
    }
    await fails('/endless')
    await fails('/packed')
    await fails('/moved')
    await fails('/silent', { timeoutMs: 50 })
    await fails('/slow', { timeoutMs: 50 })
    await expect(local().fetch('http://host.example:1/', BOUNDS)).rejects.toThrow(OutboundFailed)
    await expect(local().fetch(`http://host.example:${port}/moved`, { ...BOUNDS, redirects: 3 })).rejects.toThrow(
      OutboundRefused,
    )
    const stuck = new Outbound([], () => new Promise(() => undefined))
    await expect(stuck.fetch('https://host.example/', { ...BOUNDS, timeoutMs: 50 })).rejects.toThrow(OutboundFailed)
  })
})
