// Builds plain JavaScript from the service's TypeScript, so that a program starts by loading a few files instead of
// compiling hundreds. A build is in a folder named by the hash of its sources and is moved there atomically, so
// programs that start together never load half a build. A release has its build already (src/pack.mjs).
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = ['machines', 'snapshots', 'src']
/** Each becomes a file of that name in the folder. src/config/programs.ts finds all but the first there. */
const PROGRAMS = {
  main: 'src/main.ts',
  localnet: 'src/localnet/main.ts',
  player: 'src/keys/players/main.ts',
  worker: 'src/service/worker.ts',
}
/**
 * Libraries that go into a build: they have many files, which take longer to load one by one. All others are loaded
 * from their packages: they are native, rarely loaded, or loaded by a package that is not in the build too.
 */
const BUNDLED = [
  '@noble/curves',
  '@noble/hashes',
  '@opentelemetry/api',
  'base-x',
  'bs58',
  'jose',
  'lossless-json',
  'marked',
  'minisearch',
  'p-queue',
  're2js',
  'ws',
  'xstate',
  'zod',
]
const PREFIX = 'service-'
/** A build of older sources may still be running for this long. */
const KEPT_MS = 24 * 3_600_000

/**
 * Returns the folder of the programs built from the current sources. Throws errors of the compiler, or if `dist` cannot
 * be written.
 */
export async function built(root = ROOT) {
  const packed = packedBuild(root)
  if (packed !== null) return packed
  const place = join(root, 'dist', `${PREFIX}${digest(root)}`)
  if (!existsSync(place)) await build(root, place)
  return place
}

/** The build that a release was packed with; null in a checkout. */
function packedBuild(root) {
  const note = join(root, 'dist', 'release.json')
  return existsSync(note) ? join(root, 'dist', JSON.parse(readFileSync(note, 'utf8')).service) : null
}

function digest(root) {
  // How it is built counts as a source.
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const folder of SOURCES) {
    const paths = readdirSync(join(root, folder), { recursive: true }).filter((path) => path.endsWith('.ts'))
    for (const path of paths.sort())
      hash
        .update(`${folder}/${path}\0`)
        .update(readFileSync(join(root, folder, path)))
        .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

async function build(root, place) {
  const { build: bundle } = await import('vite').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'this checkout is not built and has no tools to build it: run `npm start`, or install a release made by `npm run package`',
    )
  })
  const unfinished = `${place}.${process.pid}`
  await bundle({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: unfinished,
      sourcemap: true,
      minify: false,
      rollupOptions: { input: PROGRAMS, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
    // The same files of a library as Node.js would load, whatever NODE_ENV is.
    ssr: { noExternal: BUNDLED, resolve: { conditions: ['node'] } },
  })
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // A program that started at the same time finished its build first.
    if (!existsSync(place)) throw error
  }
  removeOld(place)
}

function removeOld(place) {
  const dist = dirname(place)
  for (const name of readdirSync(dist).filter((each) => each.startsWith(PREFIX))) {
    const path = join(dist, name)
    if (path !== place && statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
}
