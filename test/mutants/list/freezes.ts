// Records that an operator froze: what ends, replaces or changes them.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('freezes')

const TESTS = 'test/e2e/frozen-records.test.ts'

export const FREEZES: readonly Mutant[] = [
  mutant(
    'a frozen account without funds is inactivated',
    'src/operations/accounts/inactivate.ts',
    ['  checkNotFrozen(context.platform.engine.directory, state)\n', ''],
    { file: TESTS, name: 'is not inactivated, so that' },
  ),
  mutant(
    'a new record ends the freeze of its address',
    'src/operations/holdings/new-holding.ts',
    ['isLeftFrozen(platform.engine.directory, call, inputs.address)', 'false'],
    { file: TESTS, name: 'is frozen in its next record' },
  ),
  mutant(
    'the key of a request signs for an address that was left frozen',
    'src/operations/authorization/signers.ts',
    ['if (isLeftFrozen(records, call, address)) throw', 'if (address === home) throw'],
    { file: TESTS, name: 'if its creation was given up meanwhile' },
  ),
  mutant(
    'a frozen mint is paused',
    'src/operations/authorization/rights.ts',
    ["    case 'pause':\n    case 'resume':\n", ''],
    { file: TESTS, name: 'keeps' },
  ),
  mutant(
    'a frozen lookup table is extended',
    'src/operations/authorization/rights.ts',
    ['return { account: effect.table, authority: effect.authority, takesTokens: false }', 'return null'],
    { file: TESTS, name: 'a frozen lookup table' },
  ),
  mutant(
    'the definition of a frozen data source changes',
    'src/operations/market-data/own-source.ts',
    ['  checkNotFrozen(context.platform.engine.directory, source)\n', ''],
    { file: 'test/e2e/feed-jobs.test.ts', name: 'keeps its definition' },
  ),
]
