// Eviction of ended transactions.
import type { Mutant } from '../mutant.ts'

export const EVICTION: readonly Mutant[] = [
  {
    name: 'eviction: evicted while a countersignature is open',
    file: 'src/engine/eviction/eviction.ts',
    edits: [
      {
        find: 'if (!countersignatures.every(hasEndedOnDisk)) return null',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/eviction/eviction.test.ts' }],
  },
  {
    name: 'eviction: evicted while its plan runs',
    file: 'src/engine/eviction/eviction.ts',
    edits: [
      {
        find: "if (plans.some(({ head: plan }) => plan.value === 'running')) return null",
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/eviction/eviction.test.ts' }],
  },
  {
    name: 'eviction: forgotten by memory before the store has it',
    file: 'src/engine/eviction/evictions.ts',
    edits: [
      {
        find: '    await write(rows)\n    for (const entry of entries) {',
        replace: '    for (const entry of entries) {',
      },
    ],
    tests: [{ file: 'test/engine/eviction/eviction.test.ts' }],
  },
  {
    name: 'eviction: all of the excess at once',
    file: 'src/engine/eviction/eviction.ts',
    edits: [{ find: 'keep - Math.floor(this.#evicted / 2)', replace: 'keep - this.#evicted' }],
    tests: [{ file: 'test/engine/eviction/eviction.test.ts' }],
  },
  {
    name: 'eviction: the limit does not fall',
    file: 'src/engine/eviction/eviction.ts',
    edits: [{ find: 'keep - Math.floor(this.#evicted / 2)', replace: 'keep' }],
    tests: [{ file: 'test/engine/eviction/eviction.test.ts' }],
  },
]
