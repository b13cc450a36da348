// Time that one client waits for the confirmation of a payment: through a service that reaches the chain over RPC, like
// a cluster, compared with the service that starts the same chain; then through a proxy that shows landed transactions
// half a second late.
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { latencyFigures, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { alternate } from '../measure/rounds.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Ids } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { SubmissionSettings, SubmissionTally } from '../submission/traffic.ts'
import type { Figure, Options, Suite } from '../suite.ts'
import { startLateChain } from './late-chain.ts'

const RAMP_MS = 500
const FUNDS_SOL = 1_000
const LATE_MS = 500
const about =
  'REST to confirmed, one client: over RPC and websocket, against the service that the same chain is embedded in; ' +
  `and over RPC where the chain confirms after ${LATE_MS} ms`

export const confirmation: Suite = { name: 'confirmation', about, run }

interface Side {
  readonly service: ServiceProcess
  readonly destination: string
  readonly generator: Generator
}

async function run(options: Options) {
  await using embedded = await startService(options)
  await using remote = await startRemote(options, embedded.chainRpcUrl)
  const chain = new Connection(embedded.chainRpcUrl, 'confirmed')
  const sides = { rpc: await sideOf(remote, chain, 'c0000001'), embedded: await sideOf(embedded, chain, 'c0000002') }
  await using _rpc = sides.rpc.generator
  await using _embedded = sides.embedded.generator
  const pids = [embedded.pid, embedded.chainPid, remote.pid]
  const { windowMs, warmupMs } = options
  for (const { generator } of Object.values(sides)) await generator.round({ rampMs: 0, windowMs: warmupMs, pids })
  const round =
    ({ generator }: Side) =>
    () =>
      generator.round({ rampMs: RAMP_MS, windowMs, pids })
  const rounds = await alternate(options.rounds, round(sides.rpc), round(sides.embedded))
  const checks: string[] = []
  for (const [name, side] of Object.entries(sides)) checks.push(await audit(name, side, chain))
  const rpc = rounds.map(({ subject }) => subject)
  const inside = rounds.map(({ baseline }) => baseline)
  const late = await lateRounds(options, embedded, chain)
  return {
    suite: 'confirmation',
    about,
    figures: [...figures(rpc, inside), ...late.figures],
    checks: [...checks, late.check],
    profile: [],
  }
}

async function startRemote(options: Options, endpoints: unknown): Promise<ServiceProcess> {
  const clusters = JSON.stringify({ CHAIN_DEVNET: { endpoints, minSlotMs: 200 } })
  return await startService({ ...options, profileDir: null, settings: { HOLDFAST_CLUSTERS: clusters } })
}

/** These rounds run separately, because a third service would slow down those that are compared. */
async function lateRounds(options: Options, { chainRpcUrl }: ServiceProcess, chain: Connection) {
  const socketUrl = new URL(chainRpcUrl)
  socketUrl.protocol = 'ws:'
  socketUrl.port = String(Number(socketUrl.port) + 1)
  await using node = await startLateChain(chainRpcUrl, socketUrl.href, LATE_MS)
  await using service = await startRemote(options, [{ url: node.url, weight: 1, websocket: node.websocket }])
  const side = await sideOf(service, chain, 'c0000003')
  await using generator = side.generator
  const { windowMs, warmupMs, rounds } = options
  await generator.round({ rampMs: 0, windowMs: warmupMs, pids: [service.pid] })
  const results: RoundResult[] = []
  for (let round = 0; round < rounds; round += 1)
    results.push(await generator.round({ rampMs: RAMP_MS, windowMs, pids: [service.pid] }))
  const name = `confirmed after ${LATE_MS} ms`
  return {
    figures: [
      ...figuresOf(name, results),
      { name: `${name}: p50 beyond these`, unit: 'ms', values: results.map(({ p50Ms }) => p50Ms - LATE_MS) },
    ],
    check: await audit(name, side, chain),
  }
}

async function sideOf(service: ServiceProcess, chain: Connection, prefix: string): Promise<Side> {
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  const make = async (members: object): Promise<Ids> =>
    (await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })).newAccount
  const [payer, destination] = [await make({ canPayFees: true }), await make({})]
  for (const { offchainId, onchainId } of [payer, destination]) {
    await fund(chain, onchainId)
    await rest.post('/accounts/single/balance', { itemData: { offchainId } })
  }
  const settings: SubmissionSettings = {
    apiKey,
    payers: [payer.offchainId],
    destination: destination.offchainId,
    lifetime: 'RECENT_BLOCKHASH',
    prefix,
  }
  const module = import.meta.resolve('../submission/traffic.ts')
  return {
    service,
    destination: destination.onchainId,
    generator: await startGenerator({ target: service, clients: 1, module, settings }),
  }
}

async function fund(chain: Connection, address: string): Promise<void> {
  const key = new PublicKey(address)
  await chain.requestAirdrop(key, FUNDS_SOL * LAMPORTS_PER_SOL)
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await chain.getBalance(key, 'confirmed')) > 0) return
    await new Promise((resolve) => void setTimeout(resolve, 25))
  }
  throw new Error(`${address} was not funded`)
}

/** Queries the chain: the acknowledged payments must have arrived, and no others. */
async function audit(name: string, { destination, generator }: Side, chain: Connection): Promise<string> {
  const { lamports } = (await generator.tally()) as SubmissionTally
  const arrived = (await chain.getBalance(new PublicKey(destination), 'confirmed')) - FUNDS_SOL * LAMPORTS_PER_SOL
  if (arrived !== lamports) throw new Error(`${name}: ${arrived} lamports arrived, ${lamports} were acknowledged`)
  return `${name}: the ${arrived} lamports that arrived on chain are those acknowledged`
}

function figuresOf(name: string, rounds: readonly RoundResult[]): Figure[] {
  return [
    ...latencyFigures(rounds).map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })),
    { name: `${name}: payments`, unit: 'payments/s', values: rounds.map(perSecond) },
  ]
}

function figures(rpc: readonly RoundResult[], embedded: readonly RoundResult[]): Figure[] {
  return [
    ...figuresOf('over RPC', rpc),
    ...figuresOf('embedded', embedded),
    {
      name: 'latency p50: ratio',
      unit: 'RPC/embedded',
      values: rpc.map(({ p50Ms }, index) => p50Ms / embedded[index]!.p50Ms),
    },
    {
      name: 'latency p50: difference',
      unit: 'ms',
      values: rpc.map(({ p50Ms }, index) => p50Ms - embedded[index]!.p50Ms),
    },
    { name: 'busy: others', unit: 'cores', values: rpc.map(othersCores) },
  ]
}
