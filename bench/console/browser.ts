// The console in a headless Chromium, signed in. CHROMIUM is the path of the binary.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { childEnvironment } from '../../src/config/environment.ts'
import type { Target } from '../load/traffic.ts'
import type { ShownPage } from './check.ts'

const EXECUTABLE = childEnvironment()['CHROMIUM'] ?? '/usr/bin/chromium'
/** Arguments for running in a container and for preventing requests to external hosts. */
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
  /** Time from the click until the rows are in the document. */
  readonly insertedMs: number
  /** Time from the click to the end of the frame that shows the rows. */
  readonly tookMs: number
}

export interface Asked {
  readonly tookMs: number
  readonly text: string
}

export interface ConsoleInBrowser extends AsyncDisposable {
  /** Opens another page of the list by its address. Resolves with the time in milliseconds. */
  arrive(hash: string): Promise<number>
  turns(count: number): Promise<readonly Turn[]>
  asks(question: {
    readonly path: string
    readonly apiKey: string
    readonly bodies: readonly string[]
  }): Promise<readonly Asked[]>
  /** Method, path and body of the page's requests since the last call, except requests for its own files. */
  requests(): readonly string[]
}

/** The reason why there is no browser; null: there is one. */
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

/** Signs in and opens the first page of a list. */
export async function openConsole({ host, port }: Target, apiKey: string, list: string): Promise<ConsoleInBrowser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS, headless: true })
  try {
    const page = await browser.newPage({ viewport: VIEWPORT })
    page.setDefaultTimeout(WAIT_MS)
    await page.addInitScript({ path: join(import.meta.dirname, 'in-page.mjs') })
    let requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      // The browser also requests the icon, from its cache, whenever the address changes.
      if (!pathname.startsWith('/assets/'))
        requests.push(requestLine(request.method(), pathname + search, request.postData()))
    })
    await page.goto(`http://${host}:${port}/console`)
    await page.getByLabel('API key').fill(apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.evaluate(`location.hash = ${JSON.stringify(list)}`)
    await page.locator('table.rows[aria-busy="false"]').waitFor()
    // The fields of the filter must have loaded too.
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
