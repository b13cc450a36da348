// A world for jobs: hosts that answer from a table, and a clock that advances only by the delay of a host.
import type { JobAnswer, JobRequest } from '../../src/contract/market-data.ts'
import type { World } from '../../src/oracle/run.ts'

export const NOW = 1_795_000_000

export const PAGES: Readonly<Record<string, string | number | Uint8Array>> = {
  '/price': '{"price": 123.45}',
  '/exact': '{"price": 1234567890.1234567890123456789012345678}',
  '/text': '{"price": "99.5"}',
  '/nested': '{"a":{"b":[{"c":1},{"c":2.5},{"c":"3"}],"odd name":7,"usd-price":8}}',
  '/list': '[10, 20, 30, 40]',
  '/quotes':
    '[{"s":"BTC","p":65000.5,"live":true},{"s":"ETH","p":3200,"live":false},{"s":"SOL","p":150.25,"live":true,"note":null}]',
  '/words': '["a","b"]',
  '/page': '<html><b>Price: 1,234.50 EUR</b> <i>id=77</i></html>',
  '/rating': '{"grade":"aa-"}',
  '/huge': '{"n": 1e200}',
  '/tiny': '{"n": 1e-200}',
  '/twice': '{"n": 1, "n": 2}',
  '/proto': '{"__proto__": 5, "constructor": 6, "toString": 7}',
  '/null': '{"n": null, "t": true}',
  '/broken': '{"price": 1',
  '/number': '42.5',
  '/blank': '  17.25\n',
  '/empty': '',
  '/gone': 404,
  '/error': 500,
  '/moved': 301,
  '/latin': Uint8Array.of(0x7b, 0xff, 0x7d),
}

export const HOST = 'https://feeds.example'

export interface Asked {
  readonly requests: JobRequest[]
}

/** @param tookMs how long an answer takes, by path */
export function worldOf(pages: typeof PAGES = PAGES, tookMs: Readonly<Record<string, number>> = {}): World & Asked {
  const requests: JobRequest[] = []
  let elapsed = 0
  const fetch = (request: JobRequest): Promise<JobAnswer> => {
    requests.push(request)
    const path = request.url.replace(HOST, '')
    const took = tookMs[path] ?? 0
    elapsed += Math.min(took, request.timeoutMs)
    if (took > request.timeoutMs) return Promise.resolve({ ok: false, reason: 'the request fails: it takes too long' })
    const page = pages[path]
    if (page === undefined)
      return Promise.resolve({ ok: false, reason: 'the request is not allowed: the name of the host does not resolve' })
    if (typeof page === 'number') return Promise.resolve({ ok: true, status: page, body: new Uint8Array() })
    return Promise.resolve({ ok: true, status: 200, body: typeof page === 'string' ? Buffer.from(page) : page })
  }
  return {
    requests,
    fetch,
    unixSeconds: () => NOW,
    elapsedMs: () => elapsed,
    soon: (callback) => void setImmediate(callback),
  }
}
