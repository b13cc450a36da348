// Submission: from bytes to a recorded transaction or a rejection in one synchronous step, then the wait for the disk.
// A message runs once, with whatever signatures; a rejected transaction leaves no trace.

import { createPublicKey, hash, verify } from 'node:crypto'
import { toKeyedAccount } from './accounts.ts'
import { encodeBase58 } from './base58.ts'
import { writableKeys, type Chain } from './chain.ts'
import type { KeyedAccount, SendOutcome } from './contract.ts'
import { feeOf } from './fees.ts'
import { NO_LOADED_KEYS } from './lookups.ts'
import type { Change } from './runtime.ts'
import { isSane, parseTransaction, signatureAt, type WireTransaction } from './wire.ts'

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')
const SYSTEM_OWNER = new Uint8Array(32)

/**
 * Whether all signatures of a sane transaction are valid. The engine checks transactions that it runs; this function is
 * for those it does not run.
 */
export function areSigned(transaction: WireTransaction): boolean {
  const { message, signatureCount } = transaction
  for (let i = 0; i < signatureCount; i += 1) {
    try {
      const der = Buffer.concat([SPKI_ED25519, Buffer.from(message.keys[i]!, 'latin1')])
      const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
      if (!verify(null, message.bytes, key, signatureAt(transaction, i))) return false
    } catch {
      return false
    }
  }
  return true
}

function changedAccount({ key, after }: Change): KeyedAccount {
  if (after) return toKeyedAccount(after)
  return {
    address: Buffer.from(key, 'latin1'),
    account: { lamports: 0n, owner: SYSTEM_OWNER, data: new Uint8Array(0), executable: false },
  }
}

const refused = (error: string): SendOutcome => ({ kind: 'refused', error, logs: [] })

/**
 * Runs and records `bytes`. Resolves when the outcome is durable; a rejection is immediate. Never rejects because of
 * client bytes.
 */
export function submit(chain: Chain, bytes: Uint8Array): SendOutcome | Promise<SendOutcome> {
  try {
    return run(chain, bytes)
  } catch (error) {
    // The engine may now be ahead of the records.
    chain.fail(error)
    return new Promise(() => undefined)
  }
}

function run(chain: Chain, bytes: Uint8Array): SendOutcome | Promise<SendOutcome> {
  const transaction = parseTransaction(bytes)
  if ('malformed' in transaction) return { kind: 'malformed', reason: transaction.malformed }
  if (!isSane(transaction)) return refused('SanitizeFailure')
  const { message } = transaction
  chain.poll()
  const signature = encodeBase58(signatureAt(transaction, 0))
  const messageHash = hash('sha256', message.bytes, 'binary')
  const ranAs = chain.recent.ranAs(messageHash)
  if (ranAs !== null) {
    if (ranAs !== signature && !areSigned(transaction)) return refused('SignatureFailure')
    // A duplicate is reported only when the first run is on disk.
    return new Promise((resolve) => chain.ledger.group.whenDurable(() => resolve({ kind: 'duplicate', signature })))
  }
  const lifetime = chain.runtime.lifetime(message)
  if (!lifetime) return refused('BlockhashNotFound')
  const loaded = chain.loadedKeys(message)
  if (typeof loaded === 'string') return refused(loaded)
  const fee = feeOf(message)
  const writable = writableKeys(message, loaded)
  const { included, error, changes, result } = chain.runtime.execute(transaction, lifetime, writable, fee.lamports)
  if (!included) return { kind: 'refused', error: error ?? 'SanitizeFailure', logs: result.logs }

  const { timeline, history, recent } = chain
  const slot = timeline.openSlot
  const keys = loaded === NO_LOADED_KEYS ? message.keys : [...message.keys, ...loaded.writable, ...loaded.readonly]
  const { row, block } = chain.book.enter({
    transaction,
    signature,
    loaded,
    keys,
    error,
    result,
    changes,
    feeLamports: fee.lamports,
    slot,
    time: timeline.timeOf(slot) ?? 0,
  })
  history.add(row, block)
  recent.add(
    signature,
    messageHash,
    { slot, error, location: row.location },
    {
      height: timeline.openHeight,
      paid: {
        price: fee.price,
        writable,
      },
    },
  )
  chain.undo?.add(slot, changes, row)
  return new Promise((resolve) => {
    chain.ledger.group.whenDurable(() => {
      history.durable = row.location
      if (chain.isHeard) chain.emit({ type: 'transaction', transaction: row, changed: changes.map(changedAccount) })
      resolve({ kind: 'executed', signature, slot, error })
    })
  })
}
