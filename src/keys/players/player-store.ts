// The storage of a threshold signer: its identity, the pinned identities of the others, and its shares. One file each
// in a folder of its own, sealed under the signer's own key, bound to signer and name, and durable before the call
// returns.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../../snapshots/make-directory.ts'
import { replaceFile } from '../../config/key-file.ts'
import { MasterKey } from '../master-key.ts'
import { PlayerProblem } from './protocol.ts'

const SUFFIX = '.json'

interface SealedFile {
  readonly v: 1
  readonly keyId: string
  readonly sealed: string
}

export class PlayerStore {
  readonly #path: string
  readonly #code: string
  readonly #key: MasterKey
  /** Whether files were moved from an older key to the current one. */
  readonly moved: boolean

  /**
   * The first key is the current one; files under one of the other keys are moved to it. Throws PlayerProblem when no
   * key opens a file.
   */
  constructor(path: string, code: string, keys: readonly Uint8Array[]) {
    const sealers = keys.map((bytes) => new MasterKey(bytes))
    const [key] = sealers
    if (key === undefined) throw new PlayerProblem('a player needs a key')
    this.#path = path
    this.#code = code
    this.#key = key
    makeDirectory(path, 0o700)
    let moved = false
    for (const entry of readdirSync(path)) {
      if (!entry.endsWith(SUFFIX)) continue
      const name = entry.slice(0, -SUFFIX.length)
      const { keyId, sealed } = this.#file(name)!
      if (keyId === key.id) continue
      const older = sealers.find(({ id }) => id === keyId)
      const plain = older?.unwrap(sealed, this.#context(name)) ?? null
      if (plain === null)
        throw new PlayerProblem(`what player ${code} keeps was sealed under another key than the one it is given`)
      this.write(name, plain)
      moved = true
    }
    this.moved = moved
  }

  /**
   * Null when there is no such file. The caller zeroes the returned buffer. Throws PlayerProblem when the file was
   * changed, or belongs to another signer or name.
   */
  read(name: string): Buffer | null {
    const file = this.#file(name)
    if (file === null) return null
    const plain = this.#key.unwrap(file.sealed, this.#context(name))
    if (plain === null) throw new PlayerProblem(`what player ${this.#code} keeps as ${name} was changed`)
    return plain
  }

  /** Durable when it returns. Zeroes `plain`. */
  write(name: string, plain: Buffer): void {
    const file: SealedFile = { v: 1, keyId: this.#key.id, sealed: this.#key.wrap(plain, this.#context(name)) }
    plain.fill(0)
    replaceFile(join(this.#path, name + SUFFIX), JSON.stringify(file))
  }

  #file(name: string): SealedFile | null {
    try {
      return JSON.parse(readFileSync(join(this.#path, name + SUFFIX), 'utf8')) as SealedFile
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw new PlayerProblem(`what player ${this.#code} keeps as ${name} cannot be read`)
    }
  }

  #context(name: string): Buffer {
    return Buffer.from(JSON.stringify(['holdfast player 1', this.#code, name]))
  }
}
