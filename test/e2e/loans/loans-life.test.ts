// The life of loans on the embedded chain: after every step the balances of borrower, lender and escrow are read from
// the chain.
import { describe, expect, it } from 'vitest'
import { terms } from './loan-fixture.ts'
import {
  withCollateralFixture,
  UNIT,
  fixture,
  vault,
  cash,
  coin,
  share,
  bond,
  deed,
  freshPrices,
  at,
  addressOf,
  readBalances,
  borrower,
  loanOf,
  borrows,
  raw,
  secondsOf,
  changeLoan,
  refusesChange,
} from './collateral-fixture.ts'

interface AuditRow {
  readonly action: string
  readonly resource: { readonly kind: string | null }
}

withCollateralFixture()

describe('a loan of two principals against two collaterals of both token programs', () => {
  it('is originated, paid out and pledged in one transaction', async () => {
    const wallet = await borrower([
      [share, 1_000n * UNIT],
      [bond, 1_000n * UNIT],
    ])
    const lender = await readBalances([vault.onchainId], cash, coin)
    const escrow = await borrows(
      wallet,
      [
        { positionLookup: at(wallet, cash), amount: 100 },
        { positionLookup: at(wallet, coin), amount: '50.5' },
      ],
      [
        { positionLookup: at(wallet, share), amount: 300 },
        { positionLookup: at(wallet, bond), lamports: (200n * UNIT).toString() },
      ],
    )
    expect(await readBalances([wallet.onchainId], cash, coin, share, bond)).toEqual([
      [100n * UNIT, 50_500_000n, 700n * UNIT, 800n * UNIT],
    ])
    expect(await readBalances([escrow.onchainId], share, bond)).toEqual([[300n * UNIT, 200n * UNIT]])
    expect(await readBalances([vault.onchainId], cash, coin)).toEqual([
      [lender[0]![0]! - 100n * UNIT, lender[0]![1]! - 50_500_000n],
    ])
    const loan = await loanOf(escrow)
    expect(loan).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'ACTIVE',
      escrow: { onchain: { id: escrow.onchainId } },
      lender: { onchain: { id: vault.onchainId } },
    })
    expect(loan.pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([300, 200])
    expect(loan.pledgedItems.map(({ accountDetails }) => accountDetails.onchain.id)).toEqual([
      addressOf(escrow.onchainId, share),
      addressOf(escrow.onchainId, bond),
    ])
    expect(
      loan.borrowedItems.map(({ principalDue, apy, accountDetails }) => [principalDue, apy, accountDetails.onchain.id]),
    ).toEqual([
      [100, 120_000, addressOf(wallet.onchainId, cash)],
      [50.5, 120_000, addressOf(wallet.onchainId, coin)],
    ])
    // 100 x 12 % / 31 536 000, rounded down to 18 decimals.
    expect(loan.borrowedItems[0]!.interestPerSecond).toBe(0.000000380517503805)
    expect(loan.marketData).toHaveLength(4)
    expect(loan.health).toBeGreaterThan(0)
  })

  it('accepts other collateral in exchange, minted or transferred, as long as it covers the debt', async () => {
    const wallet = await borrower([
      [share, 500n * UNIT],
      [bond, 10n * UNIT],
    ])
    const friend = await borrower([[bond, 400n * UNIT]])
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 300 }],
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await refusesChange('LOAN_UNHEALTHY', '/loans/swap-collateral', {
      ...loan,
      itemsToWithdraw: [{ positionLookup: at(wallet, share), amount: 200 }],
    })
    await changeLoan('/loans/swap-collateral', {
      ...loan,
      itemsToDeposit: [
        { positionLookup: at(wallet, bond), amount: 250, transferFrom: at(friend, bond) },
        { positionLookup: at(wallet, deed), amount: 7, mintAsset: true },
      ],
      itemsToWithdraw: [{ positionLookup: at(wallet, share), amount: 300 }],
    })
    expect(await readBalances([escrow.onchainId], share, bond, deed)).toEqual([[0n, 250n * UNIT, 7n * UNIT]])
    expect(await readBalances([wallet.onchainId, friend.onchainId], share, bond)).toEqual([
      [500n * UNIT, 10n * UNIT],
      [0n, 150n * UNIT],
    ])
    expect((await fixture.world.chain.token(addressOf(escrow.onchainId, deed))).isFrozen).toBe(true)
    const record = await loanOf(escrow)
    expect(record.pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([250, 7])
    expect(record.borrowedItems[0]!.apy).toBe(120_000)
    await refusesChange('COLLATERAL_NOT_ACCEPTED', '/loans/swap-collateral', {
      ...loan,
      itemsToDeposit: [{ positionLookup: at(wallet, cash), amount: 1 }],
    })
  })

  it('is repaid in parts, interest first, released, refinanced and closed, and the rent returns', async () => {
    const { chain, records } = fixture.world
    const wallet = await borrower([
      [share, 1_000n * UNIT],
      [cash, 50n * UNIT],
    ])
    const lamports = await chain.lamports(wallet.onchainId)
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 400 }],
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    const vaultBefore = (await readBalances([vault.onchainId], cash))[0]![0]!
    // Ten days at 10 % a year: 0.273972603, rounded up to a raw unit.
    fixture.pass(10 * 86_400)
    await freshPrices()
    const due = (await loanOf(escrow)).borrowedItems[0]!
    const tenDays = new Date((secondsOf(due) + 10 * 86_400) * 1_000).toISOString()
    const then = (await loanOf(escrow, { computeEstimatedInterestUntil: tenDays })).borrowedItems[0]!
    expect(then.estimatedInterest).toBe(0.273973)
    // Interest of some seconds more has accrued by now.
    expect(Number(raw(due.estimatedInterest))).toBeGreaterThanOrEqual(273_973)
    expect(Number(raw(due.estimatedInterest))).toBeLessThan(274_100)
    expect(due.interestOutstanding).toBe(0)
    await refusesChange('OVERPAYMENT', '/loans/repay', {
      ...loan,
      itemsToRepay: [{ positionLookup: at(wallet, cash), amount: 101 }],
    })
    await changeLoan('/loans/repay', {
      ...loan,
      itemsToRepay: [{ positionLookup: at(wallet, cash), amount: 40 }],
      itemsToRelease: [{ positionLookup: at(wallet, share), amount: 200 }],
    })
    const part = (await loanOf(escrow)).borrowedItems[0]!
    const interest = 40n * UNIT - raw(part.principalRepaid)
    expect(Number(interest)).toBeGreaterThanOrEqual(273_973)
    expect(Number(interest)).toBeLessThan(274_100)
    expect(part.interestOutstanding).toBe(0)
    expect(await readBalances([wallet.onchainId, escrow.onchainId], share)).toEqual([[800n * UNIT], [200n * UNIT]])
    expect((await readBalances([vault.onchainId], cash))[0]![0]).toBe(vaultBefore + 40n * UNIT)

    // Nothing moves within the vault: interest becomes principal. Another vault pays off the old one.
    fixture.pass(86_400)
    await freshPrices()
    const within = await changeLoan('/loans/refinance', {
      ...loan,
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      duration: { code: 'DAYS', unit: 5 },
    })
    expect(within.chainTransaction).toBeUndefined()
    const renewedItem = (await loanOf(escrow)).borrowedItems[0]!
    expect(raw(renewedItem.principalDue)).toBeGreaterThan(100n * UNIT - raw(part.principalRepaid))
    expect(renewedItem).toMatchObject({
      principalRepaid: 0,
      interestOutstanding: 0,
      duration: { code: 'DAYS', unit: 5 },
    })
    const second = await records.account()
    await records.position(second, cash, 1_000n * UNIT)
    await fixture.world.api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: second,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(share, { apy: 50_000 })],
      duration: { code: 'DAYS', unit: 9 },
    })
    const oldVault = (await readBalances([vault.onchainId], cash))[0]![0]!
    await changeLoan('/loans/refinance', {
      ...loan,
      lendingDetails: {
        loanStrategyAddress: second.onchainId,
        expectedLoanValues: { expectedApy: 50_000, expectedLqt: [800_000] },
      },
    })
    const refinancedLoan = await loanOf(escrow)
    expect(refinancedLoan.lender.onchain.id).toBe(second.onchainId)
    expect(refinancedLoan.borrowedItems[0]).toMatchObject({ apy: 50_000, duration: { code: 'DAYS', unit: 9 } })
    const paidOff = raw(refinancedLoan.borrowedItems[0]!.principalDue)
    expect((await readBalances([vault.onchainId, second.onchainId], cash)).flat()).toEqual([
      oldVault + paidOff,
      1_000n * UNIT - paidOff,
    ])

    await refusesChange('LOAN_NOT_REPAID', '/loans/close', loan)
    await changeLoan('/loans/repay', { ...loan, itemsToRepay: [{ positionLookup: at(wallet, cash), repayAll: true }] })
    expect(await loanOf(escrow)).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'REPAID',
      health: 1_000_000,
      currentLoanToValue: 0,
    })
    expect((await readBalances([second.onchainId], cash))[0]![0]).toBeGreaterThanOrEqual(1_000n * UNIT)
    await refusesChange('LOAN_NOT_REPAID', '/loans/close', loan)
    await changeLoan('/loans/repay', { ...loan, itemsToRelease: [{ positionLookup: at(wallet, share), amount: 200 }] })
    const signatures = await chain.signatures(wallet.onchainId)
    await changeLoan('/loans/close', loan, 'closedLoan')
    expect(await chain.exists(addressOf(escrow.onchainId, share))).toBe(false)
    expect(await loanOf(escrow)).toMatchObject({
      status: 'CLOSED',
      lifecycleState: 'CLOSED',
      escrow: { status: 'CLOSED' },
      pledgedItems: [],
    })
    const fees = await Promise.all(
      (await chain.signatures(wallet.onchainId)).map((signature) => chain.transaction(signature)),
    )
    const paidFees = fees
      .filter(({ transaction }) => transaction.message.staticAccountKeys[0]?.toBase58() === wallet.onchainId)
      .reduce((sum, { meta }) => sum + BigInt(meta?.fee ?? 0), 0n)
    expect(signatures.length).toBeGreaterThan(0)
    // The borrower has paid only fees: the rent of the position of the escrow was returned.
    expect(await chain.lamports(wallet.onchainId)).toBe(lamports - paidFees)
    await refusesChange('LOAN_CLOSED', '/loans/close', loan)
  })

  it('is the resource of every audit row of its changes', async () => {
    const { items } = (await fixture.world.api.bulk('/audit/bulk', { limit: 1000 })) as {
      readonly items: readonly AuditRow[]
    }
    const rows = items.filter(({ action }) => / \/api\/v1\/loans(?!\/strategies)/.test(action))
    expect(new Set(rows.map(({ action }) => action)).size).toBe(5)
    for (const { action, resource } of rows) expect([action, resource.kind]).toEqual([action, 'loan'])
  })

  it('thaws and refreezes collateral that is frozen by default, and accepts no other source at creation', async () => {
    const { api, chain } = fixture.world
    const wallet = await borrower([[cash, 1n]])
    await api.ok(201, 'POST', '/positions', { owner: wallet, financialInstrument: deed })
    const position = addressOf(wallet.onchainId, deed)
    const mint = await api.ok<{ success: boolean }>(201, 'POST', '/positions/mint', {
      destination: at(wallet, deed),
      amount: 500,
      unfreezeDestination: true,
      freezeDestination: true,
    })
    expect(mint.success).toBe(true)
    const item = { positionLookup: at(wallet, deed), amount: 400 }
    const request = {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 1 }],
    }
    await api.refuses(400, 'FROZEN_BY_DEFAULT', 'POST', '/loans', {
      ...request,
      itemsToPledge: [{ ...item, mintAsset: true }],
    })
    await api.refuses(400, 'FROZEN_BY_DEFAULT', 'POST', '/loans', {
      ...request,
      itemsToPledge: [{ ...item, transferFrom: at(wallet, deed) }],
    })
    const escrow = await borrows(wallet, request.itemsToBorrow, [item])
    expect(await readBalances([wallet.onchainId, escrow.onchainId], deed)).toEqual([[100n * UNIT], [400n * UNIT]])
    for (const address of [position, addressOf(escrow.onchainId, deed)])
      expect((await chain.token(address)).isFrozen).toBe(true)
    await changeLoan('/loans/repay', {
      defiProtocol: 'ESCROW_VAULT',
      escrow,
      itemsToRepay: [{ positionLookup: at(wallet, cash), repayAll: true }],
      itemsToRelease: [item],
    })
    expect(await readBalances([wallet.onchainId, escrow.onchainId], deed)).toEqual([[500n * UNIT], [0n]])
    expect((await chain.token(position)).isFrozen).toBe(true)
    await changeLoan('/loans/close', { defiProtocol: 'ESCROW_VAULT', escrow }, 'closedLoan')
    expect(await chain.exists(addressOf(escrow.onchainId, deed))).toBe(false)
  })
})
