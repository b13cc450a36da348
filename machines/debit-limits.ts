// Debit limits (interface 2.7 and 8.1, completion 6): what counts against one, what an entry covers and how much of it may go. Pure.
import { floorUnits } from './amount.ts'
import type { DebitAllowance, DebitLimit } from './holding.ts'
import type { Raw } from './protocol.ts'

export type DestinationClass = Exclude<DebitLimit['destination'], 'ANY'>
export type DebitOperation = Exclude<DebitLimit['operationType'], 'ANY'>

/** What one transaction takes from one record, of what is limited together. */
export interface Debit {
  readonly tenant: string
  /** Id of the wallet or position whose limits count. */
  readonly record: string
  /** Address of the mint; null: network currency. Amounts of different mints are never added up. */
  readonly mint: string | null
  readonly operation: DebitOperation
  /** null: burned. */
  readonly destination: DestinationClass | null
  readonly amount: Raw
}

type Counted = Pick<Debit, 'operation' | 'destination'>

const MINUTE_MS = 60_000n
const LENGTH_MS = { MINUTES: MINUTE_MS, HOURS: 60n * MINUTE_MS, DAYS: 1_440n * MINUTE_MS, WEEKS: 10_080n * MINUTE_MS } as const

/** Fixed lengths: a day is 24 hours. */
export function durationMs({ code, unit }: NonNullable<DebitAllowance['duration']>): number {
  return Number(LENGTH_MS[code] * BigInt(unit))
}

/** True if the entry is about such a debit. What is burned goes nowhere: an entry about burning covers it whatever destination it names. */
export function covers({ operationType, destination }: DebitLimit, debit: Counted): boolean {
  if (operationType !== 'ANY' && operationType !== debit.operation) return false
  if (debit.operation === 'BURN') return destination === 'ANY' || operationType === 'BURN'
  return destination === 'ANY' || destination === debit.destination
}

/** Raw units that the entry allows, rounded down; null: unlimited. */
export function allowed({ maxAllowedDebit }: DebitLimit, decimals: number): bigint | null {
  const amount = maxAllowedDebit?.limitAmount ?? null
  // What is no number allows nothing.
  return amount === null ? null : (floorUnits(amount, decimals) ?? 0n)
}

function entry(destination: DestinationClass, limitType: DebitAllowance['limitType'], limitAmount: string): DebitLimit {
  const duration = limitType === 'DURATION' ? ({ code: 'HOURS', unit: 24 } as const) : null
  const maxAllowedDebit = { limitType, limitAmount, duration, approversForOverride: [], requiredApproversCount: 0 }
  return { operationType: 'TRANSFER', destination, mintAuthority: null, maxAllowedDebit }
}

/** What holds where nothing is given, for transfers of network currency and, in tokens, of every instrument (interface 8.1). */
export const DEFAULT_LIMITS: readonly DebitLimit[] = [
  entry('OFF_PLATFORM', 'PER_TRANSACTION', '0'),
  entry('OFF_PLATFORM', 'DURATION', '0'),
  entry('NON_MANAGED', 'PER_TRANSACTION', '1'),
]
