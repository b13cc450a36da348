// Which release of the service this is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As package.json says. */
export function release(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }
  return version
}
