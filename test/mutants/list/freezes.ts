// Records that an operator froze: what ends, replaces or changes them.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('freezes')

const TESTS = 'test/e2e/frozen-records.test.ts'

export const FREEZES: readonly Mutant[] = [
  mutant(
    'a frozen account without funds is inactivated',
    'src/operations/accounts/inactivate.ts',
    ['  checkNotFrozen(context.platform.engine.directory, state)\n', ''],
    { file: TESTS, name: 'without funds is not inactivated' },
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
]
