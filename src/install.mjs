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
  const run = (command) => spawnSync(npm, [command, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] })
  // Releases of npm differ in what they want a lockfile to say of optional packages; an install takes the same versions from it.
  const status = run('ci').status === 0 ? 0 : run('install').status
  if (status !== 0) process.exit(status ?? 1)
}
