// The request to a tenant of another cell, as JSON. It is stored with the transaction until the tenant has answered,
// and sent to the node that owns that cell, which reads the chain state for its checks itself.
import { messageHash } from '../../../solana/message.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { CosignAsker } from '../../../engine/records/codec.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { GivenSignature } from '../../../../machines/transactions/countersignature.ts'
import { limitedAs, limitingOf } from '../../authorization/limits/again.ts'
import type { CountersignRequest } from './request.ts'

type Fixed = CountersignRequest['fixed']

export interface CountersignQuestion extends CosignAsker {
  /** The requested tenant, and its addresses whose signatures are needed. */
  readonly owner: string
  readonly addresses: readonly string[]
  readonly transactionId: string
  readonly cluster: string
  /** Tenant of the transaction. */
  readonly home: string
  /** Base64. */
  readonly message: string
  readonly keys: readonly string[]
  readonly fixed: Fixed
}

/** Asks owners in other cells. All reject with the owner's Refusal, or with 503 `TENANT_UNAVAILABLE`. */
export interface OtherCellOwners {
  /** Resolves if the owner would sign now. Nothing is changed. */
  consent(question: CountersignQuestion): Promise<void>
  /** Resolves if the message, which the owner has signed, may still be sent. Nothing is changed. */
  allowSending(question: CountersignQuestion): Promise<void>
  /**
   * Resolves with the signatures that the owner has so far, durable there; a remote signer of the owner may take long.
   * May be repeated: the owner signs one message of a transaction only, always with the same signatures.
   */
  countersign(question: CountersignQuestion): Promise<readonly LentSignature[]>
}

/** State of one signature at the owner. JSON. */
export interface LentSignature extends GivenSignature {
  /** Present while the remote signer of the key has not answered: time until the next request; null: not stated. */
  readonly pendingMs?: number | null
  /** Reason why the remote signer refuses to sign. */
  readonly refused?: string
}

/** The part of a request that the record of the transaction does not contain. */
export function askerOf({
  asker,
  effects,
  isMade,
  exempt,
  loan,
  vouched,
  elsewhere,
  at,
}: CountersignRequest): CosignAsker {
  const { tenant, organization, caller } = asker
  const limiting = limitingOf({ effects, isMade, exempt, loan })
  return {
    asker: {
      tenant,
      organization,
      caller: {
        ...caller,
        roles: [...caller.roles],
        clusters: caller.clusters === null ? null : [...caller.clusters],
      },
    },
    ...(limiting === undefined ? {} : { limiting }),
    ...(vouched === undefined ? {} : { vouched: [...vouched] }),
    ...(elsewhere === undefined ? {} : { elsewhere: [...elsewhere] }),
    at,
  }
}

/** The question about a transaction that is not recorded yet. */
export function questionOf(
  request: CountersignRequest,
  owner: string,
  addresses: readonly string[],
): CountersignQuestion {
  const { transactionId, cluster, home, message, keys, fixed } = request
  return {
    ...{ owner, addresses, transactionId, cluster, home, keys },
    ...askerOf(request),
    message: Buffer.from(message.bytes).toString('base64'),
    fixed: shared(fixed),
  }
}

/** The question about a recorded transaction that waits for the signatures. */
export function questionAbout(
  { id, cluster, tenant, context: { fixed } }: RecordState<'transaction'>,
  asker: CosignAsker,
  { owner, addresses }: Pick<CountersignQuestion, 'owner' | 'addresses'>,
): CountersignQuestion {
  const { message, accounts } = fixed
  const keys = accounts.map(({ address }) => address)
  return { ...asker, owner, addresses, transactionId: id, cluster, home: tenant, message, keys, fixed: shared(fixed) }
}

/** @param chain reads for the owner. Throws `TypeError` if the message does not have the stated hash. */
export function requestOf(question: CountersignQuestion, chain: CountersignRequest['chain']): CountersignRequest {
  const { transactionId, cluster, home, keys, fixed, asker, limiting, vouched, elsewhere, at } = question
  const message = parseMessage(Buffer.from(question.message, 'base64'))
  if (messageHash(message.bytes) !== fixed.messageHash) throw new TypeError('the hash is of another message')
  const { roles, clusters } = asker.caller
  return {
    ...{ transactionId, cluster, home, message, keys, fixed, chain, at },
    asker: {
      ...asker,
      caller: { ...asker.caller, roles: new Set(roles), clusters: clusters === null ? null : new Set(clusters) },
    },
    effects: classify(message, keys),
    ...limitedAs({ ...(limiting === undefined ? {} : { limiting }), ...(fixed.rents && { rents: fixed.rents }) }),
    vouched: vouched === undefined ? undefined : new Set(vouched),
    elsewhere: elsewhere === undefined ? undefined : new Set(elsewhere),
  }
}

function shared({
  entries,
  organization,
  feePayer,
  fee,
  computeUnitsLimit,
  computeUnitPrice,
  messageHash,
  blockhash,
  blockhashSlot,
  lastValidBlockHeight,
  nonceAccount,
  rents,
}: Fixed): Fixed {
  return {
    ...{ entries, organization, feePayer, fee, computeUnitsLimit, computeUnitPrice, messageHash, blockhash },
    ...{ blockhashSlot, lastValidBlockHeight, nonceAccount },
    ...(rents === undefined ? {} : { rents }),
  }
}
