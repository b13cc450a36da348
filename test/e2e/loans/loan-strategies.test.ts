// The terms of a lender: how they are created and changed, which feeds they use, and who sees them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LoanFixture, type Feed } from './loan-fixture.ts'
import type { Ids } from '../models.ts'

const PATH = '/loans/strategies'
let fixture: LoanFixture
let authority: Ids
let cash: Ids
let bond: Ids
let share: Ids
let vault: Ids
let cashFeed: Feed
let bondFeed: Feed

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records } = fixture.world
  await records.feePayer()
  authority = await records.account()
  ;[cash, bond, share] = (await Promise.all(
    ['SPL', 'TOKEN_2022', 'SPL'].map((version) => records.instrument(version as 'SPL', authority)),
  )) as [Ids, Ids, Ids]
  vault = await records.account()
  await records.position(vault, cash, 1_000_000n)
  ;[cashFeed, bondFeed] = [await fixture.feed(cash, '1'), await fixture.feed(bond, '1')]
})
afterAll(() => fixture.world.stop())

const terms = (more: object = {}) => ({
  strategyAccount: vault,
  financialInstrument: cash,
  collateral: [
    {
      financialInstrument: bond,
      apy: 100_000,
      loanToValueRatio: 500_000,
      liquidationRatio: 800_000,
      maxPriceAgeSeconds: 600,
    },
  ],
  duration: { code: 'DAYS', unit: 30 },
  originationsEnabled: true,
  ...more,
})

describe('a strategy', () => {
  let newStrategy: Ids

  it('uses the only feed of the organization for each instrument, and shows its terms', async () => {
    const { api } = fixture.world
    newStrategy = (
      await api.ok<{ newStrategy: Ids }>(201, 'POST', PATH, terms({ originationCap: 500, liquidityBuffer: 100_000 }))
    ).newStrategy
    expect(newStrategy.onchainId).toBe(vault.onchainId)
    const record = await api.read<Record<string, never>>(`${PATH}/single`, {
      strategy: { offchainId: newStrategy.offchainId },
    })
    expect(record).toMatchObject({
      offchainId: newStrategy.offchainId,
      strategyAccount: { onchain: { id: vault.onchainId } },
      financialInstrument: { onchain: { id: cash.onchainId } },
      onchainDataSource: { onchain: { id: cashFeed.onchainId } },
      collateral: [
        {
          financialInstrument: { onchain: { id: bond.onchainId } },
          apy: 100_000,
          loanToValueRatio: 500_000,
          liquidationRatio: 800_000,
          maxPriceAgeSeconds: 600,
          onchainDataSource: { onchain: { id: bondFeed.onchainId } },
        },
      ],
      duration: { code: 'DAYS', unit: 30 },
      borrowers: [{ organizationExternalId: 'SYSTEM', cap: null }],
      exemptFromDebitLimits: false,
      originationsEnabled: true,
      originationCap: 500,
      liquidityBuffer: 100_000,
      tenantOrganizationId: 'SYSTEM',
    })
  })

  it('is unique for each principal of a vault', async () => {
    await fixture.world.api.refuses(400, 'ALREADY_EXISTS', 'POST', PATH, terms())
  })

  it('changes the given members, and null removes a limit', async () => {
    const { api } = fixture.world
    const strategy = { offchainId: newStrategy.offchainId }
    const { updatedStrategy } = await api.ok<{ updatedStrategy: Ids }>(200, 'PATCH', PATH, {
      strategy,
      originationsEnabled: false,
      originationCap: null,
    })
    expect(updatedStrategy).toEqual(newStrategy)
    const record = await api.read<object>(`${PATH}/single`, { strategy })
    expect(record).toMatchObject({
      originationsEnabled: false,
      originationCap: null,
      liquidityBuffer: 100_000,
      duration: { code: 'DAYS', unit: 30 },
    })
    await api.refuses(400, 'STRATEGY_NOT_FOUND', 'PATCH', PATH, {
      strategy: { offchainId: crypto.randomUUID() },
      originationsEnabled: true,
    })
    await api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'PATCH', PATH, { strategy, borrowers: ['NOBODY'] })
  })

  it('is filtered by vault, principal and whether it lends', async () => {
    const { api } = fixture.world
    const by = (fieldName: string, value: object) =>
      api.bulk(`${PATH}/bulk`, { filter: [{ fieldName, filterValues: [{ filterType: 'EQUALS', ...value }] }] })
    expect(await by('strategyAccountOnchainId', { valueString: vault.onchainId })).toMatchObject({
      count: 1,
      items: [{ offchainId: newStrategy.offchainId }],
    })
    expect(await by('financialInstrumentOffchainId', { valueString: cash.offchainId })).toMatchObject({ count: 1 })
    expect(await by('originationsEnabled', { valueBoolean: true })).toMatchObject({ count: 0 })
  })

  it('requires a feed for each instrument, named if there are several', async () => {
    const { api, records } = fixture.world
    const other = await records.account()
    await records.position(other, cash)
    const collateral = [{ ...terms().collateral[0], financialInstrument: share }]
    await api.refuses(400, 'PRICE_MISSING', 'POST', PATH, terms({ strategyAccount: other, collateral }))
    const [one] = [await fixture.feed(share, '1'), await fixture.feed(share, '1')]
    await api.refuses(400, 'LOOKUP_AMBIGUOUS', 'POST', PATH, terms({ strategyAccount: other, collateral }))
    const collateralWithFeed = [{ ...collateral[0], onchainDataSource: { offchainId: one.offchainId } }]
    await api.ok(201, 'POST', PATH, terms({ strategyAccount: other, collateral: collateralWithFeed }))
    const wrong = [{ ...collateral[0], onchainDataSource: { offchainId: bondFeed.offchainId } }]
    await api.refuses(
      400,
      'LOOKUP_MISMATCH',
      'POST',
      PATH,
      terms({ strategyAccount: await records.account(), collateral: wrong }),
    )
  })

  it('refuses contradictory terms, and vaults without a balance', async () => {
    const { api, records } = fixture.world
    const empty = await records.account()
    await api.refuses(400, 'POSITION_NOT_FOUND', 'POST', PATH, terms({ strategyAccount: empty }))
    const collateral = [{ ...terms().collateral[0], loanToValueRatio: 900_000 }]
    await api.refuses(400, 'STRATEGY_TERMS_INVALID', 'POST', PATH, terms({ strategyAccount: empty, collateral }))
  })

  it('lends for 1000 years at most, since times have years of four digits', async () => {
    const { api, records } = fixture.world
    const strategyAccount = await records.account()
    const refuses = (code: string, duration: object) =>
      api.refuses(400, code, 'POST', PATH, terms({ strategyAccount, duration }))
    await refuses('TOO_LARGE', { code: 'YEARS', unit: 1_001 })
    await refuses('TOO_LARGE', { code: 'MONTHS', unit: 12_167 })
    await refuses('TOO_LARGE', { code: 'DAYS', unit: 100_001 })
    for (const duration of [
      { code: 'YEARS', unit: 1_000 },
      { code: 'MONTHS', unit: 12_166 },
      { code: 'WEEKS', unit: 52_142 },
      { code: 'DAYS', unit: 100_000 },
    ])
      await refuses('POSITION_NOT_FOUND', duration)
  })
})
