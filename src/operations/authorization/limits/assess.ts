// What debit limits say of a compiled message: every entry of every wallet and position that pays, judged on the sum of all legs it covers.
import type { Entry } from '../../../engine/records/entry.ts'
import type { Engine } from '../../../engine/engine.ts'
import { isHolding, ofKind, type HoldingState } from '../../../engine/records/record.ts'
import { allowed, classDefault, covers, DEFAULT_LIMITS, durationMs, isFee, isLooser, type Debit } from '../../../../machines/debit-limits.ts'
import type { DebitLimit } from '../../../../machines/holding.ts'
import { LIMITED_TYPES } from '../../../contract/holding-types.ts'
import { ownRecordsAt, stateAt } from '../../lookup/whose-records.ts'
import { windowKeys } from '../../../engine/limits/debit-windows.ts'
import { feeLegs, type FeeCharge } from './fee-legs.ts'
import { mintIn } from '../../lookup/on-chain.ts'
import { legsOf, type Leg, type LegGround } from './legs.ts'

export interface LimitGround extends Omit<LegGround, 'directory'> {
  readonly engine: Pick<Engine, 'directory' | 'listings' | 'debits'>
  /** On the clock that windows run on, Unix milliseconds. */
  readonly now: number
  /** Only records whose consent these addresses give; absent: all of the tenant's. */
  readonly consenting?: readonly string[]
  /** Owners whose outflows do not count; the fees they pay do. */
  readonly exempt?: ReadonlySet<string>
  readonly fee: FeeCharge
}

/** What one entry says. Amounts are raw units. */
export interface Verdict {
  readonly account: HoldingState
  readonly limit: DebitLimit
  readonly mint: string | null
  readonly decimals: number
  /** All legs of this message that the entry covers. */
  readonly debit: bigint
  /** What counts already in the window of a DURATION entry. */
  readonly used: bigint
  /** null: unlimited. */
  readonly allowed: bigint | null
  readonly exceeded: boolean
}

export interface Assessment {
  readonly debits: readonly Debit[]
  readonly verdicts: readonly Verdict[]
}

interface Payment {
  readonly account: HoldingState
  readonly leg: Leg
  /** What the account lists; null: nothing. */
  readonly given: readonly DebitLimit[] | null
  /** What holds although it is not listed. */
  readonly defaults: readonly DebitLimit[]
}

export function assess(ground: LimitGround): Assessment {
  const { exempt, engine, fee } = ground
  const moved = legsOf({ ...ground, directory: engine.directory }).filter(({ payer }) => exempt?.has(payer) !== true)
  const groups = new Map<string, Payment[]>()
  for (const payment of [...moved, ...feeLegs(fee)].flatMap((leg) => paymentsOf(ground, leg))) {
    const key = `${payment.account.id} ${payment.leg.mint ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [payment])
    else group.push(payment)
  }
  const paid = [...groups.values()]
  return { debits: paid.flatMap(debitsOf), verdicts: paid.flatMap((payments) => verdictsOf(ground, payments)) }
}

/** True when any entry of the wallet, or of a position of its, limits anything but fees, which follow from the message whoever is called. */
export function isLimited(positions: readonly Entry[], state: HoldingState): boolean {
  const bounds = (limits: readonly DebitLimit[]): boolean =>
    limits.some(({ destination, maxAllowedDebit }) => !isFee(destination) && (maxAllowedDebit?.limitAmount ?? null) !== null)
  const { networkCurrencyDebitLimits, tokenDebitLimits, references } = state.context
  const ofWallet =
    LIMITED_TYPES.has(references.type) && [networkCurrencyDebitLimits, tokenDebitLimits].some((limits) => bounds(limits ?? DEFAULT_LIMITS))
  return ofWallet || positions.some(({ head }) => bounds(ofKind(head, 'position')?.context.tokenDebitLimits ?? []))
}

/** Whose limits a leg falls under: the wallet that consents and, where that is its owner, the position. A delegate acts under its own. */
function paymentsOf({ engine: { directory }, tenant, cluster, consenting, fee }: LimitGround, leg: Leg): Payment[] {
  if (consenting !== undefined && !consenting.includes(leg.payer)) return []
  const own = (address: string): HoldingState[] => ownRecordsAt(directory, tenant, cluster, address).map(({ head }) => head).filter(isHolding)
  // Somebody else's signature is not the tenant's to limit, whatever it has noted of that account.
  if (consenting !== undefined && !own(leg.payer).some(({ context }) => context.managed)) return []
  if (leg.position === null) {
    const accounts = own(leg.payer).filter((state) => (isOfOwnClass(leg) ? paysClass(state) : hasLimits(state)))
    return accounts.map((account) => networkPayment(account, leg, fee.tenant === tenant))
  }
  const wallets = own(leg.payer).filter(hasLimits)
  const positions = own(leg.position).filter((state) => ofKind(state, 'position')?.context.owner.address === leg.payer)
  // A position's own list may be stricter by anybody's wish. One that is looser was set by a key that may say so, and lifts the defaults.
  const isLifted = positions.some(({ context }) => isLooser(context.tokenDebitLimits))
  const defaults = isLifted || wallets.some(({ context }) => context.tokenDebitLimits !== null) ? [] : DEFAULT_LIMITS
  const ofWallets = wallets.map((account) => ({ account, leg, given: account.context.tokenDebitLimits, defaults }))
  return [...ofWallets, ...positions.map((account) => ({ account, leg, given: account.context.tokenDebitLimits, defaults: [] }))]
}

function isOfOwnClass({ destination }: Leg): boolean {
  return destination === 'FEES' || destination === 'PRIORITY_FEES' || destination === 'RENT'
}

/** Fees and rent are limited for accounts of every type. Where the key is somebody else's, its signature is consent enough. */
function paysClass({ kind, context }: HoldingState): boolean {
  return kind === 'account' && context.managed
}

function hasLimits({ kind, context }: HoldingState): boolean {
  return kind === 'account' && LIMITED_TYPES.has(context.references.type)
}

function networkPayment(account: HoldingState, leg: Leg, isOwn: boolean): Payment {
  const given = account.context.networkCurrencyDebitLimits
  const ofClass = classDefault(given, leg, isOwn)
  const general = given === null && !isOfOwnClass(leg) ? DEFAULT_LIMITS : []
  return { account, leg, given, defaults: ofClass === undefined ? general : [ofClass] }
}

/** Of one account and mint: what counts in its windows. */
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

/** A listed entry is judged on all that it covers; a default on what it holds for. */
function verdictsOf(ground: LimitGround, payments: readonly Payment[]): Verdict[] {
  const [first] = payments
  if (first === undefined) return []
  const defaults = new Set(payments.flatMap((payment) => payment.defaults))
  return [
    ...(first.given ?? []).flatMap((limit) => verdictOf(ground, limit, first, payments)),
    ...[...defaults].flatMap((limit) => verdictOf(ground, limit, first, payments.filter((payment) => payment.defaults.includes(limit)))),
  ]
}

function verdictOf(ground: LimitGround, limit: DebitLimit, { account, leg: { mint, decimals } }: Payment, payments: readonly Payment[]): Verdict[] {
  const covered = payments.filter((payment) => covers(limit, payment.leg))
  const [first] = covered
  if (first === undefined || !isOfAuthority(ground, limit, mint)) return []
  const debit = covered.reduce((sum, payment) => sum + payment.leg.amount, 0n)
  const most = allowed(limit, decimals)
  const used = most === null ? 0n : usedOf(ground, limit, account, first.leg)
  return [{ account, limit, mint, decimals, debit, used, allowed: most, exceeded: most !== null && used + debit > most }]
}

/** Of the windows of a fee, those of its own beneficiary. */
function usedOf({ engine, now }: LimitGround, limit: DebitLimit, account: HoldingState, { mint, beneficiary }: Leg): bigint {
  const duration = limit.maxAllowedDebit?.duration ?? null
  if (duration === null) return 0n
  const counts = (debit: Pick<Debit, 'operation' | 'destination' | 'beneficiary'>): boolean =>
    debit.beneficiary === beneficiary && covers(limit, debit)
  return engine.debits.sum(windowKeys(account), mint, counts, now, durationMs(duration))
}

/** An entry that names a mint authority is about the mints whose authority that is now, as recorded or, of others' mints, as on chain. */
function isOfAuthority(
  { engine: { directory }, tenant, cluster, chain }: LimitGround,
  { mintAuthority }: DebitLimit,
  mint: string | null,
): boolean {
  if (mintAuthority === null) return true
  if (mint === null) return false
  const instrument = stateAt(directory, { tenant, organization: null }, cluster, mint, 'instrument')
  const recorded = instrument?.context.authorities.mintAuthority?.address ?? null
  const authority = instrument === undefined ? (mintIn(chain.get(mint))?.mintAuthority ?? null) : recorded
  return authority === mintAuthority.address
}
