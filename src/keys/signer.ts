// The interface of all signers. The primitive is "sign this message", so that keys in an HSM and threshold keys, which
// never exist whole, are signers like any other.

export type Signer = LocalSigner | RemoteSigner

/** A signer whose key is in this process: signs inside the synchronous unit of work. */
export interface LocalSigner {
  /** Base58 Ed25519 public key. */
  readonly address: string
  readonly remote: false
  /** The 64-byte Ed25519 signature of the message. */
  sign(message: Uint8Array): Uint8Array
}

/**
 * A signer outside this process. It is called only after the request is durable, and again after a failure or a
 * restart.
 */
export interface RemoteSigner {
  readonly address: string
  readonly remote: true
  /**
   * The signature of the message. Rejects with `SigningRefused` when the signer will never sign it. After any other
   * rejection, or no answer, the signer may have signed.
   * @param key Idempotency key: the same for the same request
   */
  sign(message: Uint8Array, key: string): Promise<Uint8Array>
}

/** A remote signer's definite refusal. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused'
  /** The request provably never reached the signer. */
  readonly neverAsked: boolean

  constructor(reason: string, neverAsked = false) {
    super(reason)
    this.neverAsked = neverAsked
  }
}
