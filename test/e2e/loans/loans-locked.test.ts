// Lender and borrower of two tenants: who may read a loan, who may change it, and that the key of an escrow signs only
// for its own loan.
import {
  createTransferCheckedInstruction,
  createCloseAccountInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import {
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { routes } from '../../../src/http/routes.ts'
import { associated } from '../addresses.ts'
import type { Method } from '../client.ts'
import { bodiesThatWouldDo, refusalOf } from './escrow-attempts.ts'
import { terms, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { DryRun, Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'
import {
  withLoanParties,
  fixture,
  lender,
  borrower,
  stranger,
  vault,
  cash,
  bond,
  wallet,
  fees,
  feeds,
  exact,
} from './loan-parties.ts'

withLoanParties()

let escrow: Ids
let escrowPosition: string

const at = (owner: Ids, instrument: Ids) => ({ owner: exact(owner), financialInstrument: exact(instrument) })
const LOAN = () => ({ defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: escrow.offchainId } })

const buildRequest = () => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 100 }],
  itemsToPledge: [{ positionLookup: at(wallet, bond), amount: 300 }],
})

describe('a loan across tenants', () => {
  it('is granted only to borrowers named by the strategy, and a dry run changes nothing', async () => {
    const outsider = await stranger.records.funded({ canPayFees: true }, SOL)
    const foreignRequest = {
      ...buildRequest(),
      itemsToBorrow: [{ positionLookup: at(outsider, cash), amount: 1 }],
      itemsToPledge: [{ positionLookup: at(outsider, bond), amount: 9, mintAsset: true }],
    }
    await stranger.api.refuses(400, 'BORROWER_NOT_ACCEPTED', 'POST', '/loans', foreignRequest)
    const { dryRun } = await borrower.api.ok<DryRun>(200, 'POST', '/loans', buildRequest(), {
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    expect(dryRun.sizeBytes).toBeLessThanOrEqual(1_232)
    expect(dryRun.signers).toEqual([
      { onchainId: wallet.onchainId, managed: true },
      { onchainId: vault.onchainId, managed: true },
    ])
    expect(dryRun.simulation.error).toBeNull()
    expect(await borrower.api.bulk('/loans/bulk', {})).toMatchObject({ count: 0 })
  })

  it('is countersigned by the lender without a grant, booked on both sides and readable by both', async () => {
    const creation = await borrower.api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest())
    expect(creation.chainTransaction.success, JSON.stringify(creation)).toBe(true)
    escrow = creation.newLoan
    escrowPosition = associated(escrow.onchainId, bond.onchainId, 'TOKEN_2022')
    expect(await fixture.world.chain.tokens(escrowPosition)).toBe(300_000_000n)
    expect(await fixture.world.chain.tokens(associated(wallet.onchainId, cash.onchainId, 'SPL'))).toBe(100_000_000n)
    const vaultPosition = await lender.api.read<{ balance: { lamports: number }; reserved: { lamports: number } }>(
      '/positions/single',
      at(vault, cash),
    )
    expect([vaultPosition.balance.lamports, vaultPosition.reserved.lamports]).toEqual([9_900_000_000, 0])
    for (const { api } of [borrower, lender]) {
      expect(await api.read<Loan>('/loans/single', { escrow: exact(escrow) })).toMatchObject({
        lifecycleState: 'ACTIVE',
        pledgedItems: [{ pledgedAmount: 300, accountDetails: { onchain: { id: escrowPosition } } }],
      })
      expect(await api.bulk('/loans/bulk', {})).toMatchObject({ count: 1 })
      expect(await api.read('/accounts/single', exact(escrow))).toMatchObject({ onchain: { id: escrow.onchainId } })
      expect(await api.read('/positions/single', { position: { onchainId: escrowPosition } })).toMatchObject({
        balance: { amount: 300 },
      })
    }
    await stranger.api.refuses(404, 'LOAN_NOT_FOUND', 'POST', '/loans/single', { escrow: exact(escrow) })
    await stranger.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', exact(escrow))
    expect(await stranger.api.bulk('/loans/bulk', {})).toMatchObject({ count: 0 })
  })

  it('is changed only by the borrower and liquidated only by the lender', async () => {
    const release = { ...LOAN(), itemsToRelease: [{ positionLookup: at(wallet, bond), amount: 1 }] }
    await lender.api.refuses(403, 'BORROWER_REQUIRED', 'PATCH', '/loans/repay', release)
    await borrower.api.refuses(403, 'LENDER_REQUIRED', 'PATCH', '/loans/liquidate', LOAN())
    await stranger.api.refuses(400, 'LOAN_NOT_FOUND', 'PATCH', '/loans/repay', release)
    await stranger.api.refuses(400, 'LOAN_NOT_FOUND', 'PATCH', '/loans/liquidate', LOAN())
    await borrower.api.refuses(400, 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', { account: wallet })
  })

  it('allows one change at a time', async () => {
    const release = (amount: number) => ({ ...LOAN(), itemsToRelease: [{ positionLookup: at(wallet, bond), amount }] })
    // Held: a change that has landed would let the next one begin, however soon the others are sent.
    const config = { feePayer: { ...exact(wallet), autoSign: false } }
    type Answer = Problems & { readonly chainTransaction: Result }
    const answers = await Promise.all(
      [1, 2, 3].map((amount) => borrower.api.send<Answer>('PATCH', '/loans/repay', release(amount), { config })),
    )
    const begun = answers.filter(({ status }) => status === 200)
    expect(begun).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400).map(({ body }) => body.errors?.[0]?.code)).toEqual([
      'LOAN_BUSY',
      'LOAN_BUSY',
    ])
    const transaction = { offchainId: begun[0]!.body.chainTransaction.offchainId }
    await borrower.api.ok(200, 'POST', '/transactions/sign', { transaction })
    expect((await borrower.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
  })
})

describe('an escrow', () => {
  const foreign = async (instruction: TransactionInstruction, payer: Ids): Promise<string> => {
    const { blockhash } = await fixture.world.chain.connection.getLatestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: new PublicKey(payer.onchainId),
      recentBlockhash: blockhash,
      instructions: [instruction],
    })
    return Buffer.from(new VersionedTransaction(message.compileToV0Message()).serialize()).toString('base64')
  }

  it('cannot be a signer, exported, updated, closed or emptied at any endpoint, by any key', async () => {
    const key = (address: string) => new PublicKey(address)
    const home = associated(wallet.onchainId, bond.onchainId, 'TOKEN_2022')
    const transfer = createTransferCheckedInstruction(
      key(escrowPosition),
      key(bond.onchainId),
      key(home),
      key(escrow.onchainId),
      1,
      6,
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    const closing = createCloseAccountInstruction(
      key(escrowPosition),
      key(wallet.onchainId),
      key(escrow.onchainId),
      [],
      TOKEN_2022_PROGRAM_ID,
    )
    const lamports = SystemProgram.transfer({
      fromPubkey: key(escrow.onchainId),
      toPubkey: key(wallet.onchainId),
      lamports: 1,
    })
    await fixture.world.chain.airdrop(escrow.onchainId, SOL)
    const position = { onchainId: escrowPosition }
    const before = await fixture.world.chain.tokens(escrowPosition)
    for (const { name, api } of [borrower, lender, { name: 'SYSTEM', api: fixture.world.api }]) {
      const payer = name === 'LENDER' ? fees : wallet
      const config = { feePayer: exact(payer) }
      const override = name === 'SYSTEM' ? { organization: 'BORROWER' } : {}
      const attempts: [Method, string, object][] = [
        ['POST', '/accounts/single/private-key', exact(escrow)],
        ['PATCH', '/accounts', { account: exact(escrow), comments: 'mine' }],
        ['PATCH', '/accounts/inactivate', { account: exact(escrow), refundDestination: exact(wallet) }],
        [
          'POST',
          '/positions/transfer',
          { source: { position }, destination: { position: { onchainId: home } }, lamports: 1 },
        ],
        [
          'POST',
          '/positions/transfer',
          {
            source: { position },
            destination: { position: { onchainId: home } },
            lamports: 1,
            permanentDelegate: true,
          },
        ],
        ['POST', '/positions/burn', { source: { position }, lamports: 1 }],
        ['POST', '/positions/burn', { source: { position }, lamports: 1, permanentDelegate: true }],
        ['PATCH', '/positions/close', { position: { position }, burnRemainingTokenBalance: true }],
        ['PATCH', '/positions/freeze', { position: { position } }],
        ['POST', '/positions', { owner: exact(escrow), financialInstrument: exact(cash) }],
        [
          'POST',
          '/positions/transfer-network-currency',
          { source: exact(escrow), destination: exact(wallet), lamports: 1 },
        ],
        [
          'POST',
          '/positions/trade',
          {
            legs: [
              { source: { position }, destination: { position: { onchainId: home } }, lamports: 1 },
              { source: exact(payer), destination: exact(escrow), lamports: 1 },
            ],
          },
        ],
        ['POST', '/transactions/sign', { serializedTransaction: await foreign(transfer, payer) }],
        [
          'POST',
          '/transactions/sign',
          { serializedTransaction: await foreign(transfer, payer), signers: [exact(escrow)] },
        ],
        ['POST', '/transactions/sign', { serializedTransaction: await foreign(closing, payer) }],
        ['POST', '/transactions/sign', { serializedTransaction: await foreign(lamports, payer) }],
        ['POST', '/transactions/sign', { serializedTransaction: await foreign(lamports, escrow) }],
      ]
      if (name !== 'LENDER') attempts.push(['PATCH', '/positions', { position: { position }, comments: 'mine' }])
      for (const [method, path, body] of attempts) {
        const payerOptions =
          (/^\/positions($|\/)/.test(path) && path !== '/positions') || (path === '/positions' && method === 'POST')
            ? { config }
            : {}
        const { status, body: answer } = await api.send<Problems>(method, path, body, { ...override, ...payerOptions })
        expect({
          name,
          path,
          body,
          status,
          code: answer.errors?.[0]?.code,
          why: answer.errors?.[0]?.message,
        }).toMatchObject({ status: 403, code: 'ESCROW_LOCKED' })
      }
      await api.refuses(
        403,
        'ESCROW_LOCKED',
        'POST',
        '/accounts',
        { seedLamports: 1_000_000 },
        { ...override, config: { feePayer: exact(escrow) } },
      )
    }
    expect(await fixture.world.chain.tokens(escrowPosition)).toBe(before)
    expect(await fixture.world.chain.lamports(escrow.onchainId)).toBe(SOL)
  })

  it('cannot pay or sign at any endpoint that creates a transaction, for any key', async () => {
    const writes = (isMeant: (route: (typeof routes)[number] & { readonly kind: 'write' }) => boolean): string[] =>
      routes.flatMap((route) =>
        route.kind === 'write' && isMeant(route) ? [`${route.method} ${route.path.replace('/api/v1', '')}`] : [],
      )
    // Sign and Submit take existing transactions. Another endpoint must be tried here.
    expect(writes(({ tag }) => tag === 'Transactions').map((endpoint) => endpoint.split('/').at(-1))).toEqual([
      'sign',
      'submit',
      'approve',
      'attest',
      'cancel',
    ])
    const endpoints = writes(({ transaction }) => transaction !== 'never')
    const ofBorrower = await bodiesThatWouldDo(borrower, wallet, {
      vault,
      cash,
      loan: LOAN(),
      wanted: buildRequest(),
      item: { positionLookup: at(wallet, bond), amount: 1 },
    })
    const ofLender = await bodiesThatWouldDo(lender, fees, {
      vault,
      cash,
      loan: LOAN(),
      wanted: buildRequest(),
      item: { positionLookup: at(wallet, bond), amount: 1 },
    })
    expect(Object.keys(ofBorrower).toSorted()).toEqual(endpoints.toSorted())
    const before = [
      await fixture.world.chain.tokens(escrowPosition),
      await fixture.world.chain.lamports(escrow.onchainId),
    ]
    const callers = [
      { name: 'BORROWER', api: borrower.api, bodies: ofBorrower, override: {} },
      { name: 'SYSTEM', api: fixture.world.api, bodies: ofBorrower, override: { organization: 'BORROWER' } },
      { name: 'LENDER', api: lender.api, bodies: ofLender, override: {} },
    ]
    for (const { name, api, bodies, override } of callers) {
      for (const [endpoint, body] of Object.entries(bodies)) {
        const [method, path] = endpoint.split(' ') as [Method, string]
        const { status, body: answer } = await api.send<Problems>(method, path, body, {
          ...override,
          config: { feePayer: exact(escrow) },
        })
        const code = answer.errors?.[0]?.code ?? ''
        expect({ name, endpoint, status, code, why: answer.errors?.[0]?.message }).toMatchObject({
          code: expect.stringMatching(refusalOf(name, endpoint)) as string,
        })
        expect([400, 403]).toContain(status)
      }
      for (const signers of [[exact(escrow)], undefined]) {
        const lamports = SystemProgram.transfer({
          fromPubkey: new PublicKey(escrow.onchainId),
          toPubkey: new PublicKey(wallet.onchainId),
          lamports: 1,
        })
        const itemData = { serializedTransaction: await foreign(lamports, escrow) }
        await api.refuses(
          403,
          'ESCROW_LOCKED',
          'POST',
          '/transactions/sign',
          { ...itemData, ...(signers === undefined ? {} : { signers }) },
          override,
        )
        expect((await api.send('POST', '/transactions/submit', itemData, override)).status).toBeGreaterThanOrEqual(400)
      }
    }
    expect([
      await fixture.world.chain.tokens(escrowPosition),
      await fixture.world.chain.lamports(escrow.onchainId),
    ]).toEqual(before)
  })

  it('cannot be vault, borrower or source of another loan', async () => {
    const { api } = borrower
    const strategy = {
      financialInstrument: exact(bond),
      originationsEnabled: true,
      collateral: [terms(cash)],
      duration: { code: 'DAYS', unit: 1 },
    }
    await api.refuses(403, 'ESCROW_LOCKED', 'POST', '/loans/strategies', {
      ...strategy,
      strategyAccount: exact(escrow),
    })
    await api.refuses(403, 'ESCROW_LOCKED', 'POST', '/loans', {
      ...buildRequest(),
      itemsToBorrow: [{ positionLookup: at(escrow, cash), amount: 1 }],
      itemsToPledge: [{ positionLookup: at(escrow, bond), amount: 1 }],
    })
    const fromEscrow = {
      positionLookup: at(wallet, bond),
      amount: 1,
      transferFrom: { position: { onchainId: escrowPosition } },
    }
    await api.refuses(403, 'ESCROW_LOCKED', 'POST', '/loans', { ...buildRequest(), itemsToPledge: [fromEscrow] })
    await api.refuses(403, 'ESCROW_LOCKED', 'PATCH', '/loans/swap-collateral', {
      ...LOAN(),
      itemsToDeposit: [fromEscrow],
    })
  })

  it('is liquidated across tenants; deposits from outside go to the borrower when the loan is closed', async () => {
    await fixture.price(feeds[1]!, '0.4')
    const before = await fixture.world.chain.tokens(escrowPosition)
    const { chainTransaction } = await lender.api.ok<{ chainTransaction: Result }>(
      200,
      'PATCH',
      '/loans/liquidate',
      LOAN(),
    )
    expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
    const takenAmount = await fixture.world.chain.tokens(associated(vault.onchainId, bond.onchainId, 'TOKEN_2022'))
    expect(takenAmount).toBeGreaterThanOrEqual(250_000_000n)
    expect(await fixture.world.chain.tokens(escrowPosition)).toBe(before - takenAmount)
    expect(await borrower.api.read('/loans/single', { escrow: exact(escrow) })).toMatchObject({
      lifecycleState: 'REPAID',
    })
    await borrower.api.ok(200, 'PATCH', '/loans/repay', {
      ...LOAN(),
      itemsToRelease: [{ positionLookup: at(wallet, bond), lamports: (before - takenAmount).toString() }],
    })
    // A deposit that the books do not know.
    await lender.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: { onchainId: escrowPosition, offPlatform: true } },
      lamports: 7,
    })
    const home = associated(wallet.onchainId, bond.onchainId, 'TOKEN_2022')
    const tokens = await fixture.world.chain.tokens(home)
    const lamports = await fixture.world.chain.lamports(wallet.onchainId)
    const closing = await borrower.api.ok<{ closedLoan: Ids; chainTransaction: Result }>(
      200,
      'PATCH',
      '/loans/close',
      LOAN(),
    )
    expect([closing.closedLoan, closing.chainTransaction.success]).toEqual([escrow, true])
    expect(await fixture.world.chain.tokens(home)).toBe(tokens + 7n)
    expect(await fixture.world.chain.lamports(wallet.onchainId)).toBeGreaterThan(lamports + SOL)
    expect(await fixture.world.chain.exists(escrowPosition)).toBe(false)
    await borrower.api.refuses(403, 'ESCROW_LOCKED', 'POST', '/accounts/single/private-key', exact(escrow))
    await borrower.records.accountsEqualChain(wallet)
  })
})
