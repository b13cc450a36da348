// Debit limits: which debits count, what an entry covers and how much it allows.
// Pure.
import { floorUnits } from './amount.ts'
import type { DebitAllowance, DebitLimit } from './holding.ts'
import type { Raw } from './protocol.ts'

/** Class of a destination, by who can withdraw the transferred amount. */
export type DestinationClass = 'OFF_PLATFORM' | 'NON_MANAGED' | 'MANAGED'
/**
 * FEES: signature and priority fees; PRIORITY_FEES: price times unit limit only; RENT: of token accounts opened for
 * others.
 */
export type FeeClass = 'FEES' | 'PRIORITY_FEES' | 'RENT'
export type DebitClass = DestinationClass | FeeClass
export type DebitOperation = Exclude<DebitLimit['operationType'], 'ANY'>

/** The amount that one transaction debits from one account, within one class. */
export interface Debit {
  readonly tenant: string
  /** Id of the wallet or position whose limits apply. */
  readonly record: string
  /** Address of the record, the key of windows; absent in rows of earlier releases, which are counted by record. */
  readonly address?: string
  /** Address of the mint; null: network currency. Amounts of different mints are never added. */
  readonly mint: string | null
  readonly operation: DebitOperation
  /** null: burned. */
  readonly destination: DebitClass | null
  /** For fees: external id of the organization they are paid for. */
  readonly beneficiary?: string
  readonly amount: Raw
}

type Counted = Pick<Debit, 'operation' | 'destination' | 'beneficiary'>

const MINUTE_MS = 60_000n
const LENGTH_MS = {
  MINUTES: MINUTE_MS,
  HOURS: 60n * MINUTE_MS,
  DAYS: 1_440n * MINUTE_MS,
  WEEKS: 10_080n * MINUTE_MS,
} as const

/** Fixed lengths: a day is 24 hours. */
export function durationMs({ code, unit }: NonNullable<DebitAllowance['duration']>): number {
  return Number(LENGTH_MS[code] * BigInt(unit))
}

/**
 * True if the entry applies to the debit. Burned tokens have no destination: a burn entry covers them whatever
 * destination it names. A fee has no destination class: only an entry of its own fee class covers it.
 */
export function covers({ operationType, destination, organizationExternalId }: DebitLimit, debit: Counted): boolean {
  if (operationType !== 'ANY' && operationType !== debit.operation) return false
  if (debit.operation === 'BURN') return destination === 'ANY' || operationType === 'BURN'
  if (isFee(debit.destination)) {
    return (
      destination === debit.destination &&
      (organizationExternalId === undefined || organizationExternalId === debit.beneficiary)
    )
  }
  return destination === 'ANY' || destination === debit.destination
}

export function isFee(destination: DebitLimit['destination'] | null): boolean {
  return destination === 'FEES' || destination === 'PRIORITY_FEES'
}

/** The debits that remain if the transaction fails. */
export function feesOf(debits: readonly Debit[]): readonly Debit[] {
  return debits.filter(({ destination }) => isFee(destination))
}

/** Raw units that the entry allows, rounded down; null: unlimited. */
export function allowed({ maxAllowedDebit }: DebitLimit, decimals: number): bigint | null {
  const amount = maxAllowedDebit?.limitAmount ?? null
  // A malformed number allows nothing.
  return amount === null ? null : (floorUnits(amount, decimals) ?? 0n)
}

function entry(destination: DebitClass, limitType: DebitAllowance['limitType'], limitAmount: string): DebitLimit {
  const duration = limitType === 'DURATION' ? ({ code: 'HOURS', unit: 24 } as const) : null
  const maxAllowedDebit = { limitType, limitAmount, duration, approversForOverride: [], requiredApproversCount: 0 }
  return { operationType: 'TRANSFER', destination, mintAuthority: null, maxAllowedDebit }
}

/** Default limits for transfers of network currency and of tokens of every instrument. */
export const DEFAULT_LIMITS: readonly DebitLimit[] = [
  entry('OFF_PLATFORM', 'PER_TRANSACTION', '0'),
  entry('OFF_PLATFORM', 'DURATION', '0'),
  entry('NON_MANAGED', 'PER_TRANSACTION', '1'),
]

/** Default limits per class, in force while the account's list, if any, has no entry for such a debit. */
const CLASS_DEFAULTS: readonly DebitLimit[] = [
  entry('PRIORITY_FEES', 'DURATION', '1'),
  entry('FEES', 'DURATION', '1'),
  entry('RENT', 'DURATION', '0.1'),
]

/**
 * The default entry that applies to a debit of network currency in addition to the listed ones; undefined: none. An
 * empty list means no limits.
 * @param isOwn the fee is paid for an organization of the account's own tenant; base fees within a tenant are unlimited
 */
export function classDefault(
  listed: readonly DebitLimit[] | null,
  debit: Counted,
  isOwn: boolean,
): DebitLimit | undefined {
  if (listed?.length === 0 || (debit.destination === 'FEES' && isOwn)) return undefined
  const isListed = (listed ?? []).some((limit) => limit.destination === debit.destination && covers(limit, debit))
  return isListed ? undefined : CLASS_DEFAULTS.find(({ destination }) => destination === debit.destination)
}

/**
 * False only if every debit that the defaults reject is rejected by `limits` too. Conservative, entry by entry: an
 * entry for some mints or one beneficiary, with a shorter window, or with an override does not count as strict.
 */
export function isLooser(limits: readonly DebitLimit[] | null): boolean {
  if (limits === null) return false
  const isBounded = (usual: DebitLimit): boolean => limits.some((limit) => isAsStrict(limit, usual))
  // A class default applies until an entry of its class is listed.
  const displaced = CLASS_DEFAULTS.filter(({ destination }) =>
    limits.some((limit) => limit.destination === destination),
  )
  return ![...DEFAULT_LIMITS, ...displaced].every(isBounded)
}

function isAsStrict(limit: DebitLimit, usual: DebitLimit): boolean {
  const isAbout = limit.destination === usual.destination || (limit.destination === 'ANY' && !isFee(usual.destination))
  const [given, most] = [limit.maxAllowedDebit, usual.maxAllowedDebit]
  if (
    !isAbout ||
    limit.operationType === 'BURN' ||
    limit.mintAuthority !== null ||
    limit.organizationExternalId !== undefined
  )
    return false
  if (given === null || most === null || given.approversForOverride.length > 0) return false
  const [amount, bound] = [accept(given), accept(most)]
  if (amount === null || bound === null || amount > bound) return false
  // A debit within the window's limit is also within the same limit per transaction; and a limit of zero blocks
  // everything over any duration.
  if (amount === 0n || most.duration === null) return true
  return given.duration !== null && durationMs(given.duration) >= durationMs(most.duration)
}

/** More decimals than any amount may have. */
const FINE_DECIMALS = 40

function accept({ limitAmount }: DebitAllowance): bigint | null {
  return limitAmount === null ? null : floorUnits(limitAmount, FINE_DECIMALS)
}
