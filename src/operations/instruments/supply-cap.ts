// The member `maxSupply` of an instrument: at its creation, and as a change of the record.
import type { InstrumentContext } from '../../../machines/instrument-record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, NeededApprovals } from '../../contract/call.ts'
import { requirePolicyRole } from '../../contract/roles.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import type { Platform } from '../context/platform.ts'
import { rawUnits } from '../lookup/amounts.ts'
import type { NamedInstrument } from './named.ts'

const POINTER = '/itemData/maxSupply'

/**
 * Units of the mint's decimals, without the multiplier of displayed amounts, so that the limit does not change with the
 * multiplier.
 */
function rawCap(maxSupply: string, decimals: number): string {
  return Number(maxSupply) === 0 ? '0' : rawUnits(maxSupply, decimals, POINTER).toString()
}

/** Empty without a limit. Throws 400 `TOO_PRECISE`, `OVER_U64`. */
export function supplyCapOf(
  { maxSupply }: { readonly maxSupply?: string | undefined },
  decimals: number,
): Pick<InstrumentContext, 'maxSupply'> {
  return maxSupply === undefined ? {} : { maxSupply: rawCap(maxSupply, decimals) }
}

/**
 * A lower limit applies to every later mint; it may be below the supply, which it then freezes. A higher limit, or
 * none, loosens a protection: policies for MINT cover it as those for ACCOUNT_POLICY do. Returns what must be approved
 * before the change; null: it was made. Throws 403 `ROLE_REQUIRED`.
 */
export function limitSupply(
  { platform, call, unit }: { readonly platform: Platform; readonly call: Call; readonly unit: UnitOfWork },
  { entry, state }: NamedInstrument,
  asked: string | null,
): NeededApprovals | null {
  const maxSupply = asked === null ? null : rawCap(asked, state.context.decimals)
  const before = state.context.maxSupply ?? null
  if (maxSupply === before) return null
  if (isRaised(before, maxSupply)) {
    requirePolicyRole(call.caller, 'to raise or remove maxSupply', POINTER)
    const needed = neededApprovals(
      { platform, call },
      {
        operation: 'ACCOUNT_POLICY',
        tenant: state.tenant,
        organizations: [state.context.organization, call.organization],
        target: state.id,
        mint: state.context.address,
      },
    )
    if (needed !== null) return needed
  }
  unit.send<'instrument'>(entry, { type: 'command.limit', maxSupply })
  return null
}

function isRaised(before: string | null, next: string | null): boolean {
  if (before === null) return false
  return next === null || BigInt(next) > BigInt(before)
}
