// The memos of a transaction: the texts that its message attaches to it on chain.
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { classify } from '../../../solana/table/classify.ts'
import { memoPrograms } from '../../../solana/table/compute-budget.ts'

/** The source of the memos. The row of an evicted transaction has the memos, but not the message. */
type Described = Pick<TransactionFixed, 'instructions' | 'message' | 'accounts'> & {
  readonly memos?: readonly string[]
}

const PROGRAMS: ReadonlySet<string> = new Set(memoPrograms.map(({ program }) => program))
const NONE: readonly string[] = []

/** By `fixed` of the transaction. A message never changes, so its memos are cached while its record is in memory. */
const cache = new WeakMap<object, readonly string[]>()

export function memosOf(fixed: Described): readonly string[] {
  if (fixed.memos !== undefined) return fixed.memos
  if (!fixed.instructions.some(({ programId }) => PROGRAMS.has(programId))) return NONE
  const cached = cache.get(fixed)
  if (cached !== undefined) return cached
  const keys = fixed.accounts.map(({ address }) => address)
  const memos = classify(parseMessage(Buffer.from(fixed.message, 'base64')), keys).flatMap((effect) =>
    effect.kind === 'memo' ? [effect.text] : [],
  )
  cache.set(fixed, memos)
  return memos
}
