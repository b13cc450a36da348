// Stores a covered change as a pending change instead of making it. The answer names the pending change.
import { hash } from 'node:crypto'
import { openChangesKey } from '../../engine/index/index-keys.ts'
import type { JsonObject, NeededApprovals, Outcome } from '../../contract/call.ts'
import { POLICY_APPROVAL_MS } from '../authorization/limits/exceeded.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { rememberOutcome } from './idempotency.ts'
import { requesterOf } from './plans/requester.ts'

/** Maximum number of pending changes of one tenant that have not ended. */
const MAX_PENDING = 1_000

/** Throws 400 `TOO_MANY_PENDING_CHANGES`. */
export async function storePendingChange(
  { platform, call }: Context,
  input: unknown,
  needed: NeededApprovals,
): Promise<Outcome> {
  const { tenant, cluster, organization, endpoint, requestId, caller } = call
  const { itemData } = input as { readonly itemData: JsonObject }
  const { operation, entries, decided } = needed
  const now = platform.clock.now()
  const at = new Date(now).toISOString()
  const id = platform.ids()
  const approval = {
    entries,
    requesters: [caller.keyId],
    intent: hash('sha256', JSON.stringify([endpoint, organization, itemData]), 'hex'),
    given: [],
    expiresAt: new Date(now + POLICY_APPROVAL_MS).toISOString(),
    then: 'SEND',
  } as const
  const change = {
    organization,
    operation,
    endpoint,
    requestId,
    itemData,
    kept: decided?.kept ?? null,
    requester: requesterOf(call),
    approval,
    result: null,
    rejectedBy: null,
    rejectedBecause: null,
    createdAt: at,
    endedAt: null,
  }
  const outcome: Outcome = {
    members: { pendingChange: { offchainId: id } },
    transactions: [],
    shape: 'member',
    awaited: 'confirmed',
    pendingChange: id,
    ...(decided === null ? {} : { secrets: decided.secrets }),
  }
  const { durable } = platform.engine.transact((unit) => {
    unit.openFor(tenant)
    if (platform.engine.directory.find(openChangesKey(tenant)).length >= MAX_PENDING)
      throw badRequest('TOO_MANY_PENDING_CHANGES', `a tenant has at most ${MAX_PENDING} pending changes`, '')
    unit.create('pendingChange', { tenant, cluster, id }, { change })
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
}
