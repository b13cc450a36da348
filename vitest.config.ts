import { defineConfig } from 'vitest/config'

/** Files without global state: those of a worker share its process and the modules that it has loaded. */
const SHARING = ['machines', 'solana', 'rpc', 'submission', 'engine', 'oracle', 'drawings'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

export default defineConfig({
  // From its sources; `test/client/package.test.ts` tries what is built of them.
  resolve: { alias: { 'holdfast/client': new URL('src/client/client.ts', import.meta.url).pathname } },
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: SHARING, isolate: false } },
      // Those in `test/ui` want a browser: `npm run test:ui`.
      {
        extends: true,
        test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: ['test/ui/**', ...SHARING] },
      },
    ],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Most tests wait for a chain; the default on two cores would be one at a time.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
