// Accounts created per second (each with its own key, durable before the answer). The baselines are the same on Koa and
// PostgreSQL, and a bare Koa that parses the same bodies and returns the same bytes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoundResult } from '../load/closed-loop.ts'
import { loadCurve } from '../load/curve.ts'
import { cpuPerRequestUs, latencyFigures, mainThreadShare, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { startBareKoa } from '../http/bare.ts'
import { inTurns } from '../measure/rounds.ts'
import { PostgresConnection } from '../postgres/connection.ts'
import { startPostgresService } from '../postgres/service.ts'
import { profileSummary } from '../profile/summary.ts'
import { startService } from '../service/process.ts'
import { restClient, type Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { checkCounts, createTables } from './postgres-tables.ts'
import { accountBody, type AccountsTally } from './traffic.ts'

const RAMP_MS = 300
const PREFIX = { service: 'SERV', postgres: 'PGSQ', bare: 'BARE', example: 'EXAM' } as const
const about =
  'POST /accounts, durable when answered, against Koa on PostgreSQL (one transaction per request) and a bare Koa'

export const accounts: Suite = { name: 'accounts', about, run }

async function run(options: Options): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    return await measureAccounts(options, dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAccounts(options: Options, dataDir: string): Promise<SuiteResult> {
  await using service = await startService(options, dataDir)
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  const example = JSON.stringify(await rest.post('/accounts', JSON.parse(accountBody(PREFIX.example, 0)) as object))
  await using bare = await startBareKoa(options.node, {
    host: service.host,
    answers: new Map(),
    otherwise: { status: 201, text: example },
  })
  await using postgres = await startPostgresService(
    join(import.meta.dirname, 'postgres-process.ts'),
    options,
    createTables,
  )

  const opened = (target: { readonly host: string; readonly port: number }, prefix: string): Promise<Generator> =>
    startGenerator({
      target,
      clients: options.clients,
      module: import.meta.resolve('./traffic.ts'),
      settings: { apiKey, prefix },
    })
  await using toService = await opened(service, PREFIX.service)
  await using toBare = await opened({ host: service.host, port: bare.port }, PREFIX.bare)
  await using toPostgres = postgres === null ? null : await opened(postgres, PREFIX.postgres)
  const sides = [
    { generator: toService, pid: service.pid },
    { generator: toBare, pid: bare.pid },
    ...(toPostgres === null ? [] : [{ generator: toPostgres, pid: postgres!.pid }]),
  ]
  for (const { generator, pid } of sides) await generator.round({ rampMs: 0, windowMs: options.warmupMs, pids: [pid] })
  const rounds = await inTurns(
    options.rounds,
    sides.map(
      ({ generator, pid }) =>
        () =>
          generator.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids: [pid] }),
    ),
  )
  const peaks = rounds[0]!
  const curve = await loadCurve('accounts', 'accounts/s', toService, { peaks, pids: [service.pid], options })

  const tallies = await Promise.all(sides.map(async ({ generator }) => (await generator.tally()) as AccountsTally))
  const checks: string[] = []
  if (postgres !== null) {
    const connection = await PostgresConnection.open(postgres.socket, postgres.user)
    await checkCounts(connection, tallies[2]!.acknowledged)
    connection.close()
    checks.push(
      `PostgreSQL ${postgres.version} holds the ${tallies[2]!.acknowledged} accounts acknowledged, their requests and events`,
    )
  }
  // Only an orderly stop writes a profile.
  const profiled = options.profileDir !== null
  await (profiled ? service.stop() : service.kill())
  await using again = await startService({ ...options, profileDir: null }, dataDir)
  await checkAccounts(restClient(again.host, again.port, apiKey), tallies[0]!)
  checks.push(
    `after ${profiled ? 'an orderly end' : 'kill -9'} and a new start the service knows the ${tallies[0]!.acknowledged} accounts acknowledged, no more and no less`,
  )
  const windows = rounds[0]!.map(({ from, to }) => [from.atUs, to.atUs] as const)
  const completed = rounds[0]!.reduce((sum, each) => sum + each.completed, 0)
  const profile = options.profileDir === null ? [] : profileSummary(options.profileDir, windows, completed)
  return {
    suite: 'accounts',
    about,
    figures: [...figuresOf(rounds), ...curve.figures],
    checks,
    profile,
    charts: [curve.chart],
  }
}

interface Page {
  readonly count: number
}

/** Throws if the number of accounts differs from the number acknowledged, or if one of the last accounts is missing. */
async function checkAccounts(rest: Rest, { acknowledged, last }: AccountsTally): Promise<void> {
  const filter = [{ fieldName: 'code', filterValues: [{ filterType: 'CONTAINS', valueString: `${PREFIX.service}-` }] }]
  const { count } = await rest.post<Page>('/accounts/bulk/detailed', { itemQuery: { limit: 1, filter } })
  if (count !== acknowledged) throw new Error(`the service holds ${count} accounts, ${acknowledged} were acknowledged`)
  for (const onchainId of last) await rest.post('/accounts/single', { itemData: { onchainId } })
}

function figuresOf(rounds: readonly (readonly RoundResult[])[]): Figure[] {
  const [service, bare, postgres] = rounds as [RoundResult[], RoundResult[], RoundResult[] | undefined]
  const ratio = (others: readonly RoundResult[]): number[] =>
    service.map((round, index) => perSecond(round) / perSecond(others[index]!))
  const beside: Figure[] =
    postgres === undefined
      ? []
      : [
          { name: 'Koa on PostgreSQL', unit: 'accounts/s', values: postgres.map(perSecond) },
          { name: 'ratio', unit: 'service/PostgreSQL', values: ratio(postgres) },
          { name: 'Koa on PostgreSQL: p99', unit: 'ms', values: postgres.map(({ p99Ms }) => p99Ms) },
        ]
  return [
    { name: 'service', unit: 'accounts/s', values: service.map(perSecond) },
    ...beside,
    { name: 'bare koa', unit: 'requests/s', values: bare.map(perSecond) },
    { name: 'ratio', unit: 'service/bare', values: ratio(bare) },
    ...latencyFigures(service),
    { name: 'CPU service', unit: 'us/request', values: service.map((round) => cpuPerRequestUs(round, 0)) },
    { name: 'busy: service main thread', unit: 'of a core', values: service.map((round) => mainThreadShare(round, 0)) },
    { name: 'busy: others, service rounds', unit: 'cores', values: service.map(othersCores) },
  ]
}
