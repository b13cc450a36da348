// Whoever can sign for an address. The primitive is "sign this message", so that a key in an HSM, or one that is shared
// among players and never exists whole, is a signer like any other.

export interface Signer {
  /** Base58 Ed25519 public key. */
  readonly address: string
  /** The 64-byte Ed25519 signature of the message. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** A signer whose key is in this process: signs within the synchronous stretch of an operation. */
export interface LocalSigner extends Signer {
  sign(message: Uint8Array): Uint8Array
}
