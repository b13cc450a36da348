// All suites by name, and groups of suites.
import { accounts } from './accounts/suite.ts'
import { batches } from './batches/suite.ts'
import { bookkeeping } from './bookkeeping/suite.ts'
import { confirmation } from './confirmation/suite.ts'
import { consoleTurns } from './console/suite.ts'
import { deposits } from './deposits/suite.ts'
import { details } from './details/suite.ts'
import { failover } from './failover/suite.ts'
import { loans } from './loans/suite.ts'
import { machines } from './machines/suite.ts'
import { oracle } from './oracle/suite.ts'
import { paths } from './paths/suite.ts'
import { postgres } from './postgres/suite.ts'
import { query } from './query/suite.ts'
import { runtimes } from './runtimes/suite.ts'
import { scale } from './scale/suite.ts'
import { soak } from './soak/suite.ts'
import { store } from './store/suite.ts'
import { submission } from './submission/suite.ts'
import type { Suite } from './suite.ts'
import { threads } from './threads/suite.ts'
import { transfers } from './transfers/suite.ts'

const HTTP: readonly Suite[] = [details, accounts, transfers, bookkeeping]
const ALL: readonly Suite[] = [
  machines,
  store,
  ...HTTP,
  submission,
  confirmation,
  deposits,
  query,
  consoleTurns,
  loans,
  batches,
  oracle,
  scale,
]
/**
 * Suites that run only by name: one takes an hour, one needs a second node, two a database server, one several cores;
 * one counts and measures no time.
 */
const APART: readonly Suite[] = [soak, runtimes, postgres, failover, threads, paths]

const GROUPS: Readonly<Record<string, readonly Suite[]>> = { all: ALL, http: HTTP }

export const SUITE_NAMES: readonly string[] = [...Object.keys(GROUPS), ...[...ALL, ...APART].map(({ name }) => name)]

/** The suites of these names, each once; without names, all. Throws for an unknown name. */
export function suitesOf(names: readonly string[]): readonly Suite[] {
  const requested = names.length === 0 ? ['all'] : names
  return [
    ...new Set(
      requested.flatMap((name) => {
        const suites = GROUPS[name] ?? [...ALL, ...APART].filter((suite) => suite.name === name)
        if (suites.length === 0) throw new Error(`${name} is not a suite; there are ${SUITE_NAMES.join(', ')}`)
        return suites
      }),
    ),
  ]
}
