// The cost of a request other than time: counts that do not depend on how busy the machine is.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Counts } from './counting.ts'

const COUNTS_FILE = 'counts.json'
const WAIT_MS = 50
const SHOWN_SITES = 25

/** Counts a round of load. Lines to print: counts per request, and the places that allocate most. */
export async function countRound(
  pid: number,
  dir: string,
  round: () => Promise<{ readonly answered: number }>,
): Promise<string[]> {
  process.kill(pid, 'SIGUSR2')
  const { answered } = await round()
  process.kill(pid, 'SIGUSR2')
  const file = join(dir, COUNTS_FILE)
  while (!existsSync(file)) await sleep(WAIT_MS)
  await sleep(WAIT_MS)
  const { totals, allocated } = JSON.parse(readFileSync(file, 'utf8')) as Counts
  const bytes = Object.values(allocated).reduce((sum, each) => sum + each, 0)
  const line = ([name, value]: readonly [string, number]): string =>
    `  ${(value / answered).toFixed(2).padStart(10)}  ${name}`
  const sorted = Object.entries(totals).sort(([one], [other]) => one.localeCompare(other))
  const sites = Object.entries(allocated)
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN_SITES)
  return [
    '',
    `  counts per request, of ${answered}`,
    ...sorted.map(line),
    line(['bytes allocated', bytes]),
    '',
    '  bytes allocated per request, by place',
    ...sites.map(line),
  ]
}
