// Every suite by name, and the names of groups of them.
import type { Suite } from './suite.ts'
import { details } from './details/suite.ts'
import { machines } from './machines/suite.ts'
import { query } from './query/suite.ts'
import { store } from './store/suite.ts'
import { submission } from './submission/suite.ts'
import { transfers } from './transfers/suite.ts'

const SUITES: readonly Suite[] = [machines, store, transfers, details, submission, query]

const GROUPS: Readonly<Record<string, readonly Suite[]>> = {
  all: SUITES,
  http: [transfers, details],
}

export const SUITE_NAMES: readonly string[] = [...Object.keys(GROUPS), ...SUITES.map(({ name }) => name)]

/** The suites of these names, each once; all of them for none. Throws for a name that is not there. */
export function suitesOf(names: readonly string[]): readonly Suite[] {
  const wanted = names.length === 0 ? ['all'] : names
  return [...new Set(wanted.flatMap((name) => {
    const found = GROUPS[name] ?? SUITES.filter((suite) => suite.name === name)
    if (found.length === 0) throw new Error(`${name} is not a suite; there are ${SUITE_NAMES.join(', ')}`)
    return found
  }))]
}
