// Tests in simulated worlds, which take minutes: `npm run test:sim`.
import { defineConfig } from 'vitest/config'
import { createSequencer } from '../order.ts'

export default defineConfig({
  test: {
    include: ['test/sim/**/*.test.ts'],
    exclude: ['test/sim/quick.test.ts'],
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: createSequencer({ longest: ['test/sim/sim.test.ts'], waiting: [] }) },
    pool: 'forks',
    maxWorkers: 2,
  },
})
