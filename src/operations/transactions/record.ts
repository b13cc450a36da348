// Builds the fixed part of a transaction record: everything the message determines, written once.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Debit } from '../../../machines/debit-limits.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { CompiledMessage } from '../../solana/message.ts'
import type { Context } from '../context/platform.ts'
import { checkRoomForRequest, organizationsAsked } from '../lookup/signing-requests.ts'
import { referenceIn } from '../lookup/party.ts'
import type { BookEntries } from './books.ts'
import type { AdapterChange } from './draft.ts'
import type { Lifetime } from './lifetime.ts'
import { sharingOf } from './shared-call.ts'

export interface EvaluatedMessage {
  readonly records: RecordIndex
  readonly message: CompiledMessage
  /** SHA-256 of the message, hex. */
  readonly hash: string
  readonly lifetime: Lifetime
  readonly feePayer: AccountRef
  readonly feeLamports: bigint
  readonly unitLimit: number | null
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint
  /** Every account of the message, including those from lookup tables. */
  readonly keys: readonly string[]
  readonly effects: readonly Effect[]
  readonly books: BookEntries
  readonly rents: ReadonlyMap<string, bigint>
  readonly debits: readonly Debit[]
  /** Replaces the reference of the call. */
  readonly externalReference?: string | undefined
  readonly itemReferences?: readonly string[] | undefined
  readonly referenceOfItem?: readonly (number | null)[] | undefined
  readonly adapter?: { readonly change: AdapterChange; readonly transactionId: string } | undefined
}

export function fixedPart({ call }: Context, evaluated: EvaluatedMessage, preparedAt: string): TransactionFixed {
  const {
    records,
    message,
    hash,
    lifetime,
    feePayer,
    feeLamports,
    unitLimit,
    unitPrice,
    keys,
    effects,
    books,
    rents,
    debits,
    adapter,
  } = evaluated
  const { itemReferences = sharingOf(call).itemReferences ?? [], referenceOfItem } = evaluated
  const externalReference = call.externalReference ?? evaluated.externalReference
  const references = new Map<string, AccountRef>()
  const refer = (address: string): AccountRef => {
    const known = references.get(address)
    if (known !== undefined) return known
    const reference = referenceIn(records, call, address)
    references.set(address, reference)
    return reference
  }
  const waitsFor = organizationsAsked(records, call, message.signers, adapter?.change.signs)
  checkRoomForRequest(records, call, waitsFor)
  return {
    endpoint: call.endpoint,
    organization: call.organization,
    feePayer,
    fee: feeLamports.toString(),
    accounts: keys.map(refer),
    instructions: effects.map(({ type, programId }) => ({ type, programId })),
    version: message.version,
    lifetime: lifetime.nonce === null ? 'RECENT_BLOCKHASH' : 'DURABLE_NONCE',
    blockhash: lifetime.blockhash,
    blockhashSlot: lifetime.slot,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    nonceAccount: lifetime.nonce?.account ?? null,
    messageHash: hash,
    message: Buffer.from(message.bytes).toString('base64'),
    computeUnitsLimit: unitLimit,
    computeUnitPrice: unitPrice === 0n ? null : unitPrice.toString(),
    signers: message.signers.map((address) => signerAt(records, call.cluster, refer(address))),
    entries: [...books.entries(), ...(adapter === undefined ? [] : entriesOfAdapter(adapter))],
    ...(adapter === undefined ? {} : { adapter: { signs: [...adapter.change.signs] } }),
    ...(rents.size === 0
      ? {}
      : { rents: Object.fromEntries([...rents].map(([address, lamports]) => [address, lamports.toString()])) }),
    ...(debits.length === 0 ? {} : { debits }),
    ...(waitsFor.length === 0 ? {} : { waitsFor }),
    preparedAt,
    requestedBy: call.caller.keyId,
    ...(externalReference === undefined ? {} : { externalReference }),
    ...(itemReferences.length === 0 ? {} : { itemReferences }),
    ...(referenceOfItem === undefined ? {} : { referenceOfItem }),
  }
}

function entriesOfAdapter({
  change,
  transactionId,
}: NonNullable<EvaluatedMessage['adapter']>): TransactionFixed['entries'] {
  return change.entries(transactionId).map((entry) => ({ ...entry, vouched: true }))
}

/**
 * A signer refers to the record that has its key, even of another tenant: its owner finds the signing request by this
 * reference.
 */
function signerAt(records: RecordIndex, cluster: string, own: AccountRef): AccountRef {
  if (own.id !== null) return own
  const { address } = own
  const heads = records.atAddress(cluster, address).map(({ head }) => head)
  // Any tenant may record an address; only the record that has the key is referred to.
  return { address, id: heads.find((head) => isHolding(head) && head.context.managed)?.id ?? null }
}
