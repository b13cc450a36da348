// The read model of a counterparty.
import type { RecordState } from '../../../engine/records/record.ts'
import type { CounterpartyModel } from '../../../contract/schemas/counterparty.ts'

export function counterpartyModel({ id, context }: RecordState<'counterparty'>): CounterpartyModel {
  const { externalReference, name, status, addresses, note, organization, createdAt, updatedAt } = context
  return {
    offchainId: id,
    externalReference,
    name,
    status,
    addresses: addresses.map(({ address, label, since }) => ({ onchainId: address, label, listedAt: since })),
    note,
    tenantOrganizationId: organization,
    createdAt,
    updatedAt,
  }
}
