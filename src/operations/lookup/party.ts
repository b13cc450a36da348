// A party of a request: an address, with the record behind it when it is onboarded.
import type { Directory } from '../../engine/index/directory.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { escrowKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { Refusal } from '../../contract/refusal.ts'

export interface Party {
  readonly address: string
  /** null: not onboarded. */
  readonly entry: Entry | null
  /** false: the caller does not want this account's key used now. */
  readonly autoSign: boolean
  /** Another tenant's account that accepts no requests: the refusal where its signature is needed. */
  readonly unlessSigner?: Refusal
}

export function holdingOf(party: Party): HoldingState | null {
  return party.entry === null ? null : holdingState(party.entry)
}

export function holdingState(entry: Entry): HoldingState {
  if (!isHolding(entry.head)) throw new Error(`record ${entry.head.id} stands at no address`)
  return entry.head
}

/** The caller sees the record itself: its organization owns it, or it is shared across tenants. */
export function maySee(call: Call, state: HoldingState): boolean {
  return (state.tenant === call.tenant && state.context.organization === call.organization) || state.context.shared
}

/** `maySee`, and what is held in escrow is seen by the organization that lent on it, too. */
export function mayRead(directory: Directory, call: Call, state: HoldingState): boolean {
  if (maySee(call, state)) return true
  const owner = state.kind === 'position' ? state.context.owner.address : state.context.address
  const loan = ofKind(directory.first(escrowKey(state.cluster, owner))?.head, 'loan')
  // Anybody can note the address of an escrow: the record of the borrower's tenant is meant.
  if (loan === undefined || loan.tenant !== state.tenant) return false
  const { lender } = loan.context
  return lender.tenant === call.tenant && lender.organization === call.organization
}

/** The caller may have the record's key sign: its organization owns it, or was named by the owner. */
export function maySignWith(call: Pick<Call, 'tenant' | 'organization'>, state: HoldingState): boolean {
  return (
    (state.tenant === call.tenant && state.context.organization === call.organization) ||
    (state.context.orgsAllowedToSignWithPrivateKey?.includes(call.organization) ?? false)
  )
}

/** The account pays fees of the organization, whoever asks: it pays fees at all, or was made to pay for this organization. */
export function paysFeesOf(organization: string, { context }: HoldingState): boolean {
  return context.canPayFees || isGlobalFor(organization, context)
}

/** The caller may have it pay fees of its own transactions. */
export function mayPayFeesFor(call: Pick<Call, 'tenant' | 'organization'>, state: HoldingState): boolean {
  return isGlobalFor(call.organization, state.context) || (state.context.canPayFees && maySignWith(call, state))
}

function isGlobalFor(organization: string, { globalFeePayerForOrgs }: HoldingState['context']): boolean {
  return globalFeePayerForOrgs?.includes(organization) ?? false
}
