// How to start the service's child programs and threads: built files if the service itself is built, else the sources
// with their loader.
import { join } from 'node:path'

/** The project root; both this file and its build are two folders below. */
export const PROJECT = join(import.meta.dirname, '..', '..')

const SOURCES = { localnet: 'src/localnet/main.ts', player: 'src/keys/players/main.ts' } as const

/** The arguments for node, before those of the program. */
export function argumentsFor(program: keyof typeof SOURCES): readonly string[] {
  if (import.meta.filename.endsWith('.ts')) return ['--import', 'tsx', join(PROJECT, SOURCES[program])]
  return [join(import.meta.dirname, `${program}.mjs`)]
}

/** The file that a thread of the service runs. */
export function workerFile(): string {
  if (import.meta.filename.endsWith('.ts')) return join(PROJECT, 'src/worker-sources.mjs')
  return join(import.meta.dirname, 'worker.mjs')
}
