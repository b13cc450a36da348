// Before the tests: builds the programs that a service starts, the embedded chain and the threshold signers. More than
// a hundred test files start a chain, and from its sources each start takes seconds.
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { FOLDER } from './folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Returns a function that removes the build. */
export default async function buildPrograms(): Promise<() => void> {
  const dist = join(ROOT, 'dist')
  mkdirSync(dist, { recursive: true })
  // Two folders below the project, as in src/config/programs.ts.
  const folder = mkdtempSync(join(dist, 'tests-'))
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: { localnet: 'src/localnet/main.ts', player: 'src/keys/players/main.ts' },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
    // What is not native is built in: its files would be loaded one by one, at each of hundreds of starts.
    ssr: { noExternal: true, external: ['level', 'litesvm'], resolve: { conditions: ['node'] } },
  })
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
