// How many files a folder holds.
import { posix } from 'node:path'
import type { Rule } from './tree.ts'

const MOST_FILES = 45

/** Folders that are still to be divided. */
const CROWDED: ReadonlySet<string> = new Set(['machines', 'src/console', 'test/e2e', 'test/sim', 'test/trust'])

export const folders: Rule = ({ files }) => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  const counted = [...counts]
  return [
    ...counted
      .filter(([folder, count]) => count > MOST_FILES && !CROWDED.has(folder))
      .map(([folder, count]) => `${folder} holds ${count} files`),
    ...counted
      .filter(([folder, count]) => count <= MOST_FILES && CROWDED.has(folder))
      .map(([folder]) => `${folder} needs no exception of folders.ts any more`),
  ]
}
