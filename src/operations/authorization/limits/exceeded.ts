// What follows from limits that are exceeded: a refusal that names them or, where others may let each of them be, an approval to wait for.
import type { Approval, ApprovalEntry } from '../../../../machines/approval.ts'
import { amountJson } from '../../../../machines/amount.ts'
import type { JsonObject } from '../../../contract/call.ts'
import { idsOfHolding, limits } from '../../views/read-models/account.ts'
import { Refusal } from '../../../contract/refusal.ts'
import type { Verdict } from './assess.ts'

/** Whoever may approve has this long. */
export const APPROVAL_MS = 2 * 3_600_000

/** The limit, what would be taken, and what was taken already, in display units. */
export function shownLimit({ account, limit, mint, decimals, debit, used, exceeded }: Verdict): JsonObject {
  const [shown] = limits([limit]) as readonly JsonObject[]
  return {
    account: idsOfHolding(account),
    ...shown,
    ...(mint === null ? {} : { financialInstrument: { onchainId: mint } }),
    debit: amountJson(debit, decimals),
    used: amountJson(used, decimals),
    verdict: exceeded ? 'EXCEEDED' : 'PASSED',
  }
}

/** 400 `DEBIT_LIMIT_EXCEEDED` with the entries. */
export function limitExceeded(exceeded: readonly Verdict[]): Refusal {
  const message = exceeded.map(inWords).join('; ')
  return new Refusal(400, [
    { code: 'DEBIT_LIMIT_EXCEEDED', message, pointer: '/itemData', retryable: false, entries: exceeded.map(shownLimit) },
  ])
}

/** null: one of them has nobody who may let it be. */
export function approvalFor(
  exceeded: readonly Verdict[],
  facts: Pick<Approval, 'requesters' | 'intent' | 'then'>,
  now: number,
): Approval | null {
  if (exceeded.some(({ limit }) => (limit.maxAllowedDebit?.approversForOverride.length ?? 0) === 0)) return null
  return { ...facts, entries: exceeded.map(approvalEntry), given: [], expiresAt: new Date(now + APPROVAL_MS).toISOString() }
}

function approvalEntry(verdict: Verdict): ApprovalEntry {
  const allowance = verdict.limit.maxAllowedDebit
  const shown = shownLimit(verdict)
  // What others have taken by then makes it no other limit.
  const { used: _used, verdict: _verdict, ...limit } = shown
  return {
    limit: JSON.stringify(limit),
    approvers: allowance?.approversForOverride ?? [],
    // A limit that nobody has to lift would be none.
    required: Math.max(1, allowance?.requiredApproversCount ?? 1),
    shown,
  }
}

function debited({ operationType, destination, organizationExternalId }: Verdict['limit']): string {
  const whom = organizationExternalId === undefined ? '' : ` for ${organizationExternalId}`
  return destination === 'FEES' || destination === 'PRIORITY_FEES' ? `${destination}${whom}` : `${operationType} to ${destination}`
}

function inWords({ account, limit, debit, used, allowed, decimals, mint }: Verdict): string {
  const units = mint === null ? 'of the network currency' : `of ${mint}`
  const show = (raw: bigint): number | string => amountJson(raw, decimals)
  const allowance = limit.maxAllowedDebit
  const span = allowance?.duration ? `in ${allowance.duration.unit} ${allowance.duration.code}` : 'in one transaction'
  const before = allowance?.duration ? ` after ${show(used)}` : ''
  return `${account.context.address} may debit ${show(allowed ?? 0n)} ${units} ${span} (${debited(limit)}), this would take ${show(debit)}${before}`
}
