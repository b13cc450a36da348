// Keys in the transit engine of HashiCorp Vault (or OpenBao): created there, never exportable; the engine signs over
// HTTP on request.
import { randomUUID } from 'node:crypto'
import { encodeBase58 } from '../solana/base58.ts'
import type { Secret } from '../config/secret.ts'
import { KeyPlaceError, type ExternalKey, type ListedKeys } from './key-place.ts'
import { limitedText } from './limited-answer.ts'
import type { RemoteSigner } from './signer.ts'

const ANSWER_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024
/** The list names all keys of the engine. */
const LIST = 'keys?list=true'
const MAX_LIST_BYTES = 32 * 1024 * 1024
const PREFIX = 'holdfast-'

export interface TransitSettings {
  /** URL without `/v1`. */
  readonly url: string
  readonly token: Secret<string>
  /** Path of the transit engine. */
  readonly mount: string
  /** Part of the names of this service's keys, and of no other service's. */
  readonly tag: string
}

interface Answer {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
}

export class VaultTransit implements ListedKeys {
  readonly #settings: TransitSettings
  /** Keys requested by this process: their records may still be in progress. */
  readonly #made = new Set<string>()

  constructor(settings: TransitSettings) {
    this.#settings = settings
  }

  async make(): Promise<ExternalKey> {
    const name = `${this.#prefix}${randomUUID()}`
    this.#made.add(name)
    try {
      const made = await this.#ask('POST', `keys/${name}`, {
        type: 'ed25519',
        exportable: false,
        allow_plaintext_backup: false,
      })
      if (made.status >= 300) throw new Error(`answered ${made.status}`)
      const { status, data } = await this.#ask('GET', `keys/${name}`)
      if (status !== 200) throw new Error(`answered ${status}`)
      const publicKey = publicKeyOf(data)
      if (publicKey === null) throw new Error('gave no Ed25519 public key')
      return { v: 1, kept: 'vault', address: encodeBase58(publicKey), name }
    } catch (error) {
      throw new KeyPlaceError('KEY_STORE_UNAVAILABLE', `the vault made no key: ${(error as Error).message}`)
    }
  }

  async unknown(isKnown: (name: string) => boolean): Promise<string[]> {
    const { status, data } = await this.#ask('GET', LIST)
    // The engine has no keys at all.
    if (status === 404) return []
    if (status !== 200 || !Array.isArray(data['keys'])) throw new Error(`the vault does not list its keys (${status})`)
    return data['keys'].filter(
      (name): name is string =>
        typeof name === 'string' && name.startsWith(this.#prefix) && !this.#made.has(name) && !isKnown(name),
    )
  }

  /** Always uses the first version of the key: a rotated key would have another address. */
  signer({ address, name }: ExternalKey): RemoteSigner {
    return {
      address,
      remote: true,
      sign: async (message) => {
        const input = Buffer.from(message).toString('base64')
        const { status, data } = await this.#ask('POST', `sign/${name}`, { input, key_version: 1 })
        if (status === 400 || status === 404)
          return { kind: 'refused', reason: `the vault refuses to sign with ${name} (${status})` }
        const signature = /^vault:v1:([A-Za-z0-9+/=]+)$/.exec(String(data['signature']))?.[1]
        if (status !== 200 || signature === undefined) throw new Error(`the vault answered ${status}`)
        return { kind: 'signed', signature: Buffer.from(signature, 'base64') }
      },
    }
  }

  get #prefix(): string {
    return `${PREFIX}${this.#settings.tag}-`
  }

  /** Error messages never contain the token. */
  async #ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const { url, token, mount } = this.#settings
    const response = await fetch(`${url}/v1/${mount}/${path}`, {
      method,
      headers: { 'x-vault-token': token.reveal(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      throw new Error(`cannot be reached (${(error as Error).name})`)
    })
    const text = await limitedText(
      response,
      path === LIST ? MAX_LIST_BYTES : MAX_ANSWER_BYTES,
      'the answer of the vault',
    )
    const answer = (text === '' ? {} : parsed(text)) as { data?: unknown }
    const { data } = answer
    return { status: response.status, data: typeof data === 'object' && data !== null ? (data as Answer['data']) : {} }
  }
}

function publicKeyOf({ type, keys }: Answer['data']): Buffer | null {
  const first = (keys as Readonly<Record<string, { readonly public_key?: unknown }>> | undefined)?.['1']
  if (type !== 'ed25519' || typeof first?.public_key !== 'string') return null
  const bytes = Buffer.from(first.public_key, 'base64')
  return bytes.length === 32 ? bytes : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return {}
  }
}
