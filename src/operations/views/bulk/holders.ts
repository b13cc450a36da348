// What can be asked of the holders of an instrument. They are computed for each query and are no records.
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Resource } from '../../../engine/query/field.ts'

/** The owner of positions of one instrument. */
export interface Holder {
  readonly owner: AccountRef
  /** Raw units of all its positions, as of the instant. Never 0. */
  readonly balance: bigint
  /** Those that held something. */
  readonly positions: readonly { readonly address: string; readonly id: string }[]
}

export const HOLDERS: Resource<Holder> = {
  fields: [
    { name: 'ownerOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ owner }) => owner.address },
    { name: 'ownerOffchainId', type: 'OFFCHAIN_ID', nullable: true, read: ({ owner }) => owner.id },
    { name: 'tokenBalance', type: 'NUMBER', read: ({ balance }) => balance },
    { name: 'positionsCount', type: 'NUMBER', read: ({ positions }) => positions.length },
  ],
  defaultSort: [{ fieldName: 'tokenBalance', sortDirection: 'DESC' }],
  id: ({ owner }) => owner.address,
}
