// A person at a browser: opens pages in a context of its own, and keeps what no page may do: log an error, fail a request it should not,
// or ask another host.
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Stage } from './stage.ts'

export const WIDTHS = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const
export const stage: Stage = inject('stage')

let browser: Promise<Browser> | undefined

export interface Viewer extends AsyncDisposable {
  readonly page: Page
  /** What the page did and may not do; empty when all is well. */
  readonly offences: string[]
  screenshot(name: string): Promise<void>
}

export interface ViewerOptions {
  readonly width?: keyof typeof WIDTHS
  readonly scheme?: 'light' | 'dark'
}

export async function openViewer({ width = 'desktop', scheme = 'light' }: ViewerOptions = {}): Promise<Viewer> {
  browser ??= chromium.connect(stage.browser)
  const context: BrowserContext = await (
    await browser
  ).newContext({ viewport: WIDTHS[width], colorScheme: scheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const offences: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') offences.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => void offences.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== stage.url && url.protocol !== 'data:' && url.protocol !== 'blob:') offences.push(`asks ${url.href}`)
    if (url.href.includes(stage.apiKey)) offences.push('the key is in a URL')
  })
  return {
    page,
    offences,
    screenshot: async (name) => {
      await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`) })
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}
