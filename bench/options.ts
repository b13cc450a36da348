// The command line: names of suites, and how long and how hard to measure.
import { parseArgs } from 'node:util'
import { SUITE_NAMES } from './suites.ts'

export const USAGE = [
  `npm run bench -- [${SUITE_NAMES.join('|')}]... [options]`,
  '  --rounds N     rounds of each side, in turns [5]',
  '  --seconds S    measured window of a round [2.5]',
  '  --warmup S     load before the first round of each side [4]',
  '  --clients N    connections, each with one request under way [64]',
  '  --records N    wallets that are asked about [1000000]',
  '  --profile      profile the service and print where its time went; slows it down',
].join('\n')

export interface CommandLine {
  readonly suites: readonly string[]
  readonly rounds: number
  readonly windowMs: number
  readonly warmupMs: number
  readonly clients: number
  readonly records: number
  readonly profile: boolean
  readonly help: boolean
}

/** Throws for what is not understood. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2.5' },
      warmup: { type: 'string', default: '4' },
      clients: { type: 'string', default: '64' },
      records: { type: 'string', default: '1000000' },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    suites: positionals,
    rounds: positive('rounds', values.rounds, true),
    windowMs: positive('seconds', values.seconds, false) * 1000,
    warmupMs: positive('warmup', values.warmup, false) * 1000,
    clients: positive('clients', values.clients, true),
    records: positive('records', values.records, true, 10_000_000),
    profile: values.profile,
    help: values.help,
  }
}

function positive(name: string, text: string, whole: boolean, most = 10_000): number {
  const value = Number(text)
  if (!(value > 0 && value <= most) || (whole && !Number.isInteger(value))) throw new Error(`--${name} ${text} is not a positive number`)
  return value
}
