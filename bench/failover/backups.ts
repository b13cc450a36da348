// Durable writes of clients while a backup of the database is made, compared with the same writes without one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ascending, median, percentile } from '../measure/stats.ts'
import type { Figure, Options } from '../suite.ts'
import { callsDuring } from './calls.ts'
import type { Nodes } from './takeovers.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Calls {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Alternates calls during `holdfast backup` with calls for the same time without it. */
export async function transfersDuringBackups(
  { fixture, list }: Nodes,
  records: number,
  { rounds }: Options,
): Promise<Figure[]> {
  const measure = async (work: () => Promise<void>): Promise<Calls> => {
    const urls = list.map(({ url }) => url)
    const { latenciesMs } = await callsDuring(urls, fixture.apiKey, work)
    return { p50Ms: median(latenciesMs), p99Ms: percentile(ascending(latenciesMs), 0.99) }
  }
  const durationsS: number[] = []
  const beside: Calls[] = []
  const alone: Calls[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begunAt = performance.now()
    beside.push(await measure(() => backUp(fixture.store)))
    const durationMs = performance.now() - begunAt
    durationsS.push(durationMs / 1_000)
    alone.push(await measure(() => sleep(durationMs)))
  }
  const about = `${String(records)} records, backup`
  const values = (of: readonly Calls[], what: keyof Calls): number[] => of.map((calls) => calls[what])
  const ratio = (what: keyof Calls): number[] => beside.map((calls, at) => calls[what] / alone[at]![what])
  return [
    { name: `${about}: duration`, unit: 's', values: durationsS },
    { name: `${about}: p50 of a write beside it`, unit: 'ms', values: values(beside, 'p50Ms') },
    { name: `${about}: p50 of a write without it`, unit: 'ms', values: values(alone, 'p50Ms') },
    { name: `${about}: ratio of p50`, unit: 'beside/without', values: ratio('p50Ms') },
    { name: `${about}: ratio of p99`, unit: 'beside/without', values: ratio('p99Ms') },
  ]
}

/** Runs `holdfast backup` as a separate process, as an operator does. */
async function backUp(store: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const child = spawn(
      process.execPath,
      ['src/holdfast.mjs', 'backup', join(folder, 'backup.hfb'), '--store', store, '--json'],
      { cwd: ROOT, env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`holdfast backup ended with ${String(code)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
