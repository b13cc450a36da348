// Adds counterparty names to events: the addresses of an event that a counterparty of the organization lists. The names
// are stored with the event, because a webhook must send the same body in every attempt.
import { hasCounterparties, nameOfAddress } from '../lookup/counterparty.ts'
import type { Directory } from '../../engine/index/directory.ts'
import type { EventSource, DomainEvent } from '../../engine/events/domain-events.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'

/** Adds `counterparties` to the data of events whose addresses have names. */
export function withCounterparties(directory: Directory, eventsOf: EventSource): EventSource {
  return (previous, next) => {
    const events = eventsOf(previous, next)
    const addresses = events.length === 0 ? [] : addressesOf(next)
    if (addresses.length === 0 || !mayHaveNames(directory, events)) return events
    return events.map((each) => addNames(directory, each, addresses))
  }
}

/** Nearly always, the events of one change are those of one tenant. */
function mayHaveNames(directory: Directory, events: readonly DomainEvent[]): boolean {
  return events.some(({ tenant, cluster }, index) => {
    const before = events[index - 1]
    return (before?.tenant !== tenant || before.cluster !== cluster) && hasCounterparties(directory, tenant, cluster)
  })
}

/** Names belong to one organization, so an event that other organizations see too gets none. */
function addNames(directory: Directory, domainEvent: DomainEvent, addresses: readonly string[]): DomainEvent {
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
