// Installs missing dependencies. Runs before every npm script, so it must cost milliseconds when nothing is missing.
// A checkout gets all packages: a start builds the service first. A release, which is built, gets what it needs to run.
//
// Always `npm ci`: the packages are those of the lockfile, by their hashes, or there is no start. Install scripts of
// packages do not run (.npmrc); npm then also skips this package's own pre and post scripts, so each script calls this
// file itself.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
/** Written into a release by src/pack.mjs. */
const PACKED = existsSync(join(ROOT, 'dist', 'release.json'))
const LOCK = join(ROOT, PACKED ? 'npm-shrinkwrap.json' : 'package-lock.json')
/** npm's copy of the lockfile as installed; a lockfile with other packages requires another install. */
const INSTALLED = join(MODULES, '.package-lock.json')
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const installed = (packages) => Object.keys(packages).every((name) => existsSync(join(MODULES, name, 'package.json')))
const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
const upToDate =
  existsSync(INSTALLED) &&
  (statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs || same(packagesIn(LOCK), packagesIn(INSTALLED)))

/**
 * True if what is installed is what the lockfile lists; an optional package may be absent, as those of other platforms
 * are.
 */
function same({ '': _root, ...wanted }, found) {
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const one = found[path]
    return one === undefined ? optional === true : one.version === version && one.integrity === integrity
  })
}

if (!upToDate || !installed(dependencies) || (!PACKED && !installed(devDependencies))) install()

function install() {
  // Stated in both cases, since NODE_ENV and user settings would otherwise decide.
  const args = [
    'ci',
    PACKED ? '--omit=dev' : '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  console.error(`holdfast: installing dependencies (npm ${args.slice(0, 2).join(' ')})`)
  const { status, stderr, error } = spawnSync(NPM, args, { cwd: ROOT, stdio: ['ignore', 2, 'pipe'], encoding: 'utf8' })
  if (stderr) process.stderr.write(stderr)
  if (status !== 0) fail(status, error?.message ?? causeIn(stderr))
  if (PACKED) return
  const client = spawnSync(process.execPath, [join(ROOT, 'src', 'build-client.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  })
  if (client.status !== 0) fail(client.status, 'the client of the interface was not built')
}

/** npm's own message: the first error line that is more than a code. */
function causeIn(stderr) {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
  return lines.find((line) => line !== '' && !/^code /.test(line)) ?? 'npm gave no reason'
}

function fail(status, cause) {
  console.error(
    `holdfast: dependencies cannot be installed as ${basename(LOCK)} lists them, so nothing is started: ${cause}`,
  )
  process.exit(status || 1)
}
