// A borrower whose key is held elsewhere: the loan is prepared, and the key of the vault signs only together with the
// signature of the borrower, while the prices are fresh. Also a loan without a known price.
import { Keypair, VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { LoanFixture, terms, type Feed, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

const UNIT = 1_000_000n
let fixture: LoanFixture
let outsider: Keypair
let wallet: Ids
let vault: Ids
let cash: Ids
let bond: Ids
let feeds: Feed[]
let escrow: Ids

beforeAll(async () => {
  // A prepared transaction is valid for half a minute, in which it is first refused for several reasons.
  fixture = await LoanFixture.open({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  const { records, chain, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
  vault = await records.account()
  await records.position(vault, cash, 1_000n * UNIT)
  feeds = await Promise.all([cash, bond].map((instrument) => fixture.feed(instrument, '1')))
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'DAYS', unit: 30 },
    // The key of the borrower is held elsewhere: the principal leaves the control of the service.
    exemptFromDebitLimits: true,
  })
  outsider = Keypair.generate()
  await chain.airdrop(outsider.publicKey.toBase58(), 10n * SOL)
  wallet = await records.account({ managed: false, onchainId: outsider.publicKey.toBase58(), alreadyOnchain: true })
  await records.position(wallet, bond, 500n * UNIT)
})
afterAll(() => fixture.world.stop())

const at = (instrument: Ids) => ({ owner: wallet, financialInstrument: instrument })
const readBalance = (owner: string, instrument: Ids) =>
  fixture.world.chain.tokens(associated(owner, instrument.onchainId, instrument === cash ? 'SPL' : 'TOKEN_2022'))
const buildRequest = () => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [{ positionLookup: at(cash), amount: 100 }],
  itemsToPledge: [{ positionLookup: at(bond), amount: 300 }],
})
const loan = () => fixture.world.api.read<Loan>('/loans/single', { escrow: { offchainId: escrow.offchainId } })
const buildRelease = (amount: number) => ({
  defiProtocol: 'ESCROW_VAULT',
  escrow: { offchainId: escrow.offchainId },
  itemsToRelease: [{ positionLookup: at(bond), amount }],
})

/** The request with the signature of the borrower, who signs with an own key. */
function signOutside({ offchainId, serializedMessage }: Result): object {
  const transaction = new VersionedTransaction(VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64')))
  transaction.sign([outsider])
  return {
    transaction: { offchainId },
    signatures: [{ onchainId: wallet.onchainId, signature: bs58.encode(transaction.signatures[0]!) }],
  }
}

async function signedAndSent(result: Result): Promise<void> {
  const { api } = fixture.world
  expect((await api.ok<Result>(200, 'POST', '/transactions/sign', signOutside(result))).status).toBe('SIGNED')
  const submission = await api.ok<Result>(200, 'POST', '/transactions/submit', {
    transaction: { offchainId: result.offchainId },
  })
  expect(submission.success, JSON.stringify(submission)).toBe(true)
}

describe('a loan of a borrower whose key is held elsewhere', () => {
  it('is prepared, and originated once the signature is submitted', async () => {
    const creation = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest())
    escrow = creation.newLoan
    expect(creation.chainTransaction).toMatchObject({ status: 'PREPARED', success: false, onchainId: null })
    expect((await loan()).lifecycleState).toBe('PENDING')
    expect(await Promise.all([readBalance(vault.onchainId, cash), readBalance(wallet.onchainId, bond)])).toEqual([
      1_000n * UNIT,
      500n * UNIT,
    ])
    await fixture.world.api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/repay', buildRelease(1))
    await signedAndSent(creation.chainTransaction)
    expect(await loan()).toMatchObject({ lifecycleState: 'ACTIVE', pledgedItems: [{ pledgedAmount: 300 }] })
    expect(
      await Promise.all([
        readBalance(vault.onchainId, cash),
        readBalance(wallet.onchainId, cash),
        readBalance(escrow.onchainId, bond),
      ]),
    ).toEqual([900n * UNIT, 100n * UNIT, 300n * UNIT])
  })

  it('can be changed again after a prepared change is cancelled, which never takes effect', async () => {
    const { api } = fixture.world
    const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(
      200,
      'PATCH',
      '/loans/repay',
      buildRelease(50),
    )
    expect(chainTransaction.status).toBe('PREPARED')
    await api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/repay', buildRelease(1))
    await api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: chainTransaction.offchainId })
    expect(await loan()).toMatchObject({ lifecycleState: 'ACTIVE', pledgedItems: [{ pledgedAmount: 300 }] })
    expect(await readBalance(escrow.onchainId, bond)).toBe(300n * UNIT)
  })

  it('is signed only while the prices of its evaluation are fresh', async () => {
    const { api } = fixture.world
    const lateRelease = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/repay', buildRelease(50))
    fixture.pass(3_700)
    await api.refuses(400, 'PRICE_STALE', 'POST', '/transactions/sign', signOutside(lateRelease.chainTransaction))
    expect(await readBalance(escrow.onchainId, bond)).toBe(300n * UNIT)
    await api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: lateRelease.chainTransaction.offchainId })
    for (const feed of feeds) await fixture.price(feed, '1')
    const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(
      200,
      'PATCH',
      '/loans/repay',
      buildRelease(50),
    )
    await signedAndSent(chainTransaction)
    expect(await readBalance(escrow.onchainId, bond)).toBe(250n * UNIT)
  })
})

describe('a change that waited for a signature', () => {
  const cancel = (offchainId: string) => fixture.world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
  const refusedToSign = async (code: string, result: Result): Promise<void> => {
    expect(result.status).toBe('PREPARED')
    await fixture.world.api.refuses(400, code, 'POST', '/transactions/sign', signOutside(result))
  }

  it('is evaluated at present prices, not at those of the request', async () => {
    const { api } = fixture.world
    const ask = () => api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/repay', buildRelease(20))
    const { chainTransaction: release } = await ask()
    await fixture.price(feeds[1]!, '0.5')
    await refusedToSign('LOAN_UNHEALTHY', release)
    expect(await readBalance(escrow.onchainId, bond)).toBe(250n * UNIT)
    await fixture.price(feeds[1]!, '1')
    await signedAndSent(release)
    expect(await readBalance(escrow.onchainId, bond)).toBe(230n * UNIT)

    const { chainTransaction: second } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
      ...buildRequest(),
      itemsToPledge: [{ positionLookup: at(bond), amount: 205 }],
    })
    await fixture.price(feeds[1]!, '0.9')
    await refusedToSign('LTV_EXCEEDED', second)
    await cancel(second.offchainId)
    await fixture.price(feeds[1]!, '1')
  })

  it('is evaluated with the present consent and balance of the lender', async () => {
    const { api } = fixture.world
    const strategies = (await api.bulk('/loans/strategies/bulk', {})) as { items: { offchainId: string }[] }
    const change = (members: object) =>
      api.ok(200, 'PATCH', '/loans/strategies', {
        strategy: { offchainId: strategies.items[0]!.offchainId },
        ...members,
      })
    const small = {
      ...buildRequest(),
      itemsToBorrow: [{ positionLookup: at(cash), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(bond), amount: 25 }],
    }
    const { chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', small)
    const cases = [
      ['ORIGINATIONS_DISABLED', { originationsEnabled: false }, { originationsEnabled: true }],
      ['BORROWER_NOT_ACCEPTED', { borrowers: [] }, { borrowers: null }],
      ['INSUFFICIENT_PRINCIPAL', { originationCap: 9 }, { originationCap: null }],
      ['INSUFFICIENT_PRINCIPAL', { liquidityBuffer: 900_000 }, { liquidityBuffer: null }],
      ['LOAN_TERMS_CHANGED', { collateral: [terms(bond, { apy: 100_001 })] }, { collateral: [terms(bond)] }],
      ['LOAN_TERMS_CHANGED', { duration: { code: 'DAYS', unit: 29 } }, { duration: { code: 'DAYS', unit: 30 } }],
      ['LOAN_TERMS_CHANGED', { exemptFromDebitLimits: false }, { exemptFromDebitLimits: true }],
      ['BORROWER_CAP_EXCEEDED', { borrowers: [{ organizationExternalId: 'SYSTEM', cap: 109 }] }, { borrowers: null }],
    ] as const
    const vaultHas = await readBalance(vault.onchainId, cash)
    for (const [code, worse, better] of cases) {
      await change(worse)
      await refusedToSign(code, chainTransaction)
      await change(better)
    }
    expect(await readBalance(vault.onchainId, cash)).toBe(vaultHas)
    await signedAndSent(chainTransaction)
    expect(await readBalance(vault.onchainId, cash)).toBe(vaultHas - 10n * UNIT)
  })
})

describe('an unsigned change', () => {
  it('does not delay a liquidation, and is cancelled only by it', async () => {
    const { api } = fixture.world
    const small = {
      itemsToBorrow: [{ positionLookup: at(cash), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(bond), amount: 25 }],
    }
    const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', { ...buildRequest(), ...small })
    await signedAndSent(creation.chainTransaction)
    const reference = { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: creation.newLoan.offchainId } }
    const repayment = { ...reference, itemsToRepay: [{ positionLookup: at(cash), amount: 1 }] }
    const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/repay', repayment)
    expect(chainTransaction.status).toBe('PREPARED')
    const status = async () =>
      (await api.read<Result>('/transactions/status', { offchainId: chainTransaction.offchainId })).status
    await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', '/loans/liquidate', reference)
    expect(await status()).toBe('PREPARED')
    await fixture.price(feeds[1]!, '0.45')
    const dry = await api.send('PATCH', '/loans/liquidate', reference, { headers: { 'Holdfast-Dry-Run': 'true' } })
    expect([dry.status, await status()]).toEqual([400, 'PREPARED'])
    const liquidation = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/liquidate', reference)
    expect(liquidation.chainTransaction.success, JSON.stringify(liquidation)).toBe(true)
    expect(await status()).toBe('CANCELLED')
    expect(await api.read<Loan>('/loans/single', { escrow: reference.escrow })).toMatchObject({
      lifecycleState: 'REPAID',
    })
    await fixture.price(feeds[1]!, '1')
  })
})

describe('a change that other parties alone have signed', () => {
  it('does not delay a liquidation', async () => {
    const { api, records } = fixture.world
    const small = {
      itemsToBorrow: [{ positionLookup: at(cash), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(bond), amount: 25 }],
    }
    const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', { ...buildRequest(), ...small })
    await signedAndSent(creation.chainTransaction)
    const reference = { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: creation.newLoan.offchainId } }
    const friend = await records.account({
      ...{ managed: false, onchainId: Keypair.generate().publicKey.toBase58() },
    })
    await records.position(friend, bond, 1n * UNIT)
    const transferFrom = { owner: friend, financialInstrument: bond }
    const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/swap-collateral', {
      ...reference,
      itemsToDeposit: [{ positionLookup: at(bond), amount: 1, transferFrom }],
    })
    const signed = await api.ok<Result>(200, 'POST', '/transactions/sign', signOutside(chainTransaction))
    expect(signed.status).toBe('PARTIALLY_SIGNED')
    await fixture.price(feeds[1]!, '0.45')
    const liquidation = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/liquidate', reference)
    expect(liquidation.chainTransaction.success, JSON.stringify(liquidation)).toBe(true)
    await fixture.price(feeds[1]!, '1')
  })
})

describe('a loan without a known price', () => {
  it('is not originated while the feed of the terms has no price', async () => {
    const { api } = fixture.world
    await fixture.price(feeds[1]!, '0')
    await api.refuses(400, 'PRICE_MISSING', 'POST', '/loans', buildRequest())
    expect(await api.bulk('/loans/bulk', {})).toMatchObject({ count: 5 })
    await fixture.price(feeds[1]!, '1')
    const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest())
    expect(creation.chainTransaction.status).toBe('PREPARED')
  })
})
