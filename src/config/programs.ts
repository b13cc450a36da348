// The programs that a service starts beside itself, and how: built ones when it is built itself, otherwise the sources with their loader.
import { join } from 'node:path'

/** Where the project stands; both this file and what is built of it lie two folders below. */
export const PROJECT = join(import.meta.dirname, '..', '..')

const SOURCES = { localnet: 'src/localnet/main.ts', player: 'src/keys/players/main.ts' } as const

/** The words for node, to which a program's own are added. */
export function wordsFor(program: keyof typeof SOURCES): readonly string[] {
  if (import.meta.filename.endsWith('.ts')) return ['--import', 'tsx', join(PROJECT, SOURCES[program])]
  return [join(import.meta.dirname, `${program}.mjs`)]
}
