// No answer, event or delivery of one tenant contains the id of a transaction of another: loans between tenants,
// grants, a fee payer of another tenant, shared accounts and records of addresses, with every endpoint that reads, and
// the refusals of those that write.
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../../e2e/addresses.ts'
import type { Client, Method } from '../../e2e/client.ts'
import { eventually } from '../../e2e/harness.ts'
import type { LoanCreation } from '../../e2e/loans/loan-fixture.ts'
import type { Ids, Problems, Result } from '../../e2e/models.ts'
import { Receiver } from '../../e2e/receiver.ts'
import { SOL } from '../../e2e/records.ts'
import { everyAnswerTo, type SeenAnswer } from '../fixtures/every-answer.ts'
import { LendingTenants } from '../fixtures/lending-tenants.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'
const ASYNC = { headers: { prefer: 'respond-async' } }
const NAMES = ['LENDER', 'BORROWER', 'STRANGER', 'SYSTEM'] as const

type Name = (typeof NAMES)[number]

let receiver: Receiver
let tenants: LendingTenants
let stranger: Party
let apis: Record<Name, Client>
/** The refusals of each tenant while transactions of the others were open. */
const refusals: Record<Name, SeenAnswer[]> = { LENDER: [], BORROWER: [], STRANGER: [], SYSTEM: [] }

async function refuses(name: Name, code: string, method: Method, path: string, itemData: object): Promise<void> {
  const { body } = await apis[name].send<Problems>(method, path, itemData, ASYNC)
  expect(
    body.errors?.map((each) => each.code),
    JSON.stringify(body),
  ).toEqual([code])
  refusals[name].push({ where: `${method} ${path}: ${code}`, text: JSON.stringify(body) })
}

/** 20 seconds, within which a busy machine judges the request of another party. */
const FINALITY_SLOTS = 200

const loanOf = (escrow: Ids): object => ({ defiProtocol: 'ESCROW_VAULT', escrow: { onchainId: escrow.onchainId } })

beforeAll(async () => {
  receiver = await Receiver.start()
  tenants = await LendingTenants.open({
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_EMBEDDED_SLOT_MS: '100',
    HOLDFAST_EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS),
    HOLDFAST_OUTBOUND_ALLOW: receiver.host,
  })
  const {
    lender,
    borrower,
    bond,
    fixture: { world },
  } = tenants
  stranger = await newParty(world, 'STRANGER')
  apis = { LENDER: lender.admin.api, BORROWER: borrower.admin.api, STRANGER: stranger.api, SYSTEM: world.api }
  for (const name of NAMES) await apis[name].ok(201, 'POST', '/webhooks', { url: receiver.url(`/${name}`) })
  const treasury = await tenants.treasury(1_000n)
  await tenants.makesStrategy(treasury, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  const wallet = await tenants.borrowing(borrower, 500n, { networkCurrencyDebitLimits: [] })
  const sharedPayer = await world.records.feePayer({
    shareAcrossTenants: true,
    globalFeePayerForOrgs: [lender.organization, borrower.organization],
  })
  for (const { onchainId } of [treasury, wallet, sharedPayer])
    await stranger.records.account({ managed: false, onchainId })

  // A loan across tenants, with a concurrent request of the other party.
  const { newLoan } = await borrower.admin.api.ok<LoanCreation>(
    201,
    'POST',
    '/loans',
    tenants.loan(treasury, wallet, 100, 300),
  )
  await refuses('LENDER', 'LOAN_BUSY', 'PATCH', '/loans/liquidate', loanOf(newLoan))
  await stranger.records.account({ managed: false, onchainId: newLoan.onchainId })
  await stranger.api.ok(201, 'POST', '/positions', {
    owner: { onchainId: newLoan.onchainId, offPlatform: true },
    financialInstrument: { onchainId: bond.onchainId },
    position: { alreadyOnchain: true },
  })

  // Out of a shared account.
  const gift = { source: sharedPayer, destination: { onchainId: treasury.onchainId }, lamports: 1_000_000 }
  await world.api.ok(200, 'PATCH', '/accounts', { account: sharedPayer, networkCurrencyDebitLimits: [] })
  await world.api.ok(201, 'POST', PAY, gift)

  // The fee payer and the key of another tenant, by grants.
  const lentPayer = await lender.records.feePayer({
    globalFeePayerForOrgs: [borrower.organization],
    orgsAllowedToSignWithPrivateKey: [borrower.organization],
  })
  await borrower.admin.api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: borrower.organization,
    acceptedFeePayers: [lentPayer.onchainId],
  })
  const grantedWallet = await lender.records.funded(
    { orgsAllowedToSignWithPrivateKey: [borrower.organization], networkCurrencyDebitLimits: [] },
    SOL,
  )
  const payment = { source: wallet, destination: { onchainId: treasury.onchainId }, lamports: 1_000_000 }
  await borrower.admin.api.ok(201, 'POST', PAY, payment, { config: { feePayer: { onchainId: lentPayer.onchainId } } })
  await borrower.admin.api.ok(201, 'POST', PAY, { ...payment, source: { onchainId: grantedWallet.onchainId } })
  for (const { admin } of [lender, borrower])
    await admin.api.ok(
      201,
      'POST',
      PAY,
      { ...payment, source: admin === lender.admin ? lender.feePayer : wallet },
      {
        config: { feePayer: { offchainId: sharedPayer.offchainId } },
      },
    )

  // Signed with the key of the lender and not sent.
  const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
  const key = new PublicKey(grantedWallet.onchainId)
  const instructions = [SystemProgram.transfer({ fromPubkey: key, toPubkey: key, lamports: 1_000 })]
  const message = new TransactionMessage({
    payerKey: new PublicKey(wallet.onchainId),
    recentBlockhash: blockhash,
    instructions,
  })
  const serializedTransaction = Buffer.from(
    new VersionedTransaction(message.compileToV0Message()).serialize(),
  ).toString('base64')
  const signed = await borrower.admin.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })
  expect(signed.status).toBe('SIGNED')
  await refuses('LENDER', 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', {
    account: grantedWallet,
    refundDestination: lender.feePayer,
  })

  // The lender takes part of the collateral, with a concurrent request of the borrower.
  await tenants.fixture.price(tenants.bondFeed, '0.35')
  await world.passSlots(FINALITY_SLOTS)
  await eventually(async () => {
    const { status, body } = await lender.admin.api.send<Problems>('PATCH', '/loans/liquidate', loanOf(newLoan), ASYNC)
    expect(status, JSON.stringify(body)).toBe(200)
  })
  const item = {
    positionLookup: { owner: { offchainId: wallet.offchainId }, financialInstrument: { onchainId: bond.onchainId } },
    amount: 1,
  }
  await refuses('BORROWER', 'LOAN_BUSY', 'PATCH', '/loans/repay', { ...loanOf(newLoan), itemsToRelease: [item] })
  await world.passSlots(FINALITY_SLOTS)
  await eventually(async () =>
    expect(
      await lender.admin.api.read<Result>('/loans/single', { escrow: { onchainId: newLoan.onchainId } }),
    ).toMatchObject({ lifecycleState: 'REPAID' }),
  )
  expect(await world.chain.tokens(associated(treasury.onchainId, bond.onchainId, 'SPL'))).toBeGreaterThan(0n)
})
afterAll(async () => {
  await tenants.fixture.world.stop()
  receiver.stop()
})

interface Made {
  readonly offchainId: string
  readonly onchainId: string | null
}

async function transactionsOf(name: Name): Promise<readonly Made[]> {
  return ((await apis[name].bulk('/transactions/bulk/identifiers', { limit: 1000 })) as { items: Made[] }).items
}

describe('14.11 attack 17: ids of transactions', () => {
  it.each(NAMES)('14.11: of other tenants are in no answer, event or refusal for %s', async (name) => {
    const others = (await Promise.all(NAMES.filter((each) => each !== name).map(transactionsOf))).flat()
    const own = await transactionsOf(name)
    expect([others.length > 5, own.length > 0 || name === 'STRANGER']).toEqual([true, true])
    const { url } = tenants.fixture.world
    const deliveries = receiver.came
      .filter(({ path }) => path === `/${name}`)
      .map(({ text }) => ({ where: 'webhook', text }))
    const answers = [...(await everyAnswerTo(url, apis[name])), ...refusals[name], ...deliveries]
    const places = others.flatMap(({ offchainId }) =>
      answers.filter(({ text }) => text.includes(offchainId)).map(({ where }) => where),
    )
    expect([...new Set(places)]).toEqual([])
    // Own ids are found where they belong.
    expect(own.filter(({ offchainId }) => !answers.some(({ text }) => text.includes(offchainId)))).toEqual([])
  })

  it('14.11: a recorded wallet of a loan between others is not reported as in use', async () => {
    const { items } = (await stranger.api.bulk('/accounts/bulk/identifiers', {})) as {
      items: { offchain: { id: string } }[]
    }
    const notes = items.map(({ offchain }) => offchain.id)
    expect(notes.length).toBeGreaterThan(3)
    for (const offchainId of notes) {
      const { status, body } = await stranger.api.send<Problems>('PATCH', '/accounts/inactivate', {
        account: { offchainId },
      })
      if (status !== 200) expect(JSON.stringify(body)).not.toContain('loan')
    }
  })
})
