// The life of loans on the embedded chain: at every step the balances of borrower, lender and escrow are read from the
// chain itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from './addresses.ts'
import { LoanYard, terms, type Feed, type Lent, type Loan } from './loan-yard.ts'
import type { Ids, Result } from './models.ts'
import type { Version } from './onchain.ts'
import { SOL } from './records.ts'

const UNIT = 1_000_000n
let yard: LoanYard
let issuer: Ids
let vault: Ids
let feeds: Feed[]
/** Principals: SPL and TOKEN_2022; collateral: SPL, TOKEN_2022, and TOKEN_2022 frozen by default. */
let cash: Ids
let coin: Ids
let share: Ids
let bond: Ids
let deed: Ids
const versions = new Map<string, Version>()

beforeAll(async () => {
  yard = await LoanYard.open()
  const { records, api } = yard.world
  await records.feePayer()
  issuer = await records.account()
  const made = async (version: Version, more: Readonly<Record<string, unknown>> = {}): Promise<Ids> => {
    const ids = await records.instrument(version, issuer, more)
    versions.set(ids.onchainId, version)
    return ids
  }
  ;[cash, coin, share, bond, deed] = await Promise.all([
    made('SPL'),
    made('TOKEN_2022'),
    made('SPL'),
    made('TOKEN_2022'),
    made('TOKEN_2022', { defaultPositionState: 'FROZEN', freezeAuthority: issuer }),
  ])
  vault = await records.account()
  await Promise.all([records.position(vault, cash, 10_000n * UNIT), records.position(vault, coin, 10_000n * UNIT)])
  feeds = await Promise.all([cash, coin, share, bond, deed].map((instrument) => yard.feed(instrument, '1')))
  for (const principal of [cash, coin]) {
    await api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: vault,
      financialInstrument: principal,
      originationsEnabled: true,
      collateral: [terms(share), terms(bond, { apy: 120_000 }), terms(deed)],
      duration: { code: 'DAYS', unit: 30 },
    })
  }
})
afterAll(() => yard.world.stop())

async function freshPrices(): Promise<void> {
  await Promise.all(feeds.map((feed) => yard.price(feed, '1')))
}

const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
const addressOf = (owner: string, instrument: Ids): string =>
  associated(owner, instrument.onchainId, versions.get(instrument.onchainId)!)

/** Raw units on chain of everybody, in each of the instruments. */
async function held(owners: readonly string[], ...instruments: readonly Ids[]): Promise<bigint[][]> {
  return await Promise.all(
    owners.map((owner) => Promise.all(instruments.map((each) => yard.world.chain.tokens(addressOf(owner, each))))),
  )
}

async function borrower(holdings: readonly (readonly [Ids, bigint])[]): Promise<Ids> {
  const { records } = yard.world
  const wallet = await records.funded({ canPayFees: true }, SOL)
  for (const [instrument, raw] of holdings) await records.position(wallet, instrument, raw)
  return wallet
}

const loanOf = (escrow: Ids, more: object = {}): Promise<Loan> =>
  yard.world.api.read('/loans/single', { escrow: { offchainId: escrow.offchainId }, ...more })

async function borrows(
  wallet: Ids,
  itemsToBorrow: readonly object[],
  itemsToPledge: readonly object[],
  more: object = {},
): Promise<Ids> {
  const lent = await yard.world.api.ok<Lent>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow,
    itemsToPledge,
    ...more,
  })
  expect(lent.chainTransaction.success, JSON.stringify(lent.chainTransaction)).toBe(true)
  const message = (await yard.world.chain.transaction(lent.chainTransaction.onchainId!)).transaction.message
  expect(message.staticAccountKeys[0]?.toBase58()).toBe(wallet.onchainId)
  return lent.newLoan
}

const raw = (amount: number | string): bigint => BigInt(Math.round(Number(amount) * 1e6))

async function changed(
  what: string,
  itemData: object,
  member = 'updatedLoan',
): Promise<{ readonly chainTransaction?: Result }> {
  const answer = await yard.world.api.ok<{ chainTransaction?: Result } & Record<string, Ids>>(
    200,
    'PATCH',
    what,
    itemData,
  )
  if (answer.chainTransaction !== undefined)
    expect(answer.chainTransaction.success, JSON.stringify(answer.chainTransaction)).toBe(true)
  expect(answer[member]).toEqual((itemData as { escrow: Ids }).escrow)
  return answer
}

const refused = (code: string, what: string, itemData: object) =>
  yard.world.api.refused(400, code, 'PATCH', what, itemData)

describe('a loan of two principals against two collaterals of both token programs', () => {
  it('is created, lent and pledged in one transaction', async () => {
    const wallet = await borrower([
      [share, 1_000n * UNIT],
      [bond, 1_000n * UNIT],
    ])
    const lender = await held([vault.onchainId], cash, coin)
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
    expect(await held([wallet.onchainId], cash, coin, share, bond)).toEqual([
      [100n * UNIT, 50_500_000n, 700n * UNIT, 800n * UNIT],
    ])
    expect(await held([escrow.onchainId], share, bond)).toEqual([[300n * UNIT, 200n * UNIT]])
    expect(await held([vault.onchainId], cash, coin)).toEqual([
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
    expect(loan.borrowedItems[0]!.interestPerSecond).toBe('0.000000380517503805')
    expect(loan.marketData).toHaveLength(4)
    expect(loan.health).toBeGreaterThan(0)
  })

  it('takes other collateral for what is pledged, minted or from elsewhere, as far as the debt is carried', async () => {
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
    await refused('LOAN_UNHEALTHY', '/loans/swap-collateral', {
      ...loan,
      itemsToWithdraw: [{ positionLookup: at(wallet, share), amount: 200 }],
    })
    await changed('/loans/swap-collateral', {
      ...loan,
      itemsToDeposit: [
        { positionLookup: at(wallet, bond), amount: 250, transferFrom: at(friend, bond) },
        { positionLookup: at(wallet, deed), amount: 7, mintAsset: true },
      ],
      itemsToWithdraw: [{ positionLookup: at(wallet, share), amount: 300 }],
    })
    expect(await held([escrow.onchainId], share, bond, deed)).toEqual([[0n, 250n * UNIT, 7n * UNIT]])
    expect(await held([wallet.onchainId, friend.onchainId], share, bond)).toEqual([
      [500n * UNIT, 10n * UNIT],
      [0n, 150n * UNIT],
    ])
    expect((await yard.world.chain.token(addressOf(escrow.onchainId, deed))).isFrozen).toBe(true)
    const record = await loanOf(escrow)
    expect(record.pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([250, 7])
    expect(record.borrowedItems[0]!.apy).toBe(120_000)
    await refused('COLLATERAL_NOT_ACCEPTED', '/loans/swap-collateral', {
      ...loan,
      itemsToDeposit: [{ positionLookup: at(wallet, cash), amount: 1 }],
    })
  })

  it('is repaid in parts, interest first, released, refinanced and closed, and the rent returns', async () => {
    const { chain, records } = yard.world
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
    const vaultBefore = (await held([vault.onchainId], cash))[0]![0]!
    // Ten days at 10 % a year: 0.273972603, rounded up to a raw unit.
    yard.pass(10 * 86_400)
    await freshPrices()
    const due = (await loanOf(escrow)).borrowedItems[0]!
    expect(Number(due.estimatedInterest)).toBeCloseTo(0.273973, 5)
    expect(due.interestOutstanding).toBe(0)
    await refused('OVERPAYMENT', '/loans/repay', {
      ...loan,
      itemsToRepay: [{ positionLookup: at(wallet, cash), amount: 101 }],
    })
    await changed('/loans/repay', {
      ...loan,
      itemsToRepay: [{ positionLookup: at(wallet, cash), amount: 40 }],
      itemsToRelease: [{ positionLookup: at(wallet, share), amount: 200 }],
    })
    const part = (await loanOf(escrow)).borrowedItems[0]!
    const interest = 40n * UNIT - raw(part.principalRepaid)
    expect(Number(interest)).toBeGreaterThanOrEqual(273_973)
    expect(Number(interest)).toBeLessThan(274_100)
    expect(part.interestOutstanding).toBe(0)
    expect(await held([wallet.onchainId, escrow.onchainId], share)).toEqual([[800n * UNIT], [200n * UNIT]])
    expect((await held([vault.onchainId], cash))[0]![0]).toBe(vaultBefore + 40n * UNIT)

    // Within the vault nothing moves: interest becomes principal. Another vault pays off the old one.
    yard.pass(86_400)
    await freshPrices()
    const within = await changed('/loans/refinance', {
      ...loan,
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      duration: { code: 'DAYS', unit: 5 },
    })
    expect(within.chainTransaction).toBeUndefined()
    const renewed = (await loanOf(escrow)).borrowedItems[0]!
    expect(raw(renewed.principalDue)).toBeGreaterThan(100n * UNIT - raw(part.principalRepaid))
    expect(renewed).toMatchObject({ principalRepaid: 0, interestOutstanding: 0, duration: { code: 'DAYS', unit: 5 } })
    const second = await records.account()
    await records.position(second, cash, 1_000n * UNIT)
    await yard.world.api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: second,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(share, { apy: 50_000 })],
      duration: { code: 'DAYS', unit: 9 },
    })
    const oldVault = (await held([vault.onchainId], cash))[0]![0]!
    await changed('/loans/refinance', {
      ...loan,
      lendingDetails: {
        loanStrategyAddress: second.onchainId,
        expectedLoanValues: { expectedApy: 50_000, expectedLqt: [800_000] },
      },
    })
    const moved = await loanOf(escrow)
    expect(moved.lender.onchain.id).toBe(second.onchainId)
    expect(moved.borrowedItems[0]).toMatchObject({ apy: 50_000, duration: { code: 'DAYS', unit: 9 } })
    const paidOff = raw(moved.borrowedItems[0]!.principalDue)
    expect((await held([vault.onchainId, second.onchainId], cash)).flat()).toEqual([
      oldVault + paidOff,
      1_000n * UNIT - paidOff,
    ])

    await refused('LOAN_NOT_REPAID', '/loans/close', loan)
    await changed('/loans/repay', { ...loan, itemsToRepay: [{ positionLookup: at(wallet, cash), repayAll: true }] })
    expect(await loanOf(escrow)).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'REPAID',
      health: 1_000_000,
      currentLoanToValue: 0,
    })
    expect((await held([second.onchainId], cash))[0]![0]).toBeGreaterThanOrEqual(1_000n * UNIT)
    await refused('LOAN_NOT_REPAID', '/loans/close', loan)
    await changed('/loans/repay', { ...loan, itemsToRelease: [{ positionLookup: at(wallet, share), amount: 200 }] })
    const spent = await chain.signatures(wallet.onchainId)
    await changed('/loans/close', loan, 'closedLoan')
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
    const paid = fees
      .filter(({ transaction }) => transaction.message.staticAccountKeys[0]?.toBase58() === wallet.onchainId)
      .reduce((sum, { meta }) => sum + BigInt(meta?.fee ?? 0), 0n)
    expect(spent.length).toBeGreaterThan(0)
    // The borrower has paid fees and nothing else: the rent of the escrow's position came back.
    expect(await chain.lamports(wallet.onchainId)).toBe(lamports - paid)
    await refused('LOAN_CLOSED', '/loans/close', loan)
  })

  it('thaws collateral that is frozen by default and freezes it again, and takes no other source of it on creation', async () => {
    const { api, chain } = yard.world
    const wallet = await borrower([[cash, 1n]])
    await api.ok(201, 'POST', '/positions', { owner: wallet, financialInstrument: deed })
    const position = addressOf(wallet.onchainId, deed)
    const minted = await api.ok<{ success: boolean }>(201, 'POST', '/positions/mint', {
      destination: at(wallet, deed),
      amount: 500,
      unfreezeDestination: true,
      freezeDestination: true,
    })
    expect(minted.success).toBe(true)
    const item = { positionLookup: at(wallet, deed), amount: 400 }
    const asked = {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 1 }],
    }
    await api.refused(400, 'FROZEN_BY_DEFAULT', 'POST', '/loans', {
      ...asked,
      itemsToPledge: [{ ...item, mintAsset: true }],
    })
    await api.refused(400, 'FROZEN_BY_DEFAULT', 'POST', '/loans', {
      ...asked,
      itemsToPledge: [{ ...item, transferFrom: at(wallet, deed) }],
    })
    const escrow = await borrows(wallet, asked.itemsToBorrow, [item])
    expect(await held([wallet.onchainId, escrow.onchainId], deed)).toEqual([[100n * UNIT], [400n * UNIT]])
    for (const address of [position, addressOf(escrow.onchainId, deed)])
      expect((await chain.token(address)).isFrozen).toBe(true)
    await changed('/loans/repay', {
      defiProtocol: 'ESCROW_VAULT',
      escrow,
      itemsToRepay: [{ positionLookup: at(wallet, cash), repayAll: true }],
      itemsToRelease: [item],
    })
    expect(await held([wallet.onchainId, escrow.onchainId], deed)).toEqual([[500n * UNIT], [0n]])
    expect((await chain.token(position)).isFrozen).toBe(true)
    await changed('/loans/close', { defiProtocol: 'ESCROW_VAULT', escrow }, 'closedLoan')
    expect(await chain.exists(addressOf(escrow.onchainId, deed))).toBe(false)
  })
})

describe('liquidation', () => {
  it('takes the least collateral that covers the debt, when the loan is worth too little', async () => {
    const wallet = await borrower([[share, 300n * UNIT]])
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 300 }],
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await refused('LOAN_NOT_LIQUIDATABLE', '/loans/liquidate', loan)
    await yard.price(feeds[2]!, '0.4')
    const unhealthy = await loanOf(escrow)
    expect(unhealthy).toMatchObject({ lifecycleState: 'LIQUIDATABLE' })
    expect(unhealthy.health).toBeLessThan(0)
    const before = (await held([vault.onchainId], share))[0]![0]!
    await changed('/loans/liquidate', loan)
    const [[taken], [left]] = (await held([vault.onchainId, escrow.onchainId], share)) as [[bigint], [bigint]]
    // 100 and some interest at 0.4: 250 shares and a little.
    expect(taken - before).toBeGreaterThanOrEqual(250n * UNIT)
    expect(taken - before).toBeLessThan(250_001_000n)
    expect(left).toBe(300n * UNIT - (taken - before))
    expect(await loanOf(escrow)).toMatchObject({ lifecycleState: 'REPAID', status: 'OPEN' })
    await changed('/loans/repay', {
      ...loan,
      itemsToRelease: [{ positionLookup: at(wallet, share), lamports: left.toString() }],
    })
    await changed('/loans/close', loan, 'closedLoan')
    expect((await held([wallet.onchainId], share, cash)).flat()).toEqual([left, 100n * UNIT])
    await freshPrices()
  })

  it('comes 48 hours after the term, and takes all there is where that is too little', async () => {
    const wallet = await borrower([[share, 300n * UNIT]])
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 300 }],
      { duration: { code: 'MINUTES', unit: 10 } },
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    yard.pass(3_600)
    expect(await loanOf(escrow)).toMatchObject({ lifecycleState: 'OVERDUE' })
    await freshPrices()
    await refused('LOAN_NOT_LIQUIDATABLE', '/loans/liquidate', loan)
    yard.pass(48 * 3_600)
    await refused('PRICE_STALE', '/loans/liquidate', loan)
    await freshPrices()
    await yard.price(feeds[2]!, '0.2')
    const principal = (await loanOf(escrow)).borrowedItems[0]!
    await changed('/loans/liquidate', loan)
    const after = (await loanOf(escrow)).borrowedItems[0]!
    // 300 shares at 0.2 pay 60: the interest first.
    expect(raw(after.principalRepaid)).toBe(60n * UNIT - raw(principal.estimatedInterest))
    expect((await held([escrow.onchainId], share)).flat()).toEqual([0n])
    await freshPrices()
  })
})

describe('what is refused', () => {
  it('says why, and keeps nothing', async () => {
    const { api, records } = yard.world
    const wallet = await borrower([
      [share, 1_000n * UNIT],
      [coin, 10n * UNIT],
    ])
    const other = await borrower([[share, 10n * UNIT]])
    const good = {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(wallet, share), amount: 100 }],
    }
    const refuses = (code: string, changes: object, config?: object) =>
      api.refused(400, code, 'POST', '/loans', { ...good, ...changes }, config === undefined ? {} : { config })
    await refuses('LTV_EXCEEDED', { itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 50 }] })
    await refuses('OWNER_MISMATCH', { itemsToPledge: [{ positionLookup: at(other, share), amount: 1 }] })
    await refuses('FEE_PAYER_NOT_BORROWER', {}, { feePayer: other })
    await refuses('COLLATERAL_NOT_ACCEPTED', { itemsToPledge: [{ positionLookup: at(wallet, coin), amount: 1 }] })
    await refuses('LOAN_TERMS_CHANGED', {
      lendingDetails: { ...good.lendingDetails, expectedLoanValues: { expectedApy: 99_999 } },
    })
    await refuses('LOAN_TERMS_CHANGED', {
      lendingDetails: { ...good.lendingDetails, expectedLoanValues: { expectedApy: 100_000, expectedLqt: [800_001] } },
    })
    await refuses('STRATEGY_NOT_FOUND', { lendingDetails: { loanStrategyAddress: other.onchainId } })
    await refuses('PROTOCOL_NOT_SUPPORTED', { defiProtocol: 'OTHER' })
    await refuses('DURATION_NOT_ACCEPTED', { duration: { code: 'MONTHS', unit: 2 } })
    await refuses('INSUFFICIENT_BALANCE', { itemsToPledge: [{ positionLookup: at(wallet, share), amount: 1_001 }] })
    await refuses('INSUFFICIENT_PRINCIPAL', {
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 20_000 }],
      itemsToPledge: [{ positionLookup: at(wallet, share), amount: 100_000, mintAsset: true }],
    })
    for (const escrow of [
      { managed: false, onchainId: other.onchainId },
      { onchainId: other.onchainId },
      { privateKeyDetails: { privateKey: '5'.repeat(88) } },
    ])
      expect((await api.send('POST', '/loans', { ...good, escrow })).status).toBe(400)
    yard.pass(3_601)
    await refuses('PRICE_STALE', {})
    await freshPrices()
    const strict = await records.account()
    await records.position(strict, cash, 100n * UNIT)
    const { newStrategy } = await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', {
      strategyAccount: strict,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(share)],
      duration: { code: 'DAYS', unit: 1 },
      originationCap: 20,
      liquidityBuffer: 900_000,
    })
    const there = { lendingDetails: { loanStrategyAddress: strict.onchainId } }
    await refuses('INSUFFICIENT_PRINCIPAL', {
      ...there,
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 21 }],
    })
    await refuses('INSUFFICIENT_PRINCIPAL', {
      ...there,
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 11 }],
    })
    await api.ok(200, 'PATCH', '/loans/strategies', { strategy: { offchainId: newStrategy.offchainId }, borrowers: [] })
    await refuses('BORROWER_NOT_ACCEPTED', there)
    await api.ok(200, 'PATCH', '/loans/strategies', {
      strategy: { offchainId: newStrategy.offchainId },
      borrowers: null,
      originationsEnabled: false,
    })
    await refuses('ORIGINATIONS_DISABLED', there)
    expect(await held([wallet.onchainId], share)).toEqual([[1_000n * UNIT]])
    expect(
      await api.bulk('/loans/bulk', {
        filter: [
          { fieldName: 'borrowerOnchainId', filterValues: [{ filterType: 'EQUALS', valueString: wallet.onchainId }] },
        ],
      }),
    ).toEqual({ count: 0, items: [] })
  })
})

it('is found by its parties, its items and its status, ACTIVE meaning OPEN', async () => {
  const wallet = await borrower([[share, 100n * UNIT]])
  const escrow = await borrows(
    wallet,
    [{ positionLookup: at(wallet, cash), amount: 10 }],
    [{ positionLookup: at(wallet, share), amount: 100 }],
  )
  const found = async (...fields: readonly (readonly [string, object])[]): Promise<number> => {
    const own = ['borrowerOnchainId', { valueString: wallet.onchainId }] as const
    const filter = [own, ...fields].map(([fieldName, value]) => ({
      fieldName,
      filterValues: [{ filterType: 'EQUALS', ...value }],
    }))
    return ((await yard.world.api.bulk('/loans/bulk', { filter })) as { count: number }).count
  }
  expect(await found(['status', { valueString: 'ACTIVE' }])).toBe(1)
  expect(await found(['status', { valueString: 'OPEN' }])).toBe(1)
  expect(await found(['status', { valueString: 'CLOSED' }])).toBe(0)
  expect(
    await found(
      ['escrowOffchainId', { valueString: escrow.offchainId }],
      ['lenderOnchainId', { valueString: vault.onchainId }],
    ),
  ).toBe(1)
  expect(await found(['pledgedItemOnchainId', { valueString: share.onchainId }])).toBe(1)
  expect(
    await found(
      ['pledgedItemOnchainId', { valueString: addressOf(escrow.onchainId, share) }],
      ['pledgedItemAmount', { valueNumber: 100 }],
    ),
  ).toBe(1)
  expect(
    await found(
      ['borrowedItemOffchainId', { valueString: cash.offchainId }],
      ['borrowedItemDueAmount', { valueNumber: 10 }],
    ),
  ).toBe(1)
  expect(await found(['loanDurationCode', { valueString: 'DAYS' }], ['loanDurationUnit', { valueNumber: 30 }])).toBe(1)
})
