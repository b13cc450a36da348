// Whoever can sign for an address. The primitive is "sign this message", so that a key in an HSM, or one that is shared
// among players and never exists whole, is a signer like any other.

export type Signer = LocalSigner | RemoteSigner

/** A signer whose key is in this process: signs within the synchronous stretch of an operation. */
export interface LocalSigner {
  /** Base58 Ed25519 public key. */
  readonly address: string
  readonly remote: false
  /** The 64-byte Ed25519 signature of the message. */
  sign(message: Uint8Array): Uint8Array
}

/** A signer elsewhere. It is asked only once everything it is asked for is durable, and again after a failure or a restart. */
export interface RemoteSigner {
  readonly address: string
  readonly remote: true
  /**
   * The signature of the message. `key` is the same whenever the same is asked. Rejects with `SigningRefused` when it never will sign it;
   * after any other rejection, or none, it may have signed.
   */
  sign(message: Uint8Array, key: string): Promise<Uint8Array>
}

/** A remote signer said no, for good. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused'
  /** The question provably never reached it. */
  readonly neverAsked: boolean

  constructor(reason: string, neverAsked = false) {
    super(reason)
    this.neverAsked = neverAsked
  }
}
