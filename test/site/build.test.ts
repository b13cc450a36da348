// The build of the site by `npm start`: a process beside the service, whose failure affects only the pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { keepBuilt, type SiteLog } from '../../src/site/keep-built.ts'
import { siteFiles } from '../../src/site/files.ts'
import { BUILDS, currentBuild, digestOfSources } from '../../src/site/release.ts'

const logLines: string[] = []
const log: SiteLog = {
  info: (_fields, message) => void logLines.push(message),
  error: (fields) => void logLines.push(JSON.stringify(fields)),
}
const FIRST_VIEW_BYTES = 200_000

/** The scripts that the browser loads before it shows the console: those in its page. */
function firstScripts(folder: string): string[] {
  const html = readFileSync(join(folder, 'console', 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => join(folder, path))
}

it('builds only what is not built yet, completely and in small files', async () => {
  const site = keepBuilt(process.env, log)
  await vi.waitFor(() => expect(logLines.join() + site.state()).toContain('built'), 180_000)
  const folder = currentBuild()
  expect(site.folder()).toBe(folder)
  // A later start finds it and builds nothing; those of concurrent tests may use it as well.
  expect(keepBuilt(process.env, log).state()).toBe('built')
  expect(readdirSync(BUILDS)).toContain(basename(folder))
  expect(basename(folder)).toContain(digestOfSources())

  const files = siteFiles(folder)!
  expect(files.get('/console')?.type).toBe('text/html; charset=utf-8')
  const scripts = firstScripts(folder)
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((sum, script) => sum + readFileSync(script).length, 0)).toBeLessThan(FIRST_VIEW_BYTES)
  for (const { place, compressed } of files.values()) {
    if (!place.endsWith('.js')) continue
    expect(compressed.map(([encoding]) => encoding)).toEqual(['br', 'gzip'])
    expect(gunzipSync(readFileSync(compressed[1]![1])).equals(readFileSync(place))).toBe(true)
  }
})

it('logs why there is no build', async () => {
  const site = keepBuilt({ ...process.env, NODE_OPTIONS: '--no-such-option' }, log, join(BUILDS, 'missing'))
  expect(site.state()).toBe('building')
  await vi.waitFor(() => expect(site.state()).toBe('failed'), 180_000)
  expect(logLines.at(-1)).toContain('--no-such-option')
  expect(existsSync(site.folder())).toBe(false)
})
