// Who of those that must sign can sign now: keys in hand, keys of this service that the caller may use, and nobody else's.
import { addressKey, organizationKey } from '../../engine/index-keys.ts'
import { isHolding, type HoldingState } from '../../engine/record.ts'
import { SYSTEM_TENANT } from '../tenancy.ts'
import type { Call } from '../call.ts'
import type { Platform, Signer } from '../platform.ts'
import { forbidden } from '../refusal.ts'
import { holdingOf, mayPayFeesFor, maySignWith } from '../resolve/party.ts'
import type { Draft } from './draft.ts'

export interface RequiredSigner {
  readonly address: string
  readonly state: HoldingState | null
  /** null: not managed here, not the caller's to use, or not to be used now. */
  readonly signer: Signer | null
}

/** Throws 403 `FROZEN` when one of them is frozen, whoever asks. */
export function requiredSigners(
  platform: Platform,
  call: Call,
  draft: Pick<Draft, 'feePayer' | 'parties' | 'freshKeys'>,
  addresses: readonly string[],
): RequiredSigner[] {
  return addresses.map((address) => {
    const fresh = draft.freshKeys?.find((key) => key.address === address)
    if (fresh !== undefined) return { address, state: null, signer: fresh }
    const named = [draft.feePayer, ...draft.parties].filter((party) => party?.address === address)
    const state =
      named.map((party) => (party === null ? null : holdingOf(party))).find((found) => found !== null) ?? recordAt(platform, call, address)
    if (state === null) return { address, state, signer: null }
    checkNotFrozen(platform, state)
    const mayUse = address === draft.feePayer.address ? mayPayFeesFor(call, state) : maySignWith(call, state)
    const wanted = named.every((party) => party?.autoSign ?? true)
    const usable = mayUse && wanted && state.context.managed
    const { tenant, cluster, id } = state
    return { address, state, signer: usable ? platform.keys.signerFor({ tenant, cluster, id, address }) : null }
  })
}

/** An authority found by its address: the caller's own record of it, else any that the caller may sign with. */
function recordAt(platform: Platform, call: Call, address: string): HoldingState | null {
  const states = platform.engine.directory
    .find(addressKey(call.cluster, address))
    .map(({ head }) => head)
    .filter(isHolding)
  return states.find((state) => maySignWith(call, state)) ?? states[0] ?? null
}

/** The freeze switches of an administrator: the account's, its organization's, its tenant's, everybody's. */
export function checkNotFrozen(platform: Platform, state: HoldingState): void {
  const { directory } = platform.engine
  const switches = [state.context.organization, state.tenant, SYSTEM_TENANT]
  const frozen =
    state.context.frozenByOperator ||
    switches.some((organization) => directory.first(organizationKey(organization))?.head.value === 'frozen')
  if (frozen) throw forbidden('FROZEN', `nothing is signed with ${state.context.address}: it is frozen`)
}
