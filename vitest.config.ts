import { defineConfig } from 'vitest/config'
import { createSequencer } from './test/order.ts'

/**
 * Files that want a process of their own: they replace modules that must not have been loaded, or what all modules of
 * a process share. All others share the process of a worker and the modules that it has loaded: the service takes
 * seconds.
 */
const ISOLATED = [
  'test/*.test.ts',
  'test/mutants/*.test.ts',
  'test/sim/quick.test.ts',
  'test/telemetry/**/*.test.ts',
  'test/trust/key-ids.test.ts',
  'test/trust/wiped-keys.test.ts',
]

/** `npm run test:ui`, `npm run test:postgres` and `npm run test:sim` run these. */
const ELSEWHERE = ['test/ui/**', 'test/postgres/**', 'test/sim/**']

const LONGEST = [
  'test/crash/remote-signers.test.ts',
  'test/e2e/transactions/remote-signers.test.ts',
  'test/exactly-once/nodes.test.ts',
  'test/cli/',
  'test/crash/batches.test.ts',
  'test/crash/service-killed.test.ts',
  'test/trust/attacker-sequences.test.ts',
  'test/trust/strangers/transaction-ids-everywhere.test.ts',
  'test/e2e/loans/loans-forked.test.ts',
]
const WAITING = ['test/crash/', 'test/e2e/']

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
          include: ['test/**/*.test.ts'],
          exclude: [...ISOLATED, ...ELSEWHERE],
          isolate: false,
          globalSetup: 'test/programs/build.ts',
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: createSequencer({ longest: LONGEST, waiting: WAITING }) },
    pool: 'forks',
    // Most files of a worker wait for a chain, half of the time: two of them for each core of two.
    maxWorkers: 4,
    // A bound for what hangs, not for a slow machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
