// The hash that binds an approval to a message: the fee payer, and each instruction with its accounts and data.
// Blockhash or nonce advance and compute budget are excluded, because a message that waited is rebuilt with another
// blockhash.
import { hash } from 'node:crypto'
import type { CompiledMessage } from '../../../solana/message.ts'
import { LOADED_BYTES_TYPE } from '../../../solana/table/compute-budget.ts'
import type { Effect } from '../../../solana/table/effect.ts'

/**
 * SHA-256, hex.
 * @param keys every account of the message, in the order of the instructions' account indexes
 */
export function intentOf(message: CompiledMessage, keys: readonly string[], effects: readonly Effect[]): string {
  let text = message.signers[0] ?? ''
  for (const [index, instruction] of message.instructions.entries()) {
    if (isLifetimeOrBudget(effects[index], index)) continue
    const place = [instruction.programIndex, ...instruction.accountIndexes].map((at) => keys[at] ?? '').join(' ')
    text += `\n${place}\n${Buffer.from(instruction.data).toString('hex')}`
  }
  return hash('sha256', text)
}

function isLifetimeOrBudget(effect: Effect | undefined, index: number): boolean {
  return (
    effect?.kind === 'computeLimit' ||
    effect?.kind === 'computePrice' ||
    effect?.type === LOADED_BYTES_TYPE ||
    (effect?.kind === 'nonceAdvance' && index === 0)
  )
}
