// The compact row of an evicted transaction in the lists of the store: exactly the members that bulk query fields read.
import type { Listing } from '../../../engine/query/listing.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { memosOf } from '../read-models/memos.ts'

type Transaction = RecordState<'transaction'>
type Context = Transaction['context']
type Fixed = Context['fixed']

type Row = readonly [
  value: string,
  signature: Context['signature'],
  error: Context['error'],
  blockTime: Context['blockTime'],
  computeUnitsConsumed: Context['computeUnitsConsumed'],
  fee: Fixed['fee'],
  feePayer: readonly [address: string, id: string | null],
  accounts: readonly (readonly [address: string, id: string | null])[],
  lifetime: Fixed['lifetime'],
  blockhash: string,
  computeUnitsLimit: Fixed['computeUnitsLimit'],
  computeUnitPrice: Fixed['computeUnitPrice'],
  instructionTypes: readonly string[],
  endpoint: string,
  preparedAt: string,
  // Absent in rows of earlier releases.
  externalReference?: string | null,
  itemReferences?: readonly string[] | null,
  memos?: readonly string[],
]

export const OLD_TRANSACTIONS: Listing<Transaction> = {
  by: 'preparedAt',
  pack({ value, context }): Row {
    const { signature, error, blockTime, computeUnitsConsumed, fixed } = context
    const memos = memosOf(fixed)
    const { itemReferences = null } = fixed
    return [
      value,
      signature,
      error,
      blockTime,
      computeUnitsConsumed,
      fixed.fee,
      [fixed.feePayer.address, fixed.feePayer.id],
      fixed.accounts.map(({ address, id }) => [address, id]),
      fixed.lifetime,
      fixed.blockhash,
      fixed.computeUnitsLimit,
      fixed.computeUnitPrice,
      fixed.instructions.map(({ type }) => type),
      fixed.endpoint,
      fixed.preparedAt,
      fixed.externalReference ?? null,
      ...(memos.length > 0
        ? ([itemReferences, memos] as const)
        : itemReferences === null
          ? ([] as const)
          : ([itemReferences] as const)),
    ]
  },
  /** The result contains only the members that the fields read. */
  unpack(id, row) {
    const [value, signature, error, blockTime, computeUnitsConsumed, fee, feePayer, accounts, ...rest] = row as Row
    const [
      lifetime,
      blockhash,
      computeUnitsLimit,
      computeUnitPrice,
      instructionTypes,
      endpoint,
      preparedAt,
      externalReference,
      itemReferences,
      memos = [],
    ] = rest
    const fixed = {
      fee,
      feePayer: { address: feePayer[0], id: feePayer[1] },
      accounts: accounts.map(([address, accountId]) => ({ address, id: accountId })),
      lifetime,
      blockhash,
      computeUnitsLimit,
      computeUnitPrice,
      instructions: instructionTypes.map((type) => ({ type })),
      endpoint,
      preparedAt,
      externalReference: externalReference ?? undefined,
      itemReferences: itemReferences ?? undefined,
      memos,
    }
    return {
      kind: 'transaction',
      id,
      value,
      context: { signature, error, blockTime, computeUnitsConsumed, fixed },
    } as unknown as Transaction
  },
}
