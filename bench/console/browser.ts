// The console in a headless Chromium, signed in. CHROMIUM names another browser.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { childEnvironment } from '../../src/config/environment.ts'
import type { Target } from '../load/traffic.ts'
import type { ShownPage } from './check.ts'

const EXECUTABLE = childEnvironment()['CHROMIUM'] ?? '/usr/bin/chromium'
/** Flags that a browser in a container needs, and flags that prevent requests to outside hosts. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const VIEWPORT = { width: 1280, height: 860 }
const WAIT_MS = 60_000

export interface Turn extends ShownPage {
  /** From the click to the rows being in the document. */
  readonly insertedMs: number
  /** From the click to the end of the frame that shows them. */
  readonly tookMs: number
}

export interface Asked {
  readonly tookMs: number
  readonly text: string
}

export interface ConsoleInBrowser extends AsyncDisposable {
  /** Opens another page of the list by its address; returns the duration in milliseconds. */
  arrive(hash: string): Promise<number>
  turns(count: number): Promise<readonly Turn[]>
  asks(question: {
    readonly path: string
    readonly apiKey: string
    readonly bodies: readonly string[]
  }): Promise<readonly Asked[]>
  /**
   * Method, path and body of what the page has asked the service for since this was called last, but for its own files.
   */
  requests(): readonly string[]
}

/** The reason why no browser is available; null if there is one. */
export function missingBrowser(): string | null {
  try {
    accessSync(EXECUTABLE, constants.X_OK)
    return null
  } catch {
    return `there is no Chromium at ${EXECUTABLE}; set CHROMIUM to where yours is`
  }
}

export const requestLine = (method: string, path: string, body: string | null): string =>
  `${method} ${path} ${body ?? ''}`

/** Signs in, and opens a list with its first page. */
export async function openConsole({ host, port }: Target, apiKey: string, list: string): Promise<ConsoleInBrowser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS, headless: true })
  try {
    const page = await browser.newPage({ viewport: VIEWPORT })
    page.setDefaultTimeout(WAIT_MS)
    await page.addInitScript({ path: join(import.meta.dirname, 'in-page.mjs') })
    let requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      // The browser looks up the icon whenever the address changes, in its cache.
      if (!pathname.startsWith('/assets/'))
        requests.push(requestLine(request.method(), pathname + search, request.postData()))
    })
    await page.goto(`http://${host}:${port}/console`)
    await page.getByLabel('API key').fill(apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.evaluate(`location.hash = ${JSON.stringify(list)}`)
    await page.locator('table.rows[aria-busy="false"]').waitFor()
    // The fields for filters have been loaded too.
    await page.locator('.filters select').first().waitFor()
    const inPage = async <Answer>(name: string, argument: unknown): Promise<Answer> =>
      await page.evaluate<Answer>(`bench.${name}(${JSON.stringify(argument)})`)
    return {
      arrive: async (hash) => await inPage('arrive', hash),
      turns: async (count) => await inPage('turns', count),
      asks: async (question) => await inPage('asks', question),
      requests() {
        const all = requests
        requests = []
        return all
      },
      [Symbol.asyncDispose]: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
