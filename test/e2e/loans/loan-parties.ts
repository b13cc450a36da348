// Lender, borrower and a stranger, each a tenant of its own, with the records that a loan between the first two needs.
import { afterAll, beforeAll } from 'vitest'
import type { Client } from '../client.ts'
import { LoanFixture, terms, type Feed } from './loan-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'

interface Party {
  readonly name: string
  readonly api: Client
  readonly records: Records
}

export let fixture: LoanFixture
export let lender: Party
export let borrower: Party
export let stranger: Party
export let vault: Ids
export let cash: Ids
export let bond: Ids
export let wallet: Ids
export let fees: Ids
export let feeds: Feed[]

async function party(name: string): Promise<Party> {
  const { api, records } = fixture.world
  await api.ok(201, 'POST', '/admin/organizations', { externalId: name, name })
  const { apiKey } = await api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: name,
    name: 'test',
    bundle: 'ADMIN',
  })
  const own = api.as(apiKey)
  return { name, api: own, records: records.with(own) }
}

export const exact = ({ onchainId }: Ids) => ({ onchainId })

/**
 * Registers the hooks that set up the exports of this file for the tests, and clean up.
 * @param open where: by default in a service of its own
 */
export function withLoanParties(open = (): Promise<LoanFixture> => LoanFixture.open()): void {
  beforeAll(async () => {
    fixture = await open()
    ;[lender, borrower, stranger] = (await Promise.all(['LENDER', 'BORROWER', 'STRANGER'].map(party))) as [
      Party,
      Party,
      Party,
    ]
    fees = await lender.records.feePayer()
    const issuer = await lender.records.account()
    cash = await lender.records.instrument('SPL', issuer)
    bond = await lender.records.instrument('TOKEN_2022', issuer, {
      permanentDelegateAuthority: issuer,
      freezeAuthority: issuer,
    })
    vault = await lender.records.account()
    await lender.records.position(vault, cash, 10_000_000_000n)
    feeds = await Promise.all([cash, bond].map((instrument) => fixture.feed(instrument, '1', lender.api)))
    await lender.api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: vault,
      financialInstrument: cash,
      originationsEnabled: true,
      borrowers: [{ organizationExternalId: 'BORROWER', cap: 1_000 }],
      exemptFromDebitLimits: true,
      collateral: [terms(bond)],
      duration: { code: 'DAYS', unit: 30 },
    })
    wallet = await borrower.records.funded(
      { canPayFees: true, tokenDebitLimits: [], networkCurrencyDebitLimits: [] },
      SOL,
    )
    const position = await borrower.api.ok<{ newPosition: Ids }>(
      201,
      'POST',
      '/positions',
      {
        owner: wallet,
        financialInstrument: exact(bond),
      },
      { config: { feePayer: wallet } },
    )
    await lender.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: { ...exact(position.newPosition), offPlatform: true } },
      lamports: '900000000',
    })
  })
  afterAll(() => fixture.world.stop())
}
