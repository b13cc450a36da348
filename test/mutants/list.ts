// Every mutant. The list is maintained with the code: a mutant whose text no longer exists is a failure.
import { APPROVALS } from './list/approvals.ts'
import { ARCHIVE } from './list/archive.ts'
import { ASSETS } from './list/assets.ts'
import { CELLS } from './list/cells.ts'
import { CHAIN } from './list/chain.ts'
import { CLIENTS } from './list/clients.ts'
import { CONSOLE } from './list/console.ts'
import { COUNTERSIGNING } from './list/countersigning.ts'
import { CONTROLLERS } from './list/control.ts'
import { ENGINE } from './list/engine.ts'
import { EVICTION } from './list/eviction.ts'
import { FORWARDING } from './list/forwarding.ts'
import { FREEZES } from './list/freezes.ts'
import { KNOWN_FAILURES } from './list/known-failures.ts'
import { INDEXES } from './list/indexes.ts'
import { KEYS } from './list/keys.ts'
import { LIMITS } from './list/limits.ts'
import { LOANS } from './list/loans.ts'
import { MACHINES } from './list/machines.ts'
import { NODES } from './list/nodes.ts'
import { OPERATIONS } from './list/operations.ts'
import { PLANS } from './list/plans.ts'
import { READS } from './list/reads.ts'
import { RECONCILIATION } from './list/reconciliation.ts'
import { STORE } from './list/store.ts'
import { TOOLS } from './list/tools.ts'
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  ...STORE,
  ...ARCHIVE,
  ...CHAIN,
  ...ENGINE,
  ...INDEXES,
  ...EVICTION,
  ...MACHINES,
  ...OPERATIONS,
  ...COUNTERSIGNING,
  ...READS,
  ...RECONCILIATION,
  ...KEYS,
  ...LIMITS,
  ...APPROVALS,
  ...LOANS,
  ...PLANS,
  ...ASSETS,
  ...CONTROLLERS,
  ...FREEZES,
  ...KNOWN_FAILURES,
  ...CELLS,
  ...FORWARDING,
  ...NODES,
  ...TOOLS,
  ...CLIENTS,
  ...CONSOLE,
]
