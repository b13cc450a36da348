/** What a transaction made elsewhere may not do with accounts of ours. */
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

export interface ForeignRules {
  readonly isManaged: (address: string) => boolean
  /** Programs the organization allows beside the table. */
  readonly allowedPrograms: ReadonlySet<string>
}

/** The first effect that a foreign transaction may not have, or null when it may go on to the ordinary checks. */
export function foreignRefusal(effects: readonly Effect[], rules: ForeignRules): Effect | null {
  for (const effect of effects) {
    if (effect.foreign === 'allowed') continue
    if (effect.foreign === 'unless-managed') {
      if (guarded(effect).some(rules.isManaged)) return effect
      continue
    }
    const allowed = effect.kind === 'refused' && effect.reason === 'PROGRAM_NOT_ALLOWED' && rules.allowedPrograms.has(effect.programId)
    if (!allowed) return effect
  }
  return null
}
