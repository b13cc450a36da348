import { defineConfig } from 'vitest/config'

export default defineConfig({
  // From its sources; `test/client/package.test.ts` tries what is built of them.
  resolve: { alias: { 'holdfast/client': new URL('src/client/client.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    // These want a browser: `npm run test:ui`.
    exclude: ['test/ui/**'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Most tests wait for a chain; the default on two cores would be one at a time.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
