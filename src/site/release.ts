// Identifies the build of the site that belongs to this checkout. The folder of a build is named by the digest of its
// sources, so a build is stale exactly if that folder is missing, and two processes that build at once produce the same
// result.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { PROJECT } from '../config/programs.ts'

/** Holds one folder for each build, beside those of the service; git ignores it. */
export const BUILDS = join(PROJECT, 'dist')
export const PREFIX = 'site-'
/** What the pages are built from. The lockfile stands for the libraries. */
const INGREDIENTS = [
  'src/site',
  'src/console',
  'src/reference',
  'src/drawings',
  'src/client',
  'machines',
  'package-lock.json',
]

/** Sixteen hexadecimal digits. A few milliseconds. */
export function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const file of INGREDIENTS.flatMap((name) => under(join(PROJECT, name)))) {
    digest
      .update(`${relative(PROJECT, file).split(sep).join('/')}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return digest.digest('hex').slice(0, 16)
}

/** Written by src/pack.mjs into a release, which has no lockfile to take a digest of. */
const NOTE = join(BUILDS, 'release.json')

/** Where the build of these sources is, or would be; in a release, where it was packed. */
export function currentBuild(): string {
  if (!existsSync(NOTE)) return join(BUILDS, PREFIX + digestOfSources())
  return join(BUILDS, (JSON.parse(readFileSync(NOTE, 'utf8')) as { site: string }).site)
}

function under(path: string): string[] {
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => under(join(path, name)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code !== 'ENOTDIR') throw error
    return path.endsWith('.png') ? [] : [path]
  }
}
