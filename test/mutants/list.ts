// Every mutant. The list is kept with the code: a mutant whose text is gone is a failure.
import { ARCHIVE } from './list/archive.ts'
import { CHAIN } from './list/chain.ts'
import { ENGINE } from './list/engine.ts'
import { EVICTION } from './list/eviction.ts'
import { INDEXES } from './list/indexes.ts'
import { MACHINES } from './list/machines.ts'
import { STORE } from './list/store.ts'
import type { Mutant } from './mutant.ts'

export const MUTANTS: readonly Mutant[] = [
  ...STORE,
  ...ARCHIVE,
  ...CHAIN,
  ...ENGINE,
  ...INDEXES,
  ...EVICTION,
  ...MACHINES,
]
