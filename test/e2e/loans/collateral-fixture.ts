// A vault with principals and collaterals of both token programs. Balances are read from the chain.
import { afterAll, beforeAll, expect } from 'vitest'
import { associated } from '../addresses.ts'
import { LoanFixture, terms, type Feed, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { Ids, Result } from '../models.ts'
import type { Version } from '../onchain.ts'
import { SOL } from '../records.ts'

export const UNIT = 1_000_000n
export let fixture: LoanFixture
let issuer: Ids
export let vault: Ids
export let feeds: Feed[]

/** Principals: SPL and TOKEN_2022; collateral: SPL, TOKEN_2022, and TOKEN_2022 frozen by default. */
export let cash: Ids
export let coin: Ids
export let share: Ids
export let bond: Ids
export let deed: Ids
const versions = new Map<string, Version>()

export async function freshPrices(): Promise<void> {
  await Promise.all(feeds.map((feed) => fixture.price(feed, '1')))
}

export const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
export const addressOf = (owner: string, instrument: Ids): string =>
  associated(owner, instrument.onchainId, versions.get(instrument.onchainId)!)

/** Raw units on chain of each owner, in each of the instruments. */
export async function readBalances(owners: readonly string[], ...instruments: readonly Ids[]): Promise<bigint[][]> {
  return await Promise.all(
    owners.map((owner) => Promise.all(instruments.map((each) => fixture.world.chain.tokens(addressOf(owner, each))))),
  )
}

export async function borrower(holdings: readonly (readonly [Ids, bigint])[]): Promise<Ids> {
  const { records } = fixture.world
  const wallet = await records.funded({ canPayFees: true }, SOL)
  for (const [instrument, raw] of holdings) await records.position(wallet, instrument, raw)
  return wallet
}

export const loanOf = (escrow: Ids, more: object = {}): Promise<Loan> =>
  fixture.world.api.read('/loans/single', { escrow: { offchainId: escrow.offchainId }, ...more })

export async function borrows(
  wallet: Ids,
  itemsToBorrow: readonly object[],
  itemsToPledge: readonly object[],
  more: object = {},
): Promise<Ids> {
  const creation = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow,
    itemsToPledge,
    ...more,
  })
  expect(creation.chainTransaction.success, JSON.stringify(creation.chainTransaction)).toBe(true)
  const message = (await fixture.world.chain.transaction(creation.chainTransaction.onchainId!)).transaction.message
  expect(message.staticAccountKeys[0]?.toBase58()).toBe(wallet.onchainId)
  return creation.newLoan
}

export const raw = (amount: number | string): bigint => BigInt(Math.round(Number(amount) * 1e6))

/** Unix seconds up to which the interest of a debt is settled. */
export const secondsOf = ({ lastInterestUpdateTime }: Loan['borrowedItems'][number]): number =>
  Date.parse(lastInterestUpdateTime) / 1_000

export async function changeLoan(
  what: string,
  itemData: object,
  member = 'updatedLoan',
): Promise<{ readonly chainTransaction?: Result }> {
  const answer = await fixture.world.api.ok<{ chainTransaction?: Result } & Record<string, Ids>>(
    200,
    'PATCH',
    what,
    itemData,
  )
  if (answer.chainTransaction !== undefined)
    expect(answer.chainTransaction.success, JSON.stringify(answer.chainTransaction)).toBe(true)
  expect(answer[member]).toEqual((itemData as { escrow: Ids }).escrow)
  return answer
}

export const refusesChange = (code: string, what: string, itemData: object) =>
  fixture.world.api.refuses(400, code, 'PATCH', what, itemData)

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withCollateralFixture(): void {
  beforeAll(async () => {
    fixture = await LoanFixture.open()
    const { records, api } = fixture.world
    await records.feePayer()
    issuer = await records.account()
    const createInstrument = async (version: Version, more: Readonly<Record<string, unknown>> = {}): Promise<Ids> => {
      const ids = await records.instrument(version, issuer, more)
      versions.set(ids.onchainId, version)
      return ids
    }
    ;[cash, coin, share, bond, deed] = await Promise.all([
      createInstrument('SPL'),
      createInstrument('TOKEN_2022'),
      createInstrument('SPL'),
      createInstrument('TOKEN_2022'),
      createInstrument('TOKEN_2022', { defaultPositionState: 'FROZEN', freezeAuthority: issuer }),
    ])
    vault = await records.account()
    await Promise.all([records.position(vault, cash, 10_000n * UNIT), records.position(vault, coin, 10_000n * UNIT)])
    feeds = await Promise.all([cash, coin, share, bond, deed].map((instrument) => fixture.feed(instrument, '1')))
    for (const principal of [cash, coin]) {
      await api.ok(201, 'POST', '/loans/strategies', {
        strategyAccount: vault,
        financialInstrument: principal,
        originationsEnabled: true,
        collateral: [terms(share), terms(bond, { apy: 120_000 }), terms(deed)],
        duration: { code: 'DAYS', unit: 30 },
      })
    }
  })
  afterAll(() => fixture.world.stop())
}
