// Loans of a borrower whose key is at a custodian, who decides when it signs: the messages expire soon, so that a
// change cannot take effect long after it was judged.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callBack, CODE, Custodian, pending } from '../../keys/custodian.ts'
import { associated } from '../addresses.ts'
import { eventually, pastLifetimes } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { LoanFixture, terms, type LoanCreation } from './loan-fixture.ts'

const HOUR_SECONDS = 3_600
const UNIT = 1_000_000n

let fixture: LoanFixture
let custodian: Custodian
let vault: Ids
let cash: Ids
let bond: Ids
let wallet: Ids

beforeAll(async () => {
  custodian = await Custodian.start()
  fixture = await LoanFixture.open({
    HOLDFAST_SIGNERS: custodian.setting,
    HOLDFAST_OUTBOUND_ALLOW: new URL(custodian.url).host,
    HOLDFAST_EMBEDDED_FAULTS: 'on',
  })
  const { records, api } = fixture.world
  const fees = await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond] = [await records.instrument('SPL', issuer), await records.instrument('SPL', issuer)]
  vault = await records.account({ tokenDebitLimits: [] })
  await records.position(vault, cash, 1_000n * UNIT)
  for (const instrument of [cash, bond]) await fixture.feed(instrument, '1')
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    exemptFromDebitLimits: true,
    collateral: [terms(bond)],
    duration: { code: 'DAYS', unit: 30 },
  })
  const nonces = { nonceAuthority: await records.account(), count: 3 }
  await api.ok(201, 'POST', '/durable-nonce-accounts', nonces, { config: { feePayer: fees } })
  const privateKeyDetails = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [], privateKeyDetails }, SOL)
  await records.position(wallet, bond, 500n * UNIT)
})
afterAll(async () => {
  await fixture.world.stop()
  await custodian.stop()
})

const item = (financialInstrument: Ids, amount: number) => ({
  positionLookup: { owner: wallet, financialInstrument },
  amount,
})
const buildRequest = () => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [item(cash, 50)],
  itemsToPledge: [item(bond, 150)],
})
const held = (owner: Ids, instrument: Ids): Promise<bigint> =>
  fixture.world.chain.tokens(associated(owner.onchainId, instrument.onchainId, 'SPL'))

it('are not changed under a durable nonce, which never expires', async () => {
  const { api } = fixture.world
  const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest())
  custodian.asked.length = 0
  const { pointer } = await api.refuses(400, 'NONCE_NOT_USABLE', 'POST', '/loans', buildRequest(), { config })
  expect(pointer).toBe('/chainTransactionConfig/messageLifetimeStrategy')
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  const repayment = { ...loan, itemsToRepay: [item(cash, 1)] }
  await api.refuses(400, 'NONCE_NOT_USABLE', 'PATCH', '/loans/repay', repayment, { config })
  expect(custodian.questions).toEqual([])
  await api.ok(200, 'PATCH', '/loans/repay', repayment)
  expect(await held(wallet, cash)).toBe(49n * UNIT)
})

it('are not made by a signature that comes after the message has expired', async () => {
  const { api } = fixture.world
  custodian.usual = pending(HOUR_SECONDS)
  custodian.asked.length = 0
  const before = await held(vault, cash)
  const headers = { Prefer: 'respond-async' }
  const { chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest(), { headers })
  expect(chainTransaction.status).toBe('PARTIALLY_SIGNED')
  await eventually(() => Promise.resolve().then(() => expect(custodian.questions).toHaveLength(1)))
  const { offchainId } = chainTransaction
  await pastLifetimes(fixture.world, async () => {
    expect((await api.read<Result>('/transactions/status', { offchainId })).status).toBe('EXPIRED')
  })
  const [{ id, message } = expect.fail()] = custodian.questions
  const signature = custodian.sign(wallet.onchainId, Buffer.from(message, 'base64'))
  await callBack(fixture.world.url, { signer: CODE, id, status: 'SIGNED', signature })
  expect((await api.read<Result>('/transactions/status', { offchainId })).status).toBe('EXPIRED')
  expect(await held(vault, cash)).toBe(before)
})
