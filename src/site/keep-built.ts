// Keeps the site built while the service starts and runs. The service does not wait for it, but its pages do; without a
// build they say so.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../config/programs.ts'
import { currentBuild } from './release.ts'
import type { Site, SiteState } from './files.ts'

const MAX_BUILD_MS = 120_000
const MAX_TEXT_LENGTH = 4_000

export interface SiteLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface KeptSite extends Site {
  /** Ends a build that is under way. */
  stop(): void
}

/**
 * Starts a process that builds, unless nothing has changed since the last build.
 *
 * @param folder where that would be
 */
export function keepBuilt(
  environment: Record<string, string | undefined>,
  log: SiteLog,
  folder = currentBuild(),
): KeptSite {
  if (existsSync(folder)) return { folder: () => folder, state: () => 'built', stop: () => undefined }
  let state: SiteState = 'building'
  let said = ''
  let stopped = false
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', join(PROJECT, 'src/site/main.ts')], {
    cwd: PROJECT,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: MAX_BUILD_MS,
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_TEXT_LENGTH)))
  const failed = (reason: string): void => {
    if (state === 'failed' || stopped) return
    state = 'failed'
    log.error({ reason }, 'the pages of the site could not be built; the service continues without them')
  }
  child.on('error', (error) => failed(error.message))
  child.on('close', (code) => {
    if (code === 0) {
      state = 'built'
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'the pages of the site were built')
    } else failed(said.trim() || `the build ended with ${code ?? 'a signal'}`)
  })
  return {
    folder: () => folder,
    state: () => state,
    stop: () => {
      stopped = true
      if (state === 'building') state = 'stale'
      child.kill()
    },
  }
}
