// Events `loan.created`, `.updated`, `.closed`, with the lent and the pledged amounts in display units. Sent to the
// organizations of the borrower, of the borrowing account and of the lender.
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
  const { organization, escrow, lender, owner } = next.context
  const domainEvent: DomainEvent = {
    tenant: next.tenant,
    cluster: next.cluster,
    organization,
    type: previous === undefined ? 'loan.created' : closed ? 'loan.closed' : 'loan.updated',
    onchainId: escrow.address,
    offchainId: escrow.id ?? next.id,
    data: dataOf(next),
  }
  const others = owner === undefined ? [lender] : [lender, owner]
  const tenants = new Set([next.tenant, ...others.map(({ tenant }) => tenant)])
  return [...tenants].map((tenant) => {
    const organizations = others.filter((party) => party.tenant === tenant).map((party) => party.organization)
    const [first = organization, ...rest] = new Set(
      tenant === next.tenant ? [organization, ...organizations] : organizations,
    )
    const event = { ...domainEvent, tenant, organization: first }
    return rest.length === 0 ? event : { ...event, seenBy: rest }
  })
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
