// Waits for a transaction: polls its status until it has reached the commitment or can no longer reach it.
import { TransactionEnded, TransactionPending } from './errors.ts'
import { pause } from './retries.ts'
import type { Transaction } from './types.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'
export type TransactionIds = { readonly offchainId: string } | { readonly onchainId: string }

const REACHED: Readonly<Record<Commitment, readonly Transaction['status'][]>> = {
  processed: ['PROCESSED', 'CONFIRMED', 'FINALIZED'],
  confirmed: ['CONFIRMED', 'FINALIZED'],
  finalized: ['FINALIZED'],
}
const ENDED: readonly Transaction['status'][] = ['BLOCKCHAIN_ERROR', 'NON_BLOCKCHAIN_ERROR', 'CANCELLED', 'EXPIRED']
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 2_000

export async function waitFor(
  ask: () => Promise<Transaction>,
  commitment: Commitment = 'confirmed',
  timeoutMs = 90_000,
  signal?: AbortSignal,
): Promise<Transaction> {
  const until = performance.now() + timeoutMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, waitMs * 1.5)) {
    const transaction = await ask()
    if (REACHED[commitment].includes(transaction.status)) return transaction
    if (ENDED.includes(transaction.status)) throw new TransactionEnded(transaction, transaction.errorMessage)
    const leftMs = until - performance.now()
    if (leftMs <= 0) throw new TransactionPending(transaction)
    await pause(Math.min(waitMs, leftMs), signal)
  }
}
