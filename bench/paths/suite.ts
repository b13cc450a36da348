// The path of one request through the code, counted by V8: files, functions, calls and lookups of the directory of a
// transfer, a repayment and a page of accounts. Each is sent alone, several times; only what each of them did counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { startService } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { common, fileOf, grouped, sumsOf, together, total, type Observed } from './observed.ts'
import { openObserver, type Observer } from './observer.ts'
import { makeRequests, type ObservedRequest } from './requests.ts'

const WARM_UP = 30
/** Until a transaction is final and settled. Slots of the embedded chain take 0.4 s. */
const FINAL_MS = 2_500
const IDLE = 3
const ANSWERED = 'until the answer'
const PRELOAD = import.meta.resolve('./observing.ts')
const about = 'files, functions, calls and directory lookups of one transfer, one repayment and one page, counted by V8'

export const paths: Suite = { name: 'paths', about, run }

/** A part of the path, and what every request did in it. */
type Stage = readonly [name: string, observed: Observed]

async function run(options: Options): Promise<SuiteResult> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const settings = { BENCH_OBSERVED_DIR: dir }
    await using service = await startService({ node: options.node, profileDir: null, preload: PRELOAD, settings })
    const requests = await makeRequests(service, new Connection(service.chainRpcUrl, 'confirmed'))
    options.note('accounts, positions and a vault are ready')
    using observer = await openObserver(dir)
    const figures: Figure[] = []
    const shown: string[] = []
    for (const request of requests) {
      const stages = await observe(request, observer, options)
      figures.push(...stages.flatMap(([name, observed]) => figuresOf(`${request.name}, ${name}`, observed)))
      shown.push(...stages.flatMap(([name, { calls }]) => foldersOf(`${request.name}, ${name}`, calls)))
      if (options.list) shown.push(...stages.flatMap(([name, each]) => listOf(`${request.name}, ${name}`, each)))
    }
    const checks = [`each transaction was settled, and each page was full, ${options.rounds} times`]
    return { suite: 'paths', about, figures, checks, profile: shown }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The functions that run between the requests. */
async function observeIdle(observer: Observer): Promise<readonly Observed[]> {
  await sleep(FINAL_MS)
  await observer.next()
  const idle: Observed[] = []
  for (let time = 0; time < IDLE; time += 1) {
    await sleep(FINAL_MS)
    idle.push(together(await observer.next()))
  }
  return idle
}

async function observe(request: ObservedRequest, observer: Observer, { rounds }: Options): Promise<readonly Stage[]> {
  for (let number = 0; number < WARM_UP; number += 1) {
    await request.prepare?.(number)
    await request.send(number)
  }
  const idle = request.settles ? await observeIdle(observer) : []
  const [begun, answered, ended]: [Observed[], Observed[], Observed[]] = [[], [], []]
  for (let number = WARM_UP; number < WARM_UP + rounds; number += 1) {
    await request.prepare?.(number)
    await sleep(FINAL_MS)
    await observer.next()
    await request.send(number)
    const [first, ...others] = await observer.next()
    begun.push(first!)
    if (!request.settles) continue
    if (others.length !== 1) throw new Error(`${request.name} wrote nothing`)
    answered.push(others[0]!)
    await sleep(FINAL_MS)
    ended.push(together(await observer.next()))
  }
  if (!request.settles) return [[ANSWERED, common(begun)]]
  const untilWrite = common(begun)
  const untilAnswer = common(begun.map((each, index) => together([each, answered[index]!])))
  return [
    ['until its first write', untilWrite],
    [ANSWERED, untilAnswer],
    ['after the answer', common(ended, idle)],
  ]
}

function figuresOf(name: string, { calls, lookups }: Observed): Figure[] {
  const { files, functions, calls: made } = sumsOf(calls)
  const figure = (unit: string, value: number): Figure => ({ name, unit, values: [value] })
  return [
    figure('files', files),
    figure('functions', functions),
    figure('calls', made),
    figure('directory lookups', total(lookups)),
  ]
}

function foldersOf(title: string, calls: Observed['calls']): string[] {
  const lines = grouped(calls, (name) => dirname(fileOf(name))).map(
    ([folder, { files, functions, calls: made }]) => `  ${column(files)}${column(functions)}${column(made)}  ${folder}`,
  )
  return ['', `  ${title}: files, functions and calls by folder`, ...lines]
}

/** Every file with its functions, and every lookup. */
function listOf(title: string, { calls, lookups }: Observed): string[] {
  const lines = grouped(calls, fileOf).flatMap(([file, { functions, calls: made }]) => [
    `  ${column(functions)}${column(made)}  ${file}`,
    ...Object.entries(calls)
      .filter(([name]) => fileOf(name) === file)
      .sort(([, one], [, other]) => other - one)
      .map(
        ([name, count]) => `  ${column(0).replace('0', ' ')}${column(count)}    ${name.slice(name.indexOf(' ') + 1)}`,
      ),
  ])
  const askers = Object.entries(lookups)
    .sort(([, one], [, other]) => other - one)
    .map(([asker, count]) => `  ${column(count)}  ${asker}`)
  return [
    ...['', `  ${title}: functions and calls of each file`, ...lines],
    ...['', `  ${title}: lookups of the directory, by what asks`, ...askers],
  ]
}

const column = (value: number): string => String(value).padStart(8)
