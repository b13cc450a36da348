// The key that wraps every data key. It never encrypts data itself, so replacing it only requires rewrapping the data
// keys.
import { createHmac, hkdfSync } from 'node:crypto'
import { open, seal } from './aead.ts'
import type { KeyWrapper } from './vault.ts'

export class MasterKey implements KeyWrapper {
  /** Identifies the master key without revealing it: stored with each row, and as the store's check value. */
  readonly id: string
  readonly #wrapKey: Uint8Array

  /** @param bytes 32 random bytes; they are not retained */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== 32) throw new Error('A master key has 32 bytes')
    this.id = createHmac('sha256', bytes).update('holdfast master key id').digest('hex').slice(0, 32)
    this.#wrapKey = new Uint8Array(hkdfSync('sha256', bytes, '', 'holdfast data key wrapping', 32))
  }

  wrap(dataKey: Uint8Array, context: Uint8Array): string {
    return seal(this.#wrapKey, dataKey, context)
  }

  unwrap(wrapped: string, context: Uint8Array): Buffer | null {
    return open(this.#wrapKey, wrapped, context)
  }

  knows(id: string): boolean {
    return id === this.id
  }
}

/** The master keys of a service: the current one wraps; during a rotation the previous one still unwraps. */
export class MasterKeys implements KeyWrapper {
  #current: MasterKey
  #retiring: MasterKey | null

  constructor(current: MasterKey, retiring: MasterKey | null = null) {
    this.#current = current
    this.#retiring = retiring
  }

  /** Id of the current key. */
  get id(): string {
    return this.#current.id
  }

  wrap(dataKey: Uint8Array, context: Uint8Array): string {
    return this.#current.wrap(dataKey, context)
  }

  unwrap(wrapped: string, context: Uint8Array, masterKeyId: string): Buffer | null {
    return this.byId(masterKeyId)?.unwrap(wrapped, context) ?? null
  }

  knows(masterKeyId: string): boolean {
    return this.byId(masterKeyId) !== null
  }

  byId(masterKeyId: string): MasterKey | null {
    return [this.#current, this.#retiring].find((key) => key?.id === masterKeyId) ?? null
  }

  /** From now on `next` wraps; the current key becomes the previous one. */
  turnTo(next: MasterKey): void {
    if (next.id === this.id) return
    this.#retiring = this.#current
    this.#current = next
  }

  /** Drops the previous key, when nothing is wrapped under it any more. */
  retire(): void {
    this.#retiring = null
  }
}
