// The consequence of exceeded limits: a refusal that lists them or, if each of them names approvers, an approval to
// wait for.
import type { Approval, ApprovalEntry } from '../../../../machines/approval.ts'
import { amountJson } from '../../../../machines/amount.ts'
import { idsOfHolding, shownEntry } from '../../views/read-models/account.ts'
import { forbidden, Refusal } from '../../../contract/refusal.ts'
import type { Verdict } from './assess.ts'
import type { LimitVerdictModel } from '../../../contract/schemas/limit-answers.ts'

/** Time that approvers have, in milliseconds. */
const APPROVAL_MS = 2 * 3_600_000

/** The limit, the debit of this message and the amount already used, in display units. */
export function shownLimit({ account, limit, mint, decimals, debit, used, exceeded }: Verdict): LimitVerdictModel {
  const shown = shownEntry(limit)
  return {
    account: idsOfHolding(account),
    ...shown,
    ...(mint === null ? {} : { financialInstrument: { onchainId: mint } }),
    debit: amountJson(debit, decimals),
    used: amountJson(used, decimals),
    verdict: exceeded ? 'EXCEEDED' : 'PASSED',
  }
}

/** 403 `APPROVAL_REQUIRED`: the request cannot wait for the approvals that policies require. */
export function approvalRequired(policies: readonly ApprovalEntry[], why: string): Refusal {
  const ids = policies.map(({ policy }) => policy?.id ?? '').join(', ')
  return forbidden('APPROVAL_REQUIRED', `approval policy ${ids} requires approvals: ${why}`, '/itemData')
}

/** 400 `DEBIT_LIMIT_EXCEEDED` with the entries. */
export function limitExceeded(exceeded: readonly Verdict[]): Refusal {
  const message = exceeded.map(inWords).join('; ')
  return new Refusal(400, [
    {
      code: 'DEBIT_LIMIT_EXCEEDED',
      message,
      pointer: '/itemData',
      retryable: false,
      entries: exceeded.map(shownLimit),
    },
  ])
}

/** As `APPROVAL_MS`, if only policies require the approval. */
export const POLICY_APPROVAL_MS = 24 * 3_600_000

/**
 * null if one of the limits has no approvers.
 *
 * @param further other entries that the approval must cover
 */
export function approvalFor(
  exceeded: readonly Verdict[],
  facts: Pick<Approval, 'requesters' | 'intent' | 'then'>,
  now: number,
  further: readonly ApprovalEntry[] = [],
): Approval | null {
  if (exceeded.some(({ limit }) => (limit.maxAllowedDebit?.approversForOverride.length ?? 0) === 0)) return null
  const entries = [...exceeded.map(approvalEntry), ...further]
  const durationMs = entries.every(({ policy }) => policy !== undefined) ? POLICY_APPROVAL_MS : APPROVAL_MS
  return { ...facts, entries, given: [], expiresAt: new Date(now + durationMs).toISOString() }
}

export function approvalEntry(verdict: Verdict): ApprovalEntry {
  const allowance = verdict.limit.maxAllowedDebit
  const shown = shownLimit(verdict)
  // `used` changes with other debits and must not change the identity of the limit.
  const { used: _used, verdict: _verdict, ...limit } = shown
  return {
    limit: JSON.stringify(limit),
    approvers: allowance?.approversForOverride ?? [],
    // At least one approval is always required.
    required: Math.max(1, allowance?.requiredApproversCount ?? 1),
    shown,
  }
}

function debitText({ operationType, destination, organizationExternalId }: Verdict['limit']): string {
  const whom = organizationExternalId === undefined ? '' : ` for ${organizationExternalId}`
  return destination === 'FEES' || destination === 'PRIORITY_FEES'
    ? `${destination}${whom}`
    : `${operationType} to ${destination}`
}

function inWords({ account, limit, debit, used, allowed, decimals, mint }: Verdict): string {
  const units = mint === null ? 'of the network currency' : `of ${mint}`
  const show = (raw: bigint): number | string => amountJson(raw, decimals)
  const allowance = limit.maxAllowedDebit
  const span = allowance?.duration ? `in ${allowance.duration.unit} ${allowance.duration.code}` : 'in one transaction'
  const before = allowance?.duration ? ` after ${show(used)}` : ''
  return `${account.context.address} may debit ${show(allowed ?? 0n)} ${units} ${span} (${debitText(limit)}), this would take ${show(debit)}${before}`
}
