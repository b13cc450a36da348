// Account details per second (a key, its rights, a lookup, a read model) compared with a koa that parses the same
// bodies and answers the same bytes.
import { loadCurve } from '../load/curve.ts'
import { cpuPerRequestUs, latencyFigures, mainThreadShare, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator } from '../load/generator.ts'
import { startBareKoa } from '../http/bare.ts'
import { alternate, type Round } from '../measure/rounds.ts'
import { profileSummary } from '../profile/summary.ts'
import { startService, type Served } from '../service/process.ts'
import { inParallel, type Ids } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import type { DetailsSettings } from './traffic.ts'

const ACCOUNTS = 128
const AT_ONCE = 16
const RAMP_MS = 300
const [SERVER, GENERATOR] = [0, 1]
const about = 'POST /accounts/single beside a bare koa that parses the same body and answers the same bytes'

export const details: Suite = { name: 'details', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using service = await startService(options)
  const settings = await prepareAccounts(service, 'BENCH')
  const answers = new Map(
    settings.accounts.map(({ id, answer }) => [id, Buffer.from(answer, 'latin1').toString('utf8')]),
  )
  await using bare = await startBareKoa(options.node, {
    host: service.host,
    answers,
    otherwise: { status: 404, text: 'null' },
  })
  const load = { clients: options.clients, module: import.meta.resolve('./traffic.ts'), settings }
  await using toService = await startGenerator({ target: service, ...load })
  await using toBare = await startGenerator({ target: { host: service.host, port: bare.port }, ...load })
  await toService.round({ rampMs: 0, windowMs: options.warmupMs, pids: [service.pid] })
  await toBare.round({ rampMs: 0, windowMs: options.warmupMs, pids: [bare.pid] })

  const rounds = await alternate(
    options.rounds,
    () => toService.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids: [service.pid] }),
    () => toBare.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids: [bare.pid] }),
  )
  const curve = await loadCurve('details', 'requests/s', toService, {
    peaks: rounds.map(({ subject }) => subject),
    pids: [service.pid],
    options,
  })
  const answered = ((await toService.tally()) as number) + ((await toBare.tally()) as number)
  await service.stop()
  const windows = rounds.map(({ subject }) => [subject.from.atUs, subject.to.atUs] as const)
  const completed = rounds.reduce((sum, { subject }) => sum + subject.completed, 0)
  const profile = options.profileDir === null ? [] : profileSummary(options.profileDir, windows, completed)
  const checks = [`${answered} answers, of both sides, are the expected ones to the byte`]
  return {
    suite: 'details',
    about,
    figures: [...figures(rounds), ...curve.figures],
    checks,
    profile,
    charts: [curve.chart],
  }
}

/** @param tenant of its own, which must not be there yet */
export async function prepareAccounts(service: Served, tenant: string): Promise<DetailsSettings> {
  const { rest, apiKey } = await createTenant(service, tenant)
  const accounts = await inParallel(ACCOUNTS, AT_ONCE, async (index) => {
    const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', {
      itemData: {
        managed: true,
        comments: 'an account of the bench',
        offchainReferences: {
          type: 'WALLET',
          code: `CODE-${index}`,
          accountNumber: `NUMBER-${index}`,
          alId: `AL-${index}`,
          name: `Account ${index}`,
        },
      },
    })
    const answer = await rest.post<object>('/accounts/single', { itemData: { offchainId: newAccount.offchainId } })
    return { id: newAccount.offchainId, answer: Buffer.from(JSON.stringify(answer)).toString('latin1') }
  })
  return { apiKey, accounts }
}

function figures(rounds: readonly Round<RoundResult, RoundResult>[]): Figure[] {
  const subjects = rounds.map(({ subject }) => subject)
  const baselines = rounds.map(({ baseline }) => baseline)
  return [
    { name: 'service', unit: 'requests/s', values: subjects.map(perSecond) },
    { name: 'bare koa', unit: 'requests/s', values: baselines.map(perSecond) },
    {
      name: 'ratio',
      unit: 'service/bare',
      values: rounds.map(({ subject, baseline }) => perSecond(subject) / perSecond(baseline)),
    },
    ...latencyFigures(subjects),
    { name: 'CPU service', unit: 'us/request', values: subjects.map((round) => cpuPerRequestUs(round, SERVER)) },
    { name: 'CPU bare koa', unit: 'us/request', values: baselines.map((round) => cpuPerRequestUs(round, SERVER)) },
    {
      name: 'CPU load generator',
      unit: 'us/request',
      values: subjects.map((round) => cpuPerRequestUs(round, GENERATOR)),
    },
    {
      name: 'busy: service main thread',
      unit: 'of a core',
      values: subjects.map((round) => mainThreadShare(round, SERVER)),
    },
    {
      name: 'busy: bare koa main thread',
      unit: 'of a core',
      values: baselines.map((round) => mainThreadShare(round, SERVER)),
    },
    { name: 'busy: others, service rounds', unit: 'cores', values: subjects.map(othersCores) },
    { name: 'busy: others, bare rounds', unit: 'cores', values: baselines.map(othersCores) },
  ]
}
