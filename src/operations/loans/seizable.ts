// Determines the collateral that a liquidation can seize now. Collateral that its issuer has frozen or paused cannot be
// moved, and must not prevent the seizure of the rest.
import { ofKind } from '../../engine/records/record.ts'
import type { Lender, LoanBooks, Pledge } from '../../../machines/lending/loan-books.ts'
import type { Platform } from '../context/platform.ts'
import { refreshFrozen } from '../holdings/freezing.ts'
import { instrumentOf } from '../lookup/instrument.ts'

/** The books with the collateral that can be moved; with all of it if none can, so that a refusal names the reason. */
export function seizableBooks<Books extends Pick<LoanBooks, 'lender' | 'pledged'>>(
  platform: Platform,
  cluster: string,
  books: Books,
): Books {
  const pledged = books.pledged.filter(
    (pledge) => pledge.amount !== '0' && isMovable(platform, cluster, books.lender, pledge),
  )
  return pledged.length === 0 ? books : { ...books, pledged }
}

/** Reads frozen positions of the escrow again: they may have been thawed outside of this service. */
export async function refreshSeizable(platform: Platform, { pledged }: Pick<LoanBooks, 'pledged'>): Promise<void> {
  await Promise.all(pledged.map((pledge) => refreshFrozen(platform, positionOf(platform, pledge) ?? null)))
}

function isMovable(platform: Platform, cluster: string, lender: Lender, pledge: Pledge): boolean {
  const instrument = instrumentOf(platform, lender, cluster, pledge.instrument.address)
  if (instrument === undefined) return true
  // A position that is frozen by default is thawed for the transfer.
  const isFrozen =
    positionOf(platform, pledge)?.value === 'frozen' && instrument.context.defaultPositionState !== 'FROZEN'
  return !isFrozen && instrument.value !== 'paused'
}

function positionOf({ engine }: Platform, { position: { id } }: Pledge) {
  return id === null ? undefined : ofKind(engine.directory.resident(id)?.head, 'position')
}
