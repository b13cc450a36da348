// Packs a release: the service with its build, so that it starts without a build and without the tools for one, and the
// client as a package of its own. `npm run package`, or `node src/pack.mjs FOLDER` for another place than the project.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { built } from './build.mjs'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'
/** What a release serves and runs from, besides its build. */
const CONTENTS = ['machines', 'snapshots', 'src', 'README.md', 'LICENSE']
const USAGE = `npm run package -- [FOLDER]
  FOLDER   where the packages of the release and of the client are written [this checkout]`
const SCRIPTS = ['start', 'localnet', 'tour']

const read = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const run = (...words) =>
  execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/**
 * The lockfile without the tools: a release is installed with exactly these packages. `devOptional`: a tool that a
 * package of production names as an optional peer (the TypeScript compiler).
 */
function productionLock({ packages, ...lock }) {
  const kept = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true,
  )
  const { devDependencies: _tools, ...root } = packages['']
  return { ...lock, packages: { '': root, ...Object.fromEntries(kept) } }
}

/** The manifest without what only a checkout can do. */
function manifest({ devDependencies: _tools, scripts, files, ...rest }) {
  const kept = Object.fromEntries(Object.entries(scripts).filter(([name]) => SCRIPTS.includes(name)))
  return { ...rest, scripts: kept, files: [...files, 'dist', 'npm-shrinkwrap.json'] }
}

async function stage(folder) {
  const service = basename(await built(ROOT))
  const site = run('--import', 'tsx', 'src/site/main.ts')
  run('src/build-client.mjs')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'), { recursive: true })
  for (const name of CONTENTS) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  // Not the drafts of another build of the client at this moment.
  const filter = (path) => !basename(path).startsWith('.')
  for (const name of [service, site, 'client'])
    cpSync(join(DIST, name), join(folder, 'dist', name), { recursive: true, filter })
  const write = (name, value) => writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
  write(join('dist', 'release.json'), { service, site })
  write('package.json', manifest(read('package.json')))
  write('npm-shrinkwrap.json', productionLock(read('package-lock.json')))
}

function pack(folder, place) {
  const options = ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', place]
  const [{ filename, size }] = JSON.parse(
    execFileSync(NPM, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  console.log(`${filename} ${size}`)
}

const [given] = process.argv.slice(2)
if (given?.startsWith('-')) {
  const isHelp = given === '--help'
  console[isHelp ? 'log' : 'error'](`${isHelp ? '' : `unknown option ${given}\n\n`}${USAGE}`)
  process.exit(isHelp ? 0 : 64)
}
const place = resolve(given ?? ROOT)
const folder = join(DIST, `package-${process.pid}`)
try {
  await stage(folder)
  pack(folder, place)
  pack(join(folder, 'dist', 'client'), place)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
