// Events `loan.created`, `.updated`, `.closed`, with the lent and the pledged amounts in display units. Sent to the
// borrower's and the lender's organization.
import { amountJson } from '../../../machines/amount.ts'
import { outstandingPrincipal } from '../../../machines/lending/loan-books.ts'
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'

type Loan = RecordState<'loan'>

/** The events of a transaction report that it is in progress; the loan has no event for this. */
export function loanEvents(previous: Loan | undefined, next: Loan): readonly DomainEvent[] {
  const closed = next.value === 'closed' && previous?.value !== 'closed'
  if (previous !== undefined && !closed && previous.context.lastChange === next.context.lastChange) return []
  const { organization, escrow, lender } = next.context
  const domainEvent: DomainEvent = {
    tenant: next.tenant,
    cluster: next.cluster,
    organization,
    type: previous === undefined ? 'loan.created' : closed ? 'loan.closed' : 'loan.updated',
    onchainId: escrow.address,
    offchainId: escrow.id ?? next.id,
    data: dataOf(next),
  }
  if (lender.tenant !== next.tenant)
    return [domainEvent, { ...domainEvent, tenant: lender.tenant, organization: lender.organization }]
  return [lender.organization === organization ? domainEvent : { ...domainEvent, seenBy: [lender.organization] }]
}

function dataOf({ value, context }: Loan): JsonObject {
  const { borrower, lender, pledged, debts } = context
  return {
    status: value === 'closed' ? 'CLOSED' : 'OPEN',
    borrower: borrower.address,
    lender: lender.account.address,
    pledgedItems: pledged.map(({ instrument, amount, decimals }) => ({
      financialInstrument: instrument.address,
      pledgedAmount: amountJson(BigInt(amount), decimals),
    })),
    borrowedItems: debts.map((debt) => ({
      financialInstrument: debt.instrument.address,
      principalDue: amountJson(BigInt(debt.principalDue), debt.decimals),
      principalOutstanding: amountJson(outstandingPrincipal(debt), debt.decimals),
      apy: debt.apy,
    })),
  }
}
