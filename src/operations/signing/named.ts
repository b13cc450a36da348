// The transaction a signing request is about: of the caller's organization, or one that needs a key of it.
import { addressKey } from '../../engine/index-keys.ts'
import type { Entry } from '../../engine/entry.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { maySignWith } from '../resolve/party.ts'

export interface NamedTransaction {
  readonly entry: Entry
  readonly transaction: RecordState<'transaction'>
}

/** Throws 400 `TRANSACTION_NOT_FOUND`. */
export function signableTransaction(platform: Platform, call: Call, offchainId: string, pointer: string): NamedTransaction {
  const named = findSignable(platform, call, offchainId)
  if (named === undefined) throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', pointer)
  return named
}

export function findSignable(platform: Platform, call: Call, offchainId: string): NamedTransaction | undefined {
  const entry = platform.engine.directory.byId(offchainId)
  const transaction = ofKind(entry?.committed === undefined ? undefined : entry.head, 'transaction')
  if (entry === undefined || transaction === undefined || transaction.cluster !== call.cluster || !concerns(platform, call, transaction)) {
    return undefined
  }
  return { entry, transaction }
}

function concerns(platform: Platform, call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  if (tenant === call.tenant && context.fixed.organization === call.organization) return true
  return context.fixed.signers.some(({ address }) =>
    platform.engine.directory
      .find(addressKey(call.cluster, address))
      .some(({ head }) => isHolding(head) && head.context.managed && maySignWith(call, head)),
  )
}
