// Keys outside the store: in the secrets folder, from which they sign in this process, or at remote signers.
import { atHand, type RowSource } from '../../snapshots/at-hand.ts'
import type { Custodians } from './custodians/custodians.ts'
import type { Keypair } from './keypair.ts'
import { isExternalKey, KeyPlaceError, type ExternalKeyStore, type ExternalKey, type RemoteKeys } from './key-place.ts'
import type { SealedKeyReader } from './keyring.ts'
import type { SecretsFolder } from './secrets-folder.ts'
import type { RemoteSigner } from './signer.ts'
import { SealedKeyError, type KeyReference, type Vault } from './vault.ts'

export interface ThresholdKeyRequest {
  /** Codes of the threshold signers; null: all. */
  readonly players: readonly string[] | null
  /** How many of them sign; null: two. */
  readonly threshold: number | null
}

export interface Places {
  readonly folder: SecretsFolder
  /** Where new keys of location `SECRETS` are created; null: in the folder. */
  readonly secrets: RemoteKeys | null
  readonly players: RemoteKeys<ThresholdKeyRequest> | null
  readonly custodians: Pick<Custodians, 'make' | 'signer'>
  /** By their names in the rows, including remote signers at which no new keys are created. */
  readonly remote: ReadonlyMap<ExternalKeyStore, Pick<RemoteKeys, 'signer'>>
}

export class ExternalKeys {
  readonly #vault: Vault
  readonly #read: SealedKeyReader
  readonly #places: Places

  /** @param read Reads rows of the store. */
  constructor(vault: Vault, read: SealedKeyReader, places: Places) {
    this.#vault = vault
    this.#read = read
    this.#places = places
  }

  /** Null: new keys of location `SECRETS` are created in the folder, in this process. */
  get secrets(): RemoteKeys | null {
    return this.#places.secrets
  }

  /** @throws KeyPlaceError when none are configured */
  get players(): RemoteKeys<ThresholdKeyRequest> {
    const { players } = this.#places
    if (players === null) throw new KeyPlaceError('KEY_LOCATION_UNAVAILABLE', 'this server has no threshold signers')
    return players
  }

  get custodians(): Places['custodians'] {
    return this.#places.custodians
  }

  /**
   * The sealed key for the key ring: the row of the store, or the file it refers to. Undefined if no key of the account
   * signs in this process. Throws SealedKeyError when the file is missing.
   */
  readonly sealedRow: SealedKeyReader = (tenant, cluster, id) => {
    const row = this.#read(tenant, cluster, id)
    if (!isExternalKey(row)) return row
    if (row.kept !== 'folder') return undefined
    const file = this.#places.folder.read(row.name)
    if (file === null)
      throw new SealedKeyError(
        { tenant, cluster, id, address: row.address },
        'its file in the secrets folder is missing',
      )
    return file.sealed
  }

  /**
   * Null when the key is not at a remote signer.
   * @throws SealedKeyError when the remote signer is not configured, or the key is of another address
   */
  signerFor(reference: KeyReference): RemoteSigner | null {
    const row = this.rowOf(reference)
    if (row === null || row.kept === 'folder') return null
    const place = this.#places.remote.get(row.kept)
    if (place === undefined)
      throw new SealedKeyError(reference, `it is kept in a place that is not configured: ${row.kept}`)
    if (row.address !== reference.address) throw new SealedKeyError(reference, 'it is the key of another address')
    return place.signer(row)
  }

  /** The row, if the key is not in the store. */
  rowOf({ tenant, cluster, id }: KeyReference): ExternalKey | null {
    const row = this.#read(tenant, cluster, id)
    return isExternalKey(row) ? row : null
  }

  /** Writes the key to the folder, durably. Returns the reference for the store. */
  keepInFolder(reference: KeyReference, keypair: Keypair): ExternalKey {
    const { tenant, cluster, id, address } = reference
    const sealed = this.#vault.seal(reference, keypair)
    this.#places.folder.write(id, { v: 1, reference: { tenant, cluster, id, address }, sealed })
    return { v: 1, kept: 'folder', address, name: id }
  }

  /** Undoes `keepInFolder` when the record is not created. */
  dropFromFolder({ id }: KeyReference): void {
    this.#places.folder.remove(id)
  }

  /** Files that no record refers to, left by a crash between the file and its record. */
  async orphans(rows: RowSource): Promise<string[]> {
    const { folder } = this.#places
    const found: string[] = []
    for (const name of folder.names()) {
      const file = folder.read(name)
      const row = file === null ? null : await atHand(rows, () => this.rowOf(file.reference))
      if (row?.kept !== 'folder' || row.name !== name) found.push(name)
      // A folder may have many files: let requests run in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return found
  }
}
