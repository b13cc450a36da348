// Evaluates debit limits and approval policies for a compiled message. Each entry of each paying wallet and position is
// compared with the sum of all legs that the entry covers.
import type { Engine } from '../../../engine/engine.ts'
import { isHolding, ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import {
  allowed,
  classDefault,
  covers,
  DEFAULT_LIMITS,
  durationMs,
  isFee,
  isLooser,
  type Debit,
} from '../../../../machines/debit-limits.ts'
import type { DebitLimit } from '../../../../machines/holding.ts'
import { LIMITED_TYPES } from '../../../contract/holding-types.ts'
import { bindsOwner } from '../../lookup/governing.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import { windowKeys } from '../../../engine/limits/debit-windows.ts'
import { Control } from '../control.ts'
import { feeLegs, type FeeCharge, legsOf, type Leg, type LegInputs } from './legs.ts'
import { mintIn } from '../../lookup/on-chain.ts'
import type { DestinationInputs } from '../destinations/policy.ts'
import { policiesOfMessage } from '../policies/covering.ts'
import type { ScreeningAnswers } from '../screening/question.ts'

/** Everything that limits, policies, destinations and screening are evaluated on. */
export interface LimitInputs extends LegInputs, Omit<DestinationInputs, 'rents' | 'chain'> {
  /** Also finds the answers of screening services. */
  readonly chain: LegInputs['chain'] & Partial<ScreeningAnswers>
  readonly windows: Engine['debits']
  /** Owners whose outflows do not count. Fees that they pay do count. */
  readonly exempt?: ReadonlySet<string> | undefined
  readonly fee: FeeCharge
}

/** Result of one limit entry. Amounts are raw units. */
export interface Verdict {
  readonly account: HoldingState
  readonly limit: DebitLimit
  readonly mint: string | null
  readonly decimals: number
  /** Sum of all legs of this message that the entry covers. */
  readonly debit: bigint
  /** Amount already counted in the window of a DURATION entry. */
  readonly used: bigint
  /** null: unlimited. */
  readonly allowed: bigint | null
  readonly exceeded: boolean
}

export interface Assessment {
  readonly debits: readonly Debit[]
  readonly verdicts: readonly Verdict[]
  /** Approvals that policies require for the operations of the message. */
  readonly policies: readonly ApprovalEntry[]
}

interface Payment {
  readonly account: HoldingState
  readonly leg: Leg
  /** Limits that the account lists; null if it lists none. */
  readonly ownLimits: readonly DebitLimit[] | null
  /** Limits that apply without being listed. */
  readonly defaults: readonly DebitLimit[]
}

export function assess(inputs: LimitInputs): Assessment {
  const { exempt, fee } = inputs
  const counts = (payer: string, position: string | null): boolean =>
    exempt?.has(payer) !== true && mayCount(inputs, payer, position)
  const legs = legsOf(inputs, counts)
  const groups = new Map<string, Payment[]>()
  const fees = feeLegs(fee).filter(({ payer, position }) => mayCount(inputs, payer, position))
  for (const payment of [...legs, ...fees].flatMap((leg) => paymentsOf(inputs, leg))) {
    const key = `${payment.account.id} ${payment.leg.mint ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [payment])
    else group.push(payment)
  }
  const paymentGroups = [...groups.values()]
  return {
    debits: paymentGroups.flatMap(debitsOf),
    verdicts: paymentGroups.flatMap((payments) => verdictsOf(inputs, payments)),
    policies: policiesOfMessage(inputs),
  }
}

/**
 * True if an entry of the wallet, or of one of its positions, limits anything except fees. Fees follow from the
 * message, whichever program it calls.
 */
export function isLimited(positions: readonly HoldingState[], state: HoldingState): boolean {
  const bounds = (limits: readonly DebitLimit[]): boolean =>
    limits.some(
      ({ destination, maxAllowedDebit }) => !isFee(destination) && (maxAllowedDebit?.limitAmount ?? null) !== null,
    )
  const { networkCurrencyDebitLimits, tokenDebitLimits, references } = state.context
  const ofWallet =
    LIMITED_TYPES.has(references.type) &&
    [networkCurrencyDebitLimits, tokenDebitLimits].some((limits) => bounds(limits ?? DEFAULT_LIMITS))
  return ofWallet || positions.some(({ context }) => bounds(context.tokenDebitLimits ?? []))
}

/** True if a record of the tenant consents or pays; only then can a limit cover the payment. */
function mayCount(inputs: LimitInputs, payer: string, position: string | null): boolean {
  const { consenting } = inputs
  const own = ownHoldings(inputs, payer)
  if (consenting === undefined) return own.length > 0 || (position !== null && ownHoldings(inputs, position).length > 0)
  // A signature of an external key is not limited by the tenant, even if the tenant has a record of the account.
  return consenting.includes(payer) && own.some(({ context }) => context.managed)
}

function ownHoldings({ directory, tenant, cluster }: LimitInputs, address: string): HoldingState[] {
  return ownRecordsAt(directory, tenant, cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
}

/**
 * The accounts whose limits apply to a leg: the consenting wallet and, if that wallet is its owner, the position. A
 * delegate acts under its own limits.
 */
function paymentsOf(inputs: LimitInputs, leg: Leg): Payment[] {
  if (leg.position === null) {
    const accounts = ownHoldings(inputs, leg.payer).filter((state) =>
      isOfOwnClass(leg) ? paysClass(state) : hasLimits(state),
    )
    return accounts.map((account) => networkPayment(account, leg, inputs.fee.tenant === inputs.tenant))
  }
  const wallets = ownHoldings(inputs, leg.payer).filter(hasLimits)
  const positions = ownHoldings(inputs, leg.position).filter(
    (state) => ofKind(state, 'position')?.context.owner.address === leg.payer && bindsOwner(inputs.directory, state),
  )
  // Any key may create a position with a stricter list. A looser list was set by a key with the policy role, and
  // replaces the defaults.
  const isLifted = positions.some(({ context }) => isLooser(context.tokenDebitLimits))
  const defaults = isLifted || wallets.some(({ context }) => context.tokenDebitLimits !== null) ? [] : DEFAULT_LIMITS
  const ofWallets = wallets.map((account) => ({ account, leg, ownLimits: account.context.tokenDebitLimits, defaults }))
  return [
    ...ofWallets,
    ...positions.map((account) => ({ account, leg, ownLimits: account.context.tokenDebitLimits, defaults: [] })),
  ]
}

function isOfOwnClass({ destination }: Leg): boolean {
  return destination === 'FEES' || destination === 'PRIORITY_FEES' || destination === 'RENT'
}

/**
 * Fees and rent are limited for managed accounts of every type. For an external key, its own signature is the consent.
 */
function paysClass({ kind, context }: HoldingState): boolean {
  return kind === 'account' && context.managed
}

function hasLimits({ kind, context }: HoldingState): boolean {
  return kind === 'account' && LIMITED_TYPES.has(context.references.type)
}

function networkPayment(account: HoldingState, leg: Leg, isOwn: boolean): Payment {
  const ownLimits = account.context.networkCurrencyDebitLimits
  const ofClass = classDefault(ownLimits, leg, isOwn)
  const general = ownLimits === null && !isOfOwnClass(leg) ? DEFAULT_LIMITS : []
  return { account, leg, ownLimits, defaults: ofClass === undefined ? general : [ofClass] }
}

/** The debits that count in the windows of one account and mint. */
function debitsOf(payments: readonly Payment[]): Debit[] {
  const sums = new Map<string, Debit>()
  for (const { account, leg } of payments) {
    const { mint, operation, destination, beneficiary } = leg
    const key = `${operation} ${destination ?? ''}`
    const amount = (BigInt(sums.get(key)?.amount ?? 0) + leg.amount).toString()
    const { tenant, id, context } = account
    const ofFee = beneficiary === undefined ? {} : { beneficiary }
    sums.set(key, { tenant, record: id, address: context.address, mint, operation, destination, ...ofFee, amount })
  }
  return [...sums.values()]
}

/** A listed entry is evaluated on every payment that it covers, a default only on the payments to which it applies. */
function verdictsOf(inputs: LimitInputs, payments: readonly Payment[]): Verdict[] {
  const [first] = payments
  if (first === undefined) return []
  const defaults = new Set(payments.flatMap((payment) => payment.defaults))
  return [
    ...(first.ownLimits ?? []).flatMap((limit) => verdictOf(inputs, limit, first, payments)),
    ...[...defaults].flatMap((limit) =>
      verdictOf(
        inputs,
        limit,
        first,
        payments.filter((payment) => payment.defaults.includes(limit)),
      ),
    ),
  ]
}

function verdictOf(
  inputs: LimitInputs,
  limit: DebitLimit,
  { account, leg: { mint, decimals } }: Payment,
  payments: readonly Payment[],
): Verdict[] {
  const covered = payments.filter((payment) => covers(limit, payment.leg))
  const [first] = covered
  if (first === undefined || !isOfAuthority(inputs, limit, mint)) return []
  const debit = covered.reduce((sum, payment) => sum + payment.leg.amount, 0n)
  const max = allowed(limit, decimals)
  const used = max === null ? 0n : usedOf(inputs, limit, account, first.leg)
  return [{ account, limit, mint, decimals, debit, used, allowed: max, exceeded: max !== null && used + debit > max }]
}

/** The window of a fee counts only debits for the same beneficiary. */
function usedOf(
  { windows, now }: LimitInputs,
  limit: DebitLimit,
  account: HoldingState,
  { mint, beneficiary }: Leg,
): bigint {
  const duration = limit.maxAllowedDebit?.duration ?? null
  if (duration === null) return 0n
  const counts = (debit: Pick<Debit, 'operation' | 'destination' | 'beneficiary'>): boolean =>
    debit.beneficiary === beneficiary && covers(limit, debit)
  return windows.sum(windowKeys(account), mint, counts, { now, windowMs: durationMs(duration) })
}

/**
 * An entry that names a mint authority covers the mints that have this authority now: as recorded or, for mints without
 * a record, as on chain.
 */
function isOfAuthority(inputs: LimitInputs, { mintAuthority }: DebitLimit, mint: string | null): boolean {
  if (mintAuthority === null) return true
  if (mint === null) return false
  const instrument = new Control(inputs).instrument(mint)
  const recorded = instrument?.context.authorities.mintAuthority?.address ?? null
  const authority = instrument === undefined ? (mintIn(inputs.chain.get(mint))?.mintAuthority ?? null) : recorded
  return authority === mintAuthority.address
}
