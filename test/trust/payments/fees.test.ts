// Who pays fees, for whom and how much: attacks on accounts through the fee, and the same requests where they are
// allowed.
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import { LimitFixture, PAY, to, within, type Person } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { Records, SOL } from '../../e2e/records.ts'

let world: World
let fixture: LimitFixture
let bank: Person & { readonly organization: string; readonly records: Records }
let shop: typeof bank

async function tenant(): Promise<typeof bank> {
  const organization = await fixture.organization()
  const person = await fixture.person(organization, 'ADMIN')
  return { ...person, organization, records: world.records.with(person.api) }
}

const accept = (payers: readonly Ids[]) =>
  shop.api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: shop.organization,
    acceptedFeePayers: payers.map(({ onchainId }) => onchainId),
  })

/** With this limit and price the priority fee is exactly `lamports`. */
const priced = (feePayer: Ids, lamports: bigint, limit = 100_000) => ({
  feePayer: { onchainId: feePayer.onchainId },
  computeUnitConfig: { limit, price: Number((lamports * 1_000_000n) / BigInt(limit)) },
})

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_MAX_FEE_LAMPORTS: String(SOL) })
  fixture = new LimitFixture(world)
  ;[bank, shop] = [await tenant(), await tenant()]
})
afterAll(() => world.stop())

describe('attack 10: an account drained through `feePayer` and price', () => {
  it('14.4 a wallet that may not pay fees is refused by name and as payer of a message made elsewhere', async () => {
    const [victim, payer] = [
      await shop.records.funded({}, 2n * SOL),
      await shop.records.funded({ canPayFees: true }, 2n * SOL),
    ]
    const [source, destination] = [await shop.records.funded({}, SOL), await shop.records.funded({}, SOL)]
    const body = { source, destination, lamports: 1 }
    const config = priced(victim, 900_000_000n)
    await shop.api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', 'POST', PAY, body, { config })
    await shop.api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', 'POST', PAY, body, {
      config,
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    const transfer = (from: Ids) =>
      SystemProgram.transfer({
        fromPubkey: new PublicKey(from.onchainId),
        toPubkey: new PublicKey(destination.onchainId),
        lamports: 1,
      })
    const foreign = await fixture.foreign(victim.onchainId, [transfer(source)])
    for (const path of ['/transactions/sign', '/transactions/submit'])
      await shop.api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', 'POST', path, { serializedTransaction: foreign })
    expect(await world.chain.lamports(victim.onchainId)).toBe(2n * SOL)

    expect((await shop.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: payer } })).success).toBe(true)
    const serializedTransaction = await fixture.foreign(payer.onchainId, [transfer(source)])
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/sign', { serializedTransaction })).status).toBe(
      'SIGNED',
    )
    await shop.records.accountsEqualChain(victim)
  })

  it('14.4 a fee payer pays one unit of priority fees a day by default; its own list replaces that', async () => {
    const payer = await shop.records.funded({ canPayFees: true }, 5n * SOL)
    const [source, destination] = [await shop.records.funded({}, SOL), await shop.records.funded({}, SOL)]
    const body = { source, destination, lamports: 1 }
    expect((await shop.api.ok<Result>(201, 'POST', PAY, body, { config: priced(payer, 600_000_000n) })).success).toBe(
      true,
    )
    const problem = await shop.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, body, {
      config: priced(payer, 400_000_001n),
    })
    expect((problem as { entries?: readonly object[] }).entries).toMatchObject([
      {
        account: { onchainId: payer.onchainId },
        destination: 'PRIORITY_FEES',
        used: 0.6,
        debit: 0.400000001,
        verdict: 'EXCEEDED',
      },
    ])
    expect((await shop.api.ok<Result>(201, 'POST', PAY, body, { config: priced(payer, 400_000_000n) })).success).toBe(
      true,
    )
    await shop.api.ok(200, 'PATCH', '/accounts', {
      account: payer,
      networkCurrencyDebitLimits: [to('PRIORITY_FEES', within('1.2', 'DAYS'))],
    })
    await shop.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, body, { config: priced(payer, 200_000_001n) })
    await shop.api.ok(200, 'PATCH', '/accounts', { account: payer, networkCurrencyDebitLimits: [] })
    expect((await shop.api.ok<Result>(201, 'POST', PAY, body, { config: priced(payer, 500_000_000n) })).success).toBe(
      true,
    )
    await shop.records.accountsEqualChain(payer)
  })

  it('14.4 a list of debit keys applies to fees, except for organizations named as beneficiaries', async () => {
    const { keyId } = await fixture.person(shop.organization, 'OPERATOR')
    const listedPayer = await shop.records.funded({ canPayFees: true, solDebitApiKeys: [keyId] }, SOL)
    const [source, destination] = [await shop.records.funded({}, SOL), await shop.records.funded({}, SOL)]
    const body = { source, destination, lamports: 1 }
    await shop.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', PAY, body, { config: { feePayer: listedPayer } })
    expect(await world.chain.lamports(listedPayer.onchainId)).toBe(SOL)
    const entry = { ...to('FEES', within(1, 'DAYS')), organizationExternalId: shop.organization }
    await shop.api.ok(200, 'PATCH', '/accounts', { account: listedPayer, networkCurrencyDebitLimits: [entry] })
    expect((await shop.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer: listedPayer } })).success).toBe(
      true,
    )
    await shop.api.refuses(400, 'ORGANIZATION_NOT_FOUND', 'PATCH', '/accounts', {
      account: listedPayer,
      networkCurrencyDebitLimits: [{ ...entry, organizationExternalId: 'NOBODY' }],
    })
  })
})

describe('a fee payer of another tenant', () => {
  it('14.4 serves organizations that have accepted it, by default and by name; that of SYSTEM serves any', async () => {
    const fresh = await tenant()
    const sponsor = await bank.records.funded({ globalFeePayerForOrgs: [fresh.organization] }, SOL)
    const [source, destination] = [await fresh.records.funded({}, SOL), await fresh.records.funded({}, SOL)]
    const body = { source, destination, lamports: 1 }
    const config = { feePayer: { onchainId: sponsor.onchainId } }
    await fresh.api.refuses(400, 'FEE_PAYER_REQUIRED', 'POST', PAY, body)
    await fresh.api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', 'POST', PAY, body, { config })
    const itemData = { externalId: fresh.organization, acceptedFeePayers: [sponsor.onchainId] }
    await fresh.api.ok(200, 'PATCH', '/admin/organizations', itemData)
    expect((await fresh.api.ok<Result>(201, 'POST', PAY, body)).success).toBe(true)
    expect((await fresh.api.ok<Result>(201, 'POST', PAY, body, { config })).success).toBe(true)
    await fresh.api.ok(200, 'PATCH', '/admin/organizations', { ...itemData, acceptedFeePayers: [] })
    const system = await world.records.funded({ globalFeePayerForOrgs: [fresh.organization] }, SOL)
    expect((await fresh.api.ok<Result>(201, 'POST', PAY, body)).success).toBe(true)
    expect(await world.chain.lamports(system.onchainId)).toBe(SOL - 10_000n)
    await bank.records.accountsEqualChain(sponsor)
  })
})

describe('a fee payer whose owner has a key of the payer too', () => {
  it('14.1 pays the fee by its own limits; the payment is judged by the tenant that signs it', async () => {
    const sponsor = await bank.records.funded({ canPayFees: true, globalFeePayerForOrgs: [shop.organization] }, SOL)
    await accept([sponsor])
    const secret = Keypair.generate()
    const onchainId = secret.publicKey.toBase58()
    const wallet = { onchainId, managed: true, privateKeyDetails: { privateKey: bs58.encode(secret.secretKey) } }
    const source = await shop.records.funded({ ...wallet, networkCurrencyDebitLimits: [] }, SOL)
    const recorded = await bank.records.account(wallet)
    const destination = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
    const pay = (lamports: bigint, options: object = {}) =>
      shop.api.send<Result>('POST', PAY, { source, destination, lamports: lamports.toString() }, options)
    const config = { feePayer: { onchainId: sponsor.onchainId } }
    const dry = await pay(SOL / 4n, { config, headers: { 'Holdfast-Dry-Run': 'true' } })
    expect([dry.status, JSON.stringify(dry.body)]).toEqual([200, expect.stringContaining('limits')])
    const paid = await pay(SOL / 4n, { config })
    expect([paid.status, JSON.stringify(paid.body)]).toEqual([201, expect.stringContaining('"success":true')])
    await eventually(() => bank.records.accountsEqualChain(recorded, sponsor))
    await shop.records.accountsEqualChain(source)

    // What its own key signs is judged by its record.
    const fromBank = { source: recorded, destination, lamports: (SOL / 4n).toString() }
    await bank.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, fromBank, { config: { feePayer: sponsor } })
  })
})

describe('14.4 windows of fees', () => {
  // Two signatures: of the payer and of the source.
  const BASE = 10_000n
  const request = fc.record({
    organization: fc.constantFrom('bank', 'shop'),
    priority: fc.bigInt({ min: 0n, max: 4n }).map((n) => n * 50_000n),
    fails: fc.boolean(),
  })

  it('are never exceeded by concurrent requests of two organizations, including failed transactions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 4, maxLength: 9 }), async (requests) => {
        const limits = [
          { ...to('FEES', within('0.0002', 'DAYS')), organizationExternalId: shop.organization },
          to('FEES', within('0.0003', 'DAYS')),
          to('PRIORITY_FEES', within('0.00025', 'DAYS')),
        ]
        const payer = await bank.records.funded(
          { canPayFees: true, globalFeePayerForOrgs: [shop.organization], networkCurrencyDebitLimits: limits },
          SOL,
        )
        await accept([payer])
        const pair = async ({ records }: typeof bank) => ({
          source: await records.funded({}, SOL),
          destination: await records.funded({}, SOL),
        })
        const wallets = { bank: await pair(bank), shop: await pair(shop) }
        const people = { bank, shop }
        const answers = await Promise.all(
          requests.map(async ({ organization, priority, fails }, index) => {
            const { source, destination } = wallets[organization]
            // Ten units are too few for any instruction: the transaction fails on chain, which takes the fee.
            const config = priced(payer, priority, fails ? 10 : 100_000)
            return await people[organization].api.send<Result>(
              'POST',
              PAY,
              { source, destination, lamports: 1_000 + index },
              { config },
            )
          }),
        )
        const paidFees = { bank: 0n, shop: 0n }
        const priorities = { bank: 0n, shop: 0n }
        for (const [index, { status, body }] of answers.entries()) {
          const { organization, priority } = requests[index]!
          if (status !== 201) continue
          expect(body.onchainId).not.toBeNull()
          expect(await world.chain.fee(body.onchainId!)).toBe(BASE + priority)
          paidFees[organization] += BASE + priority
          priorities[organization] += priority
        }
        expect(
          paidFees.shop <= 200_000n && paidFees.bank <= 300_000n,
          JSON.stringify(paidFees, (_, value: unknown) => String(value)),
        ).toBe(true)
        expect(priorities.shop <= 250_000n && priorities.bank <= 250_000n).toBe(true)
        // A refused request would have exceeded the limit: only executed transactions count.
        for (const [index, { status }] of answers.entries()) {
          const { organization, priority } = requests[index]!
          if (status === 201) continue
          const most = organization === 'shop' ? 200_000n : 300_000n
          expect(
            paidFees[organization] + BASE + priority > most || priorities[organization] + priority > 250_000n,
          ).toBe(true)
        }
        // The fee of a failed transaction is in the books once its failure is final.
        await eventually(() => bank.records.accountsEqualChain(payer))
      }),
      { numRuns: 4 },
    )
  })

  it('belong to the address: a record that is closed and created again has the same window', async () => {
    const secret = Keypair.generate()
    const imported = {
      canPayFees: true,
      managed: true,
      privateKeyDetails: { privateKey: bs58.encode(secret.secretKey) },
    }
    const payer = await shop.records.funded(imported, SOL)
    const [source, destination] = [await shop.records.funded({}, SOL), await shop.records.funded({}, SOL)]
    const body = { source, destination, lamports: 1 }
    await shop.api.ok<Result>(201, 'POST', PAY, body, { config: priced(payer, 900_000_000n) })
    const rest = { source: payer, destination, transferEntireBalance: true }
    expect((await shop.api.ok<Result>(201, 'POST', PAY, rest, { config: { feePayer: payer } })).success).toBe(true)
    await shop.api.ok(200, 'PATCH', '/accounts/inactivate', { account: payer })
    const samePayer = await shop.records.funded(imported, 2n * SOL)
    expect(samePayer.offchainId).not.toBe(payer.offchainId)
    await shop.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, body, { config: priced(samePayer, 200_000_000n) })
    expect(
      (await shop.api.ok<Result>(201, 'POST', PAY, body, { config: priced(samePayer, 90_000_000n) })).success,
    ).toBe(true)
  })
})
