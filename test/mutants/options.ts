// The arguments of `npm run mutants`: all mutants, some by name, or one part of them.
import { parseArgs } from 'node:util'
import { wholeNumber } from '../arguments.ts'
import type { Mutant } from './mutant.ts'

export const USAGE = [
  'npm run mutants -- [options]',
  '  --only NAME   try this mutant; may be given several times [all]',
  '  --part K/N    try every Nth mutant, beginning with the Kth [1/1]',
  '  --jobs N      mutants tried at the same time [1]',
].join('\n')

const MAX_JOBS = 64

export interface MutantOptions {
  readonly chosen: readonly Mutant[]
  /** The number of mutants tried at the same time. */
  readonly jobs: number
}

/** Throws an error that names the problem. */
export function optionsOf(args: readonly string[], all: readonly Mutant[]): MutantOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      part: { type: 'string', default: '1/1' },
      jobs: { type: 'string', default: '1' },
    },
  })
  const unknownName = values.only.find((name) => all.every((mutant) => mutant.name !== name))
  if (unknownName !== undefined) throw new Error(`there is no mutant "${unknownName}"`)
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(values.part) ?? []).map(Number)
  if (part < 1 || part > parts) throw new Error('`--part` must be K/N with 1 <= K <= N')
  const jobs = wholeNumber('jobs', values.jobs, MAX_JOBS)
  const selected = values.only.length === 0 ? all : all.filter(({ name }) => values.only.includes(name))
  return { chosen: selected.filter((_, index) => index % parts === part - 1), jobs }
}
