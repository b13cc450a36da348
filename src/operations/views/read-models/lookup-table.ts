// The lookup table read model (completion 10).
import type { RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { referTo } from '../../lookup/refer.ts'
import { accountSeenBy } from './outside.ts'
import { referenced } from './position.ts'
import type { LookupTableModel } from '../../../contract/schemas/answers.ts'

type Table = RecordState<'lookupTable'>

export function lookupTableModel(platform: Platform, call: Call, state: Table): LookupTableModel {
  const { authority, addresses } = state.context
  return {
    addressLookupTable: accountSeenBy(platform, call, state, 'detailed'),
    authority: authority === null ? null : referenced(platform, call, authority, 'detailed'),
    addresses: addresses.map((address) => component(platform, call, address)),
    state: tableStateOf(state),
  }
}

function component(platform: Platform, call: Call, address: string): LookupTableModel['addresses'][number] {
  const { id } = referTo(platform, call, address)
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
