// Loans through a lending provider: it creates and partly signs the transactions, several of them in order. The service
// checks their messages, signs them, stores them in one write and sends them one after the other. The provider of this
// test is scripted and lends from its own account. Balances are read from the chain, and the books equal the settled
// state of the chain wherever the sequence ends.
import { Keypair } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import type { LoanCreation, Loan } from './loan-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'
import { addressOf, TAMPERS } from './tampers.ts'
import {
  withProvidedFixture,
  UNIT,
  WORD,
  provider,
  fixture,
  issuer,
  pool,
  cash,
  bond,
  readBalance,
  at,
  buildLoanRequest,
  loanAt,
  buildReference,
  borrower,
  lend,
} from './provided-fixture.ts'

withProvidedFixture()

describe('a loan through a provider', () => {
  let owner: Ids
  let escrow: Ids
  let first: LoanCreation

  it('is created by two transactions of the provider, in order', async () => {
    owner = await borrower()
    const poolHad = await readBalance(provider.address, cash)
    first = await lend(owner, once('first loan'))
    escrow = first.newLoan
    expect(first.chainPlan).toMatchObject({ status: 'FINISHED', steps: 2, confirmed: 2 })
    expect(first.chainTransactions!.map(({ success }) => success)).toEqual([true, true])
    expect(first.chainTransaction).toEqual(first.chainTransactions![1])

    const { chain } = fixture.world
    const onChain = await Promise.all(first.chainTransactions!.map(({ onchainId }) => chain.transaction(onchainId!)))
    expect(onChain[0]!.slot).toBeLessThan(onChain[1]!.slot)
    const order = provider.orders.at(-1)!
    expect(await Promise.all(first.chainTransactions!.map(({ onchainId }) => chain.memos(onchainId!)))).toEqual([
      [`${order.orderId} 0`],
      [`${order.orderId} 1`],
    ])
    expect(order).toMatchObject({ operation: 'CREATE', chainClusterId: 'CHAIN_DEVNET', feePayer: owner.onchainId })
    for (const { offchainId } of first.chainTransactions!) {
      const { signatures } = await fixture.world.api.read<{ signatures: readonly object[] }>('/transactions/explain', {
        offchainId,
      })
      expect(signatures).toMatchObject([
        { onchainId: owner.onchainId, ours: true },
        { onchainId: provider.address, ours: false },
      ])
    }
    expect(provider.headers).toMatchObject({ authorization: `Bearer ${WORD}`, 'idempotency-key': order.orderId })

    expect(
      await Promise.all([
        readBalance(owner.onchainId, cash),
        readBalance(owner.onchainId, bond),
        readBalance(escrow.onchainId, bond),
      ]),
    ).toEqual([100n * UNIT, 200n * UNIT, 300n * UNIT])
    expect(await readBalance(provider.address, cash)).toBe(poolHad - 100n * UNIT)
  })

  it('is read and listed like any other, with the plan of its latest change', async () => {
    const loan = await loanAt(escrow)
    expect(loan).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'ACTIVE',
      defiProtocol: 'SCRIPTED',
      chainPlan: { status: 'FINISHED', steps: 2, confirmed: 2 },
      pledgedItems: [{ pledgedAmount: 300 }],
      borrowedItems: [{ principalDue: 100, principalRepaid: 0, apy: 100_000 }],
    })
    const { count, items } = (await fixture.world.api.bulk('/loans/bulk', {})) as {
      count: number
      items: readonly Loan[]
    }
    expect([count, items[0]!.defiProtocol]).toEqual([1, 'SCRIPTED'])
  })

  it('is created once under an idempotency key, with one request to the provider', async () => {
    const ordersBefore = provider.orders.length
    const replay = await fixture.world.api.send<LoanCreation>('POST', '/loans', buildLoanRequest(owner), {
      headers: once('first loan'),
    })
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(replay.body.chainTransactions!.map(({ onchainId }) => onchainId)).toEqual(
      first.chainTransactions!.map(({ onchainId }) => onchainId),
    )
    expect(provider.orders).toHaveLength(ordersBefore)
    expect(await readBalance(owner.onchainId, cash)).toBe(100n * UNIT)
  })

  it('is changed through its provider only, and only in ways that the provider supports', async () => {
    const { api } = fixture.world
    const repay = { ...buildReference(escrow), itemsToRepay: [{ positionLookup: at(owner, cash), amount: 1 }] }
    await api.refuses(400, 'PROTOCOL_MISMATCH', 'PATCH', '/loans/repay', { ...repay, defiProtocol: 'ESCROW_VAULT' })
    await api.refuses(400, 'PROTOCOL_NOT_SUPPORTED', 'PATCH', '/loans/repay', { ...repay, defiProtocol: 'OTHER' })
    for (const path of ['/loans/refinance', '/loans/liquidate']) {
      const body =
        path === '/loans/refinance'
          ? { ...buildReference(escrow), lendingDetails: { loanStrategyAddress: provider.address } }
          : buildReference(escrow)
      const problem = await api.refuses(400, 'OPERATION_NOT_SUPPORTED', 'PATCH', path, body)
      expect(problem.message).toMatch(/CREATE, SWAP, REPAY, CLOSE/)
    }
    const config = { computeUnitConfig: { enable: true, limit: 200_000 } }
    await api.refuses(400, 'NOT_APPLICABLE', 'PATCH', '/loans/repay', repay, { config })
    await api.refuses(400, 'NOT_APPLICABLE', 'PATCH', '/loans/repay', repay, {
      config: { messageLifetimeStrategy: 'DURABLE_NONCE' },
    })
  })

  it('is repaid, swapped, repaid in full and closed, and the rent returns', async () => {
    const { api, chain, records } = fixture.world
    const swap = await api.ok<LoanCreation>(200, 'PATCH', '/loans/swap-collateral', {
      ...buildReference(escrow),
      itemsToDeposit: [{ positionLookup: at(owner, bond), amount: 50 }],
    })
    expect([swap.chainTransaction.success, swap.chainPlan]).toEqual([true, undefined])
    expect(await readBalance(escrow.onchainId, bond)).toBe(350n * UNIT)

    const poolHad = await readBalance(provider.address, cash)
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...buildReference(escrow),
      itemsToRepay: [{ positionLookup: at(owner, cash), amount: 40 }],
    })
    expect(await readBalance(provider.address, cash)).toBe(poolHad + 40n * UNIT)

    // Interest of some seconds is due too.
    await records.mint(await positionOf(owner), UNIT)
    const all = await api.ok<LoanCreation>(200, 'PATCH', '/loans/repay', {
      ...buildReference(escrow),
      itemsToRepay: [{ positionLookup: at(owner, cash), repayAll: true }],
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 350 }],
    })
    expect(all.chainPlan).toMatchObject({ status: 'FINISHED', steps: 2 })
    expect(await loanAt(escrow)).toMatchObject({ lifecycleState: 'REPAID', pledgedItems: [] })
    expect(await readBalance(provider.address, cash)).toBeGreaterThanOrEqual(poolHad + 100n * UNIT)
    expect(await readBalance(owner.onchainId, bond)).toBe(500n * UNIT)

    expect(await chain.exists(addressOf(escrow.onchainId, bond, 'TOKEN_2022'))).toBe(true)
    await api.ok(200, 'PATCH', '/loans/close', buildReference(escrow))
    expect(await chain.exists(addressOf(escrow.onchainId, bond, 'TOKEN_2022'))).toBe(false)
    expect(await loanAt(escrow)).toMatchObject({ status: 'CLOSED', lifecycleState: 'CLOSED' })
    expect(provider.orders.slice(-4).map(({ operation }) => operation)).toEqual(['SWAP', 'REPAY', 'REPAY', 'CLOSE'])
    await records.accountsEqualChain(owner)
  })
})

async function positionOf(owner: Ids): Promise<Ids> {
  const position = await fixture.world.api.read<{ onchain: { id: string }; offchain: { id: string } }>(
    '/positions/single',
    at(owner, cash),
  )
  return { onchainId: position.onchain.id, offchainId: position.offchain.id }
}

describe('a manipulated transaction of a provider is refused, without a record or a signature', () => {
  let owner: Ids
  let other: Ids
  const thief = Keypair.generate()
  beforeAll(async () => {
    const { records, chain } = fixture.world
    owner = await borrower()
    other = await records.instrument('SPL', issuer)
    await chain.airdrop(thief.publicKey.toBase58(), SOL)
    await records.position(pool, other, 1_000n * UNIT)
    await records.position(owner, other)
    await records.position(owner, cash)
  })

  const books = async () => {
    const { api } = fixture.world
    const [loans, transactions] = await Promise.all([
      api.bulk('/loans/bulk', {}),
      api.bulk('/transactions/bulk/identifiers', {}),
    ])
    const balances = await Promise.all([
      readBalance(owner.onchainId, bond),
      readBalance(owner.onchainId, cash),
      readBalance(provider.address, cash),
    ])
    const { reserved } = await api.read<{ reserved: object }>('/positions/single/balance', at(owner, bond))
    return [(loans as { count: number }).count, (transactions as { count: number }).count, balances, reserved]
  }

  it.each(TAMPERS)('%s', async (_, tamper, why) => {
    provider.tamper = (parts, order) => tamper(parts, order, { provider, cash, bond, other, bystander: issuer, thief })
    const before = await books()
    const problem = await fixture.world.api.refuses(
      403,
      'LOAN_MESSAGE_REFUSED',
      'POST',
      '/loans',
      buildLoanRequest(owner),
    )
    expect(problem.message).toMatch(why)
    expect(await books()).toEqual(before)
  })

  it.each([
    ['LENDING_PROVIDER_UNAVAILABLE', 503, { status: 500, body: '{}' }, true],
    ['LENDING_PROVIDER_UNAVAILABLE', 503, { status: 200, body: 'x'.repeat(70_000) }, true],
    ['LENDING_PROVIDER_REFUSED', 400, { status: 422, body: '{"because":"hush"}' }, false],
  ] as const)('%s: an answer of %i', async (code, refusal, reply, retryable) => {
    provider.tamper = () => reply
    const before = await books()
    const problem = await fixture.world.api.refuses(refusal, code, 'POST', '/loans', buildLoanRequest(owner), {
      headers: once(`unanswered ${reply.status}`),
    })
    expect(problem).toMatchObject({ retryable, pointer: '/itemData/defiProtocol' })
    expect(JSON.stringify(problem)).not.toContain('hush')
    expect(await books()).toEqual(before)
  })

  it('and the same request succeeds afterwards under the refused key', async () => {
    const creation = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', buildLoanRequest(owner), {
      headers: once('unanswered 500'),
    })
    expect(creation.chainPlan).toMatchObject({ status: 'FINISHED' })
    expect(await readBalance(creation.newLoan.onchainId, bond)).toBe(300n * UNIT)
  })
})
