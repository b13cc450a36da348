// The edge: TLS, requests that no cell can serve, and delays for repeated failed authentication.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openTls } from '../../src/config/secrets.ts'
import { Failures } from '../../src/http/failures.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'
import { startEcho } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-edge-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('TLS', () => {
  it('is served with the configured certificate', async () => {
    const settings = { tlsCertificate: file('chain.pem', CERTIFICATE), tlsKey: file('key.pem', CERTIFICATE_KEY) }
    await using service = await startEcho({ settings: { tls: openTls(settings) } })
    expect(service.url).toMatch(/^https:/)
    const status = await new Promise((resolve, reject) => {
      request(`${service.url}/livez`, { ca: CERTIFICATE }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
    await expect(fetch(service.url.replace('https', 'http'))).rejects.toThrow()
  })

  it.each([
    ["a key that is another certificate's", CERTIFICATE, CERTIFICATE],
    ['a file that is no certificate', 'text', CERTIFICATE_KEY],
  ])('is refused by name with %s', (_what, chain, key) => {
    const settings = { tlsCertificate: file('bad.pem', chain), tlsKey: file('bad.key', key) }
    expect(() => openTls(settings)).toThrow(/HOLDFAST_TLS_CERTIFICATE/)
  })
})

describe('a request that fails after all that answers', () => {
  it.each(['/api/v1/accounts/single', '/api/v1/absent'])('is logged: %s', async (path) => {
    const failures: string[] = []
    const fail = (_fields: object, message: string): void => {
      failures.push(message)
      if (message === 'answered') throw new Error('the log cannot be written')
    }
    await using service = await startEcho({ debug: fail })
    // Its answer is on the way, or is lost with the connection.
    await service.post(path, {}).catch(() => null)
    const isListed = path === '/api/v1/accounts/single'
    await expect
      .poll(() => [...service.lines.map(({ message }) => message), ...failures])
      .toEqual(isListed ? ['a request failed', 'answered'] : ['answered', 'a connection failed'])
  })
})

describe('failed authentication', () => {
  it('is answered at once at first, then with a delay for that address only, until a minute has passed', async () => {
    let [now, waitedMs] = [0, 0]
    const failures = new Failures(
      () => now,
      () => Promise.resolve(void (waitedMs += 1)),
    )
    for (let tries = 0; tries < 500; tries += 1) await failures.note('192.0.2.1')
    expect(waitedMs).toBe(0)
    await failures.note('192.0.2.1')
    expect(waitedMs).toBe(1)
    await failures.note('192.0.2.2')
    expect(waitedMs).toBe(1)
    now = 60_000
    await failures.note('192.0.2.1')
    expect([waitedMs, failures.total]).toEqual([1, 503])
  })
})
