// The same number of payouts in one batch and in single requests, to the same holders: time until all are final, fees
// of the chain, and memory of the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { PublicKey, type Connection } from '@solana/web3.js'
import { withMemory } from '../measure/memory.ts'
import { alternate } from '../measure/rounds.ts'
import { eventLoopDelayMs, openTransactions } from '../service/metrics.ts'
import type { ServiceProcess } from '../service/process.ts'
import { inParallel } from '../service/rest.ts'
import type { Figure, Options } from '../suite.ts'
import { batchDone, createBatch, SOURCE_UNITS, type Scene } from './scene.ts'

const BATCH_UNITS = 2
const SINGLE_UNITS = 1
const LOOK_MS = 20
const AMOUNT_OFFSET = 64
const PAGE = 100

interface Paid {
  readonly seconds: number
  /** Time until the batch, or the last single payout, was acknowledged. */
  readonly acknowledgedSeconds: number
  readonly feeLamports: number
  readonly growthBytes: number
  readonly delayMs: number
}

export interface Payouts {
  readonly figures: readonly Figure[]
  readonly checks: readonly string[]
}

export async function payouts(
  service: ServiceProcess,
  chain: Connection,
  scene: Scene,
  options: Options,
): Promise<Payouts> {
  const measure = (work: () => Promise<number>) => () => measurePayouts(service, chain, scene, work)
  const warm = Math.min(options.clients * 4, scene.positions.length)
  await paySingly(scene, options.clients, scene.positions.slice(0, warm))
  await quiet(service)
  const rounds = await alternate(
    options.rounds,
    measure(async () => await payByBatch(scene)),
    measure(async () => await paySingly(scene, options.clients, scene.positions)),
  )
  const batches = rounds.map(({ subject }) => subject)
  const singles = rounds.map(({ baseline }) => baseline)
  const checks = await audit(chain, scene, { rounds: options.rounds, warm })
  return { figures: figuresOf(scene.positions.length, batches, singles), checks }
}

/** Resolves with the time of the acknowledgement. */
async function payByBatch({ rest, source, positions }: Scene): Promise<number> {
  const items = positions.map((position) => payout(source.offchainId, position.offchainId, BATCH_UNITS))
  const id = await createBatch(rest, 'TRANSFER', items)
  const acknowledgedAt = performance.now()
  await batchDone(rest, id)
  return acknowledgedAt
}

async function paySingly({ rest, source }: Scene, atOnce: number, positions: Scene['positions']): Promise<number> {
  await inParallel(positions.length, atOnce, async (index) => {
    await rest.post('/positions/transfer', {
      itemData: payout(source.offchainId, positions[index]!.offchainId, SINGLE_UNITS),
    })
  })
  return performance.now()
}

const payout = (source: string, destination: string, lamports: number): object => ({
  source: { position: { offchainId: source } },
  destination: { position: { offchainId: destination } },
  lamports,
})

async function measurePayouts(
  service: ServiceProcess,
  chain: Connection,
  { feePayer }: Scene,
  work: () => Promise<number>,
): Promise<Paid> {
  const payer = new PublicKey(feePayer.onchainId)
  const funds = await chain.getBalance(payer, 'confirmed')
  await eventLoopDelayMs(service)
  const startedAt = performance.now()
  const { result, beforeBytes, peakBytes } = await withMemory(service.pid, async () => {
    const acknowledgedAt = await work()
    // Read before `quiet`, which reads the same metrics.
    const delayMs = await eventLoopDelayMs(service)
    await quiet(service)
    return { delayMs, acknowledgedAt }
  })
  const endedAt = performance.now()
  return {
    seconds: (endedAt - startedAt) / 1000,
    acknowledgedSeconds: (result.acknowledgedAt - startedAt) / 1000,
    feeLamports: funds - (await chain.getBalance(payer, 'confirmed')),
    growthBytes: peakBytes - beforeBytes,
    delayMs: result.delayMs,
  }
}

/** Resolves when every transaction is final. */
async function quiet(service: ServiceProcess): Promise<void> {
  while ((await openTransactions(service)) > 0) await sleep(LOOK_MS)
}

/** Queries the chain: checks the balance of every holder and of the source. */
async function audit(
  chain: Connection,
  { positions, source }: Scene,
  { rounds, warm }: { readonly rounds: number; readonly warm: number },
): Promise<string[]> {
  const each = BigInt(rounds * (BATCH_UNITS + SINGLE_UNITS))
  let sum = 0n
  for (let from = 0; from < positions.length; from += PAGE) {
    const keys = positions.slice(from, from + PAGE).map(({ onchainId }) => new PublicKey(onchainId))
    const accounts = await chain.getMultipleAccountsInfo(keys, 'confirmed')
    for (const [index, account] of accounts.entries()) {
      const expected = each + (from + index < warm ? BigInt(SINGLE_UNITS) : 0n)
      const amount = account?.data.readBigUInt64LE(AMOUNT_OFFSET) ?? 0n
      if (amount !== expected) throw new Error(`holder ${from + index} has ${amount} on chain, not ${expected}`)
      sum += amount
    }
  }
  const left = (await chain.getAccountInfo(new PublicKey(source.onchainId), 'confirmed'))!
  if (left.data.readBigUInt64LE(AMOUNT_OFFSET) !== SOURCE_UNITS - sum) throw new Error('the source paid another sum')
  return [`on chain, each of ${positions.length} holders has its payouts, each once, and the source has the rest`]
}

function figuresOf(items: number, batches: readonly Paid[], singles: readonly Paid[]): Figure[] {
  const rate = ({ seconds }: Paid): number => items / seconds
  const of = (name: string, rounds: readonly Paid[]): Figure[] => [
    { name: `${name}: to final`, unit: 'payments/s', values: rounds.map(rate) },
    { name: `${name}: fees`, unit: 'lamports/payment', values: rounds.map(({ feeLamports }) => feeLamports / items) },
    { name: `${name}: memory, peak growth`, unit: 'MB', values: rounds.map(({ growthBytes }) => growthBytes / 1e6) },
    { name: `${name}: event loop delay p99`, unit: 'ms', values: rounds.map(({ delayMs }) => delayMs) },
  ]
  const ratio = (value: (paid: Paid) => number): number[] =>
    batches.map((paid, index) => value(paid) / value(singles[index]!))
  return [
    ...of(`${items} payouts in a batch`, batches),
    {
      name: `${items} payouts in a batch: acknowledged after`,
      unit: 's',
      values: batches.map(({ acknowledgedSeconds }) => acknowledgedSeconds),
    },
    ...of(`${items} single payouts`, singles),
    { name: 'payouts: ratio of payments/s', unit: 'batch/single', values: ratio(rate) },
    { name: 'payouts: ratio of fees', unit: 'batch/single', values: ratio(({ feeLamports }) => feeLamports) },
  ]
}
