// The archive beside the backups.
import type { Mutant } from '../mutant.ts'

export const ARCHIVE: readonly Mutant[] = [
  {
    name: 'archive: batch counted as archived before it is on disk',
    file: 'src/engine/backup/archiver.ts',
    edits: [
      {
        find: '      if (batches.some(',
        replace: '      this.#deps.redo.archived(batches.at(-1)!.sequence)\n      if (batches.some(',
      },
    ],
    tests: [{ file: 'test/snapshots/archive/archive.test.ts', name: 'releases a batch of the store' }],
  },
  {
    name: 'archive: reach of the archive moved before the batch is on disk',
    file: 'src/engine/backup/archiver.ts',
    edits: [
      {
        find: '      await file.append(batches.map(',
        replace:
          '      this.#reach = { ...this.#reach, store: batches.at(-1)!.sequence }\n      await file.append(batches.map(',
      },
    ],
    tests: [{ file: 'test/snapshots/archive/archive.test.ts', name: 'releases a batch of the store' }],
  },
  {
    name: 'archive: batches of the chain archived after those of the store',
    file: 'src/engine/backup/archiver.ts',
    edits: [
      {
        find: '      await this.#takeChain()\n      if (batches.length === 0) return',
        replace: '      if (batches.length === 0) {\n        await this.#takeChain()\n        return\n      }',
      },
    ],
    tests: [{ file: 'test/snapshots/archive/archive.test.ts', name: 'contains chain facts before' }],
  },
  {
    name: 'archive: archive file not synced',
    file: 'snapshots/archive/file.ts',
    edits: [
      {
        find: 'await this.#handle.datasync()',
        replace: '',
      },
    ],
    tests: [{ file: 'test/snapshots/archive/archive.test.ts', name: 'releases a batch of the store' }],
  },
  {
    name: 'archive: a file is read under the name of another one',
    file: 'snapshots/archive/file.ts',
    edits: [{ find: ' && (manifest.number ?? number) === number) return', replace: ') return' }],
    tests: [{ file: 'test/snapshots/archive/archive.test.ts', name: 'names of its files were exchanged' }],
  },
]
