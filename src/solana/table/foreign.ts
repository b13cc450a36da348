/** Effects on managed accounts that a transaction made elsewhere must not have. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../address.ts'
import type { Effect } from './effect.ts'

/**
 * The accounts that must not be managed for an `unless-managed` effect to be allowed: the changed accounts and the
 * consenting signers. Signers count because a managed key would grant a right over an account, whether or not that
 * account is onboarded.
 */
function guarded(effect: Effect): readonly string[] {
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
 * Signers after the authority of a Token-2022 transfer. If the mint has a transfer hook, the hook program receives
 * these accounts with their signatures and can use them freely; it receives the authority itself without its signature.
 * Token has no hooks.
 */
export function lentSigners(effect: Effect): readonly string[] {
  if (effect.kind !== 'tokens' || effect.program !== TOKEN_2022_PROGRAM) return []
  const { from, to, mint, authority, signers } = effect
  return effect.further.filter(
    (each) => signers.includes(each) && each !== authority && each !== from && each !== to && each !== mint,
  )
}

/** Accounts that would no longer be owned by the System program, or no longer be controlled by their own key. */
function takenOver(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'create':
      return effect.owner === SYSTEM_PROGRAM && effect.space === 0n ? [] : [effect.account]
    case 'assign':
      return effect.owner === SYSTEM_PROGRAM ? [] : [effect.account]
    case 'allocate':
    case 'initializeAccount':
    case 'initializeMultisig':
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
  /**
   * Wallets must remain wallets, and an address whose key is managed is what its record says: every decision about them
   * assumes that only their key can spend.
   */
  readonly isFixed: (address: string) => boolean
  /** Programs that the organization allows in addition to the table. */
  readonly allowedPrograms: ReadonlySet<string>
}

/**
 * The first effect that a transaction made elsewhere must not have, or null when it may proceed to the ordinary checks.
 */
export function foreignRefusal(effects: readonly Effect[], rules: ForeignRules): Effect | null {
  for (const effect of effects) {
    if (takenOver(effect).some(rules.isFixed)) return effect
    if (effect.foreign === 'allowed') {
      if (lentSigners(effect).some(rules.isManaged)) return effect
      continue
    }
    if (effect.foreign === 'unless-managed') {
      if (guarded(effect).some(rules.isManaged)) return effect
      continue
    }
    const allowed =
      effect.kind === 'refused' &&
      effect.reason === 'PROGRAM_NOT_ALLOWED' &&
      rules.allowedPrograms.has(effect.programId)
    if (!allowed) return effect
  }
  return null
}
