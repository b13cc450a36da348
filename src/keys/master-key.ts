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
