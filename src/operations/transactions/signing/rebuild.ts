// Rebuilds a message under a new blockhash or a free nonce. Only while nothing is signed, so that the request cannot
// take effect twice.
import { isMessageTaken, messageRow } from '../unique-message.ts'
import { serializeMessage } from '../../../solana/compile.ts'
import { messageHash, type CompiledMessage } from '../../../solana/message.ts'
import { parseMessage } from '../../../solana/parse.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import { underAnotherNonce } from '../nonces/renew.ts'
import { stateAt } from '../../lookup/whose-records.ts'
import { Needs } from '../../context/needs.ts'
import type { Blockhash, PlatformCluster, Platform, Context } from '../../context/platform.ts'
import { badRequest, busy } from '../../../contract/refusal.ts'
import { transactionOf } from '../submit.ts'

/** True if the cluster is known to be past the last valid block height of the message. */
export function hasPassed(cluster: PlatformCluster, { context }: RecordState<'transaction'>): boolean {
  const height = cluster.blockHeight()
  const last = context.fixed.lastValidBlockHeight
  return height !== null && last !== null && height > last
}

/**
 * True if the message needs a key that only this service has: without that signature an earlier version cannot have
 * landed. Throws `NotAtHand`.
 */
export function needsOurs(
  { engine: { directory } }: Platform,
  { cluster, context }: RecordState<'transaction'>,
): boolean {
  const isGeneratedHere = (address: string): boolean =>
    directory
      .atAddress(cluster, address)
      .some(({ head }) => isHolding(head) && head.context.managed && head.context.keyOrigin === 'service')
  return context.fixed.signers.some(({ address }) => isGeneratedHere(address))
}

/** Blockhashes that one request waits for because other transactions have its message. */
const MAX_AWAITED = 30

/** The blockhashes under which one request may rebuild a message. */
export class FreshBlockhashes {
  readonly #cluster: PlatformCluster
  readonly #first: Blockhash
  #awaited = 0

  /** @param first at most as old as that of a new message may be */
  constructor(cluster: PlatformCluster, first: Blockhash) {
    this.#cluster = cluster
    this.#first = first
  }

  latest(): Blockhash {
    return this.#cluster.currentBlockhash() ?? this.#first
  }

  /**
   * The need of a message that another transaction has under the blockhash `taken`: equal requests made at different
   * times may differ in nothing else. The rest of the message stays as it was approved. Gathering it throws 400
   * `MESSAGE_TAKEN` if that takes too long.
   */
  after(taken: string): Needs {
    const gather = async (): Promise<void> => {
      this.#awaited += 1
      const isOther = this.#awaited <= MAX_AWAITED && (await this.#cluster.blockhashAfter(taken)) !== null
      if (!isOther) throw messageTaken()
    }
    return new Needs({ what: `a blockhash after ${taken}`, gather, simulation: 'unchanged' })
  }
}

const messageTaken = () => busy('MESSAGE_TAKEN', 'another transaction has the same message', '/itemData/transaction')

/** Throws `Needs` if another transaction has the message; under a nonce 400 `MESSAGE_TAKEN`. */
export function rebuild({ platform, call }: Context, unit: UnitOfWork, entry: Entry, fresh: FreshBlockhashes): void {
  const transaction = transactionOf(entry)
  const { tenant, cluster, id, context } = transaction
  checkTables(platform, tenant, cluster, parseMessage(Buffer.from(context.fixed.message, 'base64')))
  const fixed =
    context.fixed.nonceAccount === null
      ? underBlockhash(context.fixed, fresh.latest())
      : underAnotherNonce({ platform, call }, transaction)
  const hash = fixed.messageHash
  const feePayer = fixed.signers[0]?.address ?? ''
  if (isMessageTaken(platform, { cluster, hash, feePayer }))
    throw fixed.nonceAccount === null ? fresh.after(fixed.blockhash) : messageTaken()
  unit.send<'transaction'>(entry, { type: 'command.rebuild', fixed })
  unit.also(tenant, messageRow(platform, { tenant, cluster, id }, { hash, feePayer }))
}

function underBlockhash(
  fixed: TransactionFixed,
  { blockhash, slot, lastValidBlockHeight }: Blockhash,
): TransactionFixed {
  const bytes = serializeMessage({ ...parseMessage(Buffer.from(fixed.message, 'base64')), blockhash })
  const message = Buffer.from(bytes).toString('base64')
  return { ...fixed, blockhash, blockhashSlot: slot, lastValidBlockHeight, message, messageHash: messageHash(bytes) }
}

/**
 * Under a new blockhash the message would refer to tables that are being deactivated or are closed. Throws 400
 * `LOOKUP_TABLE_ENDED`.
 */
function checkTables(
  { engine: { directory } }: Platform,
  tenant: string,
  cluster: string,
  { lookups }: CompiledMessage,
): void {
  for (const { table } of lookups) {
    const state = stateAt(directory, { tenant, organization: null }, cluster, { address: table, kind: 'lookupTable' })
    if (state?.value === 'deactivating' || state?.value === 'closed')
      throw badRequest(
        'LOOKUP_TABLE_ENDED',
        `lookup table ${table} is deactivated: create the transaction again`,
        '/itemData/transaction',
      )
  }
}
