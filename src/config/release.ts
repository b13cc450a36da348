// The release of the service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './programs.ts'

/** The version in package.json. */
export function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string }
  return version
}
