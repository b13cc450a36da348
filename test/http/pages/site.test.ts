// How the built pages are served: what may run in them, compression and caching, and that no other file of the disk is
// served.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SiteState } from '../../../src/site/files.ts'
import { startEcho, type Problems, type RunningService } from '../service.ts'

const SCRIPT = `console.log('${'holdfast '.repeat(40)}')`
let scratch: string
let state: SiteState = 'stale'
let service: RunningService

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-site-'))
  const folder = join(scratch, 'build')
  for (const path of ['console', 'assets']) mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(scratch, 'secret.js'), 'secret')
  writeFileSync(join(folder, 'console', 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.gz'), gzipSync(SCRIPT))
  writeFileSync(join(folder, 'assets', 'notes.txt'), 'not of a type that is served')
  service = await startEcho({ served: { folder: () => folder, state: () => state } })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

const ask = async (path: string, encoding = 'identity') =>
  await fetch(service.url + path, { headers: { 'accept-encoding': encoding } })

/** Sends the target unchanged: a usual HTTP client would normalize it. */
async function statusOf(target: string): Promise<number> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.end(`GET ${target} HTTP/1.1\r\nHost: holdfast\r\nConnection: close\r\n\r\n`)
  const response = Buffer.concat((await socket.toArray()) as Buffer[]).toString()
  expect(response).not.toContain('secret')
  return Number(response.split(' ')[1])
}

describe('the built site', () => {
  it('runs only scripts of the service', async () => {
    for (const path of ['/console', '/assets/main-1a2b.js']) {
      const { status, headers } = await ask(path)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ` +
          `frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  it('is cached if the name contains a hash, and revalidated otherwise', async () => {
    expect((await ask('/assets/main-1a2b.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await ask('/console')).headers.get('cache-control')).toBe('no-store')
    expect((await ask('/console')).headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await ask('/assets/main-1a2b.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('is compressed as the client accepts', async () => {
    for (const [accepted, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.0', null],
      ['identity', null],
      ['brr', null],
    ] as const) {
      const answer = await ask('/assets/main-1a2b.js', accepted)
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, sent])
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
      expect(await answer.text()).toBe(SCRIPT)
    }
  })

  it('answers HEAD without a body', async () => {
    const answer = await fetch(`${service.url}/console`, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '37', ''])
  })

  it('does not serve files outside of its build', async () => {
    const targets = [
      '/assets/../../secret.js',
      '/assets/..%2f..%2fsecret.js',
      '/assets/%2e%2e/%2e%2e/secret.js',
      '/../secret.js',
      '/assets/notes.txt',
      '/assets/',
      '/assets',
      '/assets/main-1a2b.js.br',
      '/assets/main-1a2b.js%00.html',
      '/console/',
      '/console/index.html',
      '/assets/%',
    ]
    for (const target of targets)
      expect([target, await statusOf(target)]).toEqual([target, expect.toBeOneOf([400, 404, 421])])
    const response = await ask('/assets/other.js')
    expect(((await response.json()) as Problems).errors[0]?.code).toBe('ROUTE_NOT_FOUND')
    expect((await fetch(`${service.url}/console`, { method: 'POST' })).status).toBe(405)
  })

  it('waits for a build that is under way', async () => {
    state = 'building'
    await using other = await startEcho({ served: { folder: () => join(scratch, 'build'), state: () => state } })
    const answer = fetch(`${other.url}/console`)
    expect(await Promise.race([answer, delay(500)])).toBeUndefined()
    state = 'built'
    expect((await answer).status).toBe(200)
  })

  it('says why it is unavailable, and reloads while it is being built', async () => {
    const served = { folder: () => join(scratch, 'nowhere'), state: () => state, waitMs: 0 }
    await using bare = await startEcho({ served })
    for (const [is, says] of [
      ['building', 'is being built'],
      ['failed', 'could not be built'],
      ['stale', 'was not built'],
    ] as const) {
      state = is
      const answer = await fetch(`${bare.url}/console`)
      const text = await answer.text()
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(text).toContain(says)
      expect(text.includes('http-equiv="refresh"')).toBe(is === 'building')
    }
    expect((await bare.post('/api/v1/accounts/single', { itemData: { offchainId: crypto.randomUUID() } })).status).toBe(
      200,
    )
  })
})
