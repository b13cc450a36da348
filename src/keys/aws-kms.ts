// Keys in AWS KMS (key spec ECC_NIST_EDWARDS25519): created there, never exportable; KMS signs on request. The SDK is
// loaded only if KMS is configured; credentials come from the SDK's default chain.
import type { KMSClient } from '@aws-sdk/client-kms'
import { encodeBase58 } from '../solana/base58.ts'
import { SettingsError } from '../config/settings-error.ts'
import { KeyPlaceError, type ExternalKey, type ListedKeys } from './key-place.ts'
import type { RemoteSigner } from './signer.ts'

const ANSWER_MS = 10_000
/** The record of a younger key may still be in progress: such a key is checked at the next start. */
const YOUNG_MS = 60_000
/** SubjectPublicKeyInfo (RFC 8410) of an Ed25519 key up to its 32 bytes. */
const SPKI_PREFIX = '302a300506032b6570032100'
/** Errors after which KMS will never sign with the key. */
const FINAL = new Set(['NotFoundException', 'InvalidKeyUsageException'])

type Library = typeof import('@aws-sdk/client-kms')

export interface KmsSettings {
  readonly region: string
  /** An endpoint other than the region's; null: the region's. */
  readonly endpoint: string | null
  /** Part of the descriptions of this service's keys, and of no other service's. */
  readonly tag: string
}

/** Rejects with SettingsError when the library is not installed. */
export async function openAwsKms({ region, endpoint, tag }: KmsSettings): Promise<AwsKms> {
  const library = await import('@aws-sdk/client-kms').catch(() => {
    throw new SettingsError(['HOLDFAST_SECRETS_STORE is aws-kms, and the package @aws-sdk/client-kms is not installed'])
  })
  // The signing queue retries by itself, with pauses.
  return new AwsKms(
    library,
    new library.KMSClient({ region, maxAttempts: 1, ...(endpoint === null ? {} : { endpoint }) }),
    tag,
  )
}

class AwsKms implements ListedKeys {
  readonly #library: Library
  readonly #client: KMSClient

  readonly #description: string

  constructor(library: Library, client: KMSClient, tag: string) {
    this.#library = library
    this.#description = `Holdfast account ${tag}`
    this.#client = client
  }

  async make(): Promise<ExternalKey> {
    const { CreateKeyCommand, GetPublicKeyCommand } = this.#library
    const abortSignal = AbortSignal.timeout(ANSWER_MS)
    try {
      const input = {
        KeySpec: 'ECC_NIST_EDWARDS25519',
        KeyUsage: 'SIGN_VERIFY',
        Description: this.#description,
      } as const
      const { KeyMetadata } = await this.#client.send(new CreateKeyCommand(input), { abortSignal })
      const name = KeyMetadata?.KeyId
      if (name === undefined) throw new Error('gave no key id')
      const { PublicKey } = await this.#client.send(new GetPublicKeyCommand({ KeyId: name }), { abortSignal })
      const publicKey = publicKeyOf(PublicKey)
      if (publicKey === null) throw new Error('gave no Ed25519 public key')
      return { v: 1, kept: 'aws-kms', address: encodeBase58(publicKey), name }
    } catch (error) {
      throw new KeyPlaceError('KEY_STORE_UNAVAILABLE', `KMS made no key: ${said(error)}`)
    }
  }

  signer({ address, name }: ExternalKey): RemoteSigner {
    return {
      address,
      remote: true,
      sign: async (message) => {
        const { SignCommand } = this.#library
        const question = {
          KeyId: name,
          Message: message,
          MessageType: 'RAW',
          SigningAlgorithm: 'ED25519_SHA_512',
        } as const
        try {
          const { Signature } = await this.#client.send(new SignCommand(question), {
            abortSignal: AbortSignal.timeout(ANSWER_MS),
          })
          if (Signature === undefined) throw new Error('gave no signature')
          return { kind: 'signed', signature: Signature }
        } catch (error) {
          const reason = `KMS did not sign with ${name}: ${said(error)}`
          if (error instanceof Error && FINAL.has(error.name)) return { kind: 'refused', reason }
          throw new Error(reason)
        }
      },
    }
  }

  async unknown(isKnown: (name: string) => boolean): Promise<string[]> {
    const { DescribeKeyCommand, ListKeysCommand } = this.#library
    const found: string[] = []
    const beganMs = Date.now()
    try {
      for (let Marker: string | undefined; ;) {
        const page = await this.#client.send(new ListKeysCommand({ ...(Marker === undefined ? {} : { Marker }) }))
        for (const { KeyId } of page.Keys ?? []) {
          if (KeyId === undefined || isKnown(KeyId)) continue
          const { KeyMetadata } = await this.#client.send(new DescribeKeyCommand({ KeyId }))
          const isOurs = KeyMetadata?.Description === this.#description
          const madeMs = KeyMetadata?.CreationDate?.getTime() ?? Infinity
          if (isOurs && madeMs < beganMs - YOUNG_MS) found.push(KeyId)
        }
        if (page.Truncated !== true || page.NextMarker === undefined) return found
        Marker = page.NextMarker
      }
    } catch (error) {
      throw new Error(`KMS does not list its keys: ${said(error)}`)
    }
  }

  close(): void {
    this.#client.destroy()
  }
}

function publicKeyOf(spki: Uint8Array | undefined): Buffer | null {
  const bytes = Buffer.from(spki ?? [])
  const isEd25519 = bytes.length === 44 && bytes.subarray(0, 12).toString('hex') === SPKI_PREFIX
  return isEd25519 ? bytes.subarray(12) : null
}

/** Leaves out the rest of the SDK's error objects (headers, request). */
function said(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'unknown failure'
}
