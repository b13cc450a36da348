// Binds the approval of a batch to its items: the hash of the instructions that an item was approved with. If lookups,
// amounts or authorities have changed since then, the hash differs and the item is refused.
import { createHash } from 'node:crypto'
import { ASSOCIATED_TOKEN_PROGRAM } from '../../solana/address.ts'
import type { Instruction } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Draft } from '../transactions/draft.ts'

/** Placeholder for a key that the item generates, because each plan of the item generates another key. */
const GENERATED = 'generated'

/**
 * SHA-256, hex. Openings of associated token accounts do not count: another item may have opened the account, and its
 * address follows from owner and mint.
 */
export function intentOfDraft({ instructions, freshKeys = [] }: Draft): string {
  const fresh = new Set(freshKeys.map(({ address }) => address))
  const hash = createHash('sha256')
  for (const { program, accounts, data } of instructions.filter(isBinding)) {
    const places = accounts.map(({ address }) => (fresh.has(address) ? GENERATED : address))
    hash.update(`\n${program} ${places.join(' ')}\n${Buffer.from(data).toString('hex')}`)
  }
  return hash.digest('hex')
}

function isBinding({ program }: Instruction): boolean {
  return program !== ASSOCIATED_TOKEN_PROGRAM
}

/** Throws 400 `APPROVED_OTHERWISE`. */
export function checkAsApproved(approved: string, intent: string): void {
  if (approved !== intent)
    throw badRequest(
      'APPROVED_OTHERWISE',
      'the item would do something else than what was approved: create it again',
      '/itemData',
    )
}
