// Tests with a browser: `npm run test:ui`. One service and one browser for all of them, one test at a time.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The same in every run: read-only tests come first, because those with actions change the records. */
const LAST = [
  'docs.test.ts',
  'console-making.test.ts',
  'console-requests.test.ts',
  'console-actions.test.ts',
  'console-fee-payers.test.ts',
]
const place = ({ moduleId }: TestSpecification): number => LAST.findIndex((name) => moduleId.endsWith(name))

class LookThenAct extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1)))
  }
}

export default defineConfig({
  test: {
    include: ['test/ui/**/*.test.ts'],
    globalSetup: ['test/ui/stage.ts'],
    sequence: { sequencer: LookThenAct },
    pool: 'forks',
    fileParallelism: false,
    // Bounds for a test that hangs, not for a slow machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
