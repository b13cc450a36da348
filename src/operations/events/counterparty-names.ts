// Names in events: which of the addresses that an event is about are listed by a counterparty of the organization. The
// name is the one at the time of the event; it is written with it, because a webhook sends the same body every time.
import { hasCounterparties, nameOfAddress } from '../lookup/counterparty.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { EventSource, DomainEvent } from '../../engine/events/domain-events.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'

/** Adds `counterparties` to the data of events, where there are any. */
export function withCounterparties(directory: Directory, eventsOf: EventSource): EventSource {
  return (previous, next) => {
    const domainEvent = eventsOf(previous, next)
    if (
      domainEvent.length === 0 ||
      !domainEvent.some(({ tenant, cluster }) => hasCounterparties(directory, tenant, cluster))
    )
      return domainEvent
    const addresses = addressesOf(next)
    return addresses.length === 0 ? domainEvent : domainEvent.map((each) => named(directory, each, addresses))
  }
}

/** An event that other organizations see as well shows no names: a name is its organization's own. */
function named(directory: Directory, domainEvent: DomainEvent, addresses: readonly string[]): DomainEvent {
  if (domainEvent.seenBy !== undefined) return domainEvent
  const counterparties = [...new Set(addresses)].flatMap((onchainId) => {
    const counterparty = nameOfAddress(directory, domainEvent, domainEvent.cluster, onchainId)
    return counterparty === null ? [] : [{ onchainId, counterparty }]
  })
  return counterparties.length === 0 ? domainEvent : { ...domainEvent, data: { ...domainEvent.data, counterparties } }
}

/** Addresses that the event of the record is about. */
function addressesOf(state: RecordState): readonly string[] {
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) return transaction.context.fixed.accounts.map(({ address }) => address)
  const position = ofKind(state, 'position')
  if (position !== undefined) return [position.context.owner.address]
  const loan = ofKind(state, 'loan')
  if (loan !== undefined) return [loan.context.borrower.address, loan.context.lender.account.address]
  return []
}
