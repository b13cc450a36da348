// Signers of managed accounts. A private key is unsealed in memory only while it is in use: the most recently used
// keys, at most `capacity`, none longer than `idleMs` after its last use.
import { Keypair } from './keypair.ts'
import type { LocalSigner } from './signer.ts'
import { SealedKeyError } from './vault.ts'
import type { KeyReference, Vault } from './vault.ts'

/** The sealed row of an account, or undefined when it has none. Reads durable rows, synchronously. */
export type SealedKeyReader = (tenant: string, cluster: string, id: string) => unknown

export interface KeyRingOptions {
  readonly vault: Vault
  readonly read: SealedKeyReader
  /** Maximum number of unsealed keys. */
  readonly capacity?: number
  readonly idleMs?: number
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

interface Held {
  readonly keypair: Keypair
  usedAt: number
}

export class KeyRing {
  /** By account, in order of last use. */
  readonly #held = new Map<string, Held>()
  readonly #vault: Vault
  readonly #read: SealedKeyReader
  readonly #capacity: number
  readonly #idleMs: number
  readonly #now: () => number

  constructor({ vault, read, capacity = 10_000, idleMs = 60_000, now = () => performance.now() }: KeyRingOptions) {
    this.#vault = vault
    this.#read = read
    this.#capacity = capacity
    this.#idleMs = idleMs
    this.#now = now
  }

  /** Number of unsealed keys. */
  get size(): number {
    return this.#held.size
  }

  /**
   * The signer of an account whose key is stored; null when none is. A signature takes about 25 us, the first one after
   * a pause 0.2 to 0.4 ms more.
   * @throws SealedKeyError when the stored key does not open, or is not that of the address
   */
  signerFor(reference: KeyReference): LocalSigner | null {
    return this.#keypairOf(reference)
  }

  /** Holds the key pair of an account that is being created, whose row is not durable yet. */
  hold(reference: KeyReference, keypair: Keypair): void {
    if (keypair.address !== reference.address) throw new SealedKeyError(reference, 'it is the key of another address')
    this.#keep(nameOf(reference), keypair)
  }

  /** Drops the key from memory: the account is frozen, closed, or was not created. */
  forget(reference: KeyReference): void {
    this.#held.delete(nameOf(reference))
  }

  /** The private key in Solana's format, base58 of 64 bytes, for the export endpoint; null when none is stored. */
  export(reference: KeyReference): string | null {
    return this.#keypairOf(reference)?.privateKeyText() ?? null
  }

  /** Drops idle keys. Runs with every use; the owner also calls it on a timer, for times without any. */
  sweep(): void {
    const oldest = this.#now() - this.#idleMs
    for (const [name, { usedAt }] of this.#held) {
      if (usedAt > oldest) return
      this.#held.delete(name)
    }
  }

  clear(): void {
    this.#held.clear()
  }

  #keypairOf(reference: KeyReference): Keypair | null {
    this.sweep()
    const name = nameOf(reference)
    let keypair = this.#held.get(name)?.keypair
    if (keypair === undefined) {
      const row = this.#read(reference.tenant, reference.cluster, reference.id)
      if (row === undefined) return null
      keypair = this.#vault.open(reference, row)
    }
    if (keypair.address !== reference.address) throw new SealedKeyError(reference, 'it is the key of another address')
    this.#keep(name, keypair)
    return keypair
  }

  #keep(name: string, keypair: Keypair): void {
    this.#held.delete(name)
    this.#held.set(name, { keypair, usedAt: this.#now() })
    if (this.#held.size > this.#capacity) this.#held.delete(this.#held.keys().next().value!)
  }
}

function nameOf({ tenant, cluster, id }: KeyReference): string {
  return JSON.stringify([tenant, cluster, id])
}
