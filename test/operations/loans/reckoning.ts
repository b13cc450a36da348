// A model of loans, independent of the service: debts, pledges, and whether a change is allowed. Integers only. Rates
// and ratios are in hundredths of a basis point, prices in thousandths of the unit of account for one displayed unit.

export const ALL = 1_000_000n
const SCALE = ALL * 31_536_000n
const GRACE = 48 * 3_600

export interface Coin {
  readonly onchainId: string
  readonly decimals: number
}

export interface Term {
  readonly mint: string
  readonly apy: number
  readonly ltv: number
  readonly lqt: number
  readonly maxAge: number
}

export interface Strategy {
  readonly vault: string
  readonly coin: Coin
  terms: readonly Term[]
  enabled: boolean
  /** Raw units. */
  cap: bigint | null
  buffer: number
}

export interface Debt {
  strategy: Strategy
  readonly coin: Coin
  /** Outstanding principal, raw units. */
  principal: bigint
  /** Unpaid interest as of `since`, over `SCALE` raw units. */
  interest: bigint
  apy: number
  since: number
  readonly end: number
  readonly terms: readonly Term[]
}

export interface Pledge {
  readonly coin: Coin
  amount: bigint
}

export interface Loan {
  readonly borrower: string
  readonly escrow: string
  debts: Debt[]
  readonly pledged: Map<string, Pledge>
  closed: boolean
}

export interface Market {
  readonly now: number
  /** By mint. */
  readonly prices: ReadonlyMap<string, { readonly milli: bigint; readonly at: number }>
}

export interface Amount {
  readonly coin: Coin
  readonly amount: bigint
}

const up = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator
const interestOf = (debt: Debt, at: number): bigint =>
  debt.interest + debt.principal * BigInt(debt.apy) * BigInt(Math.max(0, at - debt.since))

export const due = (debt: Debt, at: number): bigint => debt.principal + up(interestOf(debt, at), SCALE)
const atTheEnd = (debt: Debt, now: number): bigint => due(debt, Math.max(now, debt.end))
export const isRepaid = ({ debts }: Pick<Loan, 'debts'>, now: number): boolean =>
  debts.every((debt) => due(debt, now) === 0n)

/** In millionths of thousandths: exact for up to six decimals. */
function value({ decimals, onchainId }: Coin, raw: bigint, { prices }: Market): bigint {
  return raw * (prices.get(onchainId)?.milli ?? 0n) * 10n ** BigInt(6 - decimals)
}

/** The debt until the end of each term, and the amount of it that the collateral covers, both in the same unit. */
export function computeCoverage(
  { debts, pledged }: Pick<Loan, 'debts' | 'pledged'>,
  market: Market,
  which: 'ltv' | 'lqt',
): { debt: bigint; carries: bigint } {
  const open = debts.filter((debt) => due(debt, market.now) > 0n)
  const debt = open.reduce((sum, each) => sum + value(each.coin, atTheEnd(each, market.now), market), 0n) * ALL
  const carries = [...pledged.values()].reduce((sum, { coin, amount }) => {
    const ratios = open.map(({ terms }) => terms.find(({ mint }) => mint === coin.onchainId)?.[which] ?? 0)
    return sum + value(coin, amount, market) * BigInt(Math.min(...ratios, Number(ALL)))
  }, 0n)
  return { debt, carries }
}

function isStale({ debts, pledged }: Pick<Loan, 'debts' | 'pledged'>, { now, prices }: Market): boolean {
  const pledgedMints = [...pledged.values()].filter(({ amount }) => amount > 0n).map(({ coin }) => coin.onchainId)
  const old = (mint: string, maxAge: number): boolean => now - (prices.get(mint)?.at ?? 0) > maxAge
  return debts
    .filter((debt) => due(debt, now) > 0n)
    .some(({ coin, terms }) => {
      const against = terms.filter(({ mint }) => pledgedMints.includes(mint))
      const ages = (against.length === 0 ? terms : against).map(({ maxAge }) => maxAge)
      return old(coin.onchainId, Math.min(...ages)) || against.some(({ mint, maxAge }) => old(mint, maxAge))
    })
}

export function copy(loan: Loan): Loan {
  return {
    ...loan,
    debts: loan.debts.map((debt) => ({ ...debt })),
    pledged: new Map([...loan.pledged].map(([mint, pledge]) => [mint, { ...pledge }])),
  }
}

function updateRates(loan: Loan): void {
  const pledgedMints = [...loan.pledged.values()].filter(({ amount }) => amount > 0n).map(({ coin }) => coin.onchainId)
  if (pledgedMints.length === 0) return
  for (const debt of loan.debts)
    debt.apy = Math.max(0, ...debt.terms.filter(({ mint }) => pledgedMints.includes(mint)).map(({ apy }) => apy))
}

function settle(loan: Loan, now: number): void {
  for (const debt of loan.debts) {
    debt.interest = interestOf(debt, now)
    debt.since = Math.max(debt.since, now)
  }
}

/** Interest first. */
function pay(debt: Debt, amount: bigint, now: number): void {
  const chargedInterest = up(interestOf(debt, now), SCALE)
  const toInterest = amount < chargedInterest ? amount : chargedInterest
  const remainingInterest = interestOf(debt, now) - toInterest * SCALE
  debt.interest = remainingInterest > 0n ? remainingInterest : 0n
  debt.since = Math.max(debt.since, now)
  debt.principal -= amount - toInterest
}

/** The loan after pledges, withdrawals and payments. */
export function applyChange(
  loan: Loan,
  now: number,
  change: { deposits?: readonly Amount[]; withdrawals?: readonly Amount[]; payments?: readonly Amount[] },
): Loan {
  const next = copy(loan)
  settle(next, now)
  for (const { coin, amount } of change.payments ?? [])
    pay(
      next.debts.find((debt) => debt.coin === coin)!,
      amount,
      now,
    )
  for (const { coin, amount } of change.deposits ?? []) {
    const pledge = next.pledged.get(coin.onchainId) ?? { coin, amount: 0n }
    next.pledged.set(coin.onchainId, { coin, amount: pledge.amount + amount })
  }
  for (const { coin, amount } of change.withdrawals ?? []) next.pledged.get(coin.onchainId)!.amount -= amount
  updateRates(next)
  return next
}

export function buildDebts(
  strategies: readonly Strategy[],
  borrows: readonly Amount[],
  seconds: number,
  now: number,
): Debt[] {
  return borrows.map(({ coin, amount }) => {
    const strategy = strategies.find((each) => each.coin === coin)!
    return {
      strategy,
      coin,
      principal: amount,
      interest: 0n,
      apy: 0,
      since: now,
      end: now + seconds,
      terms: strategy.terms,
    }
  })
}

export function newLoan(borrower: string, escrow: string, debts: Debt[], pledges: readonly Amount[]): Loan {
  const loan: Loan = {
    borrower,
    escrow,
    debts,
    pledged: new Map(pledges.map(({ coin, amount }) => [coin.onchainId, { coin, amount }])),
    closed: false,
  }
  updateRates(loan)
  return loan
}

/** Reasons against this debt on this collateral. */
export function objections(
  loan: Pick<Loan, 'debts' | 'pledged'>,
  market: Market,
  code: 'LTV_EXCEEDED' | 'LOAN_UNHEALTHY',
): string[] {
  if (isRepaid(loan, market.now)) return []
  const { debt, carries } = computeCoverage(loan, market, 'ltv')
  return [...(isStale(loan, market) ? ['PRICE_STALE'] : []), ...(debt > carries ? [code] : [])]
}

export function findUnaccepted(debts: readonly Debt[], pledged: readonly Coin[]): string[] {
  const strange = pledged.some(({ onchainId }) =>
    debts.some(({ terms }) => !terms.some(({ mint }) => mint === onchainId)),
  )
  return strange ? ['COLLATERAL_NOT_ACCEPTED'] : []
}

/**
 * Of what the vault would lend.
 *
 * @param vaultHolds raw units, what is on its way out not among them
 * @param loans all there are
 */
export function shortages(
  debts: readonly Debt[],
  vaultHolds: (coin: Coin) => bigint,
  loans: readonly Loan[],
): string[] {
  const short = debts.some(({ strategy, principal, coin }) => {
    const out = loans
      .flatMap((loan) => loan.debts)
      .reduce((sum, debt) => (debt.strategy === strategy ? sum + debt.principal : sum), 0n)
    const holds = vaultHolds(coin)
    return (
      (strategy.cap !== null && principal > strategy.cap) ||
      (holds - principal) * ALL < (holds + out) * BigInt(strategy.buffer)
    )
  })
  return [
    ...(short ? ['INSUFFICIENT_PRINCIPAL'] : []),
    ...(debts.some(({ strategy }) => !strategy.enabled) ? ['ORIGINATIONS_DISABLED'] : []),
  ]
}

export interface Taken {
  readonly withdrawals: readonly Amount[]
  readonly payments: readonly Amount[]
}

/**
 * The least collateral that covers the present debt, in the order of pledging; and the payments, one debt after the
 * other.
 */
export function liquidation(loan: Loan, market: Market): Taken {
  const dueAmounts = loan.debts
    .map(({ coin }, index) => ({ coin, amount: due(loan.debts[index]!, market.now) }))
    .filter(({ amount }) => amount > 0n)
  let missing = dueAmounts.reduce((sum, { coin, amount }) => sum + value(coin, amount, market), 0n)
  let worth = 0n
  const withdrawals: Amount[] = []
  for (const { coin, amount } of loan.pledged.values()) {
    if (amount === 0n || missing <= 0n) continue
    const unit = value(coin, 1n, market)
    const neededUnits = up(missing, unit)
    const takenAmount = neededUnits < amount ? neededUnits : amount
    withdrawals.push({ coin, amount: takenAmount })
    worth += takenAmount * unit
    missing -= takenAmount * unit
  }
  if (missing <= 0n) return { withdrawals, payments: dueAmounts }
  const payments = dueAmounts.flatMap(({ coin, amount }) => {
    const affordable = worth / value(coin, 1n, market)
    const paidAmount = affordable < amount ? affordable : amount
    worth -= paidAmount * value(coin, 1n, market)
    return paidAmount === 0n ? [] : [{ coin, amount: paidAmount }]
  })
  return { withdrawals, payments }
}

export function unliquidatable(loan: Loan, market: Market): string[] {
  if (isRepaid(loan, market.now)) return ['LOAN_NOT_LIQUIDATABLE']
  const { debt, carries } = computeCoverage(loan, market, 'lqt')
  const isLate = loan.debts.some((each) => market.now > each.end + GRACE && due(each, market.now) > 0n)
  const isEmpty = [...loan.pledged.values()].every(({ amount }) => amount === 0n)
  return [
    ...(isStale(loan, market) ? ['PRICE_STALE'] : []),
    ...((debt > carries || isLate) && !isEmpty ? [] : ['LOAN_NOT_LIQUIDATABLE']),
  ]
}

export function refinance(loan: Loan, strategies: readonly Strategy[], seconds: number, now: number): Loan {
  const dueAmounts = loan.debts
    .map((debt) => ({ coin: debt.coin, amount: due(debt, now) }))
    .filter(({ amount }) => amount > 0n)
  const next = { ...copy(loan), debts: buildDebts(strategies, dueAmounts, seconds, now) }
  updateRates(next)
  return next
}
