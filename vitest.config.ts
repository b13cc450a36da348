import { defineConfig } from 'vitest/config'
import { slowestFirst } from './test/slowest-first.ts'

/** Folders whose files share the process of a worker and the modules that it has loaded: the service takes seconds. */
const SHARING = [
  ...['crash', 'drawings', 'e2e', 'embedded', 'engine', 'exactly-once', 'http', 'keys', 'localnet', 'machines'],
  ...['operations', 'oracle', 'rpc', 'snapshots', 'solana', 'submission', 'trust'],
].join('|')
const SHARED = [`test/(${SHARING})/**/*.test.ts`]

/** Files among these that replace a module, for which it must not have been loaded. */
const REPLACING = ['test/trust/key-ids.test.ts', 'test/trust/wiped-keys.test.ts']

/**
 * `npm run test:ui` runs those in `test/ui`, `npm run test:postgres` those in `test/postgres`, `npm run test:sim` the
 * other ones in `test/sim`.
 */
const ISOLATED = [
  'test/*.test.ts',
  `test/!(${SHARING}|ui|postgres|sim)/**/*.test.ts`,
  'test/sim/quick.test.ts',
  ...REPLACING,
]

const SLOWEST = ['test/cli/', 'test/sim/', 'test/crash/', 'test/e2e/', 'test/trust/']

const pathOf = (path: string): string => new URL(path, import.meta.url).pathname

export default defineConfig({
  resolve: {
    alias: [
      // From its sources; `test/client/package.test.ts` tries what is built of them.
      { find: 'holdfast/client', replacement: pathOf('src/client/client.ts') },
      { find: /^(?:\.\.\/)+config\/programs\.ts$/, replacement: pathOf('test/programs/programs.ts') },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
          exclude: REPLACING,
          isolate: false,
          globalSetup: 'test/programs/build.ts',
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: slowestFirst(SLOWEST) },
    pool: 'forks',
    // Most tests wait for a chain; the default on two cores would be one at a time.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
