// A new key as it comes out of the stock: sealed, and opened only if it signs. Most new accounts sign nothing until
// long after they were created.
import type { FreshKey } from './fresh-key.ts'
import type { Keypair } from './keypair.ts'
import type { KeyReference, PreparedKey, SealedKey, Vault } from './vault.ts'

export class UnopenedKey implements FreshKey {
  readonly address: string
  readonly remote = false
  readonly #vault: Vault
  /** Without its data key once it is assigned. */
  readonly #prepared: PreparedKey
  #assigned: { readonly reference: KeyReference; readonly row: SealedKey } | undefined
  #keypair: Keypair | undefined

  constructor(vault: Vault, prepared: PreparedKey) {
    this.address = prepared.address
    this.#vault = vault
    this.#prepared = prepared
  }

  sign(message: Uint8Array): Uint8Array {
    this.#keypair ??= this.#opened()
    return this.#keypair.sign(message)
  }

  /** A second attempt at the record seals the key once more. */
  seal(reference: KeyReference): SealedKey {
    const before = this.#assigned
    const row =
      before === undefined
        ? this.#vault.assign(reference, this.#prepared)
        : this.#vault.reassign(before.reference, before.row, reference)
    this.#assigned = { reference, row }
    return row
  }

  #opened(): Keypair {
    const assigned = this.#assigned
    return assigned === undefined
      ? this.#vault.openPrepared(this.#prepared)
      : this.#vault.open(assigned.reference, assigned.row)
  }
}
