// Tests in simulated worlds, which take minutes: `npm run test:sim`.
import { defineConfig } from 'vitest/config'
import { slowestFirst } from '../slowest-first.ts'

export default defineConfig({
  test: {
    include: ['test/sim/**/*.test.ts'],
    exclude: ['test/sim/quick.test.ts'],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: slowestFirst(['test/sim/sim.test.ts']) },
    pool: 'forks',
    maxWorkers: 2,
  },
})
