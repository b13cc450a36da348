// The stored form of a movement: `[delta, after, cause, transactionId?]`, amounts in raw units. It is small, because
// every transaction writes one for each balance that it changes.
import type { BookedBalance, StampedRow } from '../../../snapshots/store.ts'
import type { Asset } from '../../../machines/protocol.ts'
import type { BalanceChange, CauseKind } from '../records/balance-change.ts'

const LETTERS = { own: 's', countersigned: 'c', others: 'o', undone: 'u', observed: 'r', onboarded: 'n' } as const
const KINDS = Object.fromEntries(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind])) as Readonly<
  Record<string, CauseKind>
>
const ASSET_LETTERS: Readonly<Record<Asset, string>> = { lamports: 'l', tokens: 't', supply: 's' }

/** Stamps count microseconds since 1970, so that several movements of a millisecond have an order. */
export const STAMPS_PER_MS = 1_000

export type MovementRow = readonly [delta: string, after: string, cause: string, transactionId?: string]

export interface MovementRead {
  readonly stamp: number
  readonly delta: bigint
  readonly after: bigint
  readonly cause: CauseKind
  readonly transactionId: string | null
}

export function rowOf({ delta, after, cause }: BalanceChange): MovementRow {
  const row = [delta.toString(), after, LETTERS[cause.kind]] as const
  return cause.transactionId === null ? row : [...row, cause.transactionId]
}

export function readMovement({ stamp, row }: StampedRow): MovementRead {
  const [delta, after, letter, transactionId] = row as MovementRow
  const cause = KINDS[letter]
  if (cause === undefined) throw new TypeError(`a movement of an unknown cause: ${letter}`)
  return { stamp, delta: BigInt(delta), after: BigInt(after), cause, transactionId: transactionId ?? null }
}

export const placeOf = (record: { readonly tenant: string; readonly id: string }, asset: Asset): BookedBalance => ({
  tenant: record.tenant,
  record: record.id,
  asset: ASSET_LETTERS[asset],
})
