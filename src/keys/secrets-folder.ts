// Keys as files in a folder of their own, one per key, mode 0600, sealed like rows of the store and equally durable.
// The file is written before the record that refers to it, so a crash between the two leaves a file without a record,
// and never a record without its key.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { replaceFile } from '../config/key-file.ts'
import type { KeyReference } from './vault.ts'

const SUFFIX = '.json'
const NAME = /^[0-9A-Za-z-]{1,64}$/

export interface SecretFile {
  readonly v: 1
  readonly reference: KeyReference
  /** Ciphertext only. */
  readonly sealed: unknown
}

export class SecretsFolder {
  readonly path: string

  /** The folder is created with mode 0700 when the first file is written. */
  constructor(path: string) {
    this.path = path
  }

  /** Durable when it returns. Replaces a file of the same name atomically. */
  write(name: string, file: SecretFile): void {
    makeDirectory(this.path, 0o700)
    replaceFile(this.#pathOf(name), JSON.stringify(file))
  }

  /** Null when there is no such file, or it does not have the expected form. */
  read(name: string): SecretFile | null {
    try {
      const file: unknown = JSON.parse(readFileSync(this.#pathOf(name), 'utf8'))
      return isSecretFile(file) ? file : null
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true })
  }

  /** Other files in the folder are left out. */
  names(): string[] {
    try {
      return readdirSync(this.path)
        .filter((entry) => entry.endsWith(SUFFIX))
        .map((entry) => entry.slice(0, -SUFFIX.length))
        .filter((name) => NAME.test(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #pathOf(name: string): string {
    if (!NAME.test(name)) throw new Error('not the name of a secret')
    return join(this.path, name + SUFFIX)
  }
}

function isSecretFile(file: unknown): file is SecretFile {
  if (typeof file !== 'object' || file === null) return false
  const { v, reference, sealed } = file as Record<string, unknown>
  if (v !== 1 || typeof reference !== 'object' || reference === null || typeof sealed !== 'object') return false
  return ['tenant', 'cluster', 'id', 'address'].every(
    (member) => typeof (reference as Record<string, unknown>)[member] === 'string',
  )
}
