// Authorities over a token account other than its owner, in the terms of its record.
import type { TokenAccount } from '../../solana/token-layout.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { OtherAuthorities } from '../../../machines/position.ts'

/**
 * null: neither a close authority nor a delegate other than the owner.
 * @param refer returns the address with the id of its record
 */
export function otherAuthorities(
  { owner, closeAuthority, delegate }: Pick<TokenAccount, 'owner' | 'closeAuthority' | 'delegate'>,
  refer: (address: string) => AccountRef,
): OtherAuthorities | null {
  const other = (address: string | null): AccountRef | null =>
    address === null || address === owner ? null : refer(address)
  const [closes, moves] = [other(closeAuthority), other(delegate)]
  return closes === null && moves === null ? null : { closeAuthority: closes, delegate: moves }
}

export function sameAuthorities(a: OtherAuthorities | null | undefined, b: OtherAuthorities | null): boolean {
  if (a === undefined || a === null || b === null) return a === b
  return a.closeAuthority?.address === b.closeAuthority?.address && a.delegate?.address === b.delegate?.address
}
