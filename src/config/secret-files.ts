// Reads secrets from files instead of the environment, which every process with the same rights can read in /proc. For
// every secret setting NAME there is NAME_FILE, the path of a file with the value.
import { readFileSync } from 'node:fs'
import type { Environment } from './environment.ts'
import { isReadableByOthers } from './key-file.ts'

const SUFFIX = '_FILE'

export interface SecretFileValues {
  /** The values of the files under the names of their settings, without the `_FILE` variables. */
  readonly environment: Environment
  /** By name of a setting: the variable that it was given as. */
  readonly givenAs: ReadonlyMap<string, string>
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** @param isSecret whether the setting of that name is a secret */
export function withSecretFiles(environment: Environment, isSecret: (name: string) => boolean): SecretFileValues {
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
      if (isReadableByOthers(path))
        warnings.push(`${fileName} ${path} can be read by others than its owner: set its mode to 0600`)
    } catch (error) {
      values.delete(name)
      problems.push(
        `${fileName} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`,
      )
    }
  }
  return { environment: Object.fromEntries(values), givenAs, problems, warnings }
}
