// Before the tests: builds the programs that tests start: the service and its commands, the embedded chain and the
// threshold signers. From their sources each start takes seconds, and hundreds of processes are started. Unlike the
// build of src/build.mjs, nearly all libraries are built in, and a service that is started once leaves its compiled
// code to all others (load.mjs). As there, the folder is named by the hash of the sources, and moved there atomically.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { FOLDER } from './folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Two folders below the project, as in src/config/programs.ts. */
const DIST = join(ROOT, 'dist')
const PREFIX = 'tests-'
const LOADER = pathToFileURL(join(import.meta.dirname, 'load.mjs')).href
const PROGRAMS = {
  main: 'src/main.ts',
  localnet: 'src/localnet/main.ts',
  player: 'src/keys/players/main.ts',
  worker: 'src/service/worker.ts',
}
/** Native, with threads of their own, or rarely loaded. */
const NOT_BUILT_IN = [
  'level',
  'litesvm',
  'pino',
  'pg',
  '@aws-sdk/client-kms',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'cli-progress',
  'swagger-ui-dist',
  'vite',
]
/** Older builds may be in use for this long. */
const KEPT_MS = 24 * 3_600_000

export default async function buildPrograms(): Promise<void> {
  const folder = join(DIST, `${PREFIX}${sourceDigest()}`)
  if (!existsSync(folder)) await buildIn(folder)
  for (const name of readdirSync(DIST).filter((each) => each.startsWith(PREFIX))) {
    const path = join(DIST, name)
    if (path !== folder && statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
  process.env[FOLDER] = folder
}

/** Of the sources, of the libraries, and of Node.js, whose compiled code is its own. */
function sourceDigest(): string {
  const hash = createHash('sha256')
    .update(process.version)
    .update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const folder of ['machines', 'snapshots', 'src', 'test/programs'])
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.m?ts$|\.mjs$/.test(path)) hash.update(path).update(readFileSync(join(ROOT, folder, path)))
  return hash.digest('hex').slice(0, 16)
}

async function buildIn(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: unfinished,
      minify: false,
      rolldownOptions: {
        input: PROGRAMS,
        output: {
          format: 'cjs',
          dynamicImportInCjs: false,
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name]-[hash].cjs',
        },
      },
    },
    ssr: { noExternal: true, external: NOT_BUILT_IN, resolve: { conditions: ['node'] } },
  })
  for (const name of Object.keys(PROGRAMS))
    writeFileSync(
      join(unfinished, `${name}.mjs`),
      `import { load } from '${LOADER}'\nload(new URL('${name}.cjs', import.meta.url).href)\n`,
    )
  await keepCode(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another run finished the same build first.
    if (!existsSync(folder)) throw error
  }
}

async function keepCode(folder: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-build-'))
  const keeping = join(folder, 'keeping')
  writeFileSync(keeping, '')
  const service = spawn(process.execPath, [join(folder, 'main.mjs'), 'serve'], {
    env: { PATH: process.env['PATH'], HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0', HOLDFAST_EMBEDDED_RPC_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [service.stdout, service.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('holdfast ready ')) service.kill('SIGTERM')
    })
  const [code] = (await once(service, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the built service ended with ${code}:\n${lines.join('\n')}`)
  rmSync(keeping)
  rmSync(dataDir, { recursive: true, force: true })
}
