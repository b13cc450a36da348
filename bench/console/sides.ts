// The same pages of a list in three ways: turned in the console, requested directly by the same browser, requested over
// a plain connection. Each side checks that it sent exactly these requests.
import { Connection, type Reply } from '../load/connection.ts'
import { postHead } from '../load/traffic.ts'
import { readMetrics } from '../service/metrics.ts'
import type { ServiceProcess } from '../service/process.ts'
import { requestLine, type ConsoleInBrowser } from './browser.ts'
import { checkPage, type AnsweredPage } from './check.ts'
import { bodyOf, hashOf, PATH, skipOf } from './list.ts'

/** The times of one round, in which each page is requested once. */
export interface Taken {
  readonly tookMs: readonly number[]
  /** For page turns, the time until the rows are in the document; otherwise the same as above. */
  readonly insertedMs: readonly number[]
  /** Mean time of a query within the service, from the request headers to the answer. */
  readonly serviceMs: number
}

export interface Scene {
  readonly service: ServiceProcess
  readonly browser: ConsoleInBrowser
  readonly connection: Connection
  readonly apiKey: string
}

/** The service's answers by page. */
export type Answers = ReadonlyMap<number, string>

export async function answersFor(scene: Scene, pages: readonly number[]): Promise<Answers> {
  const answers = new Map<number, string>()
  for (const page of pages) answers.set(page, await exchange(scene, page))
  return answers
}

/** Starts on the page before the first one. */
export async function turnPages({ service, browser }: Scene, answers: Answers): Promise<Taken> {
  const pages = [...answers.keys()]
  await browser.arrive(hashOf(pages[0]! - 1))
  browser.requests()
  const { value: turns, serviceMs } = await measureQueries(service, pages.length, () => browser.turns(pages.length))
  const expected = pages.map((page) => requestLine('POST', PATH, bodyOf(page)))
  const requests = browser.requests()
  const unexpected = requests.find((line, index) => line !== expected[index])
  if (unexpected !== undefined || requests.length !== expected.length) {
    const detail = unexpected === undefined ? '' : `, and ${unexpected} unexpectedly`
    throw new Error(`for ${expected.length} page turns the console sent ${requests.length} requests${detail}`)
  }
  for (const [index, page] of pages.entries())
    checkPage(turns[index]!, JSON.parse(answers.get(page)!) as AnsweredPage, skipOf(page))
  return { tookMs: turns.map(({ tookMs }) => tookMs), insertedMs: turns.map(({ insertedMs }) => insertedMs), serviceMs }
}

export async function askInBrowser({ service, browser, apiKey }: Scene, answers: Answers): Promise<Taken> {
  const pages = [...answers.keys()]
  const question = { path: PATH, apiKey, bodies: pages.map(bodyOf) }
  const { value: replies, serviceMs } = await measureQueries(service, pages.length, () => browser.asks(question))
  for (const [index, page] of pages.entries()) checkAnswer(replies[index]!.text, answers, page)
  const tookMs = replies.map((each) => each.tookMs)
  return { tookMs, insertedMs: tookMs, serviceMs }
}

export async function askOutside(scene: Scene, answers: Answers): Promise<Taken> {
  const { value: tookMs, serviceMs } = await measureQueries(scene.service, answers.size, async () => {
    const took: number[] = []
    for (const page of answers.keys()) {
      const startedAt = performance.now()
      const text = await exchange(scene, page)
      took.push(performance.now() - startedAt)
      checkAnswer(text, answers, page)
    }
    return took
  })
  return { tookMs, insertedMs: tookMs, serviceMs }
}

async function exchange({ service, connection, apiKey }: Scene, page: number): Promise<string> {
  const body = bodyOf(page)
  const head = postHead(service, PATH, body.length, { Authorization: `Bearer ${apiKey}` })
  const reply = await new Promise<Reply | Error>((resolve) => connection.exchange(head + body, resolve))
  if (reply instanceof Error) throw reply
  if (reply.status !== 200) throw new Error(`page ${page} is answered with ${reply.status} ${reply.body.slice(0, 300)}`)
  return reply.body
}

function checkAnswer(text: string, answers: Answers, page: number): void {
  if (text !== answers.get(page))
    throw new Error(
      `page ${page} is answered with ${text.slice(0, 300)}, before with ${answers.get(page)!.slice(0, 300)}`,
    )
}

/** Throws if the service did not answer exactly `queries` queries. */
async function measureQueries<Value>(
  service: ServiceProcess,
  queries: number,
  act: () => Promise<Value>,
): Promise<{ value: Value; serviceMs: number }> {
  const before = await queryTotals(service)
  const value = await act()
  const after = await queryTotals(service)
  if (after.count - before.count !== queries)
    throw new Error(`the service answered ${after.count - before.count} queries, not ${queries}`)
  return { value, serviceMs: ((after.seconds - before.seconds) / queries) * 1000 }
}

/** Number and total time of the queries of this list, regardless of their outcome. */
async function queryTotals(service: ServiceProcess): Promise<{ count: number; seconds: number }> {
  const all = [...(await readMetrics(service))].filter(([name]) => name.includes('/accounts/bulk/'))
  const sumOf = (family: string): number =>
    all
      .filter(([name]) => name.startsWith(`holdfast_http_request_seconds_${family}{`))
      .reduce((sum, [, value]) => sum + value, 0)
  return { count: sumOf('count'), seconds: sumOf('sum') }
}
