// Limits the rent that a fee payer of another organization pays. The rent returns to the payer when the account is
// closed, so no one else may be able to take it out.
import type { Effect } from '../../solana/table/effect.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import { ownStateAt } from '../lookup/whose-records.ts'
import { canComeToSign } from '../lookup/signing-requests.ts'
import { Control, type ControlDependencies } from './control.ts'
import { owedRent } from './rent-return.ts'

export interface RentInputs extends Omit<ControlDependencies, 'tenant' | 'cluster' | 'isOfAnyCell'> {
  /** Lamports paid into accounts whose instruction does not state the amount. */
  readonly rents: ReadonlyMap<string, bigint>
  /** True if the record of the address is created, or its account grows, with this message. */
  readonly isMade: (address: string, associated?: boolean) => boolean
}

/**
 * Throws 400 `RENT_NOT_COVERED`.
 * @param call the caller that requests the message
 */
export function checkRentCovered(call: Pick<Call, 'tenant' | 'organization' | 'cluster'>, inputs: RentInputs): void {
  const { directory, effects, chain } = inputs
  const control = new Control({ directory, tenant: call.tenant, cluster: call.cluster, effects, chain })
  for (const effect of effects) {
    checkNotHandedOn(effect, call, directory, control)
    const paid = rentOf(effect, inputs)
    if (paid === undefined || !isOfAnother(call, inputs, paid.payer)) continue
    if (!paid.isStated) checkReturns(paid, call, directory)
    if (control.isRentHeldHere(paid.account)) continue
    throw badRequest(
      'RENT_NOT_COVERED',
      `keys outside this tenant could withdraw the rent of ${paid.account}: a fee payer of another organization pays only for accounts that this tenant controls`,
      '/chainTransactionConfig/feePayer',
    )
  }
}

/**
 * An account that exists, or that another transaction is to create: it may be closed, or that transaction may not land,
 * before this message creates it. Its rent then returns to the payer that its record names.
 */
function checkReturns(
  { payer, account }: PaidRent,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  directory: RentInputs['directory'],
): void {
  const state = ownStateAt(directory, tenant, cluster, account)
  if (state !== undefined && owedRent(state)?.payer === payer) return
  throw badRequest(
    'RENT_NOT_COVERED',
    `the rent of ${account} would not return to ${payer} of another organization, which would pay it if the account does not exist by then`,
    '/chainTransactionConfig/feePayer',
  )
}

/** A new authority that could close the account would be paid the rent. */
function checkNotHandedOn(
  effect: Effect,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  directory: RentInputs['directory'],
  control: Control,
): void {
  if (effect.kind !== 'authority' || effect.next === null || !CLOSES.has(effect.which)) return
  const state = ownStateAt(directory, tenant, cluster, effect.account)
  const owed = state === undefined ? null : owedRent(state)
  if (owed === null || control.isHeldHere(effect.next)) return
  throw badRequest(
    'RENT_NOT_COVERED',
    `${effect.next} could withdraw the rent of ${effect.account}, which is owed to ${owed.payer} of another organization`,
    '/itemData',
  )
}

/** Authorities that receive the rent. A nonce authority cannot be replaced here. */
const CLOSES: ReadonlySet<string> = new Set(['ACCOUNT_OWNER', 'CLOSE_ACCOUNT', 'CLOSE_MINT'])

interface PaidRent {
  readonly payer: string
  readonly account: string
  /** False: it is paid only if the account does not exist when the message lands. */
  readonly isStated: boolean
}

const stated = (payer: string, account: string): PaidRent => ({ payer, account, isStated: true })

/** undefined if the instruction pays no rent. */
function rentOf(effect: Effect, { rents, isMade }: RentInputs): PaidRent | undefined {
  switch (effect.kind) {
    case 'create':
      return effect.lamports > 0n ? stated(effect.payer, effect.account) : undefined
    case 'createAssociated': {
      const isStated = (rents.get(effect.account) ?? 0n) > 0n
      return { payer: effect.payer, account: effect.account, isStated }
    }
    case 'table':
      return effect.payer === null || (rents.get(effect.table) ?? 0n) === 0n
        ? undefined
        : stated(effect.payer, effect.table)
    case 'lamports':
      return isMade(effect.to) ? stated(effect.from, effect.to) : undefined
    default:
      return undefined
  }
}

/**
 * True if the payer's key is held for another organization and not also for the caller's. A payer that cannot sign for
 * the caller does not count.
 */
function isOfAnother(
  call: Pick<Call, 'tenant' | 'organization' | 'cluster'>,
  { directory }: RentInputs,
  payer: string,
): boolean {
  const organizations = directory
    .atAddress(call.cluster, payer)
    .flatMap(({ head }) => (isHolding(head) && canComeToSign(directory, call, head) ? [head.context.organization] : []))
  return organizations.length > 0 && !organizations.includes(call.organization)
}
