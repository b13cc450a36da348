// Loans through a lending provider: they follow the rules of every transaction, and a sequence of transactions that
// ends early leaves the loan as it is on chain.
import { Keypair, Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { ALWAYS, setFaults } from '../../chain-faults.ts'
import { eventually, pastLifetimes } from '../harness.ts'
import type { Result } from '../models.ts'
import { SOL } from '../records.ts'
import { addressOf, buildTransfer } from './tampers.ts'
import {
  withProvidedFixture,
  UNIT,
  provider,
  fixture,
  issuer,
  pool,
  cash,
  bond,
  feeds,
  strategy,
  readBalance,
  at,
  buildLoanRequest,
  loanAt,
  buildReference,
  borrower,
  lend,
} from './provided-fixture.ts'

withProvidedFixture()

const status = (offchainId: string) => fixture.world.api.read<Result>('/transactions/status', { offchainId })

describe('a provided loan follows the rules of every transaction', () => {
  it('and is refused over a debit limit, even with approvers, and while the borrower is frozen', async () => {
    const { api } = fixture.world
    const role = { organizationExternalId: 'SYSTEM', name: 'approver', roles: ['DEBIT_LIMIT_APPROVE'] }
    const { keyId } = await api.ok<{ keyId: string }>(201, 'POST', '/admin/api-keys', role)
    const most = {
      limitType: 'PER_TRANSACTION',
      limitAmount: 200,
      approversForOverride: [keyId],
      requiredApproversCount: 1,
    }
    const tokenDebitLimits = [{ destination: 'ANY', maxAllowedDebit: most }]
    const owner = await borrower({ tokenDebitLimits })
    await api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', buildLoanRequest(owner))
    await api.ok(200, 'PATCH', '/accounts', { account: owner, tokenDebitLimits: [] })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: owner })
    await api.refuses(403, 'FROZEN', 'POST', '/loans', buildLoanRequest(owner))
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: owner })
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
  })

  it('and is refused if a key is held elsewhere: it is signed at once or not at all', async () => {
    const { api, chain, records } = fixture.world
    const outsider = Keypair.generate().publicKey.toBase58()
    await chain.airdrop(outsider, SOL)
    const owner = await records.account({ managed: false, onchainId: outsider, alreadyOnchain: true })
    await records.position(owner, bond, 500n * UNIT)
    await api.refuses(400, 'ACCOUNT_NOT_MANAGED', 'POST', '/loans', buildLoanRequest(owner))
  })

  it('and uses vaults whose key is held elsewhere; the built-in protocol requires keys held here', async () => {
    const { api, records } = fixture.world
    const managed = await records.account()
    await records.position(managed, cash)
    await api.refuses(400, 'ACCOUNT_MANAGED', 'POST', '/loans/strategies', strategy({ strategyAccount: managed }))
    await api.refuses(
      400,
      'ACCOUNT_NOT_MANAGED',
      'POST',
      '/loans/strategies',
      strategy({ defiProtocol: 'ESCROW_VAULT' }),
    )
    const owner = await borrower()
    await api.refuses(
      400,
      'PROTOCOL_MISMATCH',
      'POST',
      '/loans',
      buildLoanRequest(owner, { defiProtocol: 'ESCROW_VAULT' }),
    )
  })

  it('and can be simulated: the provider is asked, and nothing is stored', async () => {
    const owner = await borrower()
    const { dryRun } = await fixture.world.api.ok<{
      dryRun: { signers: readonly object[]; simulation: { error: string | null } }
    }>(200, 'POST', '/loans', buildLoanRequest(owner), { headers: { 'Holdfast-Dry-Run': 'true' } })
    expect(dryRun.simulation.error).toBe(null)
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
  })
})

describe('a sequence of transactions that ends early', () => {
  it('leaves the loan as it is on chain, and the pledges can be released without the provider', async () => {
    const { api, chain } = fixture.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const creation = await lend(owner, { Prefer: 'respond-async' })
    // The provider transfers away the promised principal before the second transaction is sent.
    const all = await readBalance(provider.address, cash)
    const move = new Transaction().add(buildTransfer(cash, provider.address, addressOf(issuer.onchainId, cash), all))
    move.feePayer = provider.lender.publicKey
    move.recentBlockhash = (await chain.connection.getLatestBlockhash('confirmed')).blockhash
    move.sign(provider.lender)
    await chain.connection.sendRawTransaction(move.serialize())
    await eventually(async () => expect(await readBalance(provider.address, cash)).toBe(0n))
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    const [first, second] = creation.chainTransactions!
    await eventually(async () =>
      expect((await loanAt(creation.newLoan)).chainPlan).toMatchObject({ status: 'FAILED', confirmed: 1 }),
    )
    expect((await loanAt(creation.newLoan)).chainPlan!.errorMessage).toContain(second!.offchainId)
    expect((await status(first!.offchainId)).status).toBe('FINALIZED')
    expect((await status(second!.offchainId)).status).toBe('BLOCKCHAIN_ERROR')
    const escrow = creation.newLoan
    expect(await Promise.all([readBalance(escrow.onchainId, bond), readBalance(owner.onchainId, cash)])).toEqual([
      300n * UNIT,
      0n,
    ])
    expect(await loanAt(escrow)).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'REPAID',
      chainPlan: { status: 'FAILED', confirmed: 1 },
      pledgedItems: [{ pledgedAmount: 300 }],
      borrowedItems: [],
    })

    const ordersBefore = provider.orders.length
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...buildReference(escrow),
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 300 }],
    })
    await api.ok(200, 'PATCH', '/loans/close', buildReference(escrow))
    expect(provider.orders).toHaveLength(ordersBefore)
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
    expect(await loanAt(escrow)).toMatchObject({ status: 'CLOSED' })
    await fillPool()
  })

  it('sends nothing with the key of an account that was frozen meanwhile', async () => {
    const { api, rpcUrl } = fixture.world
    const owner = await borrower()
    // Until the account is frozen, the service does not see that the first transaction has landed.
    await setFaults(rpcUrl, { answerNull: { getSignatureStatuses: ALWAYS } })
    const { newLoan, chainTransactions } = await lend(owner, { Prefer: 'respond-async' })
    await eventually(async () => expect(await readBalance(newLoan.onchainId, bond)).toBe(300n * UNIT))
    await api.ok(200, 'PATCH', '/admin/freeze', { account: owner })
    await setFaults(rpcUrl, {})
    await eventually(async () =>
      expect((await loanAt(newLoan)).chainPlan).toMatchObject({ status: 'FAILED', confirmed: 1 }),
    )
    expect((await loanAt(newLoan)).chainPlan!.errorMessage).toMatch(/^FROZEN/)
    const isCancelled = async () => expect((await status(chainTransactions![1]!.offchainId)).status).toBe('CANCELLED')
    await pastLifetimes(fixture.world, isCancelled)
    expect(await Promise.all([readBalance(newLoan.onchainId, bond), readBalance(owner.onchainId, cash)])).toEqual([
      300n * UNIT,
      0n,
    ])
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: owner })
    await Promise.all(feeds.map((feed) => fixture.price(feed, '1')))
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...buildReference(newLoan),
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 300 }],
    })
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
  })

  it('sends nothing of a loan whose lane is resumed after the account was frozen', async () => {
    const { api } = fixture.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const { newLoan, chainTransactions } = await lend(owner, { Prefer: 'respond-async' })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: owner })
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    await eventually(async () =>
      expect((await loanAt(newLoan)).chainPlan).toMatchObject({ status: 'FAILED', confirmed: 0 }),
    )
    expect((await loanAt(newLoan)).chainPlan!.errorMessage).toMatch(/^FROZEN/)
    await pastLifetimes(fixture.world, async () => {
      for (const { offchainId } of chainTransactions!) expect((await status(offchainId)).status).toBe('CANCELLED')
      expect((await loanAt(newLoan)).lifecycleState).toBe('CLOSED')
    })
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
  })

  it('sends no later transaction before or without the first, for any request', async () => {
    const { api } = fixture.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const creation = await lend(owner, { Prefer: 'respond-async' })
    const [first, second] = creation.chainTransactions!
    expect([first!.status, second!.status, creation.chainPlan!.status]).toEqual(['SIGNED', 'SIGNED', 'RUNNING'])
    expect(await loanAt(creation.newLoan)).toMatchObject({
      lifecycleState: 'PENDING',
      borrowedItems: [],
      pledgedItems: [],
    })
    const itemData = { transaction: { offchainId: second!.offchainId } }
    await api.refuses(400, 'NOT_ITS_TURN', 'POST', '/transactions/submit', itemData)
    await api.refuses(400, 'NOT_ITS_TURN', 'POST', '/transactions/sign', { ...itemData, returnSerialized: true })
    await api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/close', buildReference(creation.newLoan))
    await pastLifetimes(fixture.world, async () =>
      expect((await loanAt(creation.newLoan)).lifecycleState).toBe('CLOSED'),
    )
    await eventually(async () => expect((await status(second!.offchainId)).status).toMatch(/^(CANCELLED|EXPIRED)$/))
    await eventually(async () => expect((await status(first!.offchainId)).status).toBe('EXPIRED'))
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)
    // All reservations are released.
    const { reserved } = await api.read<{ reserved: { lamports: number } }>(
      '/positions/single/balance',
      at(owner, bond),
    )
    expect(reserved.lamports).toBe(0)
    await Promise.all(feeds.map((feed) => fixture.price(feed, '1')))
    expect((await lend(owner)).chainPlan).toMatchObject({ status: 'FINISHED' })
  })
})

async function fillPool(): Promise<void> {
  const { records, api } = fixture.world
  const position = await api.read<{ onchain: { id: string }; offchain: { id: string } }>(
    '/positions/single',
    at(pool, cash),
  )
  await records.mint({ onchainId: position.onchain.id, offchainId: position.offchain.id }, 10_000n * UNIT)
}
