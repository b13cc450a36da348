// The documentation, all of it from the service itself and about the release that runs. Nothing of it is about a tenant: it needs no key.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Router } from '@koa/router'
import { KINDS, type Kind } from '../../../../machines/kinds.ts'
import { PROJECT } from '../../../config/programs.ts'
import { answer, type Exchange } from '../../exchange.ts'
import type { Document } from '../openapi.ts'
import { endpointsPage } from './endpoints.ts'
import { errorsPage } from './errors.ts'
import { eventsPage } from './events.ts'
import { framed, ICON_PATH, PAGE_POLICY, REFERENCE, SEARCH_PATH, STYLE_PATH, type Page, type Place } from './frame.ts'
import { howPage } from './how.ts'
import { licencesPage } from './licences.ts'
import { drawingOf, DRAWINGS_PATH, machinesPage } from './machines.ts'
import { markdown } from './markdown.ts'
import { partOf } from './readme.ts'
import { foundPage, indexOf } from './search.ts'
import { inSlices } from './slices.ts'
import { startPage } from './start.ts'
import { trustPage } from './trust.ts'

const MOST_ASKED = 100
/** Nothing may be loaded by what is no page. */
const NO_CONTENT_POLICY = `default-src 'none'; frame-ancestors 'none'`
const HTML_TYPE = 'text/html; charset=utf-8'
const SVG_TYPE = 'image/svg+xml; charset=utf-8'

export const ABOUT: Readonly<Record<string, string>> = {
  [REFERENCE.path]: 'Every endpoint, and a way to try it here with an API key.',
  '/docs/how-it-works': 'The way of a transfer, what happens in a crash, who holds the keys, what limits what leaves.',
  '/docs/trust': 'Whose records answer a lookup, and who controls an account, as tables that the service decides by.',
  '/docs/machines': 'What may become of every kind of record, drawn from the rules that run.',
  '/docs/endpoints': 'The reference as one plain page, to read, search and print.',
  '/docs/errors': 'How a refusal looks, and what each code means.',
  '/docs/events': 'What there is to hear, and how to receive it.',
  '/docs/recipes': 'Common tasks with curl, as they are tested.',
  '/docs/client': 'The client for TypeScript.',
  '/docs/settings': 'Every setting and its default.',
  '/docs/operations': 'Running it: backups, keys, what to do when something happens.',
  '/docs/notes': 'Decisions where the interface could be read in more than one way, and what this release does not do.',
}

export function pagesOf(document: () => Document): readonly Page[] {
  const parts =
    (...titles: readonly string[]) =>
    () =>
      titles.map((title) => markdown(`## ${title}\n\n${partOf(title)}`)).join('\n')
  return [
    { path: '/docs', title: 'Documentation', content: () => startPage(document(), placesOf(document), ABOUT) },
    { path: '/docs/how-it-works', title: 'How it works', content: howPage },
    { path: '/docs/trust', title: 'Trust', content: trustPage },
    { path: DRAWINGS_PATH, title: 'State machines', content: machinesPage },
    { path: '/docs/endpoints', title: 'Endpoints', content: () => endpointsPage(document()) },
    { path: '/docs/errors', title: 'Errors', content: errorsPage },
    { path: '/docs/events', title: 'Events', content: eventsPage },
    { path: '/docs/recipes', title: 'Recipes', content: () => markdown(partOf('Recipes')) },
    { path: '/docs/client', title: 'Client', content: () => markdown(partOf('Client')) },
    { path: '/docs/settings', title: 'Settings', content: () => markdown(partOf('Settings')) },
    { path: '/docs/operations', title: 'Operations', content: parts('Operations', 'Runbook', 'Command line', 'Security') },
    { path: '/docs/notes', title: 'Notes', content: parts('What this release does not do', 'Interface notes') },
    { path: '/docs/licences', title: 'Licences', content: licencesPage },
  ]
}

/** In the order of the menu. */
export function placesOf(document: () => Document): readonly Place[] {
  const [start, ...others] = pagesOf(document)
  return [start!, REFERENCE, ...others]
}

export function docs(router: Router, document: () => Document): void {
  const pages = pagesOf(document)
  const places = placesOf(document)
  const contents = new Map(pages.map(({ path, content }) => [path, onceMade(async () => await content())]))
  const index = onceMade(async () => {
    const shown = await inSlices(pages, async ({ path, title }) => ({ path, title, html: await contents.get(path)!() }))
    return await indexOf(shown)
  })
  for (const page of pages) {
    const html = onceMade(async () => framed(page, await contents.get(page.path)!(), places))
    router.get(page.path, async (context) => send(context as never, HTML_TYPE, await html(), PAGE_POLICY))
  }
  router.get(SEARCH_PATH, async (context) => {
    const exchange = context as unknown as Exchange
    const asked = (new URLSearchParams(exchange.state.query).get('q') ?? '').slice(0, MOST_ASKED)
    const page = { path: SEARCH_PATH, title: 'Search' }
    send(exchange, HTML_TYPE, framed(page, foundPage(asked, (await index()).find(asked)), places, asked), PAGE_POLICY)
  })
  for (const kind of Object.keys(KINDS) as Kind[]) {
    router.get(`${DRAWINGS_PATH}/${kind}.svg`, (context) => send(context as never, SVG_TYPE, drawingOf(kind), NO_CONTENT_POLICY))
  }
  for (const [path, type, file] of [
    [STYLE_PATH, 'text/css; charset=utf-8', 'reference/docs.css'],
    [ICON_PATH, SVG_TYPE, 'console/icon.svg'],
  ] as const) {
    const text = once(() => readFileSync(join(PROJECT, 'src', file), 'utf8'))
    router.get(path, (context) => send(context as never, type, text(), NO_CONTENT_POLICY))
  }
}

function send(exchange: Exchange, type: string, body: string, policy: string): void {
  exchange.state.endpoint = `GET ${exchange.state.path}`
  exchange.res.setHeader('Content-Security-Policy', policy)
  exchange.res.setHeader('Referrer-Policy', 'no-referrer')
  exchange.res.setHeader('X-Frame-Options', 'DENY')
  answer(exchange, 200, type, body)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Asked for again while it is being made, it is the same; a failure is not kept. */
function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () =>
    (making ??= make().catch((error: unknown) => {
      making = undefined
      throw error
    }))
}
