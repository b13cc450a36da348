// A party of a request: an address and, if the address is on record, its record. Also the reference that other records
// store for an address, and the rights of a caller over a record: read, sign, pay fees.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { escrowKey } from '../../engine/index/index-keys.ts'
import { type HoldingState, type RecordState, isHolding, ofKind } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { recordIndexOf } from './request-records.ts'
import { ownRecordsAt } from './whose-records.ts'
import type { Context, Platform } from '../context/platform.ts'

export interface Party {
  readonly address: string
  /** null: no record. */
  readonly entry: Entry | null
  /** false: the caller asks not to use the key of this account now. */
  readonly autoSign: boolean
  /**
   * Set for an account of another tenant. Called if its signature is needed; null: its organization accepts signing
   * requests. Throws `NotAtHand`.
   */
  readonly unlessSigner?: () => Refusal | null
}

export function holdingOf(party: Party): HoldingState | null {
  return party.entry === null ? null : holdingState(party.entry)
}

export function holdingState(entry: Entry): HoldingState {
  if (!isHolding(entry.head)) throw new Error(`record ${entry.head.id} has no address`)
  return entry.head
}

/**
 * True if the caller sees the whole record: its organization owns the record, or the record is shared across tenants.
 */
export function maySee(call: Call, state: HoldingState): boolean {
  return (state.tenant === call.tenant && state.context.organization === call.organization) || state.context.shared
}

/**
 * As `maySee`; the organizations of the lender and of the borrowing account may also read the records of the escrow of
 * their loan.
 */
export function mayRead(directory: RecordIndex, call: Call, state: HoldingState): boolean {
  if (maySee(call, state)) return true
  // Of the records of other cells, only that of the escrow itself is available: it was fetched with its address
  // (`request-records.ts`). A stranger's record therefore takes no longer than no record.
  const entry =
    state.kind === 'position'
      ? directory.firstOwn(escrowKey(state.cluster, state.context.owner.address))
      : directory.first(escrowKey(state.cluster, state.context.address))
  const loan = ofKind(entry?.head, 'loan')
  // Any tenant can create a record of the escrow's address. Only the record of the borrower's tenant counts.
  if (loan === undefined || loan.tenant !== state.tenant) return false
  return isLender(call, loan) || ownsBorrower(call, loan)
}

export function isLender(call: Pick<Call, 'tenant' | 'organization'>, { context }: RecordState<'loan'>): boolean {
  const { lender } = context
  return lender.tenant === call.tenant && lender.organization === call.organization
}

/** True if the borrowing account is the caller's, and another organization has borrowed with it by a grant. */
export function ownsBorrower(call: Pick<Call, 'tenant' | 'organization'>, { context }: RecordState<'loan'>): boolean {
  const { owner } = context
  return owner !== undefined && owner.tenant === call.tenant && owner.organization === call.organization
}

/**
 * True if the caller may sign with the key of the record: its organization owns the record, or the owner has granted
 * it.
 */
export function maySignWith(call: Pick<Call, 'tenant' | 'organization'>, state: HoldingState): boolean {
  return (
    (state.tenant === call.tenant && state.context.organization === call.organization) ||
    (state.context.orgsAllowedToSignWithPrivateKey?.includes(call.organization) ?? false)
  )
}

/**
 * True if the account may pay fees of the organization, for any caller: it has `canPayFees`, or names the
 * organization in `globalFeePayerForOrgs`.
 */
export function paysFeesOf(organization: string, { context }: HoldingState): boolean {
  return context.canPayFees || isGlobalFor(organization, context)
}

/** True if the caller may use the account as fee payer of its own transactions. */
export function mayPayFeesFor(call: Pick<Call, 'tenant' | 'organization'>, state: HoldingState): boolean {
  return isGlobalFor(call.organization, state.context) || (state.context.canPayFees && maySignWith(call, state))
}

function isGlobalFor(organization: string, { globalFeePayerForOrgs }: HoldingState['context']): boolean {
  return globalFeePayerForOrgs?.includes(organization) ?? false
}

/** The address, with the id of the tenant's own record of it, if any. */
export function accountOf(
  platform: Platform,
  { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>,
  address: string,
): AccountRef {
  const [own] = ownRecordsAt(platform.engine.directory, tenant, cluster, address)
  return { address, id: own?.head.id ?? null }
}

/**
 * The address, with the id of the tenant's own record of it, or of a shared one. Records of other tenants are not used.
 */
export function referTo(context: Context, address: string): AccountRef {
  return referenceIn(recordIndexOf(context), context.call, address)
}

/** As `referTo`. */
export function referenceIn(
  records: RecordIndex,
  { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>,
  address: string,
): AccountRef {
  const heads = records.ownAtAddress(cluster, address).map(({ head }) => head)
  const record =
    heads.find((head) => head.tenant === tenant) ?? heads.find((head) => isHolding(head) && head.context.shared)
  return { address, id: record?.id ?? null }
}
