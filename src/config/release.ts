// Which release of the service this is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './programs.ts'

/** As package.json says. */
export function release(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  return version
}
