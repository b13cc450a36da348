// Signature statuses, the history of an address, and transactions. A transaction is returned at `finalized` only once
// its slot is final; statuses give the level of each.

import type { Bank, Commitment, LedgerTransaction, SignatureStatus } from '../../contract.ts'
import { settledCommitment, viewOf, withContext } from '../context.ts'
import { encodedTransaction, memoLine, transactionEncodingOf, transactionFormOf } from '../encode/transaction.ts'
import { invalidParams, minContextSlotNotReached } from '../error.ts'
import type { MethodTable } from '../method.ts'
import { addressOf, arrayOf, booleanOf, configAt, optionalCount, requireCount, signatureOf } from '../params.ts'
import type { Params } from '../params.ts'

const MAX_STATUSES = 256
const MAX_HISTORY = 1000

export function historyMethods(bank: Bank): MethodTable {
  return {
    getSignatureStatuses: (params) => {
      requireCount(params, 1)
      const texts = arrayOf(params[0])
      if (texts.length > MAX_STATUSES) throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`)
      const signatures = texts.map(signatureOf)
      const history = booleanOf(configAt(params, 1)['searchTransactionHistory'], false)
      const statuses = signatures.map((signature) => statusMember(bank.signatureStatus(signature, history)))
      return withContext(bank.slot('processed'), statuses)
    },
    getSignaturesForAddress: (params) => signaturesForAddress(bank, params),
    getTransaction: (params) => {
      requireCount(params, 1)
      const signature = signatureOf(params[0])
      // The second parameter may be just the name of an encoding.
      const config =
        typeof params[1] === 'string' ? { encoding: transactionEncodingOf(params[1]) } : configAt(params, 1)
      const form = transactionFormOf(config)
      const commitment = settledCommitment(config['commitment'])
      const transaction = bank.transaction(signature)
      if (transaction === null || transaction.slot > bank.slot(commitment)) return null
      return { blockTime: transaction.blockTime, slot: transaction.slot, ...encodedTransaction(transaction, form) }
    },
  }
}

function statusMember(status: SignatureStatus | null): unknown {
  if (status === null) return null
  return {
    confirmationStatus: status.confirmationStatus,
    confirmations: status.confirmations,
    err: status.error,
    slot: status.slot,
    status: status.error === null ? { Ok: null } : { Err: status.error },
  }
}

function signaturesForAddress(bank: Bank, params: Params): unknown {
  requireCount(params, 1)
  const address = addressOf(params[0])
  const config = configAt(params, 1)
  const limit = optionalCount(config['limit']) ?? MAX_HISTORY
  if (limit === 0 || limit > MAX_HISTORY) throw invalidParams(`Invalid limit; max ${MAX_HISTORY}`)
  const before = optionalSignature(config['before'])
  const until = optionalSignature(config['until'])
  const commitment = settledCommitment(config['commitment'])
  const least = optionalCount(config['minContextSlot'])
  const slot = viewOf(bank, { commitment }).slot
  if (least !== undefined && slot < least) throw minContextSlotNotReached(slot)
  return settledHistory(bank, address, { limit, before, until, lastSlot: slot }).map((transaction) =>
    historyMember(bank, transaction),
  )
}

function optionalSignature(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : signatureOf(value)
}

interface HistoryQuery {
  readonly limit: number
  readonly before: string | undefined
  readonly until: string | undefined
  readonly lastSlot: number
}

// The newest entries may be in slots that are not final yet. They are omitted, and the page is filled with older ones.
function settledHistory(bank: Bank, address: Uint8Array, query: HistoryQuery): LedgerTransaction[] {
  const transactions: LedgerTransaction[] = []
  let before = query.before
  while (transactions.length < query.limit) {
    const missing = query.limit - transactions.length
    const page = bank.signaturesForAddress(address, {
      limit: missing,
      ...(before === undefined ? {} : { before }),
      ...(query.until === undefined ? {} : { until: query.until }),
    })
    for (const transaction of page) if (transaction.slot <= query.lastSlot) transactions.push(transaction)
    if (page.length < missing) break
    before = page.at(-1)?.signature
  }
  return transactions
}

function historyMember(bank: Bank, transaction: LedgerTransaction): unknown {
  const confirmationStatus: Commitment = transaction.slot <= bank.slot('finalized') ? 'finalized' : 'confirmed'
  return {
    blockTime: transaction.blockTime,
    confirmationStatus,
    err: transaction.error,
    memo: memoLine(transaction),
    signature: transaction.signature,
    slot: transaction.slot,
  }
}
