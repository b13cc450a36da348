// Installs missing dependencies. Runs before every npm script, so it must cost milliseconds when nothing is missing.
// Without an argument: what the service needs to run. With `dev`: also what tests, checks and benchmarks need.
//
// Always `npm ci`: the packages are those of the lockfile, by their hashes, or there is no start. Install scripts of
// packages do not run (.npmrc); npm then also skips this package's own pre and post scripts, so each script calls this
// file itself.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
/** npm's copy of the lockfile as installed; a newer lockfile requires another install. */
const INSTALLED = join(MODULES, '.package-lock.json')
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const installed = (packages) => Object.keys(packages).every((name) => existsSync(join(MODULES, name, 'package.json')))
const upToDate = existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs

// A development checkout keeps its tools when the service is started in it.
const tools = process.argv[2] === 'dev' || installed(devDependencies)
if (!upToDate || !installed(dependencies) || (tools && !installed(devDependencies))) install()

function install() {
  // Stated in both cases, since NODE_ENV and user settings would otherwise decide.
  const args = ['ci', tools ? '--include=dev' : '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  console.error(`holdfast: installing dependencies (npm ${args.slice(0, 2).join(' ')})`)
  const { status, stderr, error } = spawnSync(NPM, args, { cwd: ROOT, stdio: ['ignore', 2, 'pipe'], encoding: 'utf8' })
  if (stderr) process.stderr.write(stderr)
  if (status !== 0) fail(status, error?.message ?? causeIn(stderr))
  const client = spawnSync(process.execPath, [join(ROOT, 'src', 'build-client.mjs')], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (client.status !== 0) fail(client.status, 'the client of the interface was not built')
}

/** npm's own message: the first error line that is more than a code. */
function causeIn(stderr) {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
  return lines.find((line) => line !== '' && !/^code /.test(line)) ?? 'npm gave no reason'
}

function fail(status, cause) {
  console.error(`holdfast: dependencies cannot be installed as package-lock.json lists them, so nothing is started: ${cause}`)
  process.exit(status || 1)
}
