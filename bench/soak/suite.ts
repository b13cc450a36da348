// Transfers at a fraction of the maximum throughput for a given time: errors, and growth of memory and of open work. At
// the end no transaction may be open, and every balance on chain must match the acknowledged transfers.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { median } from '../measure/stats.ts'
import { openTransactions, residentBytes } from '../service/metrics.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Chart, Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { prepare, settingsOf } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { heapAfterCollection, type HeapAfterCollection } from './collections.ts'
import { growthPerHour, type Sample } from './samples.ts'

const SAMPLES = 120
/** Length of the warm-up in samples. At its end, ended transactions are evicted and the store compacts. */
const SAMPLES_BEFORE = 6
/** Length of each measurement of the maximum throughput in samples: the store compacts several times. */
const SAMPLES_OF_PEAK = 2
const MIN_SAMPLE_MS = 2_000
const MAX_SAMPLE_MS = 30_000
const RAMP_MS = 500
const ENDED_WITHIN_MS = 120_000
const LOOK_MS = 500
const MEGABYTE = 1e6
const about = 'transfers at a fraction of the maximum throughput, for a long time: errors, memory, open work'

interface Measured {
  readonly service: ServiceProcess
  readonly generator: Generator
  readonly heap: HeapAfterCollection
  /** Length of a sample. */
  readonly windowMs: number
}

export const soak: Suite = { name: 'soak', about, run }

async function run(options: Options): Promise<SuiteResult> {
  const heap = heapAfterCollection()
  await using service = await startService({ ...options, profileDir: null, onCollection: heap.onCollection })
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  const settings = settingsOf(scene)
  const module = import.meta.resolve('../transfers/traffic.ts')
  await using generator = await startGenerator({ target: service, clients: options.clients, module, settings })
  const windowMs = Math.max(MIN_SAMPLE_MS, Math.min(MAX_SAMPLE_MS, options.soakMs / SAMPLES))
  const peak = await sustainedPeak(generator, options, windowMs)
  options.note(
    `at most ${peak.toFixed(0)} transfers/s; ${(options.load * peak).toFixed(0)}/s for ${(options.soakMs / 60_000).toFixed(1)} minutes`,
  )
  const samples = await underLoad({ service, generator, heap, windowMs }, options, options.load * peak)
  const failures = samples.reduce((sum, each) => sum + each.failures, 0)
  const tally = (await generator.tally()) as TransferTally
  if (failures > 0)
    throw new Error(
      `${failures} of ${tally.acknowledged + tally.open.length} transfers were not answered as they should be`,
    )
  await nothingOpen(service)
  const checks = [
    `no errors in ${tally.acknowledged} transfers`,
    'every transaction has ended: nothing is open',
    ...(await audit(chain, scene, [{ payer: scene.feePayer, tally }])),
  ]
  return { suite: 'soak', about, figures: figuresOf(samples, peak), checks, profile: [], charts: [chartOf(samples)] }
}

/** Sustained transfers per second of the service. In its first minutes it is faster. */
async function sustainedPeak(
  generator: Generator,
  { rounds, warmupMs, note }: Options,
  sampleMs: number,
): Promise<number> {
  await generator.round({ rampMs: 0, windowMs: Math.max(warmupMs, SAMPLES_BEFORE * sampleMs), pids: [] })
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const measured = await generator.round({ rampMs: RAMP_MS, windowMs: SAMPLES_OF_PEAK * sampleMs, pids: [] })
    note(`at full load: ${perSecond(measured).toFixed(0)}/s, p99 ${measured.p99Ms.toFixed(0)} ms`)
    rates.push(perSecond(measured))
  }
  return median(rates)
}

async function underLoad(
  { service, generator, heap, windowMs }: Measured,
  { soakMs, note }: Options,
  rate: number,
): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedAt = performance.now()
  let reported = 0
  while (performance.now() - startedAt < soakMs) {
    const round = await generator.round({ rampMs: 0, windowMs, pids: [], perSecond: rate, tolerant: true })
    const minutes = (performance.now() - startedAt) / 60_000
    const sample: Sample = {
      minutes,
      perSecond: perSecond(round),
      p99Ms: round.p99Ms,
      failures: round.failures,
      serviceMb: residentBytes(service.pid) / MEGABYTE,
      heapMb: heap.megabytes(),
      chainMb: residentBytes(service.chainPid) / MEGABYTE,
      open: await openTransactions(service),
    }
    samples.push(sample)
    if (round.firstFailure !== null)
      note(`after ${minutes.toFixed(1)} minutes: ${round.failures} failures, the first: ${round.firstFailure}`)
    if (minutes < reported) continue
    reported = Math.floor(minutes) + 1
    const { p99Ms, serviceMb, heapMb, open } = sample
    const memory = `${round0(serviceMb)} MB, heap ${round0(heapMb)} MB`
    note(
      `${minutes.toFixed(1)} minutes: ${round0(sample.perSecond)}/s, p99 ${round0(p99Ms)} ms, ${memory}, ${open} open`,
    )
  }
  return samples
}

const round0 = (value: number): string => value.toFixed(0)

/** Resolves when every transaction has ended. Throws if one remains open. */
async function nothingOpen(service: ServiceProcess): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS
  for (;;) {
    const open = await openTransactions(service)
    if (open === 0) return
    if (performance.now() > until) throw new Error(`${open} transactions are still open`)
    await sleep(LOOK_MS)
  }
}

function figuresOf(samples: readonly Sample[], peak: number): Figure[] {
  const hourly = (of: (sample: Sample) => number): number[] => [growthPerHour(samples, of)]
  const perTransfer = (of: (sample: Sample) => number): number[] => {
    return [(growthPerHour(samples, of) * MEGABYTE) / (3_600 * median(samples.map((each) => each.perSecond)))]
  }
  return [
    { name: 'maximum throughput', unit: 'transfers/s', values: [peak] },
    { name: 'done', unit: 'transfers/s', values: samples.map((each) => each.perSecond) },
    { name: 'latency p99', unit: 'ms', values: samples.map(({ p99Ms }) => p99Ms) },
    { name: 'errors', unit: 'in all', values: [0] },
    { name: 'memory of the service', unit: 'MB', values: samples.map(({ serviceMb }) => serviceMb) },
    { name: 'heap of the service after a collection', unit: 'MB', values: samples.map(({ heapMb }) => heapMb) },
    {
      name: 'heap of the service after a collection, growth in the second half',
      unit: 'MB/hour',
      values: hourly(({ heapMb }) => heapMb),
    },
    {
      name: 'memory of the service, growth in the second half',
      unit: 'MB/hour',
      values: hourly(({ serviceMb }) => serviceMb),
    },
    {
      name: 'memory of the chain, growth in the second half',
      unit: 'MB/hour',
      values: hourly(({ chainMb }) => chainMb),
    },
    {
      name: 'memory of the service, growth in the second half',
      unit: 'bytes/transfer',
      values: perTransfer(({ serviceMb }) => serviceMb),
    },
    {
      name: 'memory of the chain, growth in the second half',
      unit: 'bytes/transfer',
      values: perTransfer(({ chainMb }) => chainMb),
    },
    { name: 'open transactions', unit: 'at a time', values: samples.map(({ open }) => open) },
    { name: 'open transactions, growth in the second half', unit: 'per hour', values: hourly(({ open }) => open) },
  ]
}

function chartOf(samples: readonly Sample[]): Chart {
  const line = (name: string, of: (sample: Sample) => number) => ({
    name,
    points: samples.map((each) => [each.minutes, of(each)] as const),
  })
  return {
    name: 'soak',
    title: 'soak: over time',
    x: { title: 'minutes', scale: 'linear' },
    panels: [
      { title: 'transfers/s', lines: [line('done', (each) => each.perSecond)] },
      { title: 'p99, ms', lines: [line('p99', ({ p99Ms }) => p99Ms)] },
      {
        title: 'memory, MB',
        lines: [
          line('service', ({ serviceMb }) => serviceMb),
          line('its heap after a collection', ({ heapMb }) => heapMb),
          line('chain', ({ chainMb }) => chainMb),
        ],
      },
      { title: 'open transactions', lines: [line('open', ({ open }) => open)] },
    ],
  }
}
