// Effects of single instructions on who controls an account.
import type { Effect } from '../../solana/table/effect.ts'

/** True if the instruction initialises the account at the address as an account of a program. */
export function initialises(effect: Effect, address: string): boolean {
  switch (effect.kind) {
    case 'initializeAccount':
      return effect.account === address
    case 'initializeMint':
      return effect.mint === address
    case 'nonceInitialize':
      return effect.nonce === address
    case 'table':
      return effect.action === 'create' && effect.table === address
    default:
      return false
  }
}

/** The permanent delegates that the instruction sets on the mint. */
export function delegateGiven(effect: Effect, mint: string): readonly (string | null)[] {
  if (effect.kind === 'extension' && effect.mint === mint && effect.name === 'PERMANENT_DELEGATE')
    return [effect.authority]
  return effect.kind === 'authority' && effect.account === mint && effect.which === 'PERMANENT_DELEGATE'
    ? [effect.next]
    : []
}
