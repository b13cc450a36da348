// The same request under a new blockhash: only while nothing is signed, so that it cannot happen twice.
import { serializeMessage } from '../../chain/compile.ts'
import { messageHash } from '../../chain/message.ts'
import { parseMessage } from '../../chain/parse.ts'
import type { Entry } from '../../engine/entry.ts'
import type { RecordState } from '../../engine/record.ts'
import type { UnitOfWork } from '../../engine/unit-of-work.ts'
import type { Blockhash, ClusterAccess, Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { transactionOf } from '../transact/launch.ts'

/** True when the cluster is known to be past the last block the message is good for. */
export function hasPassed(cluster: ClusterAccess, { context }: RecordState<'transaction'>): boolean {
  const height = cluster.blockHeight()
  const last = context.fixed.lastValidBlockHeight
  return height !== null && last !== null && height > last
}

export function rebuild(platform: Platform, unit: UnitOfWork, entry: Entry, fresh: Blockhash): void {
  const { tenant, cluster, id, context } = transactionOf(entry)
  const { fixed } = context
  const bytes = serializeMessage({ ...parseMessage(Buffer.from(fixed.message, 'base64')), blockhash: fresh.blockhash })
  const hash = messageHash(bytes)
  if (platform.engine.store.transactionOfMessage(cluster, hash) !== undefined) {
    throw badRequest('MESSAGE_TAKEN', 'another transaction has this very message: try again in a moment', '/itemData/transaction')
  }
  unit.tell<'transaction'>(entry, {
    type: 'command.rebuild',
    fixed: {
      ...fixed,
      blockhash: fresh.blockhash,
      blockhashSlot: fresh.slot,
      lastValidBlockHeight: fresh.lastValidBlockHeight,
      message: Buffer.from(bytes).toString('base64'),
      messageHash: hash,
    },
  })
  unit.also(tenant, { type: 'message', tenant, cluster, hash, transactionId: id })
}
