// Loans through a lending provider: it makes and partly signs the transactions, several in their order; they are
// checked from their messages, signed, kept in one write and sent one after the other. The provider here is scripted
// and lends from an account of its own; balances are read from the chain itself, and the books say what the chain has
// settled, wherever the row of transactions ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, Transaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { once } from './client.ts'
import { eventually } from './harness.ts'
import { LoanYard, terms, type Feed, type Lent, type Loan } from './loan-yard.ts'
import type { Ids, Result } from './models.ts'
import { SOL } from './records.ts'
import { ScriptedProvider } from './scripted-provider.ts'
import { addressOf, moved, TAMPERS } from './tampers.ts'

const UNIT = 1_000_000n
const WORD = 'who-we-are'
let folder: string
let provider: ScriptedProvider
let yard: LoanYard
let issuer: Ids
let pool: Ids
let cash: Ids
let bond: Ids
let feeds: Feed[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-provider-'))
  const bearerFile = join(folder, 'bearer')
  writeFileSync(bearerFile, `${WORD}\n`)
  provider = await ScriptedProvider.open()
  // Answers wait for the end of their plan, however busy the machine is.
  yard = await LoanYard.open({ ...provider.settings({ bearerFile }), HOLDFAST_RESPONSE_WAIT_MS: '60000' })
  const { records, api, chain } = yard.world
  provider.connection = chain.connection
  await records.feePayer()
  issuer = await records.account()
  ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
  await chain.airdrop(provider.address, SOL)
  pool = await records.account({ managed: false, onchainId: provider.address, alreadyOnchain: true })
  await Promise.all([records.position(pool, cash, 10_000n * UNIT), records.position(issuer, cash)])
  feeds = await Promise.all([cash, bond].map((instrument) => yard.feed(instrument, '1')))
  await api.ok(201, 'POST', '/loans/strategies', strategy())
})
afterEach(() => {
  provider.tamper = (parts) => parts
})
afterAll(async () => {
  provider.close()
  await yard.world.stop()
  rmSync(folder, { recursive: true })
})

const strategy = (more: object = {}) => ({
  defiProtocol: 'SCRIPTED',
  strategyAccount: pool,
  financialInstrument: cash,
  originationsEnabled: true,
  collateral: [terms(bond)],
  duration: { code: 'DAYS', unit: 30 },
  ...more,
})
const held = (owner: string, instrument: Ids): Promise<bigint> =>
  yard.world.chain.tokens(addressOf(owner, instrument, instrument === bond ? 'TOKEN_2022' : 'SPL'))
const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
const wanted = (owner: Ids, more: object = {}) => ({
  defiProtocol: 'SCRIPTED',
  lendingDetails: { loanStrategyAddress: provider.address },
  itemsToBorrow: [{ positionLookup: at(owner, cash), amount: 100 }],
  itemsToPledge: [{ positionLookup: at(owner, bond), amount: 300 }],
  ...more,
})
const loanAt = (escrow: Ids) =>
  yard.world.api.read<Loan>('/loans/single', { escrow: { offchainId: escrow.offchainId } })
const named = ({ offchainId }: Ids) => ({ defiProtocol: 'SCRIPTED', escrow: { offchainId } })
const status = (offchainId: string) => yard.world.api.read<Result>('/transactions/status', { offchainId })

/**
 * Without limits of his own, unless they are given. The vault is none of ours: by default he may pay it one unit at a
 * time.
 */
async function borrower(more: object = { tokenDebitLimits: [] }): Promise<Ids> {
  const { records } = yard.world
  const owner = await records.funded({ canPayFees: true, ...more }, SOL)
  await records.position(owner, bond, 500n * UNIT)
  return owner
}

const lend = (owner: Ids, headers: Readonly<Record<string, string>> = {}) =>
  yard.world.api.ok<Lent>(201, 'POST', '/loans', wanted(owner), { headers })

describe('a loan through a provider', () => {
  let owner: Ids
  let escrow: Ids
  let first: Lent

  it('is created by two transactions of its making, in their order', async () => {
    owner = await borrower()
    const poolHad = await held(provider.address, cash)
    first = await lend(owner, once('first loan'))
    escrow = first.newLoan
    expect(first.chainPlan).toMatchObject({ status: 'FINISHED', steps: 2, confirmed: 2 })
    expect(first.chainTransactions!.map(({ success }) => success)).toEqual([true, true])
    expect(first.chainTransaction).toEqual(first.chainTransactions![1])

    const { chain } = yard.world
    const onChain = await Promise.all(first.chainTransactions!.map(({ onchainId }) => chain.transaction(onchainId!)))
    expect(onChain[0]!.slot).toBeLessThan(onChain[1]!.slot)
    const order = provider.orders.at(-1)!
    expect(await Promise.all(first.chainTransactions!.map(({ onchainId }) => chain.memos(onchainId!)))).toEqual([
      [`${order.orderId} 0`],
      [`${order.orderId} 1`],
    ])
    expect(order).toMatchObject({ operation: 'CREATE', chainClusterId: 'CHAIN_DEVNET', feePayer: owner.onchainId })
    for (const { offchainId } of first.chainTransactions!) {
      const { signatures } = await yard.world.api.read<{ signatures: readonly object[] }>('/transactions/explain', {
        offchainId,
      })
      expect(signatures).toMatchObject([
        { onchainId: owner.onchainId, ours: true },
        { onchainId: provider.address, ours: false },
      ])
    }
    expect(provider.headers).toMatchObject({ authorization: `Bearer ${WORD}`, 'idempotency-key': order.orderId })

    expect(
      await Promise.all([held(owner.onchainId, cash), held(owner.onchainId, bond), held(escrow.onchainId, bond)]),
    ).toEqual([100n * UNIT, 200n * UNIT, 300n * UNIT])
    expect(await held(provider.address, cash)).toBe(poolHad - 100n * UNIT)
  })

  it('is shown and listed like any other, with the plan of its latest change', async () => {
    const loan = await loanAt(escrow)
    expect(loan).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'ACTIVE',
      defiProtocol: 'SCRIPTED',
      chainPlan: { status: 'FINISHED', steps: 2, confirmed: 2 },
      pledgedItems: [{ pledgedAmount: 300 }],
      borrowedItems: [{ principalDue: 100, principalRepaid: 0, apy: 100_000 }],
    })
    const { count, items } = (await yard.world.api.bulk('/loans/bulk', {})) as { count: number; items: readonly Loan[] }
    expect([count, items[0]!.defiProtocol]).toEqual([1, 'SCRIPTED'])
  })

  it('is created once under an idempotency key, and the provider asked once', async () => {
    const asked = provider.orders.length
    const again = await yard.world.api.send<Lent>('POST', '/loans', wanted(owner), { headers: once('first loan') })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.body.chainTransactions!.map(({ onchainId }) => onchainId)).toEqual(
      first.chainTransactions!.map(({ onchainId }) => onchainId),
    )
    expect(provider.orders).toHaveLength(asked)
    expect(await held(owner.onchainId, cash)).toBe(100n * UNIT)
  })

  it('is changed through the provider that it stands with, and by what that can be asked', async () => {
    const { api } = yard.world
    const repay = { ...named(escrow), itemsToRepay: [{ positionLookup: at(owner, cash), amount: 1 }] }
    await api.refused(400, 'PROTOCOL_MISMATCH', 'PATCH', '/loans/repay', { ...repay, defiProtocol: 'ESCROW_VAULT' })
    await api.refused(400, 'PROTOCOL_NOT_SUPPORTED', 'PATCH', '/loans/repay', { ...repay, defiProtocol: 'OTHER' })
    for (const path of ['/loans/refinance', '/loans/liquidate']) {
      const body =
        path === '/loans/refinance'
          ? { ...named(escrow), lendingDetails: { loanStrategyAddress: provider.address } }
          : named(escrow)
      const problem = await api.refused(400, 'OPERATION_NOT_SUPPORTED', 'PATCH', path, body)
      expect(problem.message).toMatch(/CREATE, SWAP, REPAY, CLOSE/)
    }
    const config = { computeUnitConfig: { enable: true, limit: 200_000 } }
    await api.refused(400, 'NOT_APPLICABLE', 'PATCH', '/loans/repay', repay, { config })
    await api.refused(400, 'NOT_APPLICABLE', 'PATCH', '/loans/repay', repay, {
      config: { messageLifetimeStrategy: 'DURABLE_NONCE' },
    })
  })

  it('is repaid, swapped, repaid whole and closed, and the rent returns', async () => {
    const { api, chain, records } = yard.world
    const swapped = await api.ok<Lent>(200, 'PATCH', '/loans/swap-collateral', {
      ...named(escrow),
      itemsToDeposit: [{ positionLookup: at(owner, bond), amount: 50 }],
    })
    expect([swapped.chainTransaction.success, swapped.chainPlan]).toEqual([true, undefined])
    expect(await held(escrow.onchainId, bond)).toBe(350n * UNIT)

    const poolHad = await held(provider.address, cash)
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...named(escrow),
      itemsToRepay: [{ positionLookup: at(owner, cash), amount: 40 }],
    })
    expect(await held(provider.address, cash)).toBe(poolHad + 40n * UNIT)

    // Interest of some seconds is due too.
    await records.mint(await positionOf(owner), UNIT)
    const all = await api.ok<Lent>(200, 'PATCH', '/loans/repay', {
      ...named(escrow),
      itemsToRepay: [{ positionLookup: at(owner, cash), repayAll: true }],
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 350 }],
    })
    expect(all.chainPlan).toMatchObject({ status: 'FINISHED', steps: 2 })
    expect(await loanAt(escrow)).toMatchObject({ lifecycleState: 'REPAID', pledgedItems: [] })
    expect(await held(provider.address, cash)).toBeGreaterThanOrEqual(poolHad + 100n * UNIT)
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)

    expect(await chain.exists(addressOf(escrow.onchainId, bond, 'TOKEN_2022'))).toBe(true)
    await api.ok(200, 'PATCH', '/loans/close', named(escrow))
    expect(await chain.exists(addressOf(escrow.onchainId, bond, 'TOKEN_2022'))).toBe(false)
    expect(await loanAt(escrow)).toMatchObject({ status: 'CLOSED', lifecycleState: 'CLOSED' })
    expect(provider.orders.slice(-4).map(({ operation }) => operation)).toEqual(['SWAP', 'REPAY', 'REPAY', 'CLOSE'])
    await records.accountsEqualChain(owner)
  })
})

async function positionOf(owner: Ids): Promise<Ids> {
  const found = await yard.world.api.read<{ onchain: { id: string }; offchain: { id: string } }>(
    '/positions/single',
    at(owner, cash),
  )
  return { onchainId: found.onchain.id, offchainId: found.offchain.id }
}

describe('what a provider has tampered with is refused, with nothing kept and nothing signed', () => {
  let owner: Ids
  let other: Ids
  const thief = Keypair.generate()
  beforeAll(async () => {
    const { records, chain } = yard.world
    owner = await borrower()
    other = await records.instrument('SPL', issuer)
    await chain.airdrop(thief.publicKey.toBase58(), SOL)
    await records.position(pool, other, 1_000n * UNIT)
    await records.position(owner, other)
    await records.position(owner, cash)
  })

  const books = async () => {
    const { api } = yard.world
    const [loans, transactions] = await Promise.all([
      api.bulk('/loans/bulk', {}),
      api.bulk('/transactions/bulk/identifiers', {}),
    ])
    const balances = await Promise.all([
      held(owner.onchainId, bond),
      held(owner.onchainId, cash),
      held(provider.address, cash),
    ])
    const { reserved } = await api.read<{ reserved: object }>('/positions/single/balance', at(owner, bond))
    return [(loans as { count: number }).count, (transactions as { count: number }).count, balances, reserved]
  }

  it.each(TAMPERS)('%s', async (_, tamper, why) => {
    provider.tamper = (parts, order) => tamper(parts, order, { provider, cash, bond, other, bystander: issuer, thief })
    const before = await books()
    const problem = await yard.world.api.refused(403, 'LOAN_MESSAGE_REFUSED', 'POST', '/loans', wanted(owner))
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
    const problem = await yard.world.api.refused(refusal, code, 'POST', '/loans', wanted(owner), {
      headers: once(`unanswered ${reply.status}`),
    })
    expect(problem).toMatchObject({ retryable, pointer: '/itemData/defiProtocol' })
    expect(JSON.stringify(problem)).not.toContain('hush')
    expect(await books()).toEqual(before)
  })

  it('and the same request is good afterwards, with the key that was refused', async () => {
    const lent = await yard.world.api.ok<Lent>(201, 'POST', '/loans', wanted(owner), {
      headers: once('unanswered 500'),
    })
    expect(lent.chainPlan).toMatchObject({ status: 'FINISHED' })
    expect(await held(lent.newLoan.onchainId, bond)).toBe(300n * UNIT)
  })
})

describe('the rules of every transaction hold for it', () => {
  it('is refused over a debit limit, whoever might approve that, and while the borrower is frozen', async () => {
    const { api } = yard.world
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
    await api.refused(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', wanted(owner))
    await api.ok(200, 'PATCH', '/accounts', { account: owner, tokenDebitLimits: [] })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: owner })
    await api.refused(403, 'FROZEN', 'POST', '/loans', wanted(owner))
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: owner })
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)
  })

  it('is refused where a key that it needs is elsewhere: it is signed at once or not at all', async () => {
    const { api, chain, records } = yard.world
    const outsider = Keypair.generate().publicKey.toBase58()
    await chain.airdrop(outsider, SOL)
    const owner = await records.account({ managed: false, onchainId: outsider, alreadyOnchain: true })
    await records.position(owner, bond, 500n * UNIT)
    await api.refused(400, 'ACCOUNT_NOT_MANAGED', 'POST', '/loans', wanted(owner))
  })

  it('lends from vaults whose key is elsewhere, and the built-in protocol from those whose key is here', async () => {
    const { api, records } = yard.world
    const managed = await records.account()
    await records.position(managed, cash)
    await api.refused(400, 'ACCOUNT_MANAGED', 'POST', '/loans/strategies', strategy({ strategyAccount: managed }))
    await api.refused(
      400,
      'ACCOUNT_NOT_MANAGED',
      'POST',
      '/loans/strategies',
      strategy({ defiProtocol: 'ESCROW_VAULT' }),
    )
    const owner = await borrower()
    await api.refused(400, 'PROTOCOL_MISMATCH', 'POST', '/loans', wanted(owner, { defiProtocol: 'ESCROW_VAULT' }))
  })

  it('shows what it would do: the provider is asked, and nothing is kept', async () => {
    const owner = await borrower()
    const { dryRun } = await yard.world.api.ok<{
      dryRun: { signers: readonly object[]; simulation: { error: string | null } }
    }>(200, 'POST', '/loans', wanted(owner), { headers: { 'Holdfast-Dry-Run': 'true' } })
    expect(dryRun.simulation.error).toBe(null)
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)
  })
})

describe('a row of transactions that ends early', () => {
  it('leaves the loan as the chain has it, says so, and what was pledged can be taken back without the provider', async () => {
    const { api, chain } = yard.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const lent = await lend(owner, { Prefer: 'respond-async' })
    // The provider gives away what it has promised to lend, before the second transaction is sent.
    const all = await held(provider.address, cash)
    const move = new Transaction().add(moved(cash, provider.address, addressOf(issuer.onchainId, cash), all))
    move.feePayer = provider.lender.publicKey
    move.recentBlockhash = (await chain.connection.getLatestBlockhash('confirmed')).blockhash
    move.sign(provider.lender)
    await chain.connection.sendRawTransaction(move.serialize())
    await eventually(async () => expect(await held(provider.address, cash)).toBe(0n))
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    const [first, second] = lent.chainTransactions!
    await eventually(
      async () => expect((await loanAt(lent.newLoan)).chainPlan).toMatchObject({ status: 'FAILED', confirmed: 1 }),
      40_000,
    )
    expect((await loanAt(lent.newLoan)).chainPlan!.errorMessage).toContain(second!.offchainId)
    expect((await status(first!.offchainId)).status).toBe('FINALIZED')
    expect((await status(second!.offchainId)).status).toBe('BLOCKCHAIN_ERROR')
    const escrow = lent.newLoan
    expect(await Promise.all([held(escrow.onchainId, bond), held(owner.onchainId, cash)])).toEqual([300n * UNIT, 0n])
    expect(await loanAt(escrow)).toMatchObject({
      status: 'OPEN',
      lifecycleState: 'REPAID',
      chainPlan: { status: 'FAILED', confirmed: 1 },
      pledgedItems: [{ pledgedAmount: 300 }],
      borrowedItems: [],
    })

    const asked = provider.orders.length
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...named(escrow),
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 300 }],
    })
    await api.ok(200, 'PATCH', '/loans/close', named(escrow))
    expect(provider.orders).toHaveLength(asked)
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)
    expect(await loanAt(escrow)).toMatchObject({ status: 'CLOSED' })
    await fillPool()
  })

  it('sends nothing with the key of an account that was frozen meanwhile', async () => {
    const { api } = yard.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const { newLoan, chainTransactions } = await lend(owner, { Prefer: 'respond-async' })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: owner })
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    await eventually(
      async () => expect((await loanAt(newLoan)).chainPlan).toMatchObject({ status: 'FAILED', confirmed: 1 }),
      40_000,
    )
    expect((await loanAt(newLoan)).chainPlan!.errorMessage).toMatch(/^FROZEN/)
    await eventually(
      async () => expect((await status(chainTransactions![1]!.offchainId)).status).toBe('CANCELLED'),
      40_000,
    )
    expect(await Promise.all([held(newLoan.onchainId, bond), held(owner.onchainId, cash)])).toEqual([300n * UNIT, 0n])
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: owner })
    await Promise.all(feeds.map((feed) => yard.price(feed, '1')))
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...named(newLoan),
      itemsToRelease: [{ positionLookup: at(owner, bond), amount: 300 }],
    })
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)
  })

  it('sends nothing of the rest when the first never lands, nor before its turn, whoever asks', async () => {
    const { api } = yard.world
    const owner = await borrower()
    await api.ok(200, 'PATCH', '/admin/lanes/suspend', { account: owner })
    const lent = await lend(owner, { Prefer: 'respond-async' })
    const [first, second] = lent.chainTransactions!
    expect([first!.status, second!.status, lent.chainPlan!.status]).toEqual(['SIGNED', 'SIGNED', 'RUNNING'])
    expect(await loanAt(lent.newLoan)).toMatchObject({ lifecycleState: 'PENDING', borrowedItems: [], pledgedItems: [] })
    const itemData = { transaction: { offchainId: second!.offchainId } }
    await api.refused(400, 'NOT_ITS_TURN', 'POST', '/transactions/submit', itemData)
    await api.refused(400, 'NOT_ITS_TURN', 'POST', '/transactions/sign', { ...itemData, returnSerialized: true })
    await api.refused(400, 'LOAN_BUSY', 'PATCH', '/loans/close', named(lent.newLoan))
    await eventually(async () => expect((await loanAt(lent.newLoan)).lifecycleState).toBe('CLOSED'), 40_000)
    await eventually(
      async () => expect((await status(second!.offchainId)).status).toMatch(/^(CANCELLED|EXPIRED)$/),
      40_000,
    )
    await eventually(async () => expect((await status(first!.offchainId)).status).toBe('EXPIRED'))
    await api.ok(200, 'PATCH', '/admin/lanes/resume', { account: owner })
    expect(await held(owner.onchainId, bond)).toBe(500n * UNIT)
    // Everything set aside is free again.
    const { reserved } = await api.read<{ reserved: { lamports: number } }>(
      '/positions/single/balance',
      at(owner, bond),
    )
    expect(reserved.lamports).toBe(0)
    await Promise.all(feeds.map((feed) => yard.price(feed, '1')))
    expect((await lend(owner)).chainPlan).toMatchObject({ status: 'FINISHED' })
  })
})

async function fillPool(): Promise<void> {
  const { records, api } = yard.world
  const found = await api.read<{ onchain: { id: string }; offchain: { id: string } }>(
    '/positions/single',
    at(pool, cash),
  )
  await records.mint({ onchainId: found.onchain.id, offchainId: found.offchain.id }, 10_000n * UNIT)
}
