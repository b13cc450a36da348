// The master keys of a service: the current one wraps; during a rotation the previous one still unwraps.
import type { MasterKey } from './master-key.ts'
import type { KeyWrapper } from './vault.ts'

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
