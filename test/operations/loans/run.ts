// One run of loans through the real operations, with a separate model of the same loans. Every step succeeds or is
// refused as the model predicts, and an audit compares books, chain and model.
import { expect } from 'vitest'
import { closeLoan } from '../../../src/operations/loans/close.ts'
import { createLoan } from '../../../src/operations/loans/create.ts'
import { liquidateLoan } from '../../../src/operations/loans/liquidate.ts'
import { refinanceLoan } from '../../../src/operations/loans/refinance.ts'
import { repayLoan } from '../../../src/operations/loans/repay.ts'
import { swapCollateral } from '../../../src/operations/loans/swap-collateral.ts'
import type { Wallet } from '../tenants-fixture.ts'
import type { Done, Instrument, LendingSetup } from './lending-setup.ts'
import { Ledger } from './ledger.ts'
import * as hand from './reckoning.ts'
import { atLeastOne, BORROWER_HAS, item, lookup, reference, share, units } from './requests.ts'
import { surround } from './surroundings.ts'
import type { Creating, Step } from './steps.ts'
import { escrowOf, expectCarried, vaultOf } from './loan-references.ts'

const DAY = 86_400
const ENDLESS = 10n ** 30n

/** One run: its own vaults, borrowers and strategies, and the model of its loans. */
export class Run {
  readonly strategies: (hand.Strategy & { readonly id: string; readonly vaultIndex: number })[] = []
  readonly vaults: Wallet[] = []
  readonly borrowers: Wallet[] = []
  loans: hand.Loan[] = []
  readonly prices = new Map<string, { milli: bigint; at: number }>()
  /** Tokens that strangers sent to an escrow, which the books do not know: by token account. */
  readonly gifts = new Map<string, bigint>()
  readonly ledger = new Ledger()
  readonly tally = new Map<string, number>()
  readonly setup: LendingSetup

  constructor(setup: LendingSetup) {
    this.setup = setup
  }

  get market(): hand.Market {
    return { now: this.setup.now, prices: this.prices }
  }

  async setPrice(instrument: Instrument, value: number): Promise<void> {
    await this.setup.price(instrument, (value / 1_000).toFixed(3))
    this.prices.set(instrument.onchainId, { milli: BigInt(value), at: this.setup.now })
  }

  strategiesOf(vault: number): typeof this.strategies {
    return this.strategies.filter(({ vaultIndex }) => vaultIndex === vault)
  }

  vaultHolds(vault: number): (coin: hand.Coin) => bigint {
    return (coin) => this.setup.balanceOf(this.vaults[vault]!, coin as Instrument)
  }

  /** The step succeeds exactly if there is no objection. */
  expectVerdict(step: Step, answer: Done, objections: readonly string[]): boolean {
    const outcome = answer.ok ? 'done' : answer.code
    const name = `${step.what}: ${outcome}`
    this.tally.set(name, (this.tally.get(name) ?? 0) + 1)
    expect({ step, outcome }).toEqual({
      step,
      outcome: objections.length === 0 ? 'done' : objections.includes(outcome) ? outcome : objections.join(' or '),
    })
    return answer.ok
  }

  take(step: Step): Promise<void> {
    switch (step.what) {
      case 'create':
        return this.create(step)
      case 'two at once':
        return this.twoAtOnce(step)
      case 'swap':
        return this.swap(step)
      case 'repay':
        return this.repay(step)
      case 'refinance':
        return this.refinance(step)
      case 'liquidate':
        return this.liquidate(step)
      case 'close':
        return this.close(step)
      case 'wind up':
        return this.windUp(step)
      case 'price':
        return this.setPrice(this.setup.instruments[step.instrument]!, step.milli)
      default:
        return surround(this, step)
    }
  }

  /** The loan is this part (`burden`) of the amount that the collateral covers. */
  wanted({ borrower, vault, borrow, pledge, percent: part, burden, days }: Creating) {
    const wallet = this.borrowers[borrower]!
    const pledges = pledge.map((index) => ({
      coin: this.setup.collaterals[index]!,
      amount: share(this.setup.balanceOf(wallet, this.setup.collaterals[index]!), part),
    }))
    const seconds = days * DAY
    const probe = (amounts: readonly bigint[]): hand.Loan =>
      hand.newLoan(
        wallet.onchainId,
        '',
        hand.buildDebts(
          this.strategiesOf(vault),
          borrow.map((index, at) => ({ coin: this.setup.principals[index]!, amount: amounts[at]! })),
          seconds,
          this.setup.now,
        ),
        pledges,
      )
    const { debt, carries } = hand.computeCoverage(
      probe(borrow.map((index) => units(this.setup.principals[index]!, 1_000n))),
      this.market,
      'ltv',
    )
    const amounts = borrow.map((index) =>
      atLeastOne((units(this.setup.principals[index]!, 1_000n) * carries * BigInt(burden)) / (debt * 100n)),
    )
    const loan = probe(amounts)
    const input = {
      itemData: {
        defiProtocol: 'ESCROW_VAULT',
        lendingDetails: { loanStrategyAddress: this.vaults[vault]!.onchainId },
        itemsToBorrow: borrow.map((index, at) => ({
          positionLookup: lookup(wallet, this.setup.principals[index]!),
          lamports: amounts[at]!.toString(),
        })),
        itemsToPledge: pledges.map(({ coin, amount }) => ({
          positionLookup: lookup(wallet, coin),
          lamports: amount.toString(),
        })),
        duration: { code: 'DAYS' as const, unit: days },
      },
    }
    const objections = [
      ...hand.objections(loan, this.market, 'LTV_EXCEEDED'),
      ...hand.findUnaccepted(
        loan.debts,
        pledges.map(({ coin }) => coin),
      ),
      ...hand.shortages(loan.debts, this.vaultHolds(vault), this.loans),
      ...this.lacking(wallet, pledges),
    ]
    return { loan, input, objections }
  }

  /** A request for this amount, against ample collateral. */
  plain(borrower: number, coin: Instrument, amount: bigint) {
    const wallet = this.borrowers[borrower]!
    const [collateral] = this.setup.collaterals
    return {
      itemData: {
        defiProtocol: 'ESCROW_VAULT',
        lendingDetails: { loanStrategyAddress: this.vaults[0]!.onchainId },
        itemsToBorrow: [item(wallet, coin, amount)],
        itemsToPledge: [item(wallet, collateral!, units(collateral!, BORROWER_HAS))],
      },
    }
  }

  lacking(wallet: Wallet, amounts: readonly hand.Amount[]): string[] {
    return amounts.some(({ coin, amount }) => amount > this.setup.balanceOf(wallet, coin as Instrument))
      ? ['INSUFFICIENT_BALANCE']
      : []
  }

  recordLoan(loan: hand.Loan, answer: Done): void {
    if (!answer.ok) return
    const escrow = (answer.body['newLoan'] as unknown as Wallet).onchainId
    this.loans.push({ ...loan, escrow })
    const wallet = this.walletOf(loan)
    for (const { strategy, coin, principal } of loan.debts)
      this.ledger.move({ onchainId: strategy.vault }, wallet, [{ coin, amount: principal }])
    this.ledger.move(wallet, { onchainId: escrow }, [...loan.pledged.values()])
    expectCarried(loan, this.market)
  }

  async create(step: Creating): Promise<void> {
    const { loan, input, objections } = this.wanted(step)
    const answer = await this.setup.attempt(createLoan, input)
    if (this.expectVerdict(step, answer, objections)) this.recordLoan(loan, answer)
  }

  /** Either may be decided first: the other one is evaluated while the first is open. */
  async twoAtOnce(step: Extract<Step, { what: 'two at once' }>): Promise<void> {
    const [first, second] = [this.wanted(step.first), this.wanted(step.second)]
    const answers = await Promise.all([first, second].map(({ input }) => this.setup.attempt(createLoan, input)))
    for (const [index, { loan, objections }] of [first, second].entries()) {
      const answer = answers[index]!
      if (!answer.ok && objections.length === 0)
        expect(['INSUFFICIENT_PRINCIPAL', 'INSUFFICIENT_BALANCE']).toContain(answer.code)
      else this.expectVerdict(step, answer, objections)
      this.recordLoan(loan, answer)
    }
    if (answers.every(({ ok }) => ok)) {
      for (const { strategy } of [...first.loan.debts, ...second.loan.debts]) {
        const available = this.setup.balanceOf({ onchainId: strategy.vault }, strategy.coin as Instrument)
        const out = this.loans
          .flatMap(({ debts }) => debts)
          .filter((debt) => debt.strategy === strategy)
          .reduce((sum, debt) => sum + debt.principal, 0n)
        expect(available * hand.ALL).toBeGreaterThanOrEqual((available + out) * BigInt(strategy.buffer))
      }
    }
  }

  named(index: number): hand.Loan | undefined {
    return this.loans.length === 0 ? undefined : this.loans[index % this.loans.length]
  }

  walletOf({ borrower }: hand.Loan): Wallet {
    return this.borrowers.find(({ onchainId }) => onchainId === borrower)!
  }

  async swap(step: Extract<Step, { what: 'swap' }>): Promise<void> {
    const loan = this.named(step.loan)
    if (loan === undefined) return
    const wallet = this.walletOf(loan)
    const deposits =
      step.way === 'out'
        ? []
        : step.into.map((index) => ({
            coin: this.setup.collaterals[index]!,
            amount: share(this.setup.balanceOf(wallet, this.setup.collaterals[index]!), Math.ceil(step.percent / 4)),
          }))
    const withdrawals = step.way === 'in' ? [] : this.releases(loan, step.out, step.outPercent)
    const next = this.whenHeld(loan, { deposits, withdrawals })
    const objections = loan.closed
      ? ['LOAN_CLOSED']
      : [
          ...hand.findUnaccepted(
            loan.debts,
            deposits.map(({ coin }) => coin),
          ),
          ...(step.mintAsset ? [] : this.lacking(wallet, deposits)),
          ...(next === null
            ? ['INSUFFICIENT_BALANCE']
            : withdrawals.length === 0
              ? []
              : hand.objections(next, this.market, 'LOAN_UNHEALTHY')),
        ]
    const answer = await this.setup.attempt(swapCollateral, {
      itemData: {
        ...reference(loan),
        itemsToDeposit: deposits.map(({ coin, amount }) => ({
          ...item(wallet, coin, amount),
          mintAsset: step.mintAsset,
        })),
        itemsToWithdraw: withdrawals.map(({ coin, amount }) => item(wallet, coin, amount)),
      },
    })
    if (!this.expectVerdict(step, answer, objections)) return
    if (step.mintAsset) for (const each of deposits) this.ledger.give(wallet, each)
    this.ledger.move(wallet, escrowOf(loan), deposits)
    this.ledger.move(escrowOf(loan), wallet, withdrawals)
    this.replace(loan, next!)
    if (withdrawals.length > 0) expectCarried(next!, this.market)
  }

  async repay(step: Extract<Step, { what: 'repay' }>): Promise<void> {
    const loan = this.named(step.loan)
    if (loan === undefined) return
    const wallet = this.walletOf(loan)
    const items = step.items.flatMap((index) => loan.debts.filter(({ coin }) => coin === this.setup.principals[index]))
    const payments = items.map((debt) => ({
      coin: debt.coin,
      amount:
        step.percent === null ? hand.due(debt, this.setup.now) : share(hand.due(debt, this.setup.now), step.percent),
    }))
    const withdrawals = step.release === null ? [] : this.releases(loan, step.release, step.releasePercent)
    if (payments.length + withdrawals.length === 0) return
    const isOverpaid = payments.some(
      ({ amount }, index) =>
        hand.due(items[index]!, this.setup.now) === 0n || amount > hand.due(items[index]!, this.setup.now),
    )
    const next = isOverpaid ? null : this.whenHeld(loan, { payments, withdrawals })
    const objections = loan.closed
      ? ['LOAN_CLOSED']
      : [
          ...(isOverpaid ? ['OVERPAYMENT'] : []),
          ...this.lacking(wallet, payments),
          ...(next === null
            ? ['INSUFFICIENT_BALANCE']
            : withdrawals.length === 0
              ? []
              : hand.objections(next, this.market, 'LOAN_UNHEALTHY')),
        ]
    const answer = await this.setup.attempt(repayLoan, {
      itemData: {
        ...reference(loan),
        itemsToRepay: payments.map(({ coin, amount }) =>
          step.percent === null ? { positionLookup: lookup(wallet, coin), repayAll: true } : item(wallet, coin, amount),
        ),
        itemsToRelease: withdrawals.map(({ coin, amount }) => item(wallet, coin, amount)),
      },
    })
    if (!this.expectVerdict(step, answer, objections)) return
    this.ledger.move(wallet, vaultOf(loan), payments)
    this.ledger.move(escrowOf(loan), wallet, withdrawals)
    this.replace(loan, next!)
    if (withdrawals.length > 0) expectCarried(next!, this.market)
  }

  async refinance(step: Extract<Step, { what: 'refinance' }>): Promise<void> {
    const loan = this.named(step.loan)
    if (loan === undefined) return
    const next = hand.refinance(loan, this.strategiesOf(step.vault), step.days * DAY, this.setup.now)
    const within = loan.debts.some(({ strategy }) => strategy.vault === this.vaults[step.vault]!.onchainId)
    const pledgedCoins = [...loan.pledged.values()].filter(({ amount }) => amount > 0n).map(({ coin }) => coin)
    const readVault = within ? () => ENDLESS : this.vaultHolds(step.vault)
    const objections = loan.closed
      ? ['LOAN_CLOSED']
      : next.debts.length === 0
        ? ['NOTHING_DUE']
        : [
            ...hand.findUnaccepted(next.debts, pledgedCoins),
            ...hand.objections(next, this.market, 'LTV_EXCEEDED'),
            ...hand.shortages(next.debts, readVault, this.loans),
          ]
    const answer = await this.setup.attempt(refinanceLoan, {
      itemData: {
        ...reference(loan),
        lendingDetails: { loanStrategyAddress: this.vaults[step.vault]!.onchainId },
        duration: { code: 'DAYS', unit: step.days },
      },
    })
    if (!this.expectVerdict(step, answer, objections)) return
    this.ledger.move(
      vaultOf(next),
      vaultOf(loan),
      next.debts.map(({ coin, principal: amount }) => ({ coin, amount })),
    )
    this.replace(loan, next)
    expectCarried(next, this.market)
  }

  async liquidate(step: Extract<Step, { what: 'liquidate' }>): Promise<void> {
    const loan = this.named(step.loan)
    if (loan === undefined) return
    if (step.milli !== null) for (const each of this.setup.collaterals) await this.setPrice(each, step.milli)
    const answer = await this.setup.attempt(liquidateLoan, { itemData: reference(loan) })
    const objections = loan.closed ? ['LOAN_CLOSED'] : hand.unliquidatable(loan, this.market)
    if (!this.expectVerdict(step, answer, objections)) return
    const liquidation = hand.liquidation(loan, this.market)
    this.ledger.move(escrowOf(loan), vaultOf(loan), liquidation.withdrawals)
    // The debt that it pays does not move: those tokens stay with the borrower.
    this.replace(loan, hand.applyChange(loan, this.setup.now, liquidation))
  }

  async close(step: Extract<Step, { what: 'close' }>): Promise<void> {
    const loan = this.named(step.loan)
    if (loan === undefined) return
    const answer = await this.setup.attempt(closeLoan, { itemData: reference(loan) })
    const isOpen = !hand.isRepaid(loan, this.setup.now) || [...loan.pledged.values()].some(({ amount }) => amount > 0n)
    if (!this.expectVerdict(step, answer, loan.closed ? ['LOAN_CLOSED'] : isOpen ? ['LOAN_NOT_REPAID'] : [])) return
    loan.closed = true
    for (const coin of this.setup.instruments) {
      this.gifts.delete(this.setup.addressOf(escrowOf(loan), coin))
      this.ledger.move(escrowOf(loan), this.walletOf(loan), [{ coin, amount: this.ledger.of(escrowOf(loan), coin) }])
    }
  }

  /** Repays and releases everything, as far as the borrower has the funds, and closes the loan. */
  async windUp({ loan }: Extract<Step, { what: 'wind up' }>): Promise<void> {
    const selectedLoan = this.named(loan)
    if (selectedLoan === undefined) return
    const indices = <T>(all: readonly T[], isMeant: (each: T) => boolean): number[] =>
      [...all.keys()].filter((index) => isMeant(all[index]!))
    const items = indices(this.setup.principals, (coin) =>
      selectedLoan.debts.some((debt) => debt.coin === coin && hand.due(debt, this.setup.now) > 0n),
    )
    const release = indices(
      this.setup.collaterals,
      ({ onchainId }) => (selectedLoan.pledged.get(onchainId)?.amount ?? 0n) > 0n,
    )
    await this.repay({ what: 'repay', loan, items, percent: null, release, releasePercent: 100 })
    await this.close({ what: 'close', loan })
  }

  releases({ pledged }: hand.Loan, indices: readonly number[], part: number): hand.Amount[] {
    return indices.map((index) => ({
      coin: this.setup.collaterals[index]!,
      amount: share(pledged.get(this.setup.collaterals[index]!.onchainId)?.amount ?? 0n, part),
    }))
  }

  /** null: more is withdrawn than is pledged, before anything is deposited. */
  whenHeld(loan: hand.Loan, change: Parameters<typeof hand.applyChange>[2]): hand.Loan | null {
    const short = (change.withdrawals ?? []).some(
      ({ coin, amount }) => amount > (loan.pledged.get(coin.onchainId)?.amount ?? 0n),
    )
    return short ? null : hand.applyChange(loan, this.setup.now, change)
  }

  replace(loan: hand.Loan, next: hand.Loan): void {
    this.loans = this.loans.map((each) => (each === loan ? next : each))
  }
}
