// Rent goes to the party that can close the account, and returns to its payer; any excess is a payment like any other.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { PAY, perTransaction, stranger, to } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Position, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { tenant, type Tenant } from '../fixtures/tenants.ts'

let world: World
let victim: Tenant
let robber: Tenant
let instrument: Ids
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  victim = await tenant(world, 'VICTIM')
  robber = await tenant(world, 'ROBBER')
  instrument = await victim.records.instrument('SPL', await victim.records.account())
  feePayer = await victim.records.feePayer({ offchainReferences: { code: 'PAYER' } })
})
afterAll(() => world.stop())

const wallet = (itemData: object = {}): Promise<Ids> => victim.records.funded(itemData, 100n * SOL)
const paidBy = (payer: Ids) => ({ config: { feePayer: { onchainId: payer.onchainId } } })

/** An account of another tenant that offers to pay for the victim, and that the victim has accepted. */
async function sponsor(itemData: object = {}): Promise<Ids> {
  const account = await robber.records.funded({ globalFeePayerForOrgs: [victim.name], canPayFees: true, ...itemData })
  accepted.push(account.onchainId)
  await victim.api.send('PATCH', '/admin/organizations', { externalId: victim.name, acceptedFeePayers: accepted })
  return account
}
const accepted: string[] = []

const open = async (owner: Ids, payer: Ids): Promise<Ids> =>
  (
    await victim.api.ok<NewPosition>(
      201,
      'POST',
      '/positions',
      { owner, financialInstrument: instrument },
      paidBy(payer),
    )
  ).newPosition
const fill = async (owner: Ids, position: Ids, lamports: bigint): Promise<void> => {
  const body = { source: owner, destination: { onchainId: position.onchainId }, lamports: lamports.toString() }
  expect((await victim.api.ok<Result>(201, 'POST', PAY, body, paidBy(feePayer))).success).toBe(true)
}
const close = (position: Ids, more: object = {}) =>
  victim.api.send<Result>('PATCH', '/positions/close', { position: { position }, ...more }, paidBy(feePayer))

describe('attack 4: a position opened with another tenant’s fee payer, filled, and closed', () => {
  it('14.3: returns the rent and not a lamport more', async () => {
    const [owner, payer] = [await wallet(), await sponsor()]
    const position = await open(owner, payer)
    const rent = await world.chain.lamports(position.onchainId)
    await fill(owner, position, 99n * SOL)
    const before = await Promise.all([payer, owner].map(({ onchainId }) => world.chain.lamports(onchainId)))
    const { status, body } = await close(position, { refundSolDestination: payer })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
    expect(JSON.stringify(body)).toContain('"debit":99,')
    expect(await close(position)).toMatchObject({ status: 200, body: { success: true } })
    const after = await Promise.all([payer, owner].map(({ onchainId }) => world.chain.lamports(onchainId)))
    expect(after).toEqual([before[0]! + rent, before[1]! + 99n * SOL])
  })

  it('14.3: does not cover its rent by a deposit made before it exists', async () => {
    const open = (owner: Ids, payer: Ids) => {
      const config = { feePayer: { onchainId: payer.onchainId, autoSign: false } }
      return victim.api.ok<NewPosition>(
        201,
        'POST',
        '/positions',
        { owner, financialInstrument: instrument },
        { config },
      )
    }
    const [owner, payer] = [await wallet(), await sponsor()]
    const deposit = ({ newPosition }: NewPosition) => {
      const body = { source: owner, destination: { onchainId: newPosition.onchainId }, lamports: '2039280' }
      return victim.api.send<Result>('POST', PAY, body, paidBy(feePayer))
    }
    const { status, body } = await deposit(await open(owner, payer))
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
    // Control: with an own payer, the rent returns to the organization.
    expect(await deposit(await open(await wallet(), feePayer))).toMatchObject({ status: 201, body: { success: true } })
  })

  it('control: returns the rent to the lamport if it is empty', async () => {
    const [owner, payer] = [await wallet(), await sponsor()]
    const position = await open(owner, payer)
    const rent = await world.chain.lamports(position.onchainId)
    const before = await world.chain.lamports(payer.onchainId)
    expect(await close(position)).toMatchObject({ status: 200, body: { success: true } })
    expect(await world.chain.lamports(payer.onchainId)).toBe(before + rent)
    expect(
      (await victim.api.read<Position>('/positions/single', { position: { offchainId: position.offchainId } })).state,
    ).toBe('CLOSED')
  })

  it('control: opened with an own payer, returns everything', async () => {
    const owner = await wallet()
    const position = await open(owner, feePayer)
    await fill(owner, position, 99n * SOL)
    expect(await close(position, { refundSolDestination: owner })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await world.chain.lamports(owner.onchainId)).toBeGreaterThan(100n * SOL)
  })

  it('14.3: returns rent without a debit, even under a limit of zero, but not a lamport more', async () => {
    const noDebits = { networkCurrencyDebitLimits: [to('ANY', perTransaction(0))] }
    const [owner, other] = [await wallet(noDebits), await wallet(noDebits)]
    const [position, fuller] = [await open(owner, feePayer), await open(other, feePayer)]
    await world.chain.airdrop(fuller.onchainId, 1n)
    expect(await close(position)).toMatchObject({ status: 200, body: { success: true } })
    const { status, body } = await close(fuller)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
    expect(JSON.stringify(body)).toMatch(/"debit":(?:1e-9|"?0\.000000001"?)/)
  })
})

/** Requests that pay rent for an outside party, each as a function of that party. */
const REQUESTS: Readonly<Record<string, readonly [path: string, itemData: (authority: object) => object]>> = {
  'nonce accounts': ['/durable-nonce-accounts', (nonceAuthority) => ({ nonceAuthority, count: 20 })],
  'a lookup table': [
    '/address-lookup-tables',
    (authority) => ({ authority, addressLookupTable: {}, componentAddresses: [{ onchainId: feePayer.onchainId }] }),
  ],
  'a token account with a key of its own': [
    '/positions',
    (owner) => ({ owner, financialInstrument: instrument, position: { managed: true } }),
  ],
  'a mint that can be closed': [
    '/financial-instruments',
    (closingAuthority) => ({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: feePayer,
      closingAuthority,
      onchainData: { decimals: 0, name: 'N', symbol: 'S' },
    }),
  ],
}

describe.each(Object.entries(REQUESTS))('attack 5: rent of %s', (_, [path, itemData]) => {
  const send = (authority: object, payer: Ids) =>
    victim.api.send<object>('POST', path, itemData(authority), paidBy(payer))

  it('14.3: for an outside authority is a debit to outside', async () => {
    const payer = await wallet({ canPayFees: true })
    const { status, body } = await send(stranger(), payer)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
    expect(await world.chain.lamports(payer.onchainId)).toBe(100n * SOL)
  })

  it('14.3: is not paid by another organization, under any limits', async () => {
    const payer = await sponsor({ networkCurrencyDebitLimits: [] })
    const { status, body } = await send(stranger(), payer)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('RENT_NOT_COVERED')])
    const { status: notedStatus } = await send(
      { onchainId: (await robber.records.account()).onchainId, offPlatform: true },
      payer,
    )
    expect(notedStatus).toBe(400)
    expect(await world.chain.lamports(payer.onchainId)).toBe(10n * SOL)
  })

  it('control: for an authority held here is paid by an own payer and by another organization’s', async () => {
    const authority = await victim.records.account()
    for (const payer of [await wallet({ canPayFees: true }), await sponsor()]) {
      const before = await world.chain.lamports(payer.onchainId)
      const { status, body } = await send(authority, payer)
      expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining('"success":true')])
      expect(await world.chain.lamports(payer.onchainId)).toBeLessThan(before)
    }
  })
})

describe('attack 5: rent paid for another tenant', () => {
  it('14.3: is limited although the keys are held here', async () => {
    const [payer, nonceAuthority] = [await sponsor(), await victim.records.account()]
    const make = (count: number) =>
      victim.api.send<object>('POST', '/durable-nonce-accounts', { nonceAuthority, count }, paidBy(payer))
    const before = await world.chain.lamports(payer.onchainId)
    // 0.00144768 each, of 0.1 in 24 hours.
    for (const count of [60, 9]) expect((await make(count)).status).toBe(201)
    const { status, body } = await make(1)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('DEBIT_LIMIT_EXCEEDED')])
    expect(before - (await world.chain.lamports(payer.onchainId))).toBeLessThan(SOL / 10n + SOL / 1_000n)
  })

  it('14.3: excludes associated accounts of outside owners, which an own payer opens within its limit', async () => {
    const owner = (): object => ({ onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true })
    const send = (payer: Ids) =>
      victim.api.send<object>('POST', '/positions', { owner: owner(), financialInstrument: instrument }, paidBy(payer))
    const { status, body } = await send(await sponsor({ networkCurrencyDebitLimits: [] }))
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('RENT_NOT_COVERED')])
    const payer = await wallet({
      canPayFees: true,
      networkCurrencyDebitLimits: [to('RENT', perTransaction('0.00203928'))],
    })
    expect((await send(payer)).status).toBe(201)
    const stingy = await wallet({
      canPayFees: true,
      networkCurrencyDebitLimits: [to('RENT', perTransaction('0.00203927'))],
    })
    const response = await send(stingy)
    expect([response.status, JSON.stringify(response.body)]).toEqual([
      400,
      expect.stringContaining('DEBIT_LIMIT_EXCEEDED'),
    ])
  })
})
