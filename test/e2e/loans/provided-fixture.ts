// A scripted lending provider with its own pool, and borrowers whose balances are read from the chain.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { LoanFixture, terms, type Feed, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'
import { ScriptedProvider } from './scripted-provider.ts'
import { addressOf } from './tampers.ts'

export const UNIT = 1_000_000n
export const WORD = 'who-we-are'
let folder: string
export let provider: ScriptedProvider
export let fixture: LoanFixture
export let issuer: Ids
export let pool: Ids
export let cash: Ids
export let bond: Ids
export let feeds: Feed[]

export const strategy = (more: object = {}) => ({
  defiProtocol: 'SCRIPTED',
  strategyAccount: pool,
  financialInstrument: cash,
  originationsEnabled: true,
  collateral: [terms(bond)],
  duration: { code: 'DAYS', unit: 30 },
  ...more,
})
export const readBalance = (owner: string, instrument: Ids): Promise<bigint> =>
  fixture.world.chain.tokens(addressOf(owner, instrument, instrument === bond ? 'TOKEN_2022' : 'SPL'))
export const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
export const buildLoanRequest = (owner: Ids, more: object = {}) => ({
  defiProtocol: 'SCRIPTED',
  lendingDetails: { loanStrategyAddress: provider.address },
  itemsToBorrow: [{ positionLookup: at(owner, cash), amount: 100 }],
  itemsToPledge: [{ positionLookup: at(owner, bond), amount: 300 }],
  ...more,
})
export const loanAt = (escrow: Ids) =>
  fixture.world.api.read<Loan>('/loans/single', { escrow: { offchainId: escrow.offchainId } })
export const buildReference = ({ offchainId }: Ids) => ({ defiProtocol: 'SCRIPTED', escrow: { offchainId } })

/**
 * A borrower without limits of its own, unless they are given. The vault is not ours: by default the borrower may pay
 * it one unit at a time.
 */
export async function borrower(more: object = { tokenDebitLimits: [] }): Promise<Ids> {
  const { records } = fixture.world
  const owner = await records.funded({ canPayFees: true, ...more }, SOL)
  await records.position(owner, bond, 500n * UNIT)
  return owner
}

export const lend = (owner: Ids, headers: Readonly<Record<string, string>> = {}) =>
  fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', buildLoanRequest(owner), { headers })

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withProvidedFixture(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-provider-'))
    const bearerFile = join(folder, 'bearer')
    writeFileSync(bearerFile, `${WORD}\n`)
    provider = await ScriptedProvider.open()
    fixture = await LoanFixture.open({
      ...provider.settings({ bearerFile }),
      // The provider gives both transactions their blockhash at once: the second must land, too.
      HOLDFAST_EMBEDDED_SLOT_MS: '200',
      HOLDFAST_EMBEDDED_FAULTS: 'on',
    })
    const { records, api, chain } = fixture.world
    provider.connection = chain.connection
    await records.feePayer()
    issuer = await records.account()
    ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
    await chain.airdrop(provider.address, SOL)
    pool = await records.account({ managed: false, onchainId: provider.address, alreadyOnchain: true })
    await Promise.all([records.position(pool, cash, 10_000n * UNIT), records.position(issuer, cash)])
    feeds = await Promise.all([cash, bond].map((instrument) => fixture.feed(instrument, '1')))
    await api.ok(201, 'POST', '/loans/strategies', strategy())
  })
  afterEach(() => {
    provider.tamper = (parts) => parts
  })
  afterAll(async () => {
    provider.close()
    await fixture.world.stop()
    rmSync(folder, { recursive: true })
  })
}
