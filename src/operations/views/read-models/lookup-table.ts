// The lookup table read model.
import type { RecordState } from '../../../engine/records/record.ts'
import type { Context } from '../../context/platform.ts'
import { referTo } from '../../lookup/party.ts'
import { accountSeenBy } from './outside.ts'
import { referenced } from './position.ts'
import type { LookupTableModel } from '../../../contract/schemas/answers.ts'

type Table = RecordState<'lookupTable'>

export function lookupTableModel(context: Context, state: Table): LookupTableModel {
  const { platform, call } = context
  const { authority, addresses } = state.context
  return {
    addressLookupTable: accountSeenBy(platform, call, state, 'detailed'),
    authority: authority === null ? null : referenced(context, authority, 'detailed'),
    addresses: addresses.map((address) => component(context, address)),
    state: tableStateOf(state),
  }
}

function component(context: Context, address: string): LookupTableModel['addresses'][number] {
  const { id } = referTo(context, address)
  return { onchainId: address, ...(id === null ? {} : { offchainId: id }) }
}

/** `ACTIVE` also during the creation of the table. */
export function tableStateOf({ value }: Table): 'ACTIVE' | 'DEACTIVATING' | 'CLOSED' | 'FROZEN' {
  switch (value) {
    case 'closed':
      return 'CLOSED'
    case 'frozen':
      return 'FROZEN'
    case 'deactivating':
      return 'DEACTIVATING'
    default:
      return 'ACTIVE'
  }
}
