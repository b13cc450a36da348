// Installs what is missing, and nothing when nothing is: runs before every npm script, so it must cost milliseconds.
// npm leaves a copy of the lockfile inside node_modules after an install; a lockfile newer than that copy means "install again".
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const lockfile = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')

const upToDate = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
if (!upToDate) {
  console.error('holdfast: installing dependencies (npm ci)')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (result.status !== 0) process.exit(result.status ?? 1)
}
