// The same key gives the same effect once: the row that says so rides in the batch of the change itself.
import { hash } from 'node:crypto'
import type { UnitOfWork } from '../engine/unit-of-work.ts'
import { noteDone } from './audit/deeds.ts'
import type { Call, Outcome } from './call.ts'
import type { Platform } from './platform.ts'
import { badRequest } from './refusal.ts'

export interface IdempotencyRow {
  readonly digest: string
  /** Without its secrets. */
  readonly outcome: Outcome
}

/**
 * Remembers an outcome: in the audit log, and under the call's key if it has one. To be called once in every unit of work that makes a
 * change for a caller: a dry run that gets here would change something without a transaction, and is taken back.
 */
export function rememberOutcome(call: Call, unit: UnitOfWork, outcome: Outcome): void {
  if (call.dryRun) throw badRequest('DRY_RUN_WITHOUT_TRANSACTION', 'this request would make no transaction', '')
  noteDone(call, unit, outcome)
  if (call.idempotency === null) return
  const { secrets: _shownOnce, ...kept } = outcome
  const row: IdempotencyRow = { digest: call.idempotency.digest, outcome: kept }
  unit.also(call.tenant, { type: 'idempotency', tenant: call.tenant, cluster: call.cluster, scope: scopeOf(call), row })
}

/** The outcome a key stands for already; refuses a key that was used with another body. */
export function recalledOutcome(platform: Platform, call: Call): Outcome | undefined {
  if (call.idempotency === null) return undefined
  const row = platform.engine.store.idempotency(call.tenant, call.cluster, scopeOf(call)) as IdempotencyRow | undefined
  if (row === undefined) return undefined
  checkDigest(row.digest, call.idempotency.digest)
  return row.outcome
}

export function checkDigest(stored: string, given: string): void {
  if (stored !== given) throw badRequest('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used with another body', '')
}

/** Scope of a key: tenant, cluster (both in the store's key) and endpoint. */
export function scopeOf(call: Call): string {
  return hash('sha256', `${call.endpoint}\u0000${call.idempotency?.key ?? ''}`, 'hex')
}
