// The request to a tenant of another cell, as JSON: it is stored with the transaction until the tenant has answered,
// and sent to the owner of that cell, who reads from the chain what it needs to know of it.
import { messageHash } from '../../../solana/message.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { CosignAsker } from '../../../engine/records/codec.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { GivenSignature } from '../../../../machines/countersignature.ts'
import { limitedAs, limitingOf } from '../../authorization/limits/again.ts'
import type { CountersignRequest } from './request.ts'

type Fixed = CountersignRequest['fixed']

export interface CountersignQuestion extends CosignAsker {
  /** The tenant that is asked, and its addresses whose signatures are needed. */
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

/** Asks owners in other cells. Both reject with the owner's Refusal, or with 503 `TENANT_UNAVAILABLE`. */
export interface OwnersElsewhere {
  /** Resolves if the owner would sign now. Nothing is changed. */
  consent(question: CountersignQuestion): Promise<void>
  /**
   * The signatures, durable at the owner, as far as they are given: of a key that a remote signer keeps it may take
   * long. May be repeated: one message of one transaction is signed, with the same signatures.
   */
  countersign(question: CountersignQuestion): Promise<readonly LentSignature[]>
}

/** What the owner has of a signature. JSON. */
export interface LentSignature extends GivenSignature {
  /** The remote signer that keeps the key has not answered: when to ask again; null: it does not say. */
  readonly pendingMs?: number | null
  /** It refuses to sign, for this reason. */
  readonly refused?: string
}

/** What of a request the transaction itself does not hold. */
export function askerOf({ asker, effects, isMade, exempt, loan, vouched, at }: CountersignRequest): CosignAsker {
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
    at,
  }
}

/** Before the transaction is recorded. */
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

/** Of a transaction on record that waits for the signatures. */
export function questionAbout(
  { id, cluster, tenant, context: { fixed } }: RecordState<'transaction'>,
  asker: CosignAsker,
  { owner, addresses }: Pick<CountersignQuestion, 'owner' | 'addresses'>,
): CountersignQuestion {
  const { message, accounts } = fixed
  const keys = accounts.map(({ address }) => address)
  return { ...asker, owner, addresses, transactionId: id, cluster, home: tenant, message, keys, fixed: shared(fixed) }
}

/** @param chain reads for the owner. Throws `TypeError` for a message that is not the one named by its hash. */
export function requestOf(question: CountersignQuestion, chain: CountersignRequest['chain']): CountersignRequest {
  const { transactionId, cluster, home, keys, fixed, asker, limiting, vouched, at } = question
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
