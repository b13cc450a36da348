// Descriptions of the holders of an instrument.
import type { Descriptions } from './describe.ts'

export const HOLDERS: Descriptions = {
  'itemData.asOf':
    'The instant, ISO 8601. Absent: now. In the future: 400 IN_FUTURE. Before the history of balances of' +
    ' a store that an earlier release wrote: 400 BEFORE_HISTORY.',
  'Holders.asOf': 'The instant of the answer, ISO 8601 in UTC.',
  'Holders.total': 'Sum of the balances of all holders, whatever the query selects.',
  'Holders.count': 'Number of holders that match the filter.',
  'Holders.items': 'One page of the holders.',
  'Holder.owner': 'Ids of the owner; the record id is null without a record in the tenant.',
  'Holder.owner.counterparty': 'The counterparty that lists the address of the owner; absent: none.',
  'Holder.balance': "Sum of the owner's positions at the instant.",
  'Holder.positions': 'The positions that held something at the instant.',
}
