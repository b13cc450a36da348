// Whose rent a fee payer of another organization pays: it is returned there when the account is closed, so nobody else may be able to take it.
import type { Effect } from '../../solana/table/effect.ts'
import { isHolding } from '../../engine/records/record.ts'
import { addressKey } from '../../engine/index/index-keys.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import { canComeToSign } from '../lookup/signing-requests.ts'
import { Control, type ControlGround } from './control.ts'

export interface RentGround extends Omit<ControlGround, 'tenant' | 'cluster'> {
  /** Lamports that go into accounts whose instruction does not say how many. */
  readonly rents: ReadonlyMap<string, bigint>
  /** True of an address whose record is made, or grows, along with the message. */
  readonly isMade: (address: string, associated?: boolean) => boolean
}

/** Throws 400 `RENT_NOT_COVERED`. @param call who asks for the message */
export function checkRentCovered(call: Pick<Call, 'tenant' | 'organization' | 'cluster'>, ground: RentGround): void {
  const control = new Control({ ...ground, tenant: call.tenant, cluster: call.cluster })
  for (const effect of ground.effects) {
    const paid = rentOf(effect, ground)
    if (paid === undefined || !isOfAnother(call, ground, paid.payer) || control.isRentHeldHere(paid.account)) continue
    throw badRequest(
      'RENT_NOT_COVERED',
      `the rent of ${paid.account} could be taken out by others: the fee payer of another organization pays only for accounts that keys of this tenant control`,
      '/chainTransactionConfig/feePayer',
    )
  }
}

interface PaidRent {
  readonly payer: string
  readonly account: string
}

/** undefined: the instruction pays none. */
function rentOf(effect: Effect, { rents, isMade }: RentGround): PaidRent | undefined {
  switch (effect.kind) {
    case 'create':
      return effect.lamports > 0n ? effect : undefined
    case 'createAssociated':
      return (rents.get(effect.account) ?? 0n) > 0n ? effect : undefined
    case 'table':
      return effect.payer === null || (rents.get(effect.table) ?? 0n) === 0n ? undefined : { payer: effect.payer, account: effect.table }
    case 'lamports':
      return isMade(effect.to) ? { payer: effect.from, account: effect.to } : undefined
    default:
      return undefined
  }
}

/** Its key is kept for another organization, and not for the caller's too. One that cannot come to sign for the caller pays nothing. */
function isOfAnother(call: Pick<Call, 'tenant' | 'organization' | 'cluster'>, { directory }: RentGround, payer: string): boolean {
  const kept = directory
    .find(addressKey(call.cluster, payer))
    .flatMap(({ head }) => (isHolding(head) && canComeToSign(directory, call, head) ? [head.context.organization] : []))
  return kept.length > 0 && !kept.includes(call.organization)
}
