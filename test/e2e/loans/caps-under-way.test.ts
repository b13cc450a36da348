// Caps and principal of a lender while another change of a loan is under way: sent, and not seen on chain. What may
// still land counts in full; what has provably expired counts no more.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ALWAYS, setFaults } from '../../chain-faults.ts'
import { eventually, pastLifetimes } from '../harness.ts'
import type { Loan, LoanCreation } from './loan-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { LendingTenants, UNIT, type Tenant } from '../../trust/fixtures/lending-tenants.ts'

let tenants: LendingTenants
let borrower: Tenant

beforeAll(async () => {
  // A message does not expire while a test looks at it: a blockhash lasts for half a minute.
  tenants = await LendingTenants.open({ HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  ;({ borrower } = tenants)
})
afterEach(() => setFaults(tenants.fixture.world.rpcUrl, {}))
afterAll(() => tenants.fixture.world.stop())

const exempt = (cap: number) => ({
  borrowers: [{ organizationExternalId: borrower.organization, cap }],
  exemptFromDebitLimits: true,
})

/** A vault of the lender with a strategy. */
async function vaultOf(units: bigint, more: object = exempt(1_000)): Promise<Ids> {
  const vault = await tenants.treasury(units)
  await tenants.makesStrategy(vault, more)
  return vault
}

type Change = readonly ['POST' | 'PATCH', string, object]

/** A loan of ten that the vault is asked for. */
async function origination(vault: Ids): Promise<Change> {
  const wallet = await tenants.borrowing(borrower, 100n)
  return ['POST', '/loans', tenants.loan(vault, wallet, 10, 40)]
}

/** A loan of ten from elsewhere that the vault is to take over. */
async function takeover(vault: Ids): Promise<Change> {
  const { newLoan } = await borrower.admin.api.ok<LoanCreation>(201, ...(await origination(await vaultOf(10n))))
  const lendingDetails = { loanStrategyAddress: vault.onchainId }
  return ['PATCH', '/loans/refinance', { defiProtocol: 'ESCROW_VAULT', escrow: newLoan, lendingDetails }]
}

const statusOf = (method: string): number => (method === 'POST' ? 201 : 200)
const unsent = () => setFaults(tenants.fixture.world.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
const ASYNC = { headers: { Prefer: 'respond-async' } }

const KINDS = { origination, takeover }
const PAIRS = (['origination', 'takeover'] as const).flatMap((first) =>
  (['origination', 'takeover'] as const).map((second) => [first, second] as const),
)

describe.each(PAIRS)('while one %s is under way, one %s', (first, second) => {
  it.each([
    ['the cap of the borrower', 1_000n, 15, {}, 'BORROWER_CAP_EXCEEDED'],
    ['the principal of the vault', 15n, 1_000, {}, 'INSUFFICIENT_PRINCIPAL'],
    ['the buffer of the vault', 30n, 1_000, { liquidityBuffer: 500_000 }, 'INSUFFICIENT_PRINCIPAL'],
  ])('is refused beyond %s', async (_, units, cap, more, code) => {
    const { api } = borrower.admin
    const vault = await vaultOf(units, { ...exempt(cap), ...more })
    const [one, two] = [await KINDS[first](vault), await KINDS[second](vault)]
    await unsent()
    const { chainTransaction } = await api.ok<LoanCreation>(statusOf(one[0]), ...one, ASYNC)
    expect(['SIGNED', 'SUBMITTED']).toContain(chainTransaction.status)
    await api.refuses(400, code, ...two)
    await setFaults(tenants.fixture.world.rpcUrl, {})
    await eventually(async () => {
      const { offchainId } = chainTransaction
      expect(await api.read<Result>('/transactions/status', { offchainId })).toMatchObject({ success: true })
      expect(await tenants.balanceOf(vault)).toBeLessThan(units * UNIT)
    })
    await api.refuses(400, code, ...two)
  })
})

const HELD = (wallet: Ids) => ({ config: { feePayer: { offchainId: wallet.offchainId, autoSign: false } } })

describe('a change that waits for the signature of the borrower', () => {
  it.each(['origination', 'takeover'] as const)(
    'reserves nothing, and is refused once another %s counts',
    async (kind) => {
      const { api } = borrower.admin
      const vault = await vaultOf(1_000n, exempt(15))
      const wallet = await tenants.borrowing(borrower, 100n)
      const { chainTransaction } = await api.ok<LoanCreation>(
        201,
        'POST',
        '/loans',
        tenants.loan(vault, wallet, 10, 40),
        HELD(wallet),
      )
      expect(chainTransaction.status).toBe('PREPARED')
      const other = await KINDS[kind](vault)
      await unsent()
      await api.ok(statusOf(other[0]), ...other, ASYNC)
      const transaction = { offchainId: chainTransaction.offchainId }
      await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/transactions/sign', { transaction })
      expect((await api.read<Result>('/transactions/status', transaction)).status).toBe('PREPARED')
    },
  )
})

describe('a refinancing that waits for the signature of the borrower', () => {
  it('is refused once the vault holds less, and leaves a loan that can be changed when it is cancelled', async () => {
    const { api } = borrower.admin
    const vault = await vaultOf(15n)
    const wallet = await tenants.borrowing(borrower, 100n)
    const source = await vaultOf(10n)
    const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', tenants.loan(source, wallet, 10, 40))
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    const refinance = { ...loan, lendingDetails: { loanStrategyAddress: vault.onchainId } }
    const { chainTransaction } = await api.ok<LoanCreation>(200, 'PATCH', '/loans/refinance', refinance, HELD(wallet))
    const transaction = { offchainId: chainTransaction.offchainId }
    await api.ok(201, ...(await origination(vault)))
    await api.refuses(400, 'INSUFFICIENT_PRINCIPAL', 'POST', '/transactions/sign', { transaction })
    await api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/refinance', refinance)
    await api.ok(200, 'PATCH', '/transactions/cancel', transaction)
    await tenants.lendsMore(vault, 6n)
    await api.ok(200, 'PATCH', '/loans/refinance', refinance)
    expect(await tenants.balanceOf(source)).toBeGreaterThanOrEqual(10n * UNIT)
    expect(await tenants.balanceOf(vault)).toBeLessThanOrEqual(1n * UNIT)
  })
})

describe('a refinancing that expires', () => {
  it('leaves the loan with its lender, usable, and frees the cap and the principal of the other', async () => {
    const { api } = borrower.admin
    const vault = await vaultOf(15n, exempt(15))
    const [one, two] = [await takeover(vault), await takeover(vault)]
    const { escrow } = one[2] as { escrow: Ids }
    const before = await api.read<Loan>('/loans/single', { escrow })
    await unsent()
    const { chainTransaction } = await api.ok<LoanCreation>(200, ...one, ASYNC)
    await api.refuses(400, 'LOAN_BUSY', ...one)
    await pastLifetimes(tenants.fixture.world, async () => {
      const { offchainId } = chainTransaction
      expect(await api.read<Result>('/transactions/status', { offchainId })).toMatchObject({ status: 'EXPIRED' })
    })
    await setFaults(tenants.fixture.world.rpcUrl, {})
    const after = await api.read<Loan>('/loans/single', { escrow })
    expect([after.lender.onchain.id, after.lifecycleState]).toEqual([before.lender.onchain.id, 'ACTIVE'])
    expect(after.borrowedItems[0]).toMatchObject({ principalDue: 10, principalRepaid: 0, interestOutstanding: 0 })
    expect(await tenants.balanceOf(vault)).toBe(15n * UNIT)
    await api.ok(200, ...two)
    expect(await tenants.balanceOf(vault)).toBeLessThan(6n * UNIT)
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', ...one)
  })
})
