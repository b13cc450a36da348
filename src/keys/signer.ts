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
   * The signature of the message. Rejects with `SigningRefused` when the signer will never sign it, `SigningPending`
   * while it has not decided, `SignerUnreached` when it was not asked. After any other rejection, or no answer, the
   * signer may have signed.
   * @param key Idempotency key: the same for the same request
   * @param subject what the request is about, for signers that decide
   */
  sign(message: Uint8Array, key: string, subject?: SigningSubject): Promise<Uint8Array>
}

/** What a request for a signature is about. */
export interface SigningSubject {
  /** External id of the organization of the key. */
  readonly organization: string
  /** External id of the organization that made the transaction. */
  readonly requestedBy: string
  readonly cluster: string
  readonly account: { readonly onchainId: string; readonly offchainId: string | null }
  /** Null: the message is no transaction. */
  readonly transaction: { readonly offchainId: string } | null
  /** What the message does, one line per instruction, for people. */
  readonly summary: readonly string[]
  /** The message has no effect after this block height; null: it stays valid. */
  readonly lastValidBlockHeight: number | null
}

/** The signer has not decided yet, and has not signed. */
export class SigningPending extends Error {
  override readonly name = 'SigningPending'
  /** When to ask again; null: the signer does not say. */
  readonly retryMs: number | null

  constructor(retryMs: number | null = null) {
    super('the signer has not decided yet')
    this.retryMs = retryMs
  }
}

/** The request was provably not sent. */
export class SignerUnreached extends Error {
  override readonly name = 'SignerUnreached'
}

interface RefusalCertainty {
  /** The request provably never reached the signer. */
  readonly neverAsked: boolean
  /** The signer states that it has not signed the message and never will. */
  readonly neverSigned: boolean
}

/** A remote signer's definite refusal. */
export class SigningRefused extends Error implements RefusalCertainty {
  override readonly name = 'SigningRefused'
  readonly neverAsked: boolean
  readonly neverSigned: boolean

  constructor(reason: string, { neverAsked = false, neverSigned = false }: Partial<RefusalCertainty> = {}) {
    super(reason)
    this.neverAsked = neverAsked
    this.neverSigned = neverSigned
  }
}
