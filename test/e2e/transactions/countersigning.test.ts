// A key of one tenant in a transaction of another, over HTTP: with a grant it signs at once, without one by Sign of the
// owner. The owner has its own books, which are checked and settled, and reveals no more of them than the chain does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { pastLifetimes, startWorld, type World } from '../harness.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../models.ts'
import { Records, SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
/** Two signatures. */
const FEE = 10_000n

interface Party {
  readonly api: Client
  readonly records: Records
}

let world: World
let bank: Party
let shop: Party
let source: Ids
let to: Ids

async function party(externalId: string): Promise<Party> {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const body = { organizationExternalId: externalId, name: 'test', bundle: 'ADMIN' }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
  const api = world.api.as(apiKey)
  return { api, records: world.records.with(api) }
}

beforeAll(async () => {
  // What both sign and submit must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  bank = await party('BANK')
  shop = await party('SHOP')
  await bank.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BANK', acceptsSigningRequests: true })
  source = await shop.records.funded({}, 5n * SOL)
  to = await shop.records.funded({}, SOL)
})
afterAll(() => world.stop())

const reservedOf = async (account: Ids): Promise<unknown> =>
  (await bank.api.read<Balance>('/accounts/single/balance', account)).reserved.lamports
/** The shop accepts accounts of the bank as payers of its fees. */
const acceptedPayers: string[] = []
const accepts = async (payer: Promise<Ids>): Promise<Ids> => {
  const ids = await payer
  acceptedPayers.push(ids.onchainId)
  await shop.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'SHOP', acceptedFeePayers: acceptedPayers })
  return ids
}
const pay = (feePayer: Ids, headers: Record<string, string> = {}) =>
  shop.api.ok<Result>(
    201,
    'POST',
    PAY,
    { source, destination: to, lamports: 1_000 },
    { config: { feePayer: { onchainId: feePayer.onchainId } }, headers },
  )

describe('a granted fee payer', () => {
  it('pays the fee from the books of its owner, once', async () => {
    const sponsor = await accepts(bank.records.funded({ globalFeePayerForOrgs: ['SHOP'] }, SOL))
    const results = await Promise.all(Array.from({ length: 10 }, () => pay(sponsor)))
    expect(results.every(({ success }) => success)).toBe(true)
    expect(await world.chain.lamports(sponsor.onchainId)).toBe(SOL - 10n * FEE)
    await bank.records.accountsEqualChain(sponsor)
    await shop.records.accountsEqualChain(source, to)
    // The requester sees the address of the record of the owner, not its id.
    const record = await shop.api.read<TransactionRecord>('/transactions/single', {
      offchainId: results[0]!.offchainId,
    })
    expect(record.feePayer).toEqual({ onchainId: sponsor.onchainId, offchainId: null })
    const explained = await shop.api.ok(200, 'POST', '/transactions/explain', { offchainId: results[0]!.offchainId })
    expect(JSON.stringify([record, explained])).not.toContain(sponsor.offchainId)
    await bank.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/single', {
      offchainId: results[0]!.offchainId,
    })
  })

  it('refuses if it cannot pay, and reserves nothing', async () => {
    const poor = await accepts(bank.records.account({ globalFeePayerForOrgs: ['SHOP'] }))
    const body = { source, destination: to, lamports: 1_000 }
    const problem = await shop.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PAY, body, {
      config: { feePayer: { onchainId: poor.onchainId } },
    })
    expect(problem.message).toBe('an account of another tenant has less than is asked of it')
    expect(await reservedOf(poor)).toBe(0)
    await shop.records.accountsEqualChain(source, to)
  })

  it('does not sign while its owner is frozen', async () => {
    const sponsor = await accepts(bank.records.funded({ globalFeePayerForOrgs: ['SHOP'] }, SOL))
    const body = { source, destination: to, lamports: 1_000 }
    const config = { feePayer: { onchainId: sponsor.onchainId } }
    await bank.api.ok(200, 'PATCH', '/admin/freeze', { account: sponsor })
    await shop.api.refuses(403, 'FROZEN', 'POST', PAY, body, { config })
    await bank.api.ok(200, 'PATCH', '/admin/unfreeze', { account: sponsor })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'BANK' })
    await shop.api.refuses(403, 'FROZEN', 'POST', PAY, body, { config })
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { organizationExternalId: 'BANK' })
    expect((await pay(sponsor)).success).toBe(true)
    await bank.records.accountsEqualChain(sponsor)
  })
})

describe('a fee payer without a grant', () => {
  it('waits for Sign by the owner, and keeps its reservation after a cancellation until proof of expiry', async () => {
    const bankPayer = await accepts(bank.records.funded({ canPayFees: true }, SOL))
    const { offchainId, status } = await pay(bankPayer)
    expect([status, await reservedOf(bankPayer)]).toEqual(['PREPARED', 0])
    const transaction = { offchainId }
    const signed = await bank.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction, signers: [bankPayer] })
    expect([signed.status, await reservedOf(bankPayer)]).toEqual(['PARTIALLY_SIGNED', Number(FEE)])
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('SIGNED')
    expect((await shop.api.ok<Result>(200, 'PATCH', '/transactions/cancel', transaction)).status).toBe('SIGNED')
    expect(await reservedOf(bankPayer)).toBe(Number(FEE))
    await pastLifetimes(world, async () =>
      expect((await shop.api.read<Result>('/transactions/status', transaction)).status).toBe('CANCELLED'),
    )
    expect(await reservedOf(bankPayer)).toBe(0)
    await bank.records.accountsEqualChain(bankPayer)
    await shop.records.accountsEqualChain(source, to)
  })

  it('shows the transaction to the owner, whose Sign names its keys; the requester submits it', async () => {
    const bankPayer = await accepts(bank.records.funded({ canPayFees: true }, SOL))
    const { offchainId } = await pay(bankPayer)
    const transaction = { offchainId }
    expect((await bank.api.read<Result>('/transactions/status', transaction)).status).toBe('PREPARED')
    const record = await bank.api.read<TransactionRecord>('/transactions/single', transaction)
    expect([record.feePayer, record.tenantOrganizationId]).toEqual([bankPayer, 'SHOP'])
    // The owner sees addresses of the records of the requester, not their ids.
    expect(JSON.stringify(record)).toContain(source.onchainId)
    expect(JSON.stringify(record)).not.toContain(source.offchainId)
    const listTransactions = async (api: Client): Promise<TransactionRecord[]> => {
      const filter = [
        { fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] },
        { fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: api === bank.api }] },
      ]
      return ((await api.bulk('/transactions/bulk/detailed', { filter })) as { items: TransactionRecord[] }).items
    }
    expect(await listTransactions(bank.api)).toEqual([record])
    expect((await listTransactions(shop.api)).map(({ status }) => status)).toEqual(['PREPARED'])
    expect(await listTransactions(world.api)).toEqual([])
    await bank.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/explain', transaction)
    await world.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/single', transaction)
    // The keys of the requester wait for those of the owner.
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('PREPARED')
    const signing = { transaction, signers: [bankPayer] }
    expect((await bank.api.ok<Result>(200, 'POST', '/transactions/sign', signing)).status).toBe('PARTIALLY_SIGNED')
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('SIGNED')
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    expect((await bank.api.read<Result>('/transactions/status', transaction)).success).toBe(true)
    await bank.records.accountsEqualChain(bankPayer)
    await shop.records.accountsEqualChain(source, to)
  })

  it('is sent once both have signed and it is submitted', async () => {
    const bankPayer = await accepts(bank.records.funded({ canPayFees: true }, SOL))
    const transaction = { offchainId: (await pay(bankPayer)).offchainId }
    await bank.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction, signers: [bankPayer] })
    await shop.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })
    expect((await shop.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    expect(await world.chain.lamports(bankPayer.onchainId)).toBe(SOL - FEE)
    await bank.records.accountsEqualChain(bankPayer)
  })
})
