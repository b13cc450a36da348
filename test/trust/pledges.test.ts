// The lender can liquidate pledged collateral at prices of its own feeds: a pledge is a debit of the borrower to the
// lender. The operator of the borrower tries to take the bonds of the organization past its limits, with a lender of
// another tenant as an accomplice.
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { perTransaction, stranger, to, within } from '../e2e/limits/limit-fixture.ts'
import { terms, type LoanCreation, type Loan } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problem, Result } from '../e2e/models.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'
import { Outsider } from './fixtures/outsider.ts'

interface Changed {
  readonly chainTransaction: Result
}

const NOTHING_LEAVES = {
  tokenDebitLimits: [to('OFF_PLATFORM', perTransaction(0)), to('NON_MANAGED', perTransaction(0))],
}
let tenants: LendingTenants
let lender: Tenant
let victim: Tenant
/** A vault of the accomplice, and one of the tenant of the victim. */
let foreign: Ids
let own: Ids
/** The instruments of the lender, as the victim has recorded them. */
let ownInstruments: { readonly cash: Ids; readonly bond: Ids }

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower: victim } = tenants)
  foreign = await tenants.treasury(10_000n)
  await tenants.makesStrategy(foreign, {
    borrowers: [{ organizationExternalId: victim.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  ownInstruments = { cash: await onboard(tenants.cash), bond: await onboard(tenants.bond) }
  for (const instrument of [ownInstruments.cash, ownInstruments.bond])
    await tenants.fixture.feed(instrument, '1', victim.admin.api)
  own = await ownVault()
})
afterAll(() => tenants.fixture.world.stop())

/** A strategy of the tenant of the victim, which lends the same instruments with its own feeds. */
async function ownVault(): Promise<Ids> {
  const { api } = victim.admin
  const vault = await victim.records.funded({ canPayFees: true })
  await api.ok(201, 'POST', '/positions', { owner: vault, financialInstrument: ownInstruments.cash })
  await tenants.lendsMore(vault, 1_000n)
  await api.ok(201, 'POST', '/loans/strategies', {
    ...tenants.strategy(vault, { exemptFromDebitLimits: true }),
    financialInstrument: ownInstruments.cash,
    collateral: [terms(ownInstruments.bond)],
  })
  return vault
}

async function onboard({ onchainId }: Ids): Promise<Ids> {
  const { newFinancialInstrument } = await victim.admin.api.ok<{ newFinancialInstrument: Ids }>(
    201,
    'POST',
    '/financial-instruments',
    {
      mintAccount: { onchainId },
      alreadyOnChain: true,
      mintAuthority: { onchainId: tenants.issuer.onchainId, offPlatform: true },
    },
  )
  return newFinancialInstrument
}

const bonds = (wallet: Ids): Promise<bigint> => tenants.balanceOf(wallet, tenants.bond)
const at = (wallet: Ids, { onchainId }: Ids) => ({
  owner: { offchainId: wallet.offchainId },
  financialInstrument: { onchainId },
})
const of = ({ offchainId }: Ids, members: object) => ({
  defiProtocol: 'ESCROW_VAULT',
  escrow: { offchainId },
  ...members,
})
const bondItem = (wallet: Ids, amount: number) => ({ positionLookup: at(wallet, tenants.bond), amount })
const movedTo = (vault: Ids) => ({ lendingDetails: { loanStrategyAddress: vault.onchainId } })

async function lends(request: object): Promise<Ids> {
  const { newLoan, chainTransaction } = await victim.operator.api.ok<LoanCreation>(201, 'POST', '/loans', request)
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  return newLoan
}
async function changes(path: string, request: object, api = victim.operator.api): Promise<void> {
  const { chainTransaction } = await api.ok<Changed>(200, 'PATCH', path, request)
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
}
const refuses = (method: 'POST' | 'PATCH', path: string, request: object): Promise<Problem> =>
  victim.operator.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', method, path, request)

describe('attack 2, 14.2: collateral pledged to a lender of another tenant', () => {
  it.each([
    ['limits of zero', NOTHING_LEAVES],
    ['default limits', { tokenDebitLimits: null }],
  ])('attack 2: does not go into escrow beyond %s', async (_, limits) => {
    const wallet = await tenants.borrowing(victim, 100n, limits)
    const { message } = await refuses('POST', '/loans', tenants.loan(foreign, wallet, 1, 100))
    expect(message).toContain('OFF_PLATFORM')
    expect(await bonds(wallet)).toBe(100n * UNIT)
  })

  it('14.2 control: is subject to the limit for another tenant, with transfers, and can be liquidated', async () => {
    const wallet = await tenants.borrowing(victim, 100n, { tokenDebitLimits: [to('OFF_PLATFORM', within(40, 'DAYS'))] })
    const escrow = await lends(tenants.loan(foreign, wallet, 10, 30))
    const transfer = {
      source: at(wallet, tenants.bond),
      destination: { ...at(wallet, tenants.bond), owner: stranger() },
      initializeDestinationPositionIfNeeded: true,
      amount: 11,
    }
    await refuses('POST', '/positions/transfer', transfer)
    await refuses('PATCH', '/loans/swap-collateral', of(escrow, { itemsToDeposit: [bondItem(wallet, 11)] }))
    await changes('/loans/swap-collateral', of(escrow, { itemsToDeposit: [bondItem(wallet, 10)] }))
    await refuses('POST', '/loans', tenants.loan(foreign, wallet, 1, 3))
    expect(await bonds(wallet)).toBe(60n * UNIT)
    await tenants.fixture.price(tenants.bondFeed, '0.3')
    await changes('/loans/liquidate', of(escrow, {}), lender.operator.api)
    await tenants.fixture.price(tenants.bondFeed, '1')
    // Ten and the interest of a few seconds, at 0.3 each.
    expect(await bonds(foreign)).toBeGreaterThanOrEqual((100n * UNIT) / 3n)
    expect(await bonds(wallet)).toBe(60n * UNIT)
  })

  it('14.2 control: within a tenant counts as a payment to the vault', async () => {
    const wallet = await tenants.borrowing(victim, 100n, NOTHING_LEAVES)
    const escrow = await lends(tenants.loan(own, wallet, 10, 40))
    await changes('/loans/swap-collateral', of(escrow, { itemsToDeposit: [bondItem(wallet, 20)], itemsToWithdraw: [] }))
    await changes('/loans/swap-collateral', of(escrow, { itemsToWithdraw: [bondItem(wallet, 30)] }))
    expect(await bonds(wallet)).toBe(70n * UNIT)
  })

  it('14.2: includes transfers into the escrow outside of the loan', async () => {
    const wallet = await tenants.borrowing(victim, 100n, { tokenDebitLimits: [to('OFF_PLATFORM', within(40, 'DAYS'))] })
    const escrow = await lends(tenants.loan(foreign, wallet, 10, 30))
    const { pledgedItems } = await victim.admin.api.read<Loan>('/loans/single', {
      escrow: { offchainId: escrow.offchainId },
    })
    const position = { onchainId: pledgedItems[0]!.accountDetails.onchain.id }
    await refuses('POST', '/positions/transfer', {
      source: at(wallet, tenants.bond),
      destination: { position },
      amount: 11,
    })
  })
})

describe('attack 2, 14.2: collateral whose lender changes', () => {
  it('attack 2: a refinancing to another tenant is a debit of the pledge, even through an own vault', async () => {
    const wallet = await tenants.borrowing(victim, 100n, NOTHING_LEAVES)
    const escrow = await lends(tenants.loan(own, wallet, 10, 40))
    const request = of(escrow, movedTo(foreign))
    const { message } = await refuses('PATCH', '/loans/refinance', request)
    expect(message).toContain('would take 40')
    const { lender: lentBy } = await victim.admin.api.read<Loan>('/loans/single', {
      escrow: { offchainId: escrow.offchainId },
    })
    expect(lentBy.onchain.id).toBe(own.onchainId)
    await lender.operator.api.refuses(400, 'LOAN_NOT_FOUND', 'PATCH', '/loans/liquidate', of({ ...escrow }, {}))
  })

  it('14.2 control: it is allowed within the limit and counts in its window, except within the tenant', async () => {
    const wallet = await tenants.borrowing(victim, 100n, {
      tokenDebitLimits: [to('OFF_PLATFORM', within(40, 'DAYS')), to('NON_MANAGED', perTransaction(0))],
    })
    const escrow = await lends(tenants.loan(own, wallet, 10, 40))
    await changes('/loans/refinance', of(escrow, movedTo(await ownVault())))
    await changes('/loans/refinance', of(escrow, movedTo(foreign)))
    await refuses('POST', '/loans', tenants.loan(foreign, wallet, '0.1', 1))
    // Within the vault the collateral does not change its lender.
    await victim.operator.api.ok(200, 'PATCH', '/loans/refinance', of(escrow, movedTo(foreign)))
  })

  it('14.2: it waits for approval like a transfer, and is evaluated again after it', async () => {
    const approver = await tenants.limits.person(victim.organization, ['DEBIT_LIMIT_APPROVE', 'LOANS_READ'])
    const allowance = perTransaction(0, { approversForOverride: [approver.keyId], requiredApproversCount: 1 })
    const wallet = await tenants.borrowing(victim, 100n, { tokenDebitLimits: [to('OFF_PLATFORM', allowance)] })
    const escrow = await lends(tenants.loan(own, wallet, 10, 40))
    const { chainTransaction } = await victim.operator.api.ok<{
      chainTransaction: Result & { approval?: { entries: { debit: number }[] } }
    }>(200, 'PATCH', '/loans/refinance', of(escrow, movedTo(foreign)))
    expect(chainTransaction.status).toBe('PREPARED')
    expect(chainTransaction.approval?.entries.map(({ debit }) => debit)).toEqual([40])
    const approval = await approver.api.ok<Result>(200, 'POST', '/transactions/approve', {
      offchainId: chainTransaction.offchainId,
    })
    expect(approval.success, JSON.stringify(approval)).toBe(true)
    const { lender: lentBy } = await victim.admin.api.read<Loan>('/loans/single', {
      escrow: { offchainId: escrow.offchainId },
    })
    expect(lentBy.onchain.id).toBe(foreign.onchainId)
  })

  it('14.2: only a key of the borrower’s lists transfers the collateral to another lender', async () => {
    const wallet = await tenants.borrowing(victim, 100n, {
      tokenDebitLimits: [],
      tokenDebitApiKeys: [victim.admin.keyId],
    })
    const request = tenants.loan(own, wallet, 10, 40)
    const { newLoan } = await victim.admin.api.ok<LoanCreation>(201, 'POST', '/loans', request)
    await victim.operator.api.refuses(
      403,
      'DEBIT_KEY_REQUIRED',
      'PATCH',
      '/loans/refinance',
      of(newLoan, movedTo(foreign)),
    )
    await changes('/loans/refinance', of(newLoan, movedTo(foreign)), victim.admin.api)
  })
})

describe('attack 2, 14.2: releases and proceeds of a loan', () => {
  it('attack 2: collateral is not released into an account that an outsider can close and reopen', async () => {
    const outsider = await Outsider.with(tenants.fixture.world)
    const wallet = await tenants.borrowing(victim, 100n, NOTHING_LEAVES)
    const trap = Keypair.generate()
    await outsider.openTrap(trap, tenants.bond.onchainId, 'SPL', wallet.onchainId)
    const { newPosition } = await victim.operator.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument: { onchainId: tenants.bond.onchainId },
      position: { onchainId: trap.publicKey.toBase58(), alreadyOnchain: true, managed: false },
    })
    const escrow = await lends(tenants.loan(own, wallet, 1, 40))
    const item = { positionLookup: { position: { offchainId: newPosition.offchainId } }, amount: 30 }
    await refuses('PATCH', '/loans/swap-collateral', of(escrow, { itemsToWithdraw: [item] }))
    await refuses('PATCH', '/loans/repay', of(escrow, { itemsToRelease: [item] }))
    expect(await tenants.fixture.world.chain.tokens(newPosition.onchainId)).toBe(0n)
    await changes('/loans/swap-collateral', of(escrow, { itemsToWithdraw: [bondItem(wallet, 30)] }))
    expect(await bonds(wallet)).toBe(90n * UNIT)
  })

  it('attack 2: borrowed principal is not sent elsewhere beyond the limits of the borrower', async () => {
    const wallet = await tenants.borrowing(victim, 100n, NOTHING_LEAVES)
    const away = (owner: object) => ({ ...at(wallet, tenants.cash), owner })
    const request = tenants.loan(own, wallet, 10, 40) as { itemsToBorrow: readonly object[] }
    const requestTo = (owner: object) => ({
      ...request,
      itemsToBorrow: request.itemsToBorrow.map((item) => ({ ...item, transferTo: away(owner) })),
    })
    await refuses('POST', '/loans', requestTo(stranger()))
    await refuses('POST', '/loans', requestTo({ onchainId: foreign.onchainId }))
    const other = await victim.records.account()
    await lends(requestTo({ offchainId: other.offchainId }))
    expect(await tenants.balanceOf(other)).toBe(10n * UNIT)
  })
})

describe('attack 2: any sequence of loan operations by an operator', () => {
  const LIMIT = 60
  const amount = fc.integer({ min: 1, max: 40 })
  const act = fc.oneof(
    fc.record({
      kind: fc.constantFrom('pledge' as const),
      to: fc.constantFrom('own' as const, 'foreign' as const),
      amount,
    }),
    fc.record({ kind: fc.constantFrom('add' as const, 'withdraw' as const), loan: fc.nat(3), amount }),
    fc.record({
      kind: fc.constantFrom('refinance' as const),
      loan: fc.nat(3),
      to: fc.constantFrom('own' as const, 'foreign' as const),
    }),
  )

  it('attack 2 property: exposes at most the limit to the other tenant, and loses nothing', async () => {
    const vaults = { own, foreign }
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 6 }), async (acts) => {
        const wallet = await tenants.borrowing(victim, 100n, {
          tokenDebitLimits: [to('OFF_PLATFORM', within(LIMIT, 'DAYS'))],
        })
        const loans: Ids[] = []
        for (const each of acts) {
          const escrow = 'loan' in each ? loans[each.loan] : undefined
          const { api } = victim.operator
          if (each.kind === 'pledge') {
            const { status, body } = await api.send<LoanCreation>(
              'POST',
              '/loans',
              tenants.loan(vaults[each.to], wallet, '0.1', each.amount),
            )
            if (status === 201) loans.push(body.newLoan)
          } else if (escrow !== undefined && each.kind === 'refinance') {
            await api.send('PATCH', '/loans/refinance', of(escrow, movedTo(vaults[each.to])))
          } else if (escrow !== undefined && each.kind !== 'refinance') {
            const member = each.kind === 'add' ? 'itemsToDeposit' : 'itemsToWithdraw'
            await api.send('PATCH', '/loans/swap-collateral', of(escrow, { [member]: [bondItem(wallet, each.amount)] }))
          }
          const holdings = await Promise.all(
            loans.map(async (each) => ({ units: await bonds(each), at: await lenderOf(each) })),
          )
          const sum = (list: readonly { units: bigint }[]): bigint => list.reduce((all, { units }) => all + units, 0n)
          expect(sum(holdings.filter(({ at }) => at === foreign.onchainId))).toBeLessThanOrEqual(BigInt(LIMIT) * UNIT)
          expect(sum(holdings) + (await bonds(wallet))).toBe(100n * UNIT)
        }
      }),
      { numRuns: 8 },
    )
  })
})

async function lenderOf({ offchainId }: Ids): Promise<string> {
  return (await victim.admin.api.read<Loan>('/loans/single', { escrow: { offchainId } })).lender.onchain.id
}

describe('14.6: feeds for the release of collateral', () => {
  it("14.6 attack 2: must not be published by the borrower's tenant, also by a later grant", async () => {
    const bond = await lender.records.instrument('SPL', tenants.issuer)
    const feed = await tenants.fixture.feed(bond, '1', lender.admin.api)
    const vault = await tenants.treasury(100n)
    await tenants.makesStrategy(vault, {
      collateral: [terms(bond), terms(tenants.bond)],
      borrowers: [{ organizationExternalId: victim.organization, cap: 100 }],
      exemptFromDebitLimits: true,
    })
    const wallet = await tenants.borrowing(victim, 100n)
    const escrow = await lends(tenants.loan(vault, wallet, 1, 40))
    const below = `SUB-${crypto.randomUUID()}`
    await tenants.fixture.world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: 'below',
      parentExternalId: victim.organization,
    })
    const { onchainDataSourceAuthority: authority } = await lender.admin.api.read<{
      onchainDataSourceAuthority: { offchain: { id: string } }
    }>('/market-data/onchain-data-source/single', { onchainDataSource: { offchainId: feed.offchainId } })
    const grants = (organizations: readonly string[]) =>
      lender.admin.api.ok(200, 'PATCH', '/accounts', {
        account: { offchainId: authority.offchain.id },
        orgsAllowedToSignWithPrivateKey: organizations,
      })
    const swap = of(escrow, { itemsToWithdraw: [bondItem(wallet, 10)] })
    const release = of(escrow, { itemsToRelease: [bondItem(wallet, 10)] })
    for (const organization of [victim.organization, below]) {
      await grants([organization])
      await victim.operator.api.refuses(400, 'FEED_NOT_INDEPENDENT', 'PATCH', '/loans/swap-collateral', swap)
      await victim.operator.api.refuses(400, 'FEED_NOT_INDEPENDENT', 'PATCH', '/loans/repay', release)
      await victim.operator.api.refuses(
        400,
        'FEED_NOT_INDEPENDENT',
        'POST',
        '/loans',
        tenants.loan(vault, wallet, 1, 4),
      )
    }
    await grants([])
    await changes('/loans/swap-collateral', swap)
    await changes('/loans/repay', release)
    expect(await bonds(wallet)).toBe(80n * UNIT)
  })
})
