// The documentation: every page, its agreement with the code, the machines and the README, and the search.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KINDS } from '../../../machines/kinds.ts'
import { DECLARATIONS } from '../../../src/config/settings.ts'
import { EVENT_TYPES } from '../../../src/contract/event-types.ts'
import { chartOf } from '../../../src/drawings/chart.ts'
import { aboutEvent } from '../../../src/http/pages/docs/events.ts'
import { menu, REFERENCE, type Place } from '../../../src/http/pages/docs/frame.ts'
import { markdown } from '../../../src/http/pages/docs/markdown.ts'
import { machinesPage } from '../../../src/http/pages/docs/machines.ts'
import { FLOORS } from '../../../src/http/pages/docs/pictures.ts'
import { documentOf } from '../../../src/http/pages/docs/documents.ts'
import { aboutRole } from '../../../src/http/pages/docs/roles.ts'
import { indexOf } from '../../../src/http/pages/docs/search.ts'
import { BUNDLES, ROLES, type Bundle } from '../../../src/contract/roles.ts'
import { CONTROL } from '../../../src/operations/authorization/control.ts'
import { FORMS } from '../../../src/operations/lookup/whose-records.ts'
import { routes } from '../../../src/http/routes.ts'
import { startEcho, type RunningService } from '../service.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const DOCUMENTS = join(ROOT, 'src', 'docs')
/** The README and all documents. */
const TEXTS = [join(ROOT, 'README.md'), ...readdirSync(DOCUMENTS).map((name) => join(DOCUMENTS, name))].map((path) =>
  readFileSync(path, 'utf8'),
)

let service: RunningService
let places: Place[]
let pages: Map<string, string>

beforeAll(async () => {
  service = await startEcho()
  const start = (await service.request('GET', '/docs')).text
  const list = /<nav aria-label="Documentation">(.*?)<\/nav>/s.exec(start)![1]!
  places = [...list.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)</g)].map(([, path = '', title = '']) => ({ path, title }))
  pages = new Map()
  for (const { path } of places) if (path !== REFERENCE.path) pages.set(path, (await service.request('GET', path)).text)
})
afterAll(async () => service[Symbol.asyncDispose]())

const page = (path: string): string => pages.get(path)!
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
const bare = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('the pages', () => {
  it('have one page heading, an entry in the menu, and no content of another host', () => {
    expect(places.length).toBeGreaterThan(10)
    for (const { path, title } of places.filter((each) => each.path !== REFERENCE.path)) {
      const html = page(path)
      expect(html.match(/<h1>[^<]*<\/h1>/g), path).toEqual([`<h1>${title}</h1>`])
      expect(html).toContain(`<a href="${path}" aria-current="page">`)
      expect(html).not.toMatch(/<style| style=| on\w+=|src="http/)
      expect(html.match(/<script[^]*?<\/script>/g), path).toEqual([
        '<script type="module" src="/docs/copy.js"></script>',
      ])
    }
  })

  it('allow only their style and the script that copies code', async () => {
    for (const path of ['/', '/docs', '/docs/search?q=nonce']) {
      const { headers } = await service.request('GET', path)
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
    const style = await service.request('GET', '/docs/style.css')
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(style.text).not.toMatch(/url\(|@import/)
    const script = await service.request('GET', '/docs/copy.js')
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(script.text).not.toMatch(/import|fetch|innerHTML/)
  })

  it('begin at the root, which links the console, the documentation and the reference, as each page does', async () => {
    const { status, text } = await service.request('GET', '/')
    expect([status, text.match(/<h1>[^<]*<\/h1>/g)]).toEqual([200, ['<h1>Holdfast</h1>']])
    expect(text).toContain('<title>Holdfast</title>')
    const list = /<dl>(.*?)<\/dl>/s.exec(text)![1]!
    const leads = [...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
    expect(leads).toEqual(expect.arrayContaining(['/console', '/docs', '/docs/reference']))
    for (const html of [text, ...pages.values()]) expect(html).toContain('<a href="/console">')
    for (const href of leads.filter((each) => !/console|reference/.test(each)))
      expect([href, (await service.request('GET', href.split('#')[0]!)).status]).toEqual([href, 200])
    for (const file of ['frame.tsx', 'pages/sign-in.tsx']) {
      expect(readFileSync(join(ROOT, 'src', 'console', file), 'utf8')).toMatch(/<a [^>]*href="\/docs">/)
    }
  })

  it('contain every code block in full, and wide enough for any line', () => {
    expect(markdown('```sh\na\n```')).toContain('<div class="wide code"')
    const style = readFileSync(join(ROOT, 'src', 'reference', 'docs.css'), 'utf8')
    expect(style).toMatch(/\.code pre \{ white-space: pre-wrap; overflow-wrap: anywhere \}/)
  })

  it('contain no dead link', () => {
    for (const [path, html] of pages) {
      const ids = idsOf(html)
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        `${path}: twice the same id`,
      ).toEqual([])
      for (const [, href = ''] of html.matchAll(/href="([/#][^"]*)"/g)) {
        const [to = '', id] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#')
        if (
          /^\/(?:console)?$|^\/(?:openapi|collection)\.json$|^\/docs\/(?:clients\/holdfast\.(?:py|go)|style\.css|icon\.svg|reference)$/.test(
            to,
          )
        )
          continue
        expect([...pages.keys()], `${path} leads to ${href}`).toContain(to)
        if (id !== undefined) expect(idsOf(page(to)), `${path} leads to ${href}`).toContain(id)
      }
    }
  })

  it('are in the menu of the reference', () => {
    const html = readFileSync(join(ROOT, 'src', 'reference', 'index.html'), 'utf8')
    expect(html.replaceAll(/>\s+</g, '><')).toContain(menu(places, REFERENCE.path))
  })
})

describe('the content of the pages', () => {
  it('covers every endpoint, with a form to try it', () => {
    for (const { method, path } of routes) {
      expect(bare(page('/docs'))).toContain(`${method} ${path}`)
      expect(page('/docs/endpoints')).toContain(`aria-label="Try it: ${method} ${path}"`)
    }
  })

  it('is the README and the documents, with their examples verbatim', () => {
    const blocks = TEXTS.flatMap((text) =>
      [...text.matchAll(/^```(?:sh|ts|js)\n([^]*?)\n```$/gm)].map(([, code]) => code!),
    )
    expect(blocks.length).toBeGreaterThan(5)
    const content = bare([...pages.values()].join('\n'))
    for (const code of blocks.slice(1)) expect(content).toContain(code)
    for (const { name } of Object.values(DECLARATIONS)) expect(page('/docs/settings')).toContain(`<code>${name}</code>`)
  })

  it('covers every state of every machine, with the description of the machine', () => {
    for (const { machine } of Object.values(KINDS)) {
      const { root } = chartOf(machine)
      expect(root.about).not.toBe('')
      for (const { key, kind, about } of root.inside.filter((state) => state.kind !== 'start')) {
        expect([machine.id, key, kind, about === ''], 'a state says what it means').toEqual([
          machine.id,
          key,
          kind,
          false,
        ])
        expect(bare(page('/docs/machines'))).toContain(about)
      }
    }
  })

  it('covers every type of event', () => {
    for (const type of EVENT_TYPES) {
      expect(page('/docs/events')).toContain(`id="${type}"`)
      expect(aboutEvent(type)).toMatch(/\.$/)
    }
  })

  it('draws the layers of the architecture document', () => {
    const folders = [...documentOf('architecture').matchAll(/^\| (\d) \| (.+?) \|/gm)].map(([, floor, names = '']) => [
      floor,
      names.match(/[a-z/-]+(?=\/`)/g),
    ])
    for (const [floor, names] of folders as [string, string[]][]) {
      const drawnFloor = FLOORS.find(({ name }) => name.startsWith(floor))!
      for (const name of names) expect(`${drawnFloor.name} ${drawnFloor.lines.join(' ')}`).toContain(name)
    }
    expect(new Set(folders.map(([floor]) => floor)).size).toBe(FLOORS.length)
  })

  it('shows whose records are visible, by the table that decides it', () => {
    const text = bare(page('/docs/trust'))
    for (const { note, title } of Object.values(FORMS))
      for (const words of [note, title]) expect(text).toContain(words.replaceAll('`', ''))
    const rows = [...page('/docs/trust').matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell),
    )
    const filledRows = rows.filter((row) => row.length > 0)
    const expectedRows = Object.values(FORMS).map(({ answers }) =>
      Object.values(answers).map((answer) => answer.toLowerCase()),
    )
    expect(filledRows.slice(0, expectedRows.length).map((row) => row.slice(1, -1))).toEqual(expectedRows)
    // Who controls an account: one row for each authority, one column for each kind.
    for (const [authority, ...cells] of filledRows.slice(expectedRows.length)) {
      const controls = Object.values(CONTROL).map(
        (column) => (column as Readonly<Record<string, readonly string[]>>)[authority ?? ''],
      )
      expect(cells).toEqual(
        controls.map((what) => (what === undefined ? '' : what.length === 0 ? 'nothing' : what.join(', '))),
      )
    }
    expect(filledRows.length).toBe(
      expectedRows.length + new Set(Object.values(CONTROL).flatMap((column) => Object.keys(column))).size,
    )
  })

  it('covers every role and bundle, at each operation and on its own page, and which create transactions', async () => {
    const { paths } = (await service.request('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, Record<string, unknown>>>
    }
    const roles = page('/docs/roles')
    for (const role of ROLES) {
      expect(aboutRole(role), `describe ${role} in ROLE_TEXTS of src/http/pages/docs/roles.ts`).toMatch(/\.$/)
      expect(roles).toContain(`<h3 id="${role}">`)
    }
    for (const bundle of Object.keys(BUNDLES)) expect(roles).toContain(`id="bundle-${bundle}"`)
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, about] of Object.entries(methods)) {
        const [required, bundles, description] = ['x-required-role', 'x-bundles', 'description'].map(
          (name) => about[name],
        )
        const route = routes.find((each) => each.path === path && each.method.toLowerCase() === method)
        const creates = route?.kind === 'write' ? route.transaction : 'never'
        expect([path, about['x-creates-transaction'], description]).toEqual([
          path,
          creates,
          expect.stringContaining(`Creates a transaction: ${creates}.`),
        ])
        const holding = (Object.keys(BUNDLES) as Bundle[]).filter((each) =>
          BUNDLES[each].some((role) => (required as string[]).includes(role)),
        )
        expect([path, bundles]).toEqual([path, holding])
        for (const role of required as string[]) {
          expect(description).toContain(role)
          const section = roles.split(`<h3 id="${role}">`)[1]!.split('<h3 ')[0]!
          expect(bare(section)).toContain(`${method.toUpperCase()} ${path}`)
        }
      }
    }
    expect(page('/docs/endpoints')).toContain('<a href="/docs/roles#POSITIONS_WRITE">POSITIONS_WRITE</a>')
  })

  it('covers every error code, at the address in the problem', async () => {
    const refusals = [
      await service.post('/api/v1/accounts/single', {}),
      await service.request('GET', '/nothing'),
      await service.post('/api/v1/accounts', '{'),
    ]
    for (const { body } of refusals) {
      const { type, errors } = body as { type: string; errors: { code: string }[] }
      expect(type).toBe(`/docs/errors#${errors[0]!.code}`)
      expect(idsOf(page('/docs/errors'))).toContain(errors[0]!.code)
    }
  })

  it('is available as text for programs: a list of the pages, and all of them', async () => {
    const [list, full] = [await service.request('GET', '/llms.txt'), await service.request('GET', '/llms-full.txt')]
    for (const { status, headers } of [list, full])
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(list.text).toMatch(/^# Holdfast\n\n> /)
    for (const { path, title } of places) {
      expect(list.text).toContain(`[${title}](${path})`)
      if (path !== REFERENCE.path) expect(full.text).toContain(`# ${title} (${path})`)
    }
    for (const { method, path } of routes) expect(full.text).toContain(`${method} ${path}`)
    const [recipe = ''] = /^# 6[^]*?(?=^# 7)/m.exec(documentOf('recipes')) ?? []
    expect(recipe.length).toBeGreaterThan(100)
    expect(full.text).toContain(recipe)
    expect(full.text).not.toMatch(/<\/?(?:div|p|table|td|code|pre|dl|span)\b/)
    for (const file of ['holdfast.py', 'holdfast.go'])
      expect((await service.request('GET', `/docs/clients/${file}`)).status).toBe(200)
  })

  it('includes the licences of bundled software', () => {
    for (const words of ['Apache License', 'SmartBear', 'Jason Miller']) expect(page('/docs/licences')).toContain(words)
  })
})

describe('the search', () => {
  const searchDocs = async (query: string): Promise<string[]> => {
    const { text } = await service.request('GET', `/docs/search?q=${encodeURIComponent(query)}`)
    if (!text.includes('<ol')) return []
    return [...text.split('<ol class="found">')[1]!.matchAll(/<li><a href="(\/docs[^"]*)">/g)].map(([, url]) => url!)
  }

  it('finds endpoints, states, settings, events and words of any page, also by prefix', async () => {
    expect((await searchDocs('positions transfer'))[0]).toMatch(/^\/docs\/endpoints#postPositionsTransfer/)
    expect((await searchDocs('partiallySigned')).some((url) => url.startsWith('/docs/machines'))).toBe(true)
    expect((await searchDocs('HOLDFAST_RATE_LIMIT')).some((url) => url.startsWith('/docs/settings'))).toBe(true)
    expect((await searchDocs('transaction.finalized'))[0]).toBe('/docs/events#transaction.finalized')
    expect((await searchDocs('frozen'))[0]).toBe('/docs/errors#FROZEN')
    expect((await searchDocs('NONCE_LEASED'))[0]).toBe('/docs/errors#NONCE_LEASED')
    expect(await searchDocs('countersig')).toContain('/docs/machines#countersignature')
    expect(await searchDocs('exactly once')).toContain('/docs/how-it-works#exactly-once')
  })

  it('reports that a word is not found', async () => {
    expect(await searchDocs('transfer qzxqzx')).toEqual([])
    expect((await service.request('GET', '/docs/search?q=qzxqzx')).text).toContain('Nothing was found')
    expect((await service.request('GET', '/docs/search')).status).toBe(200)
    expect(await searchDocs('?!')).toEqual([])
  })

  it('escapes any query, and answers quickly', async () => {
    const hostile = `"><script>alert(1)</script> transfer`
    const { text } = await service.request('GET', `/docs/search?q=${encodeURIComponent(hostile)}`)
    expect(text).not.toContain('<script>')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;')
    expect((await service.request('GET', `/docs/search?q=${'a.'.repeat(4_000)}`)).status).toBe(200)
    expect((await service.request('GET', `/docs/search?q=${'%F0%28'.repeat(9)}&q=2&x=%`)).status).toBe(200)
  })

  it('is bounded: whole words below three characters, four words, and a rate for each client', async () => {
    const index = await indexOf([{ path: '/a', title: 'First', html: '<p>a nonce of the open lane</p>' }])
    const found = (query: string): number => index.find(query).length
    expect(['n', 'no', 'of', 'non', 'nonc'].map(found)).toEqual([0, 0, 1, 1, 1])
    expect(['of the open absent', 'a of the open absent'].map(found)).toEqual([0, 1])
    await using limited = await startEcho()
    const statusOf = async (path: string): Promise<number> => (await limited.request('GET', path)).status
    const statuses = await Promise.all(Array.from({ length: 60 }, () => statusOf('/docs/search?q=qzxqzx')))
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
    expect(await statusOf('/docs/search')).toBe(200)
  })

  it('ranks a heading before a mention', async () => {
    const index = await indexOf([
      {
        path: '/a',
        title: 'First',
        html: '<p>a nonce is mentioned</p><h2 id="n">Nonce</h2><p>all of it</p><dl><dt id="x">OTHER_NONCE</dt><dd>b</dd></dl>',
      },
    ])
    expect(index.find('nonce').map(({ url }) => url)).toEqual(['/a#n', '/a#x', '/a'])
    expect(index.find('nonce')[2]!.excerpt).toBe('a <mark>nonce</mark> is mentioned')
    expect(index.find('other_nonce').map(({ url, title, excerpt }) => [url, title, excerpt])).toEqual([
      ['/a#x', 'OTHER_NONCE', 'b'],
    ])
  })
})

describe('long tasks', () => {
  /** The number of event-loop turns of other work meanwhile. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0
    let going = true
    const turn = (): void => {
      if (!going) return
      turns += 1
      setImmediate(turn)
    }
    setImmediate(turn)
    await work()
    going = false
    return turns
  }

  it('yield to other requests: after each drawing, and each page of the index', async () => {
    expect(await turnsDuring(machinesPage)).toBeGreaterThanOrEqual(Object.keys(KINDS).length)
    const indexedPages = [...pages].map(([path, html]) => ({ path, title: path, html }))
    expect(await turnsDuring(() => indexOf(indexedPages))).toBeGreaterThanOrEqual(indexedPages.length)
  })
})

describe('Markdown', () => {
  it('becomes HTML, and HTML in it is escaped', () => {
    expect(markdown('## A title\n\n- one `code <b>`\n  continued\n- **two** [x](https://a.example/?b&c)')).toBe(
      '<h2 id="a-title">A title</h2>\n<ul>\n<li>one <code>code &lt;b&gt;</code>\ncontinued</li>\n' +
        '<li><strong>two</strong> <a href="https://a.example/?b&amp;c" rel="noreferrer">x</a></li>\n</ul>\n',
    )
    expect(markdown('| A | B |\n|---|---|\n| `a\\|b` | <i> |')).toContain('<td><code>a|b</code></td><td>&lt;i&gt;</td>')
    expect(markdown('```sh\na <b>\n\nc\n```')).toContain('<pre><code>a &lt;b&gt;\n\nc</code></pre>')
    expect(markdown('[x](javascript:alert(1)) <img onerror=1>')).toBe(
      '<p>[x](javascript:alert(1)) &lt;img onerror=1&gt;</p>\n',
    )
  })

  it('links documents as pages, and omits pictures', () => {
    expect(markdown('[a](settings.md) [b](src/docs/architecture.md) [c](#d) ![e](f.png)')).toBe(
      '<p><a href="/docs/settings">a</a> <a href="/docs/how-it-works">b</a> <a href="#d">c</a> </p>\n',
    )
    expect(markdown('[x](../../LICENSE)')).toBe('<p>[x](../../LICENSE)</p>\n')
  })
})
