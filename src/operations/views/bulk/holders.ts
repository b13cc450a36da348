// Fields of queries over the holders of an instrument. Holders are not records: each query computes them.
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Resource } from '../../../engine/query/field.ts'

/** The owner of positions of one instrument. */
export interface Holder {
  readonly owner: AccountRef
  /** Raw units of all positions of the owner at the requested instant. Never 0. */
  readonly balance: bigint
  /** The positions with a balance. */
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
