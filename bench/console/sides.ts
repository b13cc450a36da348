// The same pages of a list, by three ways: turned over in the console, queried by the same browser, queried by a plain
// connection. Each turn of a side checks that it did exactly that.
import { Connection, type Reply } from '../load/connection.ts'
import { postHead } from '../load/traffic.ts'
import { readMetrics } from '../service/metrics.ts'
import type { ServiceProcess } from '../service/process.ts'
import { requestLine, type ConsoleInBrowser } from './browser.ts'
import { checkPage, type AnsweredPage } from './check.ts'
import { bodyOf, hashOf, PATH, skipOf } from './list.ts'

/** One round: each page once. */
export interface Taken {
  readonly tookMs: readonly number[]
  /** Of a page turn: until the rows are in the document. Of the others the same as above. */
  readonly insertedMs: readonly number[]
  /** Mean time of a query within the service, from its headers to its answer. */
  readonly serviceMs: number
}

export interface Scene {
  readonly service: ServiceProcess
  readonly browser: ConsoleInBrowser
  readonly connection: Connection
  readonly apiKey: string
}

/** Pages and the answer of the service for each. */
export type Answers = ReadonlyMap<number, string>

export async function answersFor(scene: Scene, pages: readonly number[]): Promise<Answers> {
  const answers = new Map<number, string>()
  for (const page of pages) answers.set(page, await exchange(scene, page))
  return answers
}

/** Begins on the page before the first of them. */
export async function turnPages({ service, browser }: Scene, answers: Answers): Promise<Taken> {
  const pages = [...answers.keys()]
  await browser.arrive(hashOf(pages[0]! - 1))
  browser.requests()
  const { value: turns, serviceMs } = await timed(service, pages.length, () => browser.turns(pages.length))
  const wanted = pages.map((page) => requestLine('POST', PATH, bodyOf(page)))
  const asked = browser.requests()
  const astray = asked.find((line, index) => line !== wanted[index])
  if (astray !== undefined || asked.length !== wanted.length) {
    throw new Error(
      `turning ${wanted.length} pages, the console asked ${asked.length} times, and for ${astray ?? 'nothing else'}`,
    )
  }
  for (const [index, page] of pages.entries())
    checkPage(turns[index]!, JSON.parse(answers.get(page)!) as AnsweredPage, skipOf(page))
  return { tookMs: turns.map(({ tookMs }) => tookMs), insertedMs: turns.map(({ insertedMs }) => insertedMs), serviceMs }
}

export async function askInBrowser({ service, browser, apiKey }: Scene, answers: Answers): Promise<Taken> {
  const pages = [...answers.keys()]
  const question = { path: PATH, apiKey, bodies: pages.map(bodyOf) }
  const { value: asked, serviceMs } = await timed(service, pages.length, () => browser.asks(question))
  for (const [index, page] of pages.entries()) checkAnswer(asked[index]!.text, answers, page)
  const tookMs = asked.map((each) => each.tookMs)
  return { tookMs, insertedMs: tookMs, serviceMs }
}

export async function askOutside(scene: Scene, answers: Answers): Promise<Taken> {
  const { value: tookMs, serviceMs } = await timed(scene.service, answers.size, async () => {
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

/** Throws if the service answered more or fewer queries than `queries`. */
async function timed<Value>(
  service: ServiceProcess,
  queries: number,
  act: () => Promise<Value>,
): Promise<{ value: Value; serviceMs: number }> {
  const before = await answered(service)
  const value = await act()
  const after = await answered(service)
  if (after.count - before.count !== queries)
    throw new Error(`the service answered ${after.count - before.count} queries, not ${queries}`)
  return { value, serviceMs: ((after.seconds - before.seconds) / queries) * 1000 }
}

/** Of the queries of this list, with any result. */
async function answered(service: ServiceProcess): Promise<{ count: number; seconds: number }> {
  const all = [...(await readMetrics(service))].filter(([name]) => name.includes('/accounts/bulk/'))
  const sumOf = (family: string): number =>
    all
      .filter(([name]) => name.startsWith(`holdfast_http_request_seconds_${family}{`))
      .reduce((sum, [, value]) => sum + value, 0)
  return { count: sumOf('count'), seconds: sumOf('sum') }
}
