// The end-to-end tests on several cells: SYSTEM in `main`, and each other tenant in one of two more. They send the same
// requests over HTTP as to one process, and get the same answers. `npm run test:cells`.
import { defineConfig } from 'vitest/config'
import { FILES, TESTS } from './within-one-cell.ts'

/** What tenants may learn of each other and do to each other by signature requests. */
const STRANGERS = ['signing-requests', 'signing-request-webhooks', 'awaited-by-strangers', 'unknown-addresses']
/** What a tenant decides again about transactions of others, and who may change what others use. */
const TRUST = ['15-destinations', 'foreign-countersignatures', 'shared-feeds']

const pathOf = (path: string): string => new URL(path, import.meta.url).pathname

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export default defineConfig({
  resolve: {
    alias: [{ find: /^(?:\.\/|\.\.\/|(?:\.\.\/)+e2e\/)harness\.ts$/, replacement: pathOf('harness.ts') }],
  },
  test: {
    include: [
      'test/e2e/**/*.test.ts',
      ...STRANGERS.map((name) => `test/trust/strangers/${name}.test.ts`),
      ...TRUST.map((name) => `test/trust/${name}.test.ts`),
    ],
    exclude: Object.keys(FILES).map((name) => `test/e2e/**/${name}.test.ts`),
    testNamePattern: new RegExp(`^(?!.*(?:${Object.keys(TESTS).map(escaped).join('|')}))`),
    setupFiles: ['test/setup.ts'],
    globalSetup: 'test/cells/database.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
