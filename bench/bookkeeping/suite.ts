// Transfers through REST, signed and settled on chain, compared with a service on PostgreSQL that only keeps their
// books: the idempotency key, two balances, a transaction row and an event, in one transaction per request. The service
// does more, and gets the same requests.
import { join } from 'node:path'
import { Connection } from '@solana/web3.js'
import type { RoundResult } from '../load/closed-loop.ts'
import { cpuPerRequestUs, latencyFigures, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator } from '../load/generator.ts'
import { inTurns } from '../measure/rounds.ts'
import { PostgresConnection } from '../postgres/connection.ts'
import { startPostgresService } from '../postgres/service.ts'
import { startService } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { POSITIONS, prepare, settingsOf } from '../transfers/setup.ts'
import type { TransferSettings, TransferTally } from '../transfers/traffic.ts'
import { checkBooks, createTables, positionId } from './postgres-tables.ts'

const RAMP_MS = 500
const about =
  'transfers settled on chain, beside a service on PostgreSQL that keeps the books of transfers and knows no chain'

export const bookkeeping: Suite = { name: 'bookkeeping', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using postgres = await startPostgresService(
    join(import.meta.dirname, 'postgres-process.ts'),
    options,
    (connection) => createTables(connection, POSITIONS),
  )
  if (postgres === null) return { suite: 'bookkeeping', about, figures: [], checks: [], profile: [] }
  await using service = await startService({ ...options, profileDir: null })
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  const { clients, windowMs, warmupMs } = options
  const module = import.meta.resolve('../transfers/traffic.ts')
  const settings = settingsOf(scene)
  const theirs: TransferSettings = { ...settings, positions: scene.holders.map((_, place) => positionId(place)) }
  await using toService = await startGenerator({ target: service, clients, module, settings })
  await using toPostgres = await startGenerator({ target: postgres, clients, module, settings: theirs })
  const sides = [
    { generator: toService, pids: [service.pid, service.chainPid] },
    { generator: toPostgres, pids: [postgres.pid] },
  ]
  for (const { generator, pids } of sides) await generator.round({ rampMs: 0, windowMs: warmupMs, pids })
  const rounds = await inTurns(
    options.rounds,
    sides.map(
      ({ generator, pids }) =>
        () =>
          generator.round({ rampMs: RAMP_MS, windowMs, pids }),
    ),
  )
  const tallies = await Promise.all(sides.map(async ({ generator }) => (await generator.tally()) as TransferTally))
  const connection = await PostgresConnection.open(postgres.socket, postgres.user)
  await checkBooks(connection, tallies[1]!)
  connection.close()
  const checks = [
    ...(await audit(chain, scene, [{ payer: scene.feePayer, tally: tallies[0]! }])),
    `PostgreSQL ${postgres.version} holds the balances, rows and events of ${tallies[1]!.acknowledged} acknowledged transfers`,
  ]
  return { suite: 'bookkeeping', about, figures: figuresOf(rounds[0]!, rounds[1]!), checks, profile: [] }
}

function figuresOf(service: readonly RoundResult[], postgres: readonly RoundResult[]): Figure[] {
  return [
    { name: 'service, with the chain', unit: 'transfers/s', values: service.map(perSecond) },
    { name: 'Koa on PostgreSQL, books only', unit: 'transfers/s', values: postgres.map(perSecond) },
    {
      name: 'ratio',
      unit: 'service/PostgreSQL',
      values: service.map((round, index) => perSecond(round) / perSecond(postgres[index]!)),
    },
    ...latencyFigures(service),
    { name: 'Koa on PostgreSQL: p99', unit: 'ms', values: postgres.map(({ p99Ms }) => p99Ms) },
    { name: 'CPU service', unit: 'us/transfer', values: service.map((round) => cpuPerRequestUs(round, 0)) },
    { name: 'CPU Koa of PostgreSQL', unit: 'us/transfer', values: postgres.map((round) => cpuPerRequestUs(round, 0)) },
    { name: 'busy: others, PostgreSQL among them', unit: 'cores', values: postgres.map(othersCores) },
  ]
}
