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
  /** Code of the custodian that holds the key; absent: another kind of remote signer. */
  readonly custodian?: string
  /**
   * @param key Idempotency key: the same for the same request
   * @param subject subject of the request, for signers that decide
   */
  sign(message: Uint8Array, key: string, subject?: SigningSubject): Promise<SignerAnswer>
}

/** Subject of a request for a signature. */
export interface SigningSubject {
  /** External id of the organization of the key. */
  readonly organization: string
  /** External id of the organization that made the transaction. */
  readonly requestedBy: string
  readonly cluster: string
  readonly account: { readonly onchainId: string; readonly offchainId: string | null }
  /** Null: the message is no transaction. */
  readonly transaction: { readonly offchainId: string } | null
  /** Description of the message for people, one line per instruction. */
  readonly summary: readonly string[]
  /** The message has no effect after this block height; null: it stays valid. */
  readonly lastValidBlockHeight: number | null
}

/**
 * Answer of a remote signer. A request without an answer, or with another failure, rejects: the signer may have signed.
 */
export type SignerAnswer =
  | { readonly kind: 'signed'; readonly signature: Uint8Array }
  /** It has not decided yet, and has not signed. `retryMs`: when to ask again; null: it does not say. */
  | { readonly kind: 'pending'; readonly retryMs: number | null }
  | SignerRefusal
  | SignerUnreached

/** It will never sign the message. */
export interface SignerRefusal {
  readonly kind: 'refused'
  readonly reason: string
  /** The signer states that it has not signed the message and never will. */
  readonly neverSigned?: boolean
}

/** The request was provably not sent. */
export interface SignerUnreached {
  readonly kind: 'unreached'
  readonly reason: string
}

/** A key of this process, asked as a remote signer is. */
export function asRemote(signer: LocalSigner): RemoteSigner {
  const sign = (message: Uint8Array): Promise<SignerAnswer> =>
    Promise.resolve({ kind: 'signed', signature: signer.sign(message) })
  return { address: signer.address, remote: true, sign }
}
