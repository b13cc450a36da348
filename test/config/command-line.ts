// Runs the real command line as a process, with its own environment.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { FOLDER } from '../programs/folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FIND_BUILD =
  "import('./src/build.mjs').then(({ built }) => built()).then((folder) => process.stdout.write(folder))"

let mainFile: string | undefined

/**
 * The command line as built before the tests, else the file that src/holdfast.mjs runs. That reads all sources to find
 * it, which the hundreds of processes of the tests need not repeat: what it does is tried by build.test.ts and
 * release.test.ts.
 */
export function builtMain(): string {
  const folder = process.env[FOLDER]
  mainFile ??= join(
    folder ?? execFileSync(process.execPath, ['-e', FIND_BUILD], { cwd: ROOT, encoding: 'utf8' }),
    'main.mjs',
  )
  return mainFile
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function startCommand(words: readonly string[], environment: Record<string, string>) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_')))
  const child = spawn(process.execPath, [builtMain(), ...words], {
    cwd: ROOT,
    env: { ...inherited, ...environment },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // `close`, not `exit`: its last output may arrive after the exit.
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}
