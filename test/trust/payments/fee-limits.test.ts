// Limits of fees and rent: the default limits, approvals above them, and windows that survive a restart.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import {
  LimitFixture,
  PAY,
  perTransaction,
  stranger,
  to,
  within,
  type Held,
  type Person,
} from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Result } from '../../e2e/models.ts'
import { Records, SOL } from '../../e2e/records.ts'
import { startRestartable } from '../fixtures/restartable.ts'

const HIGHEST_FEE = { HOLDFAST_MAX_FEE_LAMPORTS: String(SOL) }
const APPROVE = '/transactions/approve'

interface Tenant extends Person {
  readonly organization: string
  readonly records: Records
}

let world: World
let fixture: LimitFixture
let bank: Tenant
let shop: Tenant

async function tenant(): Promise<Tenant> {
  const organization = await fixture.organization()
  const person = await fixture.person(organization, 'ADMIN')
  return { ...person, organization, records: world.records.with(person.api) }
}

/** With this price the priority fee is exactly this amount. */
const priced = (feePayer: Ids, lamports: bigint) => ({
  feePayer: { onchainId: feePayer.onchainId },
  computeUnitConfig: { limit: 100_000, price: Number(lamports * 10n) },
})

beforeAll(async () => {
  world = await startWorld(HIGHEST_FEE)
  fixture = new LimitFixture(world)
  ;[bank, shop] = [await tenant(), await tenant()]
})
afterAll(() => world.stop())

async function payment({ records }: Tenant): Promise<object> {
  return { source: await records.funded({}, SOL), destination: await records.funded({}, SOL), lamports: 1 }
}

describe('default limits', () => {
  it('14.4 of fees for another tenant are one unit per day; for the own tenant there is none', async () => {
    // The list has an entry for priority fees only.
    const networkCurrencyDebitLimits = [to('PRIORITY_FEES', within(10, 'DAYS'))]
    const grant = { globalFeePayerForOrgs: [shop.organization], canPayFees: true }
    const payer = await bank.records.funded({ ...grant, networkCurrencyDebitLimits }, 10n * SOL)
    const accepting = { externalId: shop.organization, acceptedFeePayers: [payer.onchainId] }
    await shop.api.ok(200, 'PATCH', '/admin/organizations', accepting)
    const [shopPayment, bankPayment] = [await payment(shop), await payment(bank)]
    const pays = async ({ api }: Tenant, body: object, lamports: bigint): Promise<void> => {
      expect((await api.ok<Result>(201, 'POST', PAY, body, { config: priced(payer, lamports) })).success).toBe(true)
    }
    await pays(shop, shopPayment, 600_000_000n)
    const problem = await shop.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, shopPayment, {
      config: priced(payer, 400_000_000n),
    })
    // The limits of the owner, and their use, are visible to the owner only.
    expect(problem).not.toHaveProperty('entries')
    for (let count = 0; count < 2; count += 1) await pays(bank, bankPayment, 900_000_000n)
    await pays(shop, shopPayment, 399_000_000n)
    await bank.records.accountsEqualChain(payer)
  })

  it('14.4 of fees do not apply to an account of any type whose list is empty', async () => {
    const body = await payment(shop)
    const offchainReferences = { type: 'TOKEN_MANAGEMENT_AUTHORITY' }
    const payerWith = (limits: object) =>
      shop.records.funded({ canPayFees: true, offchainReferences, ...limits }, 10n * SOL)
    const pay = async (payer: Ids): Promise<number> =>
      (await shop.api.send('POST', PAY, body, { config: priced(payer, 600_000_000n) })).status
    const usual = await payerWith({})
    expect([await pay(usual), await pay(usual)]).toEqual([201, 400])
    const free = await payerWith({ networkCurrencyDebitLimits: [] })
    expect([await pay(free), await pay(free)]).toEqual([201, 201])
    await shop.api.ok(200, 'PATCH', '/accounts', { account: usual, networkCurrencyDebitLimits: [] })
    expect(await pay(usual)).toBe(201)
  })

  it('14.4 of rent for associated accounts of others are a tenth of a unit per day', async () => {
    const authority = await shop.records.account()
    await shop.records.feePayer()
    const instrument = await shop.records.instrument('SPL', authority, { onchainData: { decimals: 0 } })
    const ownPayer = await shop.records.feePayer()
    const config = { feePayer: { onchainId: ownPayer.onchainId } }
    const open = (owner: object) =>
      shop.api.send<NewPosition>('POST', '/positions', { owner, financialInstrument: instrument }, { config })
    const before = await world.chain.lamports(ownPayer.onchainId)
    // 0.00203928 each.
    const answers = await Promise.all(Array.from({ length: 55 }, () => open(stranger())))
    const openings = answers.filter(({ status }) => status === 201)
    expect(openings).toHaveLength(49)
    const refusals = answers.filter(({ status }) => status !== 201).map(({ body }) => JSON.stringify(body))
    for (const text of refusals) expect(text).toContain('DEBIT_LIMIT_EXCEEDED')
    expect(before - (await world.chain.lamports(ownPayer.onchainId))).toBe(49n * (2_039_280n + 5_000n))
    // For an owner whose key is held here the limit does not apply.
    expect((await open(authority)).status).toBe(201)
  })
})

describe('14.4 an approval above a limit', () => {
  let anna: Person
  const limit = (destination: string, amount: string): object =>
    to(destination, perTransaction(amount, { approversForOverride: [anna.keyId], requiredApproversCount: 1 }))
  const approve = ({ offchainId }: Held) => anna.api.ok<Held>(200, 'POST', APPROVE, { offchainId })

  beforeAll(async () => {
    anna = await fixture.person(shop.organization, ['DEBIT_LIMIT_APPROVE'])
  })

  it.each(['FEES', 'PRIORITY_FEES'] as const)(
    '%s: is required before payment, after which it is sent',
    async (destination) => {
      const payer = await shop.records.feePayer({ networkCurrencyDebitLimits: [limit(destination, '0.001')] })
      const body = await payment(shop)
      const transaction = await shop.api.ok<Held>(201, 'POST', PAY, body, {
        config: priced(payer, 2_000_000n),
      })
      expect(transaction).toMatchObject({ success: false, status: 'PREPARED', approval: { required: 1, given: 0 } })
      expect(transaction.approval?.entries).toMatchObject([
        { account: { onchainId: payer.onchainId }, destination, verdict: 'EXCEEDED' },
      ])
      expect(await world.chain.lamports(payer.onchainId)).toBe(100n * SOL)
      expect((await approve(transaction)).success).toBe(true)
      expect(await world.chain.lamports(payer.onchainId)).toBe(100n * SOL - 2_010_000n)
      const control = await shop.api.ok<Held>(201, 'POST', PAY, body, { config: priced(payer, 900_000n) })
      expect(control.success).toBe(true)
      await shop.records.accountsEqualChain(payer)
    },
  )

  it('RENT: is required before opening, after which it is opened', async () => {
    const instrument = await shop.records.instrument('SPL', await shop.records.account(), {
      onchainData: { decimals: 0 },
    })
    const payer = await shop.records.feePayer({ networkCurrencyDebitLimits: [limit('RENT', '0.001')] })
    const owner = stranger()
    const body = { owner, financialInstrument: instrument }
    const creation = await shop.api.ok<NewPosition>(201, 'POST', '/positions', body, { config: { feePayer: payer } })
    const transaction = creation.chainTransaction as Held
    expect(transaction).toMatchObject({ success: false, status: 'PREPARED', approval: { required: 1 } })
    expect(transaction.approval?.entries).toMatchObject([{ destination: 'RENT', verdict: 'EXCEEDED' }])
    expect(await world.chain.exists(creation.newPosition.onchainId)).toBe(false)
    expect((await approve(transaction)).success).toBe(true)
    expect((await world.chain.token(creation.newPosition.onchainId)).owner.toBase58()).toBe((owner as Ids).onchainId)
  })
})

describe('a restart', () => {
  it('14.4 14.16 keeps the windows of fees, and the default fee payer', async () => {
    const service = await startRestartable(HIGHEST_FEE)
    try {
      const records = (): Records => new Records(service.client(), service.chain())
      const payers = [await records().feePayer(), await records().feePayer(), await records().feePayer()]
      const body = {
        source: await records().funded({}, SOL),
        destination: await records().funded({}, SOL),
        lamports: 1,
      }
      const pay = async (config?: object): Promise<void> => {
        const { success } = await service
          .client()
          .ok<Result>(201, 'POST', PAY, body, config === undefined ? {} : { config })
        expect(success).toBe(true)
      }
      const balances = () => Promise.all(payers.map(({ onchainId }) => service.chain().lamports(onchainId)))
      const [first, second] = payers as [Ids, Ids, Ids]
      await pay()
      expect(await balances()).toEqual([100n * SOL - 10_000n, 100n * SOL, 100n * SOL])
      await pay(priced(second, 900_000_000n))
      await service.restart()
      await pay()
      expect(await balances()).toEqual([100n * SOL - 20_000n, 100n * SOL - 900_010_000n, 100n * SOL])
      await service
        .client()
        .refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, body, { config: priced(second, 100_000_001n) })
      await pay(priced(second, 100_000_000n))
      await service.client().ok(200, 'PATCH', '/accounts', { account: first, canPayFees: false })
      await pay()
      await service.restart()
      await pay()
      expect(await balances()).toEqual([100n * SOL - 20_000n, 99n * SOL - 40_000n, 100n * SOL])
    } finally {
      await service.stop()
    }
  })
})
