// Keys of location REMOTE: held by custodians, which sign over HTTP on request and never give the key away.
import { randomUUID } from 'node:crypto'
import { isAddress, signatureBytes } from '../../solana/address.ts'
import type { RemoteSignerSetting } from '../../config/remote-signers.ts'
import { KeyPlaceError, type ExternalKey, type RemoteKeys } from '../key-place.ts'
import { verifySignature } from '../keypair.ts'
import type { RemoteSigner, SignerAnswer, SigningSubject } from '../signer.ts'
import { isSignedCallback, type CallbackHeaders } from './callback.ts'
import { answerIn, askBody, askId, proofMessage, type SignerRequest, type KeyOwner } from './protocol.ts'
import { requestCustodian } from './request.ts'

/** Requests to one custodian at a time; further ones wait. */
const MAX_REQUESTS = 16

export interface CustodianKeyRequest {
  /** Code of the custodian. */
  readonly signer: string
  /** null: the custodian names the key. */
  readonly publicKey: string | null
  readonly owner: KeyOwner
}

export class Custodians implements RemoteKeys<CustodianKeyRequest> {
  readonly #signers: ReadonlyMap<string, RemoteSignerSetting>
  readonly #tag: string
  /** By code and id: a request that is repeated while it is under way is not sent again. */
  readonly #underway = new Map<string, Promise<SignerAnswer>>()
  readonly #lines = new Map<string, { free: number; readonly waiting: (() => void)[] }>()

  /** @param tag distinguishes this service from others */
  constructor(signers: readonly RemoteSignerSetting[], tag: string) {
    this.#signers = new Map(signers.map((each) => [each.code, each]))
    this.#tag = tag
  }

  async make({ signer: code, publicKey, owner }: CustodianKeyRequest): Promise<ExternalKey> {
    const setting = this.#signers.get(code)
    if (setting === undefined)
      throw new KeyPlaceError('REMOTE_SIGNER_UNKNOWN', `HOLDFAST_SIGNERS has no signer ${code}`)
    const address = publicKey ?? (await this.#assigned(setting, owner))
    await this.#prove(setting, address, owner)
    return { v: 1, kept: 'remote', address, name: code }
  }

  /** A custodian that is no longer configured is asked nothing; the transaction waits for the setting. */
  signer({ address, name: code }: Pick<ExternalKey, 'address' | 'name'>): RemoteSigner {
    return {
      address,
      remote: true,
      custodian: code,
      sign: async (message, _key, subject) => {
        if (subject === undefined) throw new Error('a custodian is asked only about a transaction')
        const setting = this.#signers.get(code)
        if (setting === undefined) throw new Error(`HOLDFAST_SIGNERS has no signer ${code}`)
        return await this.#ask(setting, { type: 'signature.requested', signer: code, address, message, subject })
      },
    }
  }

  /** True if the custodian signed the callback, and recently. */
  isCallback(code: string, headers: CallbackHeaders, body: string): boolean {
    const setting = this.#signers.get(code)
    return setting !== undefined && isSignedCallback(setting.secret, headers, body, Date.now() / 1_000)
  }

  /** The key that the custodian assigns to a new account. */
  async #assigned({ code, publicKeyUrl: url, secret }: RemoteSignerSetting, owner: KeyOwner): Promise<string> {
    if (url === null)
      throw new KeyPlaceError('PUBLIC_KEY_REQUIRED', `${code} has no publicKeyUrl, so publickKey is required`)
    const id = randomUUID()
    const { organization, cluster } = owner
    const body = JSON.stringify({
      type: 'key.requested',
      id,
      timestamp: new Date(Date.now()).toISOString(),
      signer: code,
      tenantOrganizationId: organization,
      chainClusterId: cluster,
    })
    const reply = await this.#inLine(code, () =>
      requestCustodian({ url, secret, id, body, timestamp: this.#seconds }),
    ).catch((error: unknown) => {
      throw unavailable(code, error)
    })
    if (reply.kind === 'unreached') throw unavailable(code, new Error(reply.reason))
    const { publicKey } = (reply.json ?? {}) as { readonly publicKey?: unknown }
    if (typeof publicKey !== 'string' || !isAddress(publicKey))
      throw unavailable(code, new Error('the answer has no publicKey'))
    return publicKey
  }

  /** Rejects unless the custodian signs, now, that the organization may use the key. */
  async #prove(setting: RemoteSignerSetting, address: string, owner: KeyOwner): Promise<void> {
    const { code } = setting
    const message = proofMessage(address, owner, this.#tag)
    const subject: SigningSubject = {
      organization: owner.organization,
      requestedBy: owner.organization,
      cluster: owner.cluster,
      account: { onchainId: address, offchainId: null },
      transaction: null,
      summary: [`Prove that ${owner.organization} may use the key ${address} on ${owner.cluster}`],
      lastValidBlockHeight: null,
    }
    const ask = { type: 'key.proof.requested', signer: code, address, message, subject } as const
    const answer = await this.#ask(setting, ask).catch((error: unknown) => {
      throw unavailable(code, error)
    })
    if (answer.kind === 'unreached') throw unavailable(code, new Error(answer.reason))
    if (answer.kind === 'refused')
      throw new KeyPlaceError('REMOTE_KEY_REFUSED', `${code} refuses the key: ${answer.reason}`)
    if (answer.kind === 'pending')
      throw new KeyPlaceError(
        'REMOTE_SIGNER_UNAVAILABLE',
        `${code} has not decided about the key yet: repeat the request with publickKey ${address}`,
      )
    if (!verifySignature(message, answer.signature, address))
      throw new KeyPlaceError('REMOTE_KEY_REFUSED', `${code} did not sign with the key ${address}`)
  }

  #ask(setting: RemoteSignerSetting, ask: SignerRequest): Promise<SignerAnswer> {
    const id = askId(ask.message, ask.address)
    const name = `${setting.code} ${id}`
    const known = this.#underway.get(name)
    if (known !== undefined) return known
    const asked = this.#inLine(setting.code, () => this.#send(setting, ask, id)).finally(() =>
      this.#underway.delete(name),
    )
    this.#underway.set(name, asked)
    return asked
  }

  async #send({ url, secret }: RemoteSignerSetting, ask: SignerRequest, id: string): Promise<SignerAnswer> {
    const timestamp = this.#seconds
    const body = askBody(ask, new Date(timestamp * 1_000).toISOString())
    const reply = await requestCustodian({ url, secret, id, body, timestamp })
    if (reply.kind === 'unreached') return reply
    const answer = answerIn(reply.json, id)
    if (answer === null) throw new Error('the answer of the signer is not to this request')
    if (answer.status === 'SIGNED') return { kind: 'signed', signature: signatureIn(answer.signature) }
    if (answer.status === 'REFUSED') return { kind: 'refused', reason: answer.reason, neverSigned: true }
    const { retryAfterSeconds } = answer
    return { kind: 'pending', retryMs: retryAfterSeconds === null ? null : retryAfterSeconds * 1_000 }
  }

  get #seconds(): number {
    return Math.floor(Date.now() / 1_000)
  }

  /** Runs the request when fewer than MAX_REQUESTS of the custodian are under way. */
  async #inLine<T>(code: string, request: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(code) ?? { free: MAX_REQUESTS, waiting: [] }
    this.#lines.set(code, line)
    if (line.free > 0) line.free -= 1
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await request()
    } finally {
      const next = line.waiting.shift()
      if (next === undefined) line.free += 1
      else next()
    }
  }
}

function signatureIn(text: string): Uint8Array {
  try {
    return signatureBytes(text)
  } catch {
    throw new Error('the signature of the answer is not base58 of 64 bytes')
  }
}

function unavailable(code: string, error: unknown): KeyPlaceError {
  const reason = error instanceof Error ? error.message : 'unknown failure'
  return new KeyPlaceError('REMOTE_SIGNER_UNAVAILABLE', `${code}: ${reason}`)
}
