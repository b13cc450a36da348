// The files of a build, as they are served: pages by their paths, all other files by names that contain a digest of
// their content. Files are looked up in a list that is read once, so no path can lead out of the build.
import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { SITE_PAGES } from './pages.ts'
import { currentBuild } from './release.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
}
/** Content codings of HTTP, the best first, with the endings of their files. */
const ENDINGS = { br: 'br', gzip: 'gz' } as const

/** `stale`: no process builds the site; a build may exist nevertheless. */
export type SiteState = 'built' | 'building' | 'failed' | 'stale'

export interface Site {
  /** Where the build is, or will be. */
  folder(): string
  state(): SiteState
  /** How long a page waits for a build that is under way; default: 30 s. */
  readonly waitMs?: number
}

export type Encoding = keyof typeof ENDINGS

export interface SiteFile {
  readonly type: string
  /** Paths of the file, uncompressed and compressed. */
  readonly place: string
  readonly compressed: readonly (readonly [encoding: Encoding, place: string])[]
}

/** By the path of a page, or `/assets/<name>`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

/** Serves the build of these sources if there is one. */
export const EXISTING_BUILD: Site = { folder: currentBuild, state: () => 'stale' }

/** null: there is no build. */
export function siteFiles(folder: string): SiteFiles | null {
  if (!existsSync(folder)) return null
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split(sep).join('/')),
  )
  const files = new Map<string, SiteFile>()
  for (const name of names) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
    const path = name.endsWith('.html') ? SITE_PAGES.find(({ entry }) => entry === name)?.path : `/${name}`
    if (type === undefined || path === undefined) continue
    const compressed = (Object.entries(ENDINGS) as [Encoding, string][])
      .filter(([, ending]) => names.has(`${name}.${ending}`))
      .map(([encoding, ending]) => [encoding, join(folder, `${name}.${ending}`)] as const)
    files.set(path, { type, place: join(folder, name), compressed })
  }
  return files
}
