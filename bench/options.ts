// The command line: names of suites, and options for duration and load.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SUITE_NAMES } from './suites.ts'

export const USAGE = [
  `npm run bench -- [${SUITE_NAMES.join('|')}]... [options]`,
  '  --rounds N     rounds of each side, in turns [5]',
  '  --seconds S    measured window of a round [2.5]',
  '  --warmup S     load before the first round of each side [4]',
  '  --clients N    connections, each with one request under way [64]',
  '  --records N    records of query and console [1000000], of scale and batches [100000]',
  '  --items N      items of the batch of batches, and single transfers beside it [10000]',
  '  --node PATH    node binary of all measured processes [the one this runs under]; of the other side of `runtimes`',
  '  --minutes M    length of a soak [60]',
  '  --load L       load of a soak, as a fraction of the maximum throughput [0.7]',
  '  --profile      of transfers, details, accounts, submission, query and loans: print where the service spent its time; slows it down',
  '  --list         of paths: print every function that ran',
].join('\n')

export interface CommandLine {
  readonly suites: readonly string[]
  readonly rounds: number
  readonly windowMs: number
  readonly warmupMs: number
  readonly clients: number
  readonly records: number | null
  readonly items: number | null
  readonly node: string
  readonly soakMs: number
  readonly load: number
  readonly profile: boolean
  readonly list: boolean
}

/** Throws for invalid arguments. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2.5' },
      warmup: { type: 'string', default: '4' },
      clients: { type: 'string', default: '64' },
      records: { type: 'string' },
      items: { type: 'string' },
      node: { type: 'string', default: process.execPath },
      minutes: { type: 'string', default: '60' },
      load: { type: 'string', default: '0.7' },
      profile: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  })
  return {
    suites: positionals,
    rounds: positive('rounds', values.rounds, true),
    windowMs: positive('seconds', values.seconds, false) * 1000,
    warmupMs: positive('warmup', values.warmup, false) * 1000,
    clients: positive('clients', values.clients, true),
    records: values.records === undefined ? null : positive('records', values.records, true, 10_000_000),
    items: values.items === undefined ? null : positive('items', values.items, true),
    // A name is searched in PATH. A path is relative to this directory, wherever the processes run.
    node: values.node.includes('/') ? resolve(values.node) : values.node,
    soakMs: positive('minutes', values.minutes, false) * 60_000,
    load: positive('load', values.load, false, 1),
    profile: values.profile,
    list: values.list,
  }
}

function positive(name: string, text: string, whole: boolean, most = 10_000): number {
  const value = Number(text)
  if (!(value > 0 && value <= most) || (whole && !Number.isInteger(value)))
    throw new Error(`--${name} ${text} is not a positive number`)
  return value
}
