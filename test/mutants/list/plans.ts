// Plans of several transactions.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('plans')

export const PLANS: readonly Mutant[] = [
  {
    name: 'plans: plan that makes the next step before the last is confirmed',
    file: 'src/operations/background/plan-driver.ts',
    edits: [
      {
        find: 'const under = steps.find(({ transactionId, done }) => transactionId !== null && !done)',
        replace: 'const under = undefined as PlanStep | undefined',
      },
    ],
    tests: [{ file: 'test/operations/background/plan-driver.test.ts' }],
  },
  {
    name: 'plans: plan step begun beside its transaction',
    file: 'src/operations/transactions/plans/make-step.ts',
    edits: [
      {
        find: "        unit.send<'plan'>(entry, { type: 'command.begin', step: index, transactionId })\n",
        replace: '',
      },
    ],
    tests: [{ file: 'test/operations/transactions/plans.test.ts' }],
  },
  {
    name: 'plans: plan that goes on after a lost step',
    file: 'src/operations/background/plan-driver.ts',
    edits: [
      {
        find: '    if (lost !== undefined) {',
        replace: '    if (lost !== undefined && false) {',
      },
    ],
    tests: [{ file: 'test/operations/background/plan-driver.test.ts' }],
  },
  {
    name: 'plans: provided step sent before the one before is final',
    file: 'src/operations/background/plan-driver.ts',
    edits: [
      {
        find: 'else if (!mustBeFinal(plan, transactionId) || this.#isFinal(transactionId))',
        replace: 'else',
      },
    ],
    tests: [{ file: 'test/operations/background/plan-driver.test.ts' }],
  },
  mutant(
    'a restore does not suspend sending',
    'src/service/restored.ts',
    ['      if (settings.confirmsOnDisk) return\n', '      if (settings.watch !== undefined) return\n'],
    { file: 'test/cli/restored-cluster.test.ts' },
  ),
  mutant(
    'a change approved twice at the same time is not applied',
    'src/operations/pending-changes/approve.ts',
    ['if (next.ok && isGiven(platform, withEntries(next.value, missing))) {', 'if (next.ok && missing.length < 0) {'],
    { file: 'test/operations/pending-changes/covered-requests.test.ts', name: 'at once' },
  ),
]
