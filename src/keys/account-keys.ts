// The keys of accounts as operations use them: signers of stored keys, and new keys that are about to be stored.
import type { CustodianKeyRequest } from './custodians/custodians.ts'
import type { ExternalKeys, ThresholdKeyRequest } from './external-keys.ts'
import { generateKeypair, keypairFromPrivateKey, type Keypair } from './keypair.ts'
import type { FreshKey, Keepable } from './fresh-key.ts'
import { KeyPlaceError, type ExternalKey, type RemoteKeys } from './key-place.ts'
import type { KeyRing } from './keyring.ts'
import type { LocalSigner, RemoteSigner, Signer } from './signer.ts'
import { UnopenedKey } from './unopened-key.ts'
import type { KeyReference, PreparedKey, Vault } from './vault.ts'

/** Where to keep a key that is not kept in the store. */
export type KeyRequest =
  | { readonly location: 'SECRETS'; readonly privateKey?: string }
  | ({ readonly location: 'DKG' } & ThresholdKeyRequest)
  | ({ readonly location: 'REMOTE' } & CustodianKeyRequest)

/** Sources of new keys; replaced only in simulations and tests. */
export interface NewKeySources {
  readonly generate?: () => Keypair
  /** undefined: none is prepared. */
  readonly prepared?: () => PreparedKey | undefined
}

export class AccountKeys {
  readonly #vault: Vault
  readonly #ring: KeyRing
  readonly #generate: () => Keypair
  readonly #prepared: () => PreparedKey | undefined
  readonly #elsewhere: ExternalKeys | null

  constructor(
    vault: Vault,
    ring: KeyRing,
    { generate = generateKeypair, prepared = () => undefined }: NewKeySources = {},
    elsewhere: ExternalKeys | null = null,
  ) {
    this.#vault = vault
    this.#ring = ring
    this.#generate = generate
    this.#prepared = prepared
    this.#elsewhere = elsewhere
  }

  /** Null when no key of the account is stored. Throws SealedKeyError when one is stored but cannot be used. */
  signerFor(reference: KeyReference): Signer | null {
    return this.#ring.signerFor(reference) ?? this.#elsewhere?.signerFor(reference) ?? null
  }

  /** A new key that signs at once. */
  generate(): FreshKey {
    return this.#inStore(this.#generate())
  }

  /** A new key that costs little until it signs: the first signature may take 0.4 ms. */
  generateForRecord(): FreshKey {
    const prepared = this.#prepared()
    return prepared === undefined ? this.generate() : new UnopenedKey(this.#vault, prepared)
  }

  /** Imports base58 of 64 bytes or of a 32-byte seed. Throws PrivateKeyError, which never quotes the key. */
  import(privateKey: string): FreshKey {
    return this.#inStore(keypairFromPrivateKey(privateKey))
  }

  /** Creates a key that is stored outside the store. Rejects with KeyPlaceError and PrivateKeyError. */
  async make(request: KeyRequest): Promise<FreshKey | (RemoteSigner & Keepable)> {
    const elsewhere = this.#elsewhere
    if (elsewhere === null)
      throw new KeyPlaceError('KEY_LOCATION_UNAVAILABLE', `keys cannot be kept in ${request.location} on this server`)
    if (request.location === 'DKG') return await madeIn(elsewhere.players, request)
    if (request.location === 'REMOTE') return await madeIn(elsewhere.custodians, request)
    const { secrets } = elsewhere
    if (secrets === null) {
      return this.#inFolder(
        elsewhere,
        request.privateKey === undefined ? this.#generate() : keypairFromPrivateKey(request.privateKey),
      )
    }
    if (request.privateKey === undefined) return await madeIn(secrets, undefined)
    throw new KeyPlaceError(
      'KEY_IMPORT_UNAVAILABLE',
      'the place where SECRETS are kept on this server makes its own keys and takes none',
    )
  }

  /** The account's key for a further record of the same address, in the same location; null when no key is stored. */
  inherit(reference: KeyReference): Keepable | null {
    const row = this.#elsewhere?.rowOf(reference) ?? null
    if (row !== null && row.kept !== 'folder') return { seal: () => row }
    const text = this.#ring.export(reference)
    if (text === null) return null
    const keypair = keypairFromPrivateKey(text)
    return row === null || this.#elsewhere === null ? this.#inStore(keypair) : this.#inFolder(this.#elsewhere, keypair)
  }

  #inStore(keypair: Keypair): FreshKey {
    return { ...signerOf(keypair), seal: (reference) => this.#vault.seal(reference, keypair) }
  }

  #inFolder(elsewhere: ExternalKeys, keypair: Keypair): FreshKey {
    return {
      ...signerOf(keypair),
      seal: (reference) => elsewhere.keepInFolder(reference, keypair),
      discard: (reference) => elsewhere.dropFromFolder(reference),
    }
  }
}

function signerOf(keypair: Keypair): LocalSigner {
  return { address: keypair.address, remote: false, sign: (message) => keypair.sign(message) }
}

async function madeIn<Request>(place: RemoteKeys<Request>, request: Request): Promise<RemoteSigner & Keepable> {
  const key: ExternalKey = await place.make(request)
  const signer = place.signer(key)
  return {
    address: key.address,
    remote: true,
    sign: (message, question, subject) => signer.sign(message, question, subject),
    seal: () => key,
  }
}
