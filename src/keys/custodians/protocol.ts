// Requests to custodians and their answers. The same request is sent until there is an answer that ends it, so its id
// is the same for the same message and key.
import { createHash } from 'node:crypto'
import { addressBytes } from '../../solana/address.ts'
import type { SigningSubject } from '../signer.ts'

/** An answer of a custodian, in the response to a request or in a callback. */
export type CustodianAnswer =
  | { readonly status: 'SIGNED'; readonly signature: string }
  | { readonly status: 'PENDING'; readonly retryAfterSeconds: number | null }
  | { readonly status: 'REFUSED'; readonly reason: string }

/** Why a signature is requested. */
export type AskType = 'signature.requested' | 'key.proof.requested'

const MAX_REASON_CHARACTERS = 500
const MAX_RETRY_SECONDS = 3_600
const CONTROL = /[\p{Cc}\p{Cs}]/gu
const OFFCHAIN_DOMAIN = Buffer.from('\xffsolana offchain', 'latin1')

/** SHA-256 over the message and the public key, hex. */
export function askId(message: Uint8Array, address: string): string {
  return createHash('sha256').update(message).update(addressBytes(address)).digest('hex')
}

export interface SignerRequest {
  readonly type: AskType
  readonly signer: string
  readonly address: string
  readonly message: Uint8Array
  readonly subject: SigningSubject
}

/** The body of a request. Deterministic except for the timestamp. */
export function askBody({ type, signer, address, message, subject }: SignerRequest, at: string): string {
  const { organization, requestedBy, cluster, account, transaction, summary, lastValidBlockHeight } = subject
  return JSON.stringify({
    type,
    id: askId(message, address),
    timestamp: at,
    signer,
    publicKey: address,
    message: Buffer.from(message).toString('base64'),
    summary,
    tenantOrganizationId: organization,
    requestedByOrganizationId: requestedBy,
    chainClusterId: cluster,
    account,
    transaction,
    lastValidBlockHeight,
  })
}

/** Null: the value is no answer to the request with this id. */
export function answerIn(value: unknown, id: string): CustodianAnswer | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { id: about, status, signature, reason, retryAfterSeconds } = value as Record<string, unknown>
  if (about !== id) return null
  if (status === 'SIGNED') return typeof signature === 'string' ? { status, signature } : null
  if (status === 'REFUSED')
    return { status, reason: typeof reason === 'string' ? shortened(reason) : 'no reason was given' }
  if (status !== 'PENDING') return null
  const isPause = typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
  return { status, retryAfterSeconds: isPause ? Math.min(retryAfterSeconds, MAX_RETRY_SECONDS) : null }
}

function shortened(reason: string): string {
  return reason.replace(CONTROL, ' ').slice(0, MAX_REASON_CHARACTERS)
}

export interface KeyOwner {
  /** External id of the organization of the account. */
  readonly organization: string
  readonly cluster: string
}

/**
 * The message by whose signature a custodian shows that the organization may use the key: an off-chain message of
 * Solana, whose first byte no transaction can have. The same for the same key and owner, so that a custodian that asks
 * people can answer a repeated request.
 */
export function proofMessage(address: string, { organization, cluster }: KeyOwner, tag: string): Uint8Array {
  const text = Buffer.from(
    JSON.stringify({ holdfast: 'key proof', service: tag, organization, cluster, publicKey: address }),
  )
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  // Version 0, format 1 (UTF-8, at most 1232 bytes).
  return Buffer.concat([OFFCHAIN_DOMAIN, Buffer.from([0, 1]), length, text])
}
