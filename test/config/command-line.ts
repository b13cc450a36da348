// Runs the real command line as a process, with its own environment.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function startCommand(words: readonly string[], environment: Record<string, string>) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_')))
  const child = spawn(process.execPath, ['src/holdfast.mjs', ...words], {
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
