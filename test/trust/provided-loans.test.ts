// Loans whose vault has its key at a provider: anyone can onboard the address of such a vault, and the provider builds
// the messages.
import { Keypair } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../e2e/addresses.ts'
import type { Client } from '../e2e/client.ts'
import { perTransaction, to } from '../e2e/limits/limit-fixture.ts'
import { terms, type LoanCreation, type Loan } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL, type Records } from '../e2e/records.ts'
import { ScriptedProvider } from '../e2e/loans/scripted-provider.ts'
import { buildTransfer } from '../e2e/loans/tampers.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

let provider: ScriptedProvider
let tenants: LendingTenants
let lender: Tenant
let victim: Tenant

beforeAll(async () => {
  provider = await ScriptedProvider.open()
  tenants = await LendingTenants.open({ ...provider.settings(), HOLDFAST_RESPONSE_WAIT_MS: '60000' })
  ;({ lender, borrower: victim } = tenants)
  const { chain } = tenants.fixture.world
  provider.connection = chain.connection
  await chain.airdrop(provider.address, SOL)
  const pool = await pooled(lender.records)
  await lender.records.position(pool, tenants.cash, 1_000n * UNIT)
  await makesStrategy(lender.admin.api, pool, {
    borrowers: [{ organizationExternalId: victim.organization, cap: 500 }],
  })
})
afterEach(() => {
  provider.tamper = (parts) => parts
})
afterAll(async () => {
  provider.close()
  await tenants.fixture.world.stop()
})

const pooled = (records: Records): Promise<Ids> =>
  records.account({ managed: false, onchainId: provider.address, alreadyOnchain: true })
const makesStrategy = (api: Client, vault: Ids, more: object = {}): Promise<object> =>
  api.ok(201, 'POST', '/loans/strategies', tenants.strategy(vault, { defiProtocol: 'SCRIPTED', ...more }))

/**
 * Records of another tenant for the address of the vault, the instruments and their feeds; and a strategy of the vault.
 */
async function notesVault(
  { records, api }: { records: Records; api: Client },
  borrower: object | string,
): Promise<void> {
  const instruments: Ids[] = []
  for (const { onchainId } of [tenants.cash, tenants.bond]) {
    const { newFinancialInstrument } = await api.ok<{ newFinancialInstrument: Ids }>(
      201,
      'POST',
      '/financial-instruments',
      {
        mintAccount: { onchainId },
        alreadyOnChain: true,
        mintAuthority: { onchainId: tenants.issuer.onchainId, offPlatform: true },
      },
    )
    await tenants.fixture.feed(newFinancialInstrument, '1', api)
    instruments.push(newFinancialInstrument)
  }
  const [cash, bond] = instruments as [Ids, Ids]
  const vault = await pooled(records)
  const position = {
    onchainId: associated(provider.address, cash.onchainId, 'SPL'),
    alreadyOnchain: true,
    managed: false,
  }
  await api.ok(201, 'POST', '/positions', { owner: vault, financialInstrument: cash, position })
  await makesStrategy(api, vault, { financialInstrument: cash, collateral: [terms(bond)], borrowers: [borrower] })
}

const loan = (wallet: Ids, pledged = 40): object => ({
  ...tenants.loan({ onchainId: provider.address, offchainId: '' }, wallet, 10, pledged),
  defiProtocol: 'SCRIPTED',
})
const bonds = (owner: Ids): Promise<bigint> => tenants.balanceOf(owner, tenants.bond)
const refuses = (wallet: Ids) =>
  victim.operator.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', loan(wallet))
const lentBy = async ({ offchainId }: Ids, api: Client): Promise<Loan> =>
  await api.read<Loan>('/loans/single', { escrow: { offchainId } })

async function lends(wallet: Ids): Promise<Ids> {
  const creation = await victim.operator.api.ok<LoanCreation>(201, 'POST', '/loans', loan(wallet))
  expect(
    creation.chainTransactions?.map(({ success }) => success) ?? [creation.chainTransaction.success],
    JSON.stringify(creation),
  ).not.toContain(false)
  return creation.newLoan
}
const only = (destination: string, units: number) => ({
  tokenDebitLimits: ['OFF_PLATFORM', 'NON_MANAGED'].map((each) =>
    to(each, perTransaction(each === destination ? units : 0)),
  ),
})

describe('attack 2, 14.2: collateral pledged through a provider', () => {
  it('attack 2: is a debit to another tenant, also across several messages', async () => {
    const wallet = await tenants.borrowing(victim, 100n, only('OFF_PLATFORM', 39))
    const { message } = await refuses(wallet)
    expect(message).toContain('OFF_PLATFORM')
    expect(await bonds(wallet)).toBe(100n * UNIT)
    const able = await tenants.borrowing(victim, 100n, only('OFF_PLATFORM', 40))
    await lends(able)
    expect(await bonds(able)).toBe(60n * UNIT)
  })

  it('attack 2: gets no signature for an answer that releases more from escrow than requested', async () => {
    const wallet = await tenants.borrowing(victim, 100n)
    const escrow = await lends(wallet)
    const thief = Keypair.generate().publicKey.toBase58()
    const { bond } = tenants
    await lender.admin.api.ok(201, 'POST', '/positions', {
      owner: { onchainId: thief, offPlatform: true },
      financialInstrument: bond,
    })
    const buildTheft = (): ReturnType<typeof buildTransfer> =>
      buildTransfer(bond, escrow.onchainId, associated(thief, bond.onchainId, 'SPL'), UNIT)
    const at = { owner: { offchainId: wallet.offchainId }, financialInstrument: { onchainId: bond.onchainId } }
    const release = {
      defiProtocol: 'SCRIPTED',
      escrow: { offchainId: escrow.offchainId },
      itemsToRelease: [{ positionLookup: at, amount: 1 }],
    }
    for (const first of [true, false]) {
      provider.tamper = (parts) =>
        parts.map((part, index) =>
          index !== (first ? 0 : parts.length - 1)
            ? part
            : {
                ...part,
                instructions: first ? [buildTheft(), ...part.instructions] : [...part.instructions, buildTheft()],
              },
        )
      await victim.operator.api.refuses(403, 'LOAN_MESSAGE_REFUSED', 'PATCH', '/loans/repay', release)
    }
    expect([await bonds(escrow), await bonds({ onchainId: thief, offchainId: '' })]).toEqual([40n * UNIT, 0n])
    provider.tamper = (parts) => parts
    const { chainTransaction } = await victim.operator.api.ok<{ chainTransaction: Result }>(
      200,
      'PATCH',
      '/loans/repay',
      release,
    )
    expect(chainTransaction.success).toBe(true)
    expect(await bonds(escrow)).toBe(39n * UNIT)
  })
})

describe('14.1: strategies of one vault by several tenants', () => {
  it('attack 1: a tenant with a record of the vault lends nothing to borrowers of its lender', async () => {
    const organization = await tenants.limits.organization()
    const { api } = await tenants.limits.person(organization, 'ADMIN')
    const records = tenants.fixture.world.records.with(api)
    await records.feePayer()
    await notesVault({ api, records }, { organizationExternalId: victim.organization, cap: 500 })
    const escrow = await lends(await tenants.borrowing(victim, 100n))
    expect((await lentBy(escrow, lender.admin.api)).lender.onchain.id).toBe(provider.address)
    await api.refuses(400, 'LOAN_NOT_FOUND', 'PATCH', '/loans/liquidate', {
      defiProtocol: 'SCRIPTED',
      escrow: { onchainId: escrow.onchainId },
    })
  })

  it('14.1: strategies of the own tenant come first, and a vault on record has its own class', async () => {
    await notesVault({ api: victim.admin.api, records: victim.records }, victim.organization)
    const wallet = await tenants.borrowing(victim, 100n, only('NON_MANAGED', 39))
    expect((await refuses(wallet)).message).toContain('NON_MANAGED')
    const able = await tenants.borrowing(victim, 100n, only('NON_MANAGED', 40))
    const escrow = await lends(able)
    const { status } = await lender.admin.api.send('POST', '/loans/single', { escrow: { onchainId: escrow.onchainId } })
    expect(status).toBe(404)
    expect(await bonds(able)).toBe(60n * UNIT)
  })
})
