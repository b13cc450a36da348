// Page turns of the console over many records, compared with the bulk query of each page: at the start and at the end
// of a list with a filter and an order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataLayout } from '../../src/config/data-layout.ts'
import { buildSite } from '../../src/site/build.ts'
import { Connection } from '../load/connection.ts'
import { inTurns } from '../measure/rounds.ts'
import { median } from '../measure/stats.ts'
import { fillStore } from '../query/fill.ts'
import { TENANT } from '../query/records.ts'
import { startService } from '../service/process.ts'
import { createTenant } from '../service/tenant.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { missingBrowser, openConsole } from './browser.ts'
import type { AnsweredPage } from './check.ts'
import { hashOf, LIST, ROWS } from './list.ts'
import { answersFor, askInBrowser, askOutside, turnPages, type Scene, type Taken } from './sides.ts'

const RECORDS = 1_000_000
/** Page turns per round. */
const TURNS = 20
const about = `a page of ${ROWS} turned in the console over many records, in a browser, against its bulk query alone`

export const consoleTurns: Suite = { name: 'console', about, missing: missingBrowser, run }

async function run(options: Options): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    await buildSite()
    const apiKey = await prepare(dataDir, options)
    const records = options.records ?? RECORDS
    await fillStore(dataLayout(dataDir).store, records)
    options.note(`${records} wallets are in the store`)
    await using service = await startService({ ...options, profileDir: null }, dataDir)
    await using browser = await openConsole(service, apiKey, LIST)
    const connection = await Connection.open(service.host, service.port)
    try {
      return await measureTurns({ service, browser, connection, apiKey }, options)
    } finally {
      connection.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Creates the tenant through the service. */
async function prepare(dataDir: string, options: Options): Promise<string> {
  await using service = await startService({ ...options, profileDir: null }, dataDir)
  return (await createTenant(service, TENANT)).apiKey
}

async function measureTurns(scene: Scene, options: Options): Promise<SuiteResult> {
  const openedMs = await scene.browser.arrive(hashOf(1))
  const { count } = JSON.parse([...(await answersFor(scene, [1])).values()][0]!) as AnsweredPage
  const last = Math.ceil(count / ROWS)
  if (last <= TURNS) throw new Error(`${TURNS} page turns need more than ${last} pages: more records`)
  const figures: Figure[] = [{ name: 'filter and order chosen for the first time', unit: 'ms', values: [openedMs] }]
  const places = { 'first pages': 2, 'last pages': last - TURNS + 1 }
  for (const [place, from] of Object.entries(places))
    figures.push(...figuresOf(place, await measure(scene, from, options)))
  const turns = Object.keys(places).length * options.rounds * TURNS
  const checks = [
    `each of ${turns} page turns, up to page ${last} of ${last}, made one request to the service; the bulk query was measured too`,
    `each showed the rows that the bulk query answers, in their order, out of ${count}`,
  ]
  return { suite: 'console', about, figures, checks, profile: [] }
}

/**
 * The rounds of each side, over the same pages.
 *
 * @param from the first page of a round
 */
async function measure(scene: Scene, from: number, options: Options): Promise<Taken[][]> {
  const answers = await answersFor(
    scene,
    Array.from({ length: TURNS }, (_, index) => from + index),
  )
  const sides = [turnPages, askInBrowser, askOutside].map((side) => () => side(scene, answers))
  for (const side of sides) {
    const startedAt = performance.now()
    do await side()
    while (performance.now() - startedAt < options.warmupMs)
  }
  return await inTurns(options.rounds, sides)
}

function figuresOf(place: string, rounds: readonly Taken[][]): Figure[] {
  const [turns, asked, outside] = rounds as [Taken[], Taken[], Taken[]]
  const ms = (name: string, all: readonly Taken[], value: (taken: Taken) => number): Figure => ({
    name: `${place}: ${name}`,
    unit: 'ms',
    values: all.map(value),
  })
  const took = ({ tookMs }: Taken): number => median(tookMs)
  const inserted = ({ insertedMs }: Taken): number => median(insertedMs)
  const ratio = (name: string, value: (taken: Taken) => number): Figure => ({
    name: `${place}: ${name}`,
    unit: 'turn/query',
    values: turns.map((turn, round) => value(turn) / took(asked[round]!)),
  })
  return [
    ms('page turn, until drawn', turns, took),
    ms('slowest of a round', turns, ({ tookMs }) => Math.max(...tookMs)),
    ms('page turn, until in the document', turns, inserted),
    ms('bulk query in the browser', asked, took),
    {
      name: `${place}: page turn less bulk query`,
      unit: 'ms',
      values: turns.map((turn, round) => took(turn) - took(asked[round]!)),
    },
    ms('bulk query by a plain connection', outside, took),
    ms('page turn, in the service', turns, ({ serviceMs }) => serviceMs),
    ms('bulk query, in the service', asked, ({ serviceMs }) => serviceMs),
    ratio('ratio until drawn', took),
    ratio('ratio until in the document', inserted),
  ]
}
