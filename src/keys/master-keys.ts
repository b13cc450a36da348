// The master keys of a service: one that wraps, and, while it is being rotated, the one before, which still opens what it wrapped.
import type { MasterKey } from './master-key.ts'
import type { KeyWrapper } from './vault.ts'

export class MasterKeys implements KeyWrapper {
  #current: MasterKey
  #retiring: MasterKey | null

  constructor(current: MasterKey, retiring: MasterKey | null = null) {
    this.#current = current
    this.#retiring = retiring
  }

  /** Of the key that wraps. */
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

  /** From now on `next` wraps. */
  turnTo(next: MasterKey): void {
    if (next.id === this.id) return
    this.#retiring = this.#current
    this.#current = next
  }

  /** Nothing is wrapped under the one before any more. */
  retire(): void {
    this.#retiring = null
  }
}
