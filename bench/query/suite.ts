// Bulk queries over a million wallets: a page of 100 with the count, by filter and sort, by text, by range, compared
// with a Koa on PostgreSQL with the same wallets. And the cost of the million wallets: time until ready after a restart
// and after a kill, and memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataLayout } from '../../src/config/data-layout.ts'
import { cpuPerRequestUs, othersCores } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import type { Target } from '../load/traffic.ts'
import { startChild } from '../measure/child.ts'
import { profileSummary } from '../profile/summary.ts'
import { residentBytes } from '../service/metrics.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import { createTenant } from '../service/tenant.ts'
import type { Figure, Options, Suite } from '../suite.ts'
import { sampleCpu } from '../measure/process-cpu.ts'
import { alternate, type Round } from '../measure/rounds.ts'
import { fillPostgres, fillStore } from './fill.ts'
import { startPostgres, type Postgres, type PostgresService } from '../postgres/server.ts'
import { TENANT } from './records.ts'
import { KINDS, pathOf, queryOf, type QueryKind } from './traffic.ts'

/** One query after the other: more at a time would measure how long they wait for each other. */
const CLIENTS = 1
const RAMP_MS = 200
const RECORDS = 1_000_000
/** Of each kind. */
const COMPARED = 12
const FIRST = 3
const about = 'a page of 100 with the count over many wallets, one query at a time, beside Koa on PostgreSQL'

export const query: Suite = { name: 'query', about, run }

interface Sides {
  readonly service: ServiceProcess
  readonly apiKey: string
  /** Null: PostgreSQL is not installed. */
  readonly koa: (Target & { readonly pid: number }) | null
}

async function run(options: Options) {
  const { profileDir } = options
  const records = options.records ?? RECORDS
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const { apiKey, emptyBytes, emptyOwnBytes } = await prepare(dataDir, options)
    await fillStore(dataLayout(dataDir).store, records)
    options.note(`${records} wallets are in the store`)
    await using postgres = await startPostgres()
    if (postgres === null) options.note('PostgreSQL is not installed: nothing is beside the service')
    else await fillPostgres(postgres, records)
    const startedAt = performance.now()
    await using service = await startService(options, dataDir)
    const readyMs = performance.now() - startedAt
    const readyBytes = residentBytes(service.pid)
    const readyOwnBytes = residentBytes(service.pid, 'RssAnon')
    const readyCpuUs = sampleCpu([service.pid]).processes[0]!.processUs
    options.note(`ready after ${(readyMs / 1000).toFixed(1)} s`)
    const module = join(import.meta.dirname, 'koa-process.ts')
    await using child = postgres === null ? null : startChild<PostgresService, number>(module, options.node)
    const koa =
      child === null
        ? null
        : { host: service.host, port: await child.ask(addressOf(service, postgres!)), pid: child.pid }
    const sides = { service, apiKey, koa }
    const figures: Figure[] = []
    const checks: string[] = []
    const windows: (readonly [number, number])[] = []
    let asked = 0
    for (const kind of KINDS) {
      figures.push({ name: `${kind}: first queries`, unit: 'ms', values: await firstQueries(sides, kind) })
      const rounds = await measure(sides, kind, options)
      figures.push(...figuresOf(kind, rounds))
      windows.push(...rounds.map(({ subject }) => [subject.from.atUs, subject.to.atUs] as const))
      asked += rounds.reduce((sum, { subject }) => sum + subject.completed, 0)
      if (koa !== null)
        checks.push(`${await compare(sides, kind)} answers by ${kind} are alike on both sides: count, records, order`)
    }
    const perRecord = (bytes: number): number => (bytes - emptyBytes) / records
    figures.push(
      { name: 'ready after a restart', unit: 's', values: [readyMs / 1000] },
      { name: 'CPU until ready', unit: 's', values: [readyCpuUs / 1e6] },
      { name: 'memory when ready', unit: 'bytes/record', values: [perRecord(readyBytes)] },
      {
        name: 'of that, without pages of files',
        unit: 'bytes/record',
        values: [(readyOwnBytes - emptyOwnBytes) / records],
      },
      {
        name: 'memory with the indexes asked for',
        unit: 'bytes/record',
        values: [perRecord(residentBytes(service.pid))],
      },
    )
    // A process writes its profile when it exits in an orderly way.
    if (profileDir === null) figures.push(...(await readyAfterKill(service, dataDir, options)))
    else await service.stop()
    if (postgres !== null) checks.push(`beside it: PostgreSQL ${postgres.version}, with an index for every query`)
    return {
      suite: 'query',
      about,
      figures,
      checks,
      profile: profileDir === null ? [] : profileSummary(profileDir, windows, asked),
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The tenant, created by the service itself; and the memory of the service without any wallets. */
async function prepare(
  dataDir: string,
  options: Options,
): Promise<{ apiKey: string; emptyBytes: number; emptyOwnBytes: number }> {
  await using service = await startService({ ...options, profileDir: null }, dataDir)
  const { apiKey } = await createTenant(service, TENANT)
  return { apiKey, emptyBytes: residentBytes(service.pid), emptyOwnBytes: residentBytes(service.pid, 'RssAnon') }
}

function addressOf({ host }: ServiceProcess, { socket, user }: Postgres): PostgresService {
  return { host, socket, user }
}

async function measure(
  sides: Sides,
  kind: QueryKind,
  options: Options,
): Promise<Round<RoundResult, RoundResult | null>[]> {
  const { service, apiKey, koa } = sides
  const load = { clients: CLIENTS, module: import.meta.resolve('./traffic.ts'), settings: { apiKey, kind } }
  await using toService = await startGenerator({ target: service, ...load })
  await using toKoa = koa === null ? null : await startGenerator({ target: koa, ...load })
  const round = (to: Generator, pid: number): Promise<RoundResult> =>
    to.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids: [pid] })
  await toService.round({ rampMs: 0, windowMs: options.warmupMs, pids: [service.pid] })
  await toKoa?.round({ rampMs: 0, windowMs: options.warmupMs, pids: [koa!.pid] })
  return await alternate(
    options.rounds,
    () => round(toService, service.pid),
    () => (toKoa === null ? Promise.resolve(null) : round(toKoa, koa!.pid)),
  )
}

function figuresOf(kind: QueryKind, rounds: readonly Round<RoundResult, RoundResult | null>[]): Figure[] {
  const subjects = rounds.map(({ subject }) => subject)
  const figures: Figure[] = [
    { name: `${kind}: p50`, unit: 'ms', values: subjects.map(({ p50Ms }) => p50Ms) },
    { name: `${kind}: p99`, unit: 'ms', values: subjects.map(({ p99Ms }) => p99Ms) },
    { name: `${kind}: CPU`, unit: 'us/query', values: subjects.map((round) => cpuPerRequestUs(round, 0)) },
  ]
  const both = rounds.flatMap(({ subject, baseline }) => (baseline === null ? [] : [{ subject, baseline }]))
  if (both.length === 0)
    return [...figures, { name: `${kind}: busy others`, unit: 'cores', values: subjects.map(othersCores) }]
  return [
    ...figures,
    { name: `${kind}: PostgreSQL p50`, unit: 'ms', values: both.map(({ baseline }) => baseline.p50Ms) },
    { name: `${kind}: PostgreSQL p99`, unit: 'ms', values: both.map(({ baseline }) => baseline.p99Ms) },
    {
      name: `${kind}: ratio p50`,
      unit: 'PostgreSQL/service',
      values: both.map(({ subject, baseline }) => baseline.p50Ms / subject.p50Ms),
    },
  ]
}

/** A start on a store that was not closed. */
async function readyAfterKill(killed: ServiceProcess, dataDir: string, options: Options): Promise<Figure[]> {
  await killed.kill()
  const startedAt = performance.now()
  await using service = await startService({ ...options, profileDir: null }, dataDir)
  const readyMs = performance.now() - startedAt
  return [
    { name: 'ready after kill -9', unit: 's', values: [readyMs / 1000] },
    {
      name: 'CPU until ready after kill -9',
      unit: 's',
      values: [sampleCpu([service.pid]).processes[0]!.processUs / 1e6],
    },
  ]
}

/** The duration of the first queries, which build columns and orders. */
async function firstQueries({ service, apiKey }: Sides, kind: QueryKind): Promise<number[]> {
  const tookMs: number[] = []
  for (let number = 0; number < FIRST; number += 1) {
    const startedAt = performance.now()
    await answerOf(service, apiKey, kind, JSON.stringify(queryOf(kind, number)))
    tookMs.push(performance.now() - startedAt)
  }
  return tookMs
}

/** Throws when an answer differs. */
async function compare({ service, apiKey, koa }: Sides, kind: QueryKind): Promise<number> {
  for (let number = 0; number < COMPARED; number += 1) {
    const body = JSON.stringify(queryOf(kind, number * 7 + 1))
    const [ours, theirs] = await Promise.all([service, koa!].map((side) => answerOf(side, apiKey, kind, body)))
    if (ours !== theirs) throw new Error(`${body} is answered with ${ours!.slice(0, 500)} and ${theirs!.slice(0, 500)}`)
  }
  return COMPARED
}

async function answerOf({ host, port }: Target, apiKey: string, kind: QueryKind, body: string): Promise<string> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const response = await fetch(`http://${host}:${port}${pathOf(kind)}`, { method: 'POST', headers, body })
  return JSON.stringify(await response.json())
}
