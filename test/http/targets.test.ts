// Request targets that an ordinary client does not send.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { two } from './gateway-nodes.ts'
import { KEY, startEcho, type RunningService } from './service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startEcho()
})
afterAll(async () => service[Symbol.asyncDispose]())

/** Sends the target unchanged, and resolves to the status. */
function statusOf(target: string, { url }: { readonly url: string } = service): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => {
      const headers = `Host: localhost\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n`
      socket.write(`GET ${target} HTTP/1.1\r\n${headers}\r\n`, 'latin1')
    })
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('end', () => resolve(Number(answer.split(' ')[1])))
    socket.on('error', reject)
  })
}

async function seriesOf(): Promise<string[]> {
  const { text } = await service.request('GET', '/metrics')
  return text.split('\n').filter((line) => line.startsWith('holdfast_http_request_seconds_count'))
}

describe('a target with a fragment', () => {
  const PAGES = ['/livez', '/docs/security', '/llms.txt']

  it('makes no metric series of its own', async () => {
    for (const path of [...PAGES, '/absent']) await statusOf(path)
    await seriesOf()
    const before = (await seriesOf()).length
    for (const path of PAGES) {
      for (const end of ['#one', '#two', '?q=a#three', '#', '\u00a0', '\\']) await statusOf(path + end)
    }
    expect(await seriesOf()).toHaveLength(before)
  })

  it('names the page without it', async () => {
    expect(await statusOf('/livez#one')).toBe(200)
    expect(await statusOf('/livez?a=b#one')).toBe(200)
  })
})

describe('a target that is no path', () => {
  const NO_PATHS = [
    'http://:/api/v1/whoami',
    'http://a:99999/api/v1/whoami',
    'http://:/livez',
    'data:api/v1/whoami',
    '*',
  ]

  it.each(NO_PATHS)('is refused: %s', async (target) => {
    expect(await statusOf(target)).toBe(400)
  })

  it('never reaches the engine of a node that does not own the cell', async () => {
    const { owner, gateway } = await two()
    for (const target of NO_PATHS) expect(await statusOf(target, gateway), target).toBe(400)
    expect([owner.served, gateway.served]).toEqual([0, 0])
    expect(await statusOf('http://a/api/v1/whoami', gateway)).toBe(200)
    expect([owner.served, gateway.served]).toEqual([1, 0])
  })
})
