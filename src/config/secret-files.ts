// Secrets in files instead of the environment, which anybody with the rights of the process can read in /proc for as long as it runs:
// for every secret setting NAME there is NAME_FILE, a file that holds the value.
import { readFileSync } from 'node:fs'
import type { Environment } from './environment.ts'
import { isReadableByOthers } from './key-file.ts'

const SUFFIX = '_FILE'

export interface Revealed {
  /** Without the names of files; the values of the files under the names of their settings. */
  readonly environment: Environment
  /** By name of a setting: the name that it was given under. */
  readonly givenAs: ReadonlyMap<string, string>
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** @param isSecret whether a setting of that name holds a secret */
export function withSecretFiles(environment: Environment, isSecret: (name: string) => boolean): Revealed {
  const values = new Map(Object.entries(environment))
  const givenAs = new Map<string, string>()
  const problems: string[] = []
  const warnings: string[] = []
  for (const [fileName, path] of Object.entries(environment)) {
    const name = fileName.slice(0, -SUFFIX.length)
    if (path === undefined || !fileName.endsWith(SUFFIX) || !isSecret(name)) continue
    values.delete(fileName)
    if (environment[name] !== undefined) {
      problems.push(`${fileName} and ${name} are both given: only one may be`)
      continue
    }
    try {
      values.set(name, readFileSync(path, 'utf8').trim())
      givenAs.set(name, fileName)
      if (isReadableByOthers(path)) warnings.push(`${fileName} ${path} can be read by others than its owner: set its mode to 0600`)
    } catch (error) {
      values.delete(name)
      problems.push(`${fileName} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`)
    }
  }
  return { environment: Object.fromEntries(values), givenAs, problems, warnings }
}
