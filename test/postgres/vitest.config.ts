// Tests that need a PostgreSQL server, which they start themselves: `npm run test:postgres`.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/postgres/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
