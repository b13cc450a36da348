// Serves the built web pages (the console and others). All content comes from this service, and the content policy
// allows nothing else. Files named by content hash are cached forever; pages are not cached.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Router } from '@koa/router'
import { siteFiles, type Site, type SiteFile, type SiteFiles, type SiteState } from '../../site/files.ts'
import { SITE_PAGES } from '../../site/pages.ts'
import { answer, answerFile, type Exchange } from '../exchange.ts'
import { frontRefusal } from '../problem.ts'

const SITE_POLICY =
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ` +
  `frame-ancestors 'none'; base-uri 'none'; form-action 'none'`
const ASSETS = '/assets/:name'
const FOREVER = 'public, max-age=31536000, immutable'
const RETRY_MS = 1_000
const BUILD_WAIT_MS = 30_000
const BUILD_POLL_MS = 100

const ABSENT: Readonly<Record<SiteState, string>> = {
  building: 'This page is being built, which takes some seconds. It loads itself when that is done.',
  failed:
    'This page could not be built: the log of the service says why. The interface of the service is not affected.',
  stale: 'This page was not built. <code>npm start</code> builds it. The interface of the service is not affected.',
  built: 'The files of this page are gone. Start the service again. The interface of the service is not affected.',
}

export function site(router: Router, served: Site): Router {
  let files: SiteFiles | null = null
  let loadedAt = -Infinity
  const load = (): SiteFiles | null => {
    if (files !== null || served.state() === 'building' || performance.now() - loadedAt < RETRY_MS) return files
    loadedAt = performance.now()
    files = siteFiles(served.folder())
    return files
  }

  for (const { path } of SITE_PAGES) {
    router.get(path, async (exchange: Exchange) => {
      about(exchange, `GET ${path}`)
      if (files === null) await whileBuilding(served, exchange)
      const file = load()?.get(path)
      if (file === undefined || !(await send(exchange, file))) absent(exchange, served.state())
    })
  }
  return router.get(ASSETS, async (exchange: Exchange) => {
    about(exchange, 'GET /assets/{name}')
    const file = load()?.get(exchange.state.path)
    if (file === undefined) throw frontRefusal(404, 'ROUTE_NOT_FOUND', 'the file does not exist')
    exchange.res.setHeader('Cache-Control', FOREVER)
    if (!(await send(exchange, file))) throw frontRefusal(404, 'ROUTE_NOT_FOUND', 'the file does not exist')
  })
}

/** Waits for the end of a build that is under way, unless it takes too long or the client leaves. */
async function whileBuilding(served: Site, { res }: Exchange): Promise<void> {
  const until = performance.now() + (served.waitMs ?? BUILD_WAIT_MS)
  while (served.state() === 'building' && !res.closed && performance.now() < until) await delay(BUILD_POLL_MS)
}

function about({ state, res }: Exchange, endpoint: string): void {
  state.endpoint = endpoint
  res.setHeader('Content-Security-Policy', SITE_POLICY)
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
}

/** False: the file no longer exists on disk. */
async function send(exchange: Exchange, { type, place, compressed }: SiteFile): Promise<boolean> {
  const accepted = [exchange.req.headers['accept-encoding']].join()
  const [encoding, found] = compressed.find(([name]) => accepts(accepted, name)) ?? [null, place]
  const bytes = await readFile(found).catch(() => null)
  if (bytes === null) return false
  exchange.res.setHeader('Vary', 'Accept-Encoding')
  if (encoding !== null) exchange.res.setHeader('Content-Encoding', encoding)
  answerFile(exchange, type, bytes)
  return true
}

/** True if the encoding is listed with a weight other than 0 (RFC 9110, 12.5.3). */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

function absent(exchange: Exchange, state: SiteState): void {
  const again = state === 'building' ? '<meta http-equiv="refresh" content="1">' : ''
  exchange.res.setHeader('Retry-After', '1')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">${again}<title>Holdfast</title></head><body><p>${ABSENT[state]}</p></body></html>`
  answer(exchange, 503, 'text/html; charset=utf-8', body)
}
