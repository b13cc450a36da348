// Who may lend out of a wallet: a strategy allows debits of its vault, so that only keys that may set its limits may
// create one.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { perTransaction, to } from '../e2e/limits/limit-fixture.ts'
import { terms, type LoanCreation, type Loan } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

const STRATEGIES = '/loans/strategies'
let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant
let loansOnly: Client

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
  loansOnly = (await tenants.limits.person(lender.organization, ['LOANS_WRITE', 'LOANS_READ'])).api
})
afterAll(() => tenants.fixture.world.stop())

const foreign = (cap?: number | string) => [
  { organizationExternalId: borrower.organization, ...(cap === undefined ? {} : { cap }) },
]
const lends = async (api: Client, request: object): Promise<LoanCreation> => {
  const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', request)
  expect(creation.chainTransaction.success, JSON.stringify(creation.chainTransaction)).toBe(true)
  return creation
}

describe('attack 2, 14.6: a key that may write loans and not account policy', () => {
  it('attack 2: cannot turn a treasury into a vault and lend against worthless collateral', async () => {
    const treasury = await tenants.treasury(1_000n, {
      tokenDebitLimits: [to('OFF_PLATFORM', perTransaction(0)), to('NON_MANAGED', perTransaction(0))],
    })
    const accomplice = await tenants.borrowing(borrower, 10n)
    // The rights of the operator suffice for an instrument, a feed of it with any value, and units of it for the
    // accomplice.
    const junk = await lender.records.with(lender.operator.api).instrument('SPL', tenants.issuer)
    const { newPosition } = await borrower.admin.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: accomplice,
      financialInstrument: { onchainId: junk.onchainId },
    })
    await lender.operator.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: { onchainId: newPosition.onchainId } },
      amount: 1,
    })
    await tenants.fixture.feed(junk, '1000000000', lender.operator.api)
    const strategy = tenants.strategy(treasury, {
      collateral: [terms(junk, { loanToValueRatio: 1_000_000, liquidationRatio: 1_000_000 })],
      borrowers: [borrower.organization],
    })
    for (const api of [lender.operator.api, loansOnly]) {
      const { message } = await api.refuses(403, 'ROLE_REQUIRED', 'POST', STRATEGIES, strategy)
      expect(message).toContain('ACCOUNT_POLICY_WRITE')
    }
    await borrower.admin.api.refuses(
      400,
      'BORROWER_NOT_ACCEPTED',
      'POST',
      '/loans',
      tenants.loan(treasury, accomplice, 1_000, 1, junk),
    )
    expect(await tenants.balanceOf(treasury)).toBe(1_000n * UNIT)
  })

  it('14.6 control: with both roles creates a strategy, and a borrower of its own tenant borrows', async () => {
    const treasury = await tenants.treasury(100n)
    await tenants.makesStrategy(treasury)
    const wallet = await tenants.borrowing(lender, 50n)
    await lends(lender.operator.api, tenants.loan(treasury, wallet, 10, 40))
    expect([await tenants.balanceOf(treasury), await tenants.balanceOf(wallet)]).toEqual([90n * UNIT, 10n * UNIT])
  })

  it('attack 2: cannot do so by changing an existing strategy: each of its terms is account policy', async () => {
    const treasury = await tenants.treasury(100n)
    const strategy = await tenants.makesStrategy(treasury, { originationCap: 1 })
    const changes: readonly object[] = [
      { borrowers: foreign(100) },
      { borrowers: null },
      { collateral: [terms(tenants.bond, { loanToValueRatio: 1_000_000, liquidationRatio: 1_000_000 })] },
      { onchainDataSource: { offchainId: tenants.cashFeed.offchainId } },
      { originationCap: null },
      { liquidityBuffer: null },
      { duration: { code: 'YEARS', unit: 100 } },
      { exemptFromDebitLimits: true },
      { originationsEnabled: true },
    ]
    for (const change of changes) {
      for (const api of [lender.operator.api, loansOnly])
        await api.refuses(403, 'ROLE_REQUIRED', 'PATCH', STRATEGIES, tenants.change(strategy, change))
      await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, change))
    }
    // To stop lending harms no one.
    await lender.operator.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { originationsEnabled: false }))
    await lender.operator.api.refuses(
      403,
      'ROLE_REQUIRED',
      'PATCH',
      STRATEGIES,
      tenants.change(strategy, { originationsEnabled: false, originationCap: null }),
    )
  })

  it('14.11: gets the same answer for a vault that does not lend to the borrower and for an unknown one', async () => {
    const vault = await tenants.treasury(100n)
    await tenants.makesStrategy(vault)
    const wallet = await tenants.borrowing(borrower, 50n)
    const answerFor = async (address: string): Promise<string> => {
      const loan = tenants.loan({ onchainId: address, offchainId: '' }, wallet, 10, 40)
      const { code, message } = await borrower.admin.api.refuses(400, 'BORROWER_NOT_ACCEPTED', 'POST', '/loans', loan)
      return `${code} ${message.replaceAll(address, 'VAULT')}`
    }
    const unknownAddress = Keypair.generate().publicKey.toBase58()
    expect(await answerFor(vault.onchainId)).toBe(await answerFor(unknownAddress))
  })

  it('attack 2: cannot turn an account of another organization of its tenant into a vault', async () => {
    const organizationExternalId = `SUB-${crypto.randomUUID()}`
    await tenants.fixture.world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: organizationExternalId,
      name: 'below',
      parentExternalId: lender.organization,
    })
    const below = await tenants.limits.person(organizationExternalId, ['LOANS_WRITE', 'ACCOUNT_POLICY_WRITE'])
    const treasury = await tenants.treasury(10n)
    const vault = { onchainId: treasury.onchainId } as Ids
    const { status, body } = await below.api.send<Problems>('POST', STRATEGIES, tenants.strategy(vault))
    // The organization below has no feed of its own either.
    const codes = body.errors?.map(({ code }) => code)
    expect({ status, codes }).toEqual({ status: 400, codes: ['ACCOUNT_NOT_FOUND', 'PRICE_MISSING'] })
    const strategy = await tenants.makesStrategy(treasury)
    await below.api.refuses(
      400,
      'STRATEGY_NOT_FOUND',
      'PATCH',
      STRATEGIES,
      tenants.change(strategy, { originationCap: 5 }),
    )
  })

  it('14.6: is audited for every created, changed and refused strategy', async () => {
    const treasury = await tenants.treasury(10n)
    await loansOnly.refuses(403, 'ROLE_REQUIRED', 'POST', STRATEGIES, tenants.strategy(treasury))
    const strategy = await tenants.makesStrategy(treasury)
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { originationCap: 3 }))
    const { items } = (await lender.admin.api.bulk('/audit/bulk', {})) as {
      items: { action: string; outcome: string; resource: { offchainId: string } | null }[]
    }
    const about = items.filter(({ action }) => action.endsWith('/loans/strategies')).slice(0, 3)
    expect(about.map(({ action, outcome }) => [action.split(' ')[0], outcome])).toEqual([
      ['PATCH', 'DONE'],
      ['POST', 'DONE'],
      ['POST', 'REFUSED'],
    ])
    expect(about.slice(0, 2).map(({ resource }) => resource?.offchainId)).toEqual([
      strategy.offchainId,
      strategy.offchainId,
    ])
  })
})

describe('14.6: debit key lists of the vault', () => {
  it.each(['solDebitApiKeys', 'tokenDebitApiKeys'] as const)(
    '14.6: a key missing in the %s of the wallet neither creates nor changes terms',
    async (list) => {
      const treasury = await tenants.treasury(10n)
      const other = await tenants.limits.person(lender.organization, 'ADMIN')
      await lender.admin.api.ok(200, 'PATCH', '/accounts', { account: treasury, [list]: [other.keyId] })
      await lender.admin.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', STRATEGIES, tenants.strategy(treasury))
      const strategy = await tenants.makesStrategy(treasury, {}, other.api)
      await lender.admin.api.refuses(
        403,
        'DEBIT_KEY_REQUIRED',
        'PATCH',
        STRATEGIES,
        tenants.change(strategy, { originationCap: 5 }),
      )
      await other.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { originationCap: 5 }))
      await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { originationsEnabled: false }))
    },
  )

  it('14.6: the list of the position with the principal applies as well', async () => {
    const wallet = await lender.records.funded()
    const position = await lender.records.position(wallet, tenants.cash, UNIT)
    const other = await tenants.limits.person(lender.organization, 'ADMIN')
    await lender.admin.api.ok(200, 'PATCH', '/positions', {
      position: { position: { offchainId: position.offchainId } },
      tokenDebitApiKeys: [other.keyId],
    })
    await lender.admin.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', STRATEGIES, tenants.strategy(wallet))
    await tenants.makesStrategy(wallet, {}, other.api)
  })
})

describe('14.6: debit limits of the vault', () => {
  it('14.6: apply to loans to another tenant, unless the strategy is exempt', async () => {
    const treasury = await tenants.treasury(100n)
    const strategy = await tenants.makesStrategy(treasury, { borrowers: foreign(50) })
    const wallet = await tenants.borrowing(borrower, 200n)
    await borrower.admin.api.refuses(
      400,
      'DEBIT_LIMIT_EXCEEDED',
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 1, 4),
    )
    expect(await tenants.balanceOf(treasury)).toBe(100n * UNIT)
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { exemptFromDebitLimits: true }))
    await lends(borrower.admin.api, tenants.loan(treasury, wallet, 2, 8))
    expect(await tenants.balanceOf(treasury)).toBe(98n * UNIT)
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { exemptFromDebitLimits: false }))
    await borrower.admin.api.refuses(
      400,
      'DEBIT_LIMIT_EXCEEDED',
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 2, 8),
    )
  })

  it('14.6: count loans together with transfers in a window', async () => {
    const treasury = await tenants.treasury(100n, {
      tokenDebitLimits: [
        to('OFF_PLATFORM', { limitType: 'DURATION', limitAmount: 10, duration: { code: 'DAYS', unit: 1 } }),
      ],
    })
    await tenants.makesStrategy(treasury, { borrowers: foreign(50) })
    const wallet = await tenants.borrowing(borrower, 200n)
    await lends(borrower.admin.api, tenants.loan(treasury, wallet, 6, 24))
    await borrower.admin.api.refuses(
      400,
      'DEBIT_LIMIT_EXCEEDED',
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 5, 20),
    )
    const pays = {
      source: { owner: treasury, financialInstrument: tenants.cash },
      destination: { owner: { onchainId: wallet.onchainId }, financialInstrument: tenants.cash },
      amount: 5,
    }
    await lender.admin.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/positions/transfer', pays)
    await lends(borrower.admin.api, tenants.loan(treasury, wallet, 4, 16))
    expect(await tenants.balanceOf(treasury)).toBe(90n * UNIT)
  })

  it('14.6: count a refinancing from a vault like a loan', async () => {
    const [first, second] = [await tenants.treasury(100n), await tenants.treasury(100n)]
    await tenants.makesStrategy(first, { borrowers: foreign(50), exemptFromDebitLimits: true })
    const strategy = await tenants.makesStrategy(second, { borrowers: foreign(50) })
    const wallet = await tenants.borrowing(borrower, 100n)
    const { newLoan } = await lends(borrower.admin.api, tenants.loan(first, wallet, 10, 40))
    const refinancing = {
      defiProtocol: 'ESCROW_VAULT',
      escrow: { offchainId: newLoan.offchainId },
      lendingDetails: { loanStrategyAddress: second.onchainId },
    }
    // The old vault and the new one belong to the same tenant: the repayment stays within it.
    const { chainTransaction } = await borrower.admin.api.ok<{ chainTransaction: { success: boolean } }>(
      200,
      'PATCH',
      '/loans/refinance',
      refinancing,
    )
    expect(chainTransaction.success).toBe(true)
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { originationsEnabled: false }))
    const { lender: lentBy } = await borrower.admin.api.read<Loan>('/loans/single', {
      escrow: { offchainId: newLoan.offchainId },
    })
    expect(lentBy.onchain.id).toBe(second.onchainId)
  })
})
