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
import { documentOf } from './documents.ts'
import { foundPage, indexOf } from './search.ts'
import { inSlices } from './slices.ts'
import { startPage } from './start.ts'
import { trustPage } from './trust.ts'

const MOST_ASKED = 100
/** Nothing may be loaded by what is no page. */
const NO_CONTENT_POLICY = `default-src 'none'; frame-ancestors 'none'`
const HTML_TYPE = 'text/html; charset=utf-8'
const SVG_TYPE = 'image/svg+xml; charset=utf-8'

interface AboutPage extends Page {
  /** One sentence for the start page; absent: the page is in the menu alone. */
  readonly about?: string
}

export function pagesOf(document: () => Document): readonly AboutPage[] {
  return [
    { path: '/docs', title: 'Documentation', content: () => startPage(document(), placesOf(document)) },
    {
      path: '/docs/how-it-works',
      title: 'How it works',
      about: 'The path of a transfer, what a crash changes, who holds the keys, what limits a debit.',
      content: howPage,
    },
    {
      path: '/docs/trust',
      title: 'Trust',
      about: 'Whose records answer a lookup, and who controls an account: the tables that the service decides by.',
      content: trustPage,
    },
    {
      path: DRAWINGS_PATH,
      title: 'State machines',
      about: 'The states of every kind of record, drawn from the machines that run.',
      content: machinesPage,
    },
    {
      path: '/docs/endpoints',
      title: 'Endpoints',
      about: 'The reference as one plain page, to read, search and print.',
      content: () => endpointsPage(document()),
    },
    { path: '/docs/errors', title: 'Errors', about: 'The form of a refusal, and what each code means.', content: errorsPage },
    { path: '/docs/events', title: 'Events', about: 'Every type of event, and how to receive it.', content: eventsPage },
    text('recipes', 'Recipes', 'Common tasks with curl, as the tests run them.'),
    text('client', 'Client', 'The client for TypeScript.'),
    text('console', 'Console', 'The page for operators.'),
    text('settings', 'Settings', 'Every setting and its default.'),
    text('command-line', 'Command line', 'The commands of `holdfast`.'),
    text('operations', 'Operations', 'Running the service: exposure, health, backups, keys, upgrades.'),
    text('runbook', 'Runbook', 'What to do when something happens.'),
    text('security', 'Security', 'What is done about each item of the OWASP lists, and the test that shows it.'),
    {
      path: '/docs/notes',
      title: 'Notes',
      about: 'Decisions where the contract leaves room, and what this release does not do.',
      content: () => markdown(`## Limitations\n\n${documentOf('limitations')}\n\n${documentOf('interface-notes')}`),
    },
    text('figures', 'Figures', 'Measured speed and memory, beside their baselines.'),
    text('development', 'Development', 'Tests, simulator and benchmarks.'),
    { path: '/docs/licences', title: 'Licences', content: licencesPage },
  ]
}

/** A page of one file of `src/docs/`. */
function text(name: string, title: string, about: string): AboutPage {
  return { path: `/docs/${name}`, title, about, content: () => markdown(documentOf(name)) }
}

/** In the order of the menu. */
export function placesOf(document: () => Document): readonly (Place & Pick<AboutPage, 'about'>)[] {
  const [start, ...others] = pagesOf(document)
  return [start!, { ...REFERENCE, about: 'Every endpoint, with a form to send a request with an API key.' }, ...others]
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
