// Removes slots, a fault for tests: undoes the newest non-final slots the way an abandoned fork does. Accounts return
// to their earlier state, the messages are forgotten (they may run again), the blockhashes become invalid.

import type { Chain } from './chain.ts'
import { chunkOf, bytesKey, numberKey, PREFIX } from './commit.ts'
import type { LedgerRow } from './row-read.ts'

const signatureKey = (row: LedgerRow): Buffer => bytesKey(PREFIX.signature, row.bytes.toString('latin1', 1, 65))

/**
 * Removes the open slot and up to `count - 1` closed, non-final ones before it. Resolves, when this is durable, with
 * the signatures of the removed transactions.
 */
export function forkAway(chain: Chain, count: number): Promise<readonly string[]> {
  const { undo, ledger, accounts, timeline } = chain
  if (!undo) throw new Error('faults are off')
  chain.poll()
  // In a batch of its own, after all batches that it undoes.
  ledger.seal()
  const slots = timeline.forkAway(Math.max(1, count))
  const signatures = chain.recent.forget(slots)
  const group = ledger.group
  let transactions = 0
  for (const { slot, before, rows } of undo.take(slots)) {
    const heads = new Map<string, number>()
    for (const row of rows.toReversed()) for (const key of row.keys) heads.set(key, row.previousOf(key) ?? 0)
    for (const [key, account] of before) {
      group.account(key, accounts.get(key), account)
      accounts.set(key, account)
      chain.runtime.restore(key, account)
    }
    for (const [key, head] of heads) {
      accounts.setHead(key, head)
      const account = accounts.get(key)
      if (account) group.account(key, account, account)
      group.head(key, head, null)
    }
    const chunks = new Set(rows.map((row) => chunkOf(row.location)))
    for (const chunk of chunks) group.remove(numberKey(PREFIX.chunk, chunk))
    for (const row of rows) group.remove(signatureKey(row))
    group.remove(numberKey(PREFIX.block, slot))
    chain.history.forget(rows, [slot])
    transactions += rows.length
  }
  chain.book.uncount(transactions)
  const { openSlot } = timeline
  return new Promise((resolve) => {
    group.whenDurable(() => {
      chain.emit({ type: 'forked', slot: openSlot, signatures })
      chain.emit({ type: 'slot', slot: openSlot, parent: timeline.parentSlot, root: timeline.rootSlot })
      resolve(signatures)
    })
    ledger.seal()
  })
}
