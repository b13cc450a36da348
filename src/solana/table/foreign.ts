/** What a transaction made elsewhere may not do with accounts of ours. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../address.ts'
import type { Effect } from './effect.ts'

/**
 * The accounts that must not be ours for an `unless-managed` effect to pass: what is changed, and who consents. Consent counts as
 * well, because a key of ours would be signing a right over something away, whether or not that thing is onboarded.
 */
export function guarded(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'assign':
    case 'allocate':
      return [effect.account, ...effect.signers, ...(effect.base === null ? [] : [effect.base])]
    case 'approve':
    case 'authority':
      return [effect.account, effect.authority, ...effect.signers]
    case 'nonceAuthorize':
      return [effect.nonce, effect.authority, ...effect.signers]
    default:
      return effect.signers
  }
}

/**
 * Signers behind the authority of a Token-2022 transfer. If the mint has a transfer hook, its program is handed them with their
 * signatures, and can do with those accounts what it likes; the authority itself it gets without. Token has no hooks.
 */
export function lentSigners(effect: Effect): readonly string[] {
  if (effect.kind !== 'tokens' || effect.program !== TOKEN_2022_PROGRAM) return []
  const { from, to, mint, authority, signers } = effect
  return effect.further.filter((each) => signers.includes(each) && each !== authority && each !== from && each !== to && each !== mint)
}

/** Accounts that would not be the System program's, or would not be their own key's to move, any more. */
function takenOver(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'create':
      return effect.owner === SYSTEM_PROGRAM && effect.space === 0n ? [] : [effect.account]
    case 'assign':
      return effect.owner === SYSTEM_PROGRAM ? [] : [effect.account]
    case 'allocate':
    case 'initializeAccount':
      return [effect.account]
    case 'initializeMint':
      return [effect.mint]
    case 'nonceInitialize':
      return [effect.nonce]
    default:
      return []
  }
}

export interface ForeignRules {
  readonly isManaged: (address: string) => boolean
  /** Wallets stay wallets: everything that is decided about them rests on their key alone being able to spend. */
  readonly isWallet: (address: string) => boolean
  /** Programs the organization allows beside the table. */
  readonly allowedPrograms: ReadonlySet<string>
}

/** The first effect that a foreign transaction may not have, or null when it may go on to the ordinary checks. */
export function foreignRefusal(effects: readonly Effect[], rules: ForeignRules): Effect | null {
  for (const effect of effects) {
    if (takenOver(effect).some(rules.isWallet)) return effect
    if (effect.foreign === 'allowed') {
      if (lentSigners(effect).some(rules.isManaged)) return effect
      continue
    }
    if (effect.foreign === 'unless-managed') {
      if (guarded(effect).some(rules.isManaged)) return effect
      continue
    }
    const allowed = effect.kind === 'refused' && effect.reason === 'PROGRAM_NOT_ALLOWED' && rules.allowedPrograms.has(effect.programId)
    if (!allowed) return effect
  }
  return null
}
