// The fixed part of a transaction's record: everything its message decides, written once.
import { addressKey } from '../../engine/index-keys.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { TransactionFixed } from '../../../machines/transaction-record.ts'
import type { Effect } from '../../chain/table/effect.ts'
import type { CompiledMessage } from '../../chain/message.ts'
import type { Call } from '../call.ts'
import type { Blockhash, Platform } from '../platform.ts'
import type { Books } from './books.ts'

export interface Judged {
  readonly message: CompiledMessage
  /** SHA-256 of the message, hex. */
  readonly hash: string
  readonly blockhash: Blockhash
  readonly feePayer: AccountRef
  readonly feeLamports: bigint
  readonly unitLimit: number | null
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint
  /** Every account of the message, looked-up ones included. */
  readonly keys: readonly string[]
  readonly effects: readonly Effect[]
  readonly books: Books
}

export function fixedPart(platform: Platform, call: Call, judged: Judged, preparedAt: string): TransactionFixed {
  const { message, hash, blockhash, feePayer, feeLamports, unitLimit, unitPrice, keys, effects, books } = judged
  const refer = (address: string): AccountRef => referTo(platform, call.cluster, address)
  return {
    endpoint: call.endpoint,
    organization: call.organization,
    feePayer,
    fee: feeLamports.toString(),
    accounts: keys.map(refer),
    instructions: effects.map(({ type, programId }) => ({ type, programId })),
    version: message.version,
    lifetime: 'RECENT_BLOCKHASH',
    blockhash: blockhash.blockhash,
    blockhashSlot: blockhash.slot,
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    nonceAccount: null,
    messageHash: hash,
    message: Buffer.from(message.bytes).toString('base64'),
    computeUnitsLimit: unitLimit,
    computeUnitPrice: unitPrice === 0n ? null : unitPrice.toString(),
    signers: message.signers.map(refer),
    entries: books.entries(),
    preparedAt,
    requestedBy: call.caller.keyId,
  }
}

/** An address with the id of its record, if it has one. */
export function referTo(platform: Platform, cluster: string, address: string): AccountRef {
  return { address, id: platform.engine.directory.first(addressKey(cluster, address))?.head.id ?? null }
}
