// To a third tenant, the escrow of a loan between other tenants and its positions are like unknown addresses. For the
// tenants of the borrower and the lender they are locked.
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../../e2e/addresses.ts'
import type { Loan, LoanCreation } from '../../e2e/loans/loan-fixture.ts'
import type { Ids } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { answerTo, maskAnswer, ownOf, ROWS, type Own, type Row } from '../fixtures/address-roles.ts'
import { LendingTenants, UNIT } from '../fixtures/lending-tenants.ts'
import { Outsider } from '../fixtures/outsider.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const PLEDGED = 300n * UNIT
let tenants: LendingTenants
let stranger: Party
let own: Omit<Own, 'spare'>
let escrow: Ids
let escrowPosition: string
let unknownAddress: string
let unknownPosition: string

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const { lender, borrower, bond } = tenants
  const { world } = tenants.fixture
  const treasury = await tenants.treasury(1_000n)
  await tenants.makesStrategy(treasury, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  const wallet = await tenants.borrowing(borrower, 500n)
  escrow = (await borrower.admin.api.ok<LoanCreation>(201, 'POST', '/loans', tenants.loan(treasury, wallet, 100, 300)))
    .newLoan
  escrowPosition = associated(escrow.onchainId, bond.onchainId, 'SPL')
  await world.chain.airdrop(escrow.onchainId, SOL)
  // The same accounts on chain, without any record.
  const outsider = await Outsider.with(world)
  unknownAddress = Keypair.generate().publicKey.toBase58()
  await world.chain.airdrop(unknownAddress, SOL)
  const key = Keypair.generate()
  await outsider.openTokenAccount(key, bond.onchainId, 'SPL', unknownAddress)
  unknownPosition = key.publicKey.toBase58()
  await lender.admin.api.ok(201, 'POST', '/positions/mint', {
    destination: { position: { onchainId: unknownPosition, offPlatform: true } },
    lamports: PLEDGED.toString(),
  })
  expect([await world.chain.tokens(escrowPosition), await world.chain.tokens(unknownPosition)]).toEqual([
    PLEDGED,
    PLEDGED,
  ])
  stranger = await newParty(world, 'STRANGER')
  own = await ownOf(stranger)
})
afterAll(() => tenants.fixture.world.stop())

/** Roles of a position, and of an account. */
const isPosition = ({ role }: Row): boolean => role.startsWith('position')
const FORMS = [
  ['offPlatform', { offPlatform: true }, {}],
  ['dry run', { offPlatform: true }, { 'Holdfast-Dry-Run': 'true' }],
] as const
const fixed = (text: string): string => text.replaceAll(escrow.onchainId, 'IT').replaceAll(unknownAddress, 'IT')

async function foreign(from: string, to: string, payer: string): Promise<string> {
  const { blockhash } = await tenants.fixture.world.chain.connection.getLatestBlockhash('confirmed')
  const instructions = [
    SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports: 1_000 }),
  ]
  const message = new TransactionMessage({ payerKey: new PublicKey(payer), recentBlockhash: blockhash, instructions })
  return Buffer.from(new VersionedTransaction(message.compileToV0Message()).serialize()).toString('base64')
}

describe('14.11: the escrow of a loan of other tenants is like an unknown address', () => {
  describe.each(ROWS)('$role of $method $path', (each) => {
    it.each([['plain', {}, {}], ...FORMS] as const)('14.11: %s', async (form, members, headers) => {
      const [knownAddress, other] = isPosition(each)
        ? [escrowPosition, unknownPosition]
        : [escrow.onchainId, unknownAddress]
      const about = (onchainId: string): Promise<unknown> =>
        answerTo(each, { asker: stranger, own }, { onchainId, ...members }, headers)
      const answers = [await about(knownAddress), await about(other)]
      expect(JSON.stringify(answers)).not.toContain('ESCROW')
      if (form !== 'plain') expect(answers[0]).toEqual(answers[1])
    })
  })

  it('14.11: also in a transaction made elsewhere, as a signer and as a payer', async () => {
    const sign = async (from: string, payer: string): Promise<unknown> => {
      const itemData = { serializedTransaction: await foreign(from, own.wallet.onchainId, payer) }
      const { status, body } = await stranger.api.send('POST', '/transactions/sign', itemData)
      return JSON.parse(fixed(JSON.stringify(maskAnswer(status, body))))
    }
    expect(await sign(escrow.onchainId, own.wallet.onchainId)).toEqual(await sign(unknownAddress, own.wallet.onchainId))
    expect(await sign(escrow.onchainId, escrow.onchainId)).toEqual(await sign(unknownAddress, unknownAddress))
    expect(await tenants.fixture.world.chain.lamports(escrow.onchainId)).toBeGreaterThanOrEqual(SOL)
  })

  it('14.1: a record of it by another tenant is not read by its lender', async () => {
    await stranger.records.account({ managed: false, comments: 'not of this loan', onchainId: escrow.onchainId })
    const owner = { onchainId: escrow.onchainId }
    const note = {
      owner,
      financialInstrument: { onchainId: tenants.bond.onchainId },
      position: { alreadyOnchain: true, comments: 'nor this' },
    }
    const { newPosition } = await stranger.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', note)
    expect(newPosition.onchainId).toBe(escrowPosition)
    const read = await tenants.lender.admin.api.read('/accounts/single', { onchainId: escrow.onchainId })
    expect(read).toMatchObject({
      offchain: { id: escrow.offchainId },
      tenantOrganizationId: tenants.borrower.organization,
    })
    const position = await tenants.lender.admin.api.read('/positions/single', {
      position: { onchainId: escrowPosition },
    })
    expect(position).toMatchObject({
      tenantOrganizationId: tenants.borrower.organization,
      balance: { lamports: Number(PLEDGED) },
    })
  })

  it('14.1: a record of it by another tenant does not name the loan', async () => {
    const another = await newParty(tenants.fixture.world, 'ANOTHER')
    const { offchainId } = await another.records.account({ managed: false, onchainId: escrow.onchainId })
    const items = [{ positionLookup: { owner: own.wallet, financialInstrument: tenants.bond }, amount: 1 }]
    const changes = {
      liquidate: {},
      close: {},
      repay: { itemsToRelease: items },
      'swap-collateral': { itemsToWithdraw: items },
      refinance: { lendingDetails: { loanStrategyAddress: own.wallet.onchainId } },
    }
    for (const lookup of [{ onchainId: escrow.onchainId }, { offchainId }]) {
      await another.api.refuses(404, 'LOAN_NOT_FOUND', 'POST', '/loans/single', { escrow: lookup })
      for (const [path, members] of Object.entries(changes))
        await another.api.refuses(400, 'LOAN_NOT_FOUND', 'PATCH', `/loans/${path}`, {
          defiProtocol: 'ESCROW_VAULT',
          escrow: lookup,
          ...members,
        })
    }
    // A party finds it also by a record of its own.
    const { lender } = tenants
    await lender.records.account({ managed: false, onchainId: escrow.onchainId })
    const loan = await lender.admin.api.read<Loan>('/loans/single', { escrow: { onchainId: escrow.onchainId } })
    expect(loan.escrow.offchain.id).toBe(escrow.offchainId)
  })

  it('14.11 control: it is locked for the tenants of the borrower and the lender', async () => {
    for (const { admin, feePayer } of [tenants.borrower, tenants.lender]) {
      const escrowLookup = { onchainId: escrow.onchainId, offPlatform: true }
      const payment = {
        source: { offchainId: feePayer.offchainId },
        destination: { onchainId: unknownAddress, offPlatform: true },
        lamports: 1_000,
      }
      await admin.api.refuses(403, 'ESCROW_LOCKED', 'POST', '/positions/transfer-network-currency', {
        ...payment,
        source: escrowLookup,
      })
      await admin.api.refuses(403, 'ESCROW_LOCKED', 'POST', '/positions/transfer-network-currency', payment, {
        config: { feePayer: escrowLookup },
      })
      const serializedTransaction = await foreign(escrow.onchainId, feePayer.onchainId, feePayer.onchainId)
      await admin.api.refuses(403, 'ESCROW_LOCKED', 'POST', '/transactions/sign', { serializedTransaction })
      const burn = { source: { position: { onchainId: escrowPosition, offPlatform: true } }, lamports: 1 }
      await admin.api.refuses(403, 'ESCROW_LOCKED', 'POST', '/positions/burn', burn)
    }
    expect(await tenants.fixture.world.chain.tokens(escrowPosition)).toBe(PLEDGED)
  })
})
