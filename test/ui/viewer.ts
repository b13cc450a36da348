// A user at a browser: opens pages in a separate context, and records what no page may do: log an error, call another
// host, or store the key in a wrong place.
import { join } from 'node:path'
import { chromium, type Browser, type Locator, type Page, type Request } from 'playwright-core'
import { inject } from 'vitest'
import type { Stage } from './stage.ts'

export const WIDTHS = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const
export const stage: Stage = inject('stage')

/** For results that come at once on an idle machine. */
const LONGEST_WAIT_MS = 120_000
/** The page has processed its input, and continues. */
const IDLE = `new Promise((resolve) => setTimeout(() => setTimeout(resolve)))`
/** Pixels beyond the edge of the page or of its dialog. */
const BEYOND = `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .map((box) => box.scrollWidth - box.clientWidth))`

let browser: Promise<Browser> | undefined

export interface Viewer extends AsyncDisposable {
  readonly page: Page
  /** Forbidden actions of the page; empty if there were none. */
  readonly offences: string[]
  /** Requests to the interface, in order. */
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }[]
  /** Signs in, and waits for the overview. */
  signIn(apiKey?: string): Promise<void>
  /** Opens a page of the console and waits until it shows `sign` and has no open requests. */
  open(hash: string, sign: string): Promise<void>
  /** Waits until the page has no open requests, and has drawn the answers. */
  quiet(): Promise<void>
  screenshot(name: string): Promise<void>
  /** A screenshot of a flow at each width, none of which it may exceed; the former width is restored. */
  pictures(name: string): Promise<void>
}

export interface ViewerOptions {
  readonly width?: keyof typeof WIDTHS
  readonly scheme?: 'light' | 'dark'
  /** Expected errors of the test: the browser logs a refusal. */
  readonly expected?: RegExp
}

export async function openViewer({
  width = 'desktop',
  scheme = 'light',
  expected,
}: ViewerOptions = {}): Promise<Viewer> {
  browser ??= chromium.connect(stage.browser)
  const context = await (
    await browser
  ).newContext({ viewport: WIDTHS[width], colorScheme: scheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(LONGEST_WAIT_MS)
  const offences: string[] = []
  const asked: Viewer['asked'] = []
  const keys = [stage.apiKey, stage.scene.accountsOnly, stage.scene.viewer, stage.scene.approver]
  const under = new Set<Request>()
  page.on('console', (message) => {
    if (message.type() === 'error' && expected?.test(message.text()) !== true)
      offences.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => void offences.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== stage.url && url.protocol !== 'data:') offences.push(`asks ${url.href}`)
    if (keys.some((key) => url.href.includes(key))) offences.push(`the key is in ${url.pathname}`)
    if (!url.pathname.startsWith('/api/v1')) return
    if (!url.pathname.endsWith('/stream')) under.add(request)
    const body: unknown = request.postData() === null ? null : JSON.parse(request.postData()!)
    asked.push({ method: request.method(), path: url.pathname, headers: request.headers(), body })
  })
  const over = (request: Request): void => void under.delete(request)
  page.on('requestfinished', over)
  page.on('requestfailed', over)

  const quiet = async (): Promise<void> => {
    for (let still = 0; still < 3; still = under.size === 0 ? still + 1 : 0) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      // A busy page has not reached its next request yet. One that is being left reports nothing.
      await page.evaluate(IDLE).catch(() => undefined)
    }
  }
  const screenshot = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`) })
  }
  return {
    page,
    offences,
    asked,
    async signIn(apiKey = stage.apiKey) {
      await page.goto(`${stage.url}/console`)
      await page.getByLabel('API key').fill(apiKey)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      await quiet()
    },
    async open(hash, sign) {
      await page.goto(`${stage.url}/console#/${hash}`)
      await page.locator('main').getByText(sign).filter({ visible: true }).first().waitFor()
      await quiet()
    },
    quiet,
    screenshot,
    async pictures(name) {
      const before = page.viewportSize()!
      for (const [each, size] of Object.entries(WIDTHS)) {
        await page.setViewportSize(size)
        await quiet()
        await screenshot(`${name}-${each}`)
        const beyond = Number(await page.evaluate(BEYOND))
        if (beyond > 0) offences.push(`${name}: ${beyond} pixels too wide for a ${each}`)
      }
      await page.setViewportSize(before)
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Holds a page that reloads every few seconds unchanged until it is released: it can be inspected. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let letGo = (): void => undefined
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(url, async (route) => {
    await gate
    await route.continue()
  })
  return letGo
}

/** The number of lines of a text. */
export async function linesOf(text: Locator): Promise<number> {
  return await text.evaluate((element: object) => {
    const { document } = globalThis as unknown as { document: { createRange(): Lines } }
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size
  })
}

interface Lines {
  selectNodeContents(element: object): void
  getClientRects(): Iterable<{ readonly top: number }>
}
