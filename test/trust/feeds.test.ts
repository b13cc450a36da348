// Who sets the price of the collateral of a lender: no borrower of another tenant, and no key that may not set policy.
import { createUpdateFieldInstruction } from '@solana/spl-token-metadata'
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { terms, type Feed, type LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import type { Source } from '../e2e/feed-fixture.ts'
import { LendingTenants, type Tenant } from './fixtures/lending-tenants.ts'

const SOURCES = '/market-data/onchain-data-source'
const STRATEGIES = '/loans/strategies'
let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant
let marketOnly: Client

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
  marketOnly = (
    await tenants.limits.person(lender.organization, ['MARKET_DATA_WRITE', 'MARKET_DATA_READ', 'TRANSACTIONS_WRITE'])
  ).api
})
afterAll(() => tenants.fixture.world.stop())

const job = (big: string) => ({
  oracleProviderDetails: { jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big } }] }) },
})
const about = ({ offchainId }: Ids, members: object = {}) => ({ onchainDataSource: { offchainId }, ...members })
const priced = ({ offchainId }: Ids) => ({ offchainId })
const foreign = () => ({
  borrowers: [{ organizationExternalId: borrower.organization, cap: 100 }],
  exemptFromDebitLimits: true,
})
const readFeed = (feed: Ids) => lender.admin.api.read<Source>(`${SOURCES}/single`, about(feed))

/** A bond of the lender with a feed, and the authority that publishes it. */
async function bondWithFeed(): Promise<{ bond: Ids; feed: Feed; authority: string }> {
  const bond = await lender.records.instrument('SPL', tenants.issuer)
  const feed = await tenants.fixture.feed(bond, '1', lender.admin.api)
  return { bond, feed, authority: (await readFeed(feed)).onchainDataSourceAuthority.offchain.id }
}

const grants = (authority: string, organizations: readonly string[]) =>
  lender.admin.api.ok(200, 'PATCH', '/accounts', {
    account: { offchainId: authority },
    orgsAllowedToSignWithPrivateKey: organizations,
  })

describe('14.6: the authority of a feed', () => {
  it('14.6: must not be usable by a borrower of another tenant, when a strategy is created or changed', async () => {
    const { bond, feed, authority } = await bondWithFeed()
    const collateral = [terms(bond, { onchainDataSource: priced(feed) })]
    await grants(authority, [borrower.organization])
    const treasury = await tenants.treasury(100n)
    await lender.admin.api.refuses(
      400,
      'FEED_NOT_INDEPENDENT',
      'POST',
      STRATEGIES,
      tenants.strategy(treasury, { collateral, ...foreign() }),
    )
    // No borrower of another tenant is named: the lender decides whom it trusts with the key.
    const strategy = await tenants.makesStrategy(treasury, { collateral })
    await lender.admin.api.refuses(
      400,
      'FEED_NOT_INDEPENDENT',
      'PATCH',
      STRATEGIES,
      tenants.change(strategy, foreign()),
    )
    await lender.admin.api.ok(
      200,
      'PATCH',
      STRATEGIES,
      tenants.change(strategy, { collateral: [terms(tenants.bond)], ...foreign() }),
    )
    await lender.admin.api.refuses(
      400,
      'FEED_NOT_INDEPENDENT',
      'PATCH',
      STRATEGIES,
      tenants.change(strategy, { collateral }),
    )
    await grants(authority, [])
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { collateral }))
  })

  it('14.6: is checked again when a loan is created, because grants change', async () => {
    const treasury = await tenants.treasury(100n)
    await tenants.makesStrategy(treasury, foreign())
    const wallet = await tenants.borrowing(borrower, 100n)
    const { offchain } = (await readFeed(tenants.bondFeed)).onchainDataSourceAuthority
    await grants(offchain.id, [borrower.organization])
    await borrower.admin.api.refuses(
      400,
      'FEED_NOT_INDEPENDENT',
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 1, 4),
    )
    await grants(offchain.id, [])
    const { chainTransaction } = await borrower.admin.api.ok<LoanCreation>(
      201,
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 1, 4),
    )
    expect(chainTransaction.success).toBe(true)
  })

  it('14.6: must not belong to the borrower', async () => {
    const { bond, feed } = await bondWithFeed()
    const own = await borrower.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
    await lender.admin.api.ok(
      200,
      'PATCH',
      SOURCES,
      about(feed, { onchainDataSourceAuthority: { onchainId: own.onchainId, offPlatform: true } }),
    )
    const treasury = await tenants.treasury(100n)
    const collateral = [terms(bond, { onchainDataSource: priced(feed) })]
    await lender.admin.api.refuses(
      400,
      'FEED_NOT_INDEPENDENT',
      'POST',
      STRATEGIES,
      tenants.strategy(treasury, { collateral, ...foreign() }),
    )
  })
})

describe('14.6: a feed used by a strategy', () => {
  it('14.6 attack 2: changes its value only by a key with ACCOUNT_POLICY_WRITE', async () => {
    const { bond, feed, authority } = await bondWithFeed()
    await marketOnly.ok(200, 'PATCH', SOURCES, about(feed, job('2')))
    const other = await lender.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
    await tenants.makesStrategy(await tenants.treasury(10n), { collateral: [terms(bond)] })
    const changes = [
      job('1000000'),
      { onchainDataSourceAuthority: other },
      { oracleProviderDetails: { kind: 'QUOTES', ...job('3').oracleProviderDetails } },
    ]
    for (const change of changes) {
      const { message } = await marketOnly.refuses(403, 'ROLE_REQUIRED', 'PATCH', SOURCES, about(feed, change))
      expect(message).toContain('ACCOUNT_POLICY_WRITE')
    }
    const { latest, onchainDataSourceAuthority } = await readFeed(feed)
    expect([latest?.value, onchainDataSourceAuthority.offchain.id]).toEqual(['2', authority])
    // A run of its jobs is no change of them.
    await marketOnly.ok(200, 'PATCH', `${SOURCES}/refresh`, about(feed))
    await lender.admin.api.ok(200, 'PATCH', SOURCES, about(feed, job('4')))
    expect((await readFeed(feed)).latest?.value).toBe('4')
  })

  it('14.6: keeps its instrument and its kind, for every key', async () => {
    const { bond, feed } = await bondWithFeed()
    const another = await lender.records.instrument('SPL', tenants.issuer)
    const strategy = await tenants.makesStrategy(await tenants.treasury(10n), { collateral: [terms(bond)] })
    for (const change of [
      { financialInstrument: another },
      { dataDetails: { kind: 'RATING', ratingProvider: 'AGENCY' } },
    ])
      await lender.admin.api.refuses(400, 'FEED_IN_USE', 'PATCH', SOURCES, about(feed, change))
    await lender.admin.api.ok(200, 'PATCH', SOURCES, about(feed, { financialInstrument: bond }))
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { collateral: [terms(tenants.bond)] }))
    await marketOnly.ok(200, 'PATCH', SOURCES, about(feed, { financialInstrument: another }))
  })

  it('14.6: keeps its authority, whose record is closed only once no strategy uses the feed', async () => {
    const { bond, feed, authority } = await bondWithFeed()
    const treasury = await tenants.treasury(1n)
    const strategy = await tenants.makesStrategy(treasury, {
      collateral: [terms(bond, { onchainDataSource: priced(feed) })],
    })
    const account = { account: { offchainId: authority } }
    const { message } = await lender.admin.api.refuses(400, 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', account)
    expect(message).toContain(`data source ${feed.offchainId}`)
    const other = [terms(tenants.bond, { onchainDataSource: priced(tenants.bondFeed) })]
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { collateral: other }))
    await lender.admin.api.ok(200, 'PATCH', '/accounts/inactivate', account)
  })

  it('14.6: stays protected for an open loan, also after the strategy uses another', async () => {
    const feed = await tenants.fixture.feed(tenants.bond, '1', lender.admin.api)
    const treasury = await tenants.treasury(100n)
    const strategy = await tenants.makesStrategy(treasury, {
      collateral: [terms(tenants.bond, { onchainDataSource: priced(feed) })],
    })
    const wallet = await tenants.borrowing(lender, 100n)
    const { newLoan } = await lender.admin.api.ok<LoanCreation>(
      201,
      'POST',
      '/loans',
      tenants.loan(treasury, wallet, 1, 4),
    )
    const elsewhere = { collateral: [terms(tenants.bond, { onchainDataSource: priced(tenants.bondFeed) })] }
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, elsewhere))
    await marketOnly.refuses(403, 'ROLE_REQUIRED', 'PATCH', SOURCES, about(feed, job('9')))
    const at = (instrument: Ids) => ({
      owner: { offchainId: wallet.offchainId },
      financialInstrument: { onchainId: instrument.onchainId },
    })
    const escrow = { offchainId: newLoan.offchainId }
    await tenants.lendsMore(wallet, 1n)
    await lender.admin.api.ok(200, 'PATCH', '/loans/repay', {
      defiProtocol: 'ESCROW_VAULT',
      escrow,
      itemsToRepay: [{ positionLookup: at(tenants.cash), repayAll: true }],
      itemsToRelease: [{ positionLookup: at(tenants.bond), amount: 4 }],
    })
    await lender.admin.api.ok(200, 'PATCH', '/loans/close', { defiProtocol: 'ESCROW_VAULT', escrow })
    await marketOnly.ok(200, 'PATCH', SOURCES, about(feed, job('9')))
  })

  it('14.6 attack 2: is not written by a transaction made elsewhere', async () => {
    const { bond, feed, authority } = await bondWithFeed()
    const { onchain } = (await readFeed(feed)).onchainDataSourceAuthority
    const write = async (value: string, payer = lender.feePayer): Promise<object> => {
      const field = {
        metadata: new PublicKey(feed.onchainId),
        updateAuthority: new PublicKey(onchain.id),
        programId: TOKEN_2022_PROGRAM_ID,
        field: 'q',
        value,
      }
      return {
        serializedTransaction: await tenants.limits.foreign(payer.onchainId, [createUpdateFieldInstruction(field)]),
      }
    }
    const signed = await marketOnly.ok<Result>(200, 'POST', '/transactions/sign', await write('free'))
    expect(signed.status).toBe('SIGNED')
    await tenants.makesStrategy(await tenants.treasury(10n), { collateral: [terms(bond)] })
    await marketOnly.refuses(403, 'ROLE_REQUIRED', 'POST', '/transactions/sign', await write('mine'))
    await grants(authority, [borrower.organization])
    const { errors } = (
      await borrower.admin.api.send<{ errors?: { code: string }[] }>(
        'POST',
        '/transactions/sign',
        await write('theirs', borrower.feePayer),
      )
    ).body
    expect(errors?.map(({ code }) => code)).toEqual(['SIGNER_NOT_ALLOWED'])
    const { value } = (await readFeed(feed)).latest!
    expect(value).toBe('1')
  })
})
