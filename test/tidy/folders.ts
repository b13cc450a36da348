// How many files a folder holds, and that tests lie where the sources lie that they test.
import { posix } from 'node:path'
import type { Rule } from './tree.ts'

const MAX_FILES = 45

export const folders: Rule = ({ files }) => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder} holds ${count} files`)
}

/** Tests of the whole service, and of the rules and tools of the tests themselves. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  ...['cells', 'crash', 'e2e', 'exactly-once', 'postgres', 'sim', 'trust', 'ui'],
  ...['mutants', 'programs', 'tidy'],
])

/** `test/` has the folders of the sources. */
export const mirrored: Rule = ({ files }) => {
  const sources = new Set<string>()
  for (const { path } of files.filter((file) => !file.path.startsWith('test/')))
    for (let name = posix.dirname(path); name !== '.'; name = posix.dirname(name)) sources.add(name)
  return files.flatMap(({ path }) => {
    const folder = /^test\/(.+)\/[^/]+\.test\.ts$/.exec(path)?.[1]
    if (folder === undefined || OF_THE_WHOLE.has(folder.split('/')[0] ?? '')) return []
    return sources.has(folder) || sources.has(`src/${folder}`) ? [] : [`${path} lies in no folder of the sources`]
  })
}
