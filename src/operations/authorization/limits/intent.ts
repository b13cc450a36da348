// What an approval is bound to: who pays, and every instruction with its accounts and data. How long the message may land and its compute
// budget are left out, for a message that waited is made anew under another blockhash.
import { createHash } from 'node:crypto'
import type { CompiledMessage } from '../../../solana/message.ts'
import type { Effect } from '../../../solana/table/effect.ts'

/** SHA-256, hex. @param keys every account of the message in the order instructions count them */
export function intentOf(message: CompiledMessage, keys: readonly string[], effects: readonly Effect[]): string {
  const hash = createHash('sha256').update(message.signers[0] ?? '')
  for (const [index, instruction] of message.instructions.entries()) {
    if (isLifetimeOrBudget(effects[index], index)) continue
    const place = [instruction.programIndex, ...instruction.accountIndexes].map((at) => keys[at] ?? '').join(' ')
    hash.update(`\n${place}\n${Buffer.from(instruction.data).toString('hex')}`)
  }
  return hash.digest('hex')
}

function isLifetimeOrBudget(effect: Effect | undefined, index: number): boolean {
  return effect?.kind === 'computeLimit' || effect?.kind === 'computePrice' || (effect?.kind === 'nonceAdvance' && index === 0)
}
