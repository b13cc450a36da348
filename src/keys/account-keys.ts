// The keys of accounts as operations use them: signers of stored keys, and new keys on their way to be stored.
import { generateKeypair, keypairFromPrivateKey, type Keypair } from './keypair.ts'
import type { KeyRing } from './keyring.ts'
import type { LocalSigner } from './signer.ts'
import type { KeyReference, SealedKey, Vault } from './vault.ts'

/** A key in hand: signs at once, and can be sealed for the record it is to belong to. */
export interface FreshKey extends LocalSigner {
  seal(reference: KeyReference): SealedKey
}

export class AccountKeys {
  readonly #vault: Vault
  readonly #ring: KeyRing
  readonly #generate: () => Keypair

  /** `generate`: where new keys come from; another than the system's for simulations only. */
  constructor(vault: Vault, ring: KeyRing, generate: () => Keypair = generateKeypair) {
    this.#vault = vault
    this.#ring = ring
    this.#generate = generate
  }

  /** null when no key of the account is stored here. Throws SealedKeyError when one is but does not open. */
  signerFor(reference: KeyReference): LocalSigner | null {
    return this.#ring.signerFor(reference)
  }

  generate(): FreshKey {
    return this.#fresh(this.#generate())
  }

  /** Base58 of 64 bytes or of a 32-byte seed. Throws PrivateKeyError, which never quotes the key. */
  import(privateKey: string): FreshKey {
    return this.#fresh(keypairFromPrivateKey(privateKey))
  }

  #fresh(keypair: Keypair): FreshKey {
    return {
      address: keypair.address,
      remote: false,
      sign: (message) => keypair.sign(message),
      seal: (reference) => this.#vault.seal(reference, keypair),
    }
  }
}
