// The signing secrets of webhooks (Standard Webhooks 1.0): 32 random bytes, shown as `whsec_` and their base64. At rest
// they are sealed like private keys, under a data key of their own, bound to their webhook.
import { createHmac, randomBytes } from 'node:crypto'
import { open, seal } from './aead.ts'
import type { KeyWrapper } from './vault.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The webhook that the secrets belong to. */
export interface WebhookReference {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}

/** A secret (as shown) and until when it signs (ISO 8601); null: without end. */
export interface WebhookSecret {
  readonly secret: string
  readonly until: string | null
}

/** JSON-safe, ciphertext only. */
interface SealedSecrets {
  readonly v: 1
  readonly masterKeyId: string
  /** The wrapped data key. */
  readonly dek: string
  /** JSON of the secrets, sealed under the data key. */
  readonly secrets: string
}

export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** `v1,` and the base64 of HMAC-SHA256 over the text. */
export function signWebhook(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

export class WebhookSecrets {
  readonly #wrapper: KeyWrapper
  /** Null: nobody asks. */
  #resealed: Set<string> | null = null

  constructor(wrapper: KeyWrapper) {
    this.#wrapper = wrapper
  }

  seal(reference: WebhookReference, secrets: readonly WebhookSecret[]): SealedSecrets {
    const dataKey = randomBytes(32)
    const masterKeyId = this.#wrapper.id
    this.#resealed?.add(nameOf(reference))
    try {
      const dek = this.#wrapper.wrap(dataKey, contextOf(reference, masterKeyId))
      return {
        v: 1,
        masterKeyId,
        dek,
        secrets: seal(dataKey, Buffer.from(JSON.stringify(secrets)), contextOf(reference)),
      }
    } finally {
      dataKey.fill(0)
    }
  }

  /** Throws when the row is not the intact row of the webhook under a known master key. */
  open(reference: WebhookReference, row: unknown): readonly WebhookSecret[] {
    const { masterKeyId, dek, secrets } = row as SealedSecrets
    const dataKey = this.#wrapper.unwrap(dek, contextOf(reference, masterKeyId), masterKeyId)
    const plain = dataKey === null ? null : open(dataKey, secrets, contextOf(reference))
    dataKey?.fill(0)
    if (plain === null) throw new Error(`The stored secrets of webhook ${reference.id} cannot be opened`)
    try {
      return JSON.parse(plain.toString('utf8')) as WebhookSecret[]
    } finally {
      plain.fill(0)
    }
  }

  /** From now on `isResealed` says of what `seal` was called. */
  noteResealed(): void {
    this.#resealed = new Set()
  }

  isResealed(reference: WebhookReference): boolean {
    return this.#resealed?.has(nameOf(reference)) === true
  }

  forgetResealed(): void {
    this.#resealed = null
  }

  /**
   * The row with its data key wrapped under the current master key; null when it already is. Throws when it does not
   * unwrap.
   */
  rewrap(reference: WebhookReference, row: unknown): SealedSecrets | null {
    const sealed = row as SealedSecrets
    const masterKeyId = this.#wrapper.id
    if (sealed.masterKeyId === masterKeyId) return null
    const dataKey = this.#wrapper.unwrap(sealed.dek, contextOf(reference, sealed.masterKeyId), sealed.masterKeyId)
    if (dataKey === null) throw new Error(`The stored secrets of webhook ${reference.id} cannot be opened`)
    const dek = this.#wrapper.wrap(dataKey, contextOf(reference, masterKeyId))
    dataKey.fill(0)
    return { ...sealed, masterKeyId, dek }
  }
}

function nameOf({ tenant, cluster, id }: WebhookReference): string {
  return JSON.stringify([tenant, cluster, id])
}

function contextOf({ tenant, cluster, id }: WebhookReference, ...more: string[]): Buffer {
  return Buffer.from(JSON.stringify(['holdfast webhook secrets 1', tenant, cluster, id, ...more]))
}
