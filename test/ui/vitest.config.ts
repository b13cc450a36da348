// Tests that look through a browser: `npm run test:ui`. One service and one browser for all of them, one test at a time.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/ui/**/*.test.ts'],
    globalSetup: ['test/ui/stage.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
