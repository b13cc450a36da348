// Leases a nonce to a transaction at the first signature of its message, in the unit of work that stores the
// signature.
import type { RecordState } from '../../../engine/records/record.ts'
import { ofKind } from '../../../engine/records/record.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { CommandRejected, type UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { Platform } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'

export interface HeldNonce {
  readonly entry: Entry
  readonly state: RecordState<'nonce'>
}

/** The nonce record of a transaction; undefined under a blockhash. */
export function nonceOf(platform: Platform, { context }: RecordState<'transaction'>): HeldNonce | undefined {
  const id = context.fixed.nonceAccount?.id ?? null
  const entry = id === null ? undefined : platform.engine.directory.resident(id)
  const state = ofKind(entry?.head, 'nonce')
  return entry === undefined || state === undefined ? undefined : { entry, state }
}

/** No effect under a blockhash. Throws 400 `NONCE_UNAVAILABLE`. */
export function leaseNonce(
  platform: Platform,
  unit: UnitOfWork,
  transaction: RecordState<'transaction'>,
  at: string,
): void {
  const { fixed } = transaction.context
  if (fixed.nonceAccount === null) return
  const nonce = nonceOf(platform, transaction)
  if (nonce === undefined)
    throw badRequest('NONCE_UNAVAILABLE', `the nonce account ${fixed.nonceAccount.address} has no record`)
  try {
    unit.send<'nonce'>(nonce.entry, {
      type: 'command.lease',
      transactionId: transaction.id,
      value: fixed.blockhash,
      at,
    })
  } catch (error) {
    if (error instanceof CommandRejected && error.rejection.code === 'CLOSED')
      throw badRequest('NONCE_UNAVAILABLE', error.rejection.detail)
    throw error
  }
}
