// A transaction made elsewhere that a grantee has signed with a key of another tenant. Like any other transaction it is
// countersigned by that tenant, which hears of its end and can stop it as long as it is kept.
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture } from '../e2e/limits/limit-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { Counterparties, newAddress } from '../e2e/payouts/counterparty-setup.ts'
import { SOL } from '../e2e/records.ts'

let world: World
let limits: LimitFixture
let owner: Counterparties
let grantee: Counterparties
let shared: Ids

beforeAll(async () => {
  world = await startWorld()
  limits = new LimitFixture(world)
  owner = await Counterparties.open(world)
  grantee = await Counterparties.open(world)
  shared = await owner.party.records.funded(
    { networkCurrencyDebitLimits: [], orgsAllowedToSignWithPrivateKey: [grantee.party.externalId] },
    SOL,
  )
})
afterAll(() => world.stop())

/** Half a unit of the shared wallet, signed and kept. */
async function signed(payee: string): Promise<string> {
  const [fromPubkey, toPubkey] = [new PublicKey(shared.onchainId), new PublicKey(payee)]
  const pay = SystemProgram.transfer({ fromPubkey, toPubkey, lamports: SOL / 2n })
  const { offchainId, status } = await grantee.api.ok<Result>(200, 'POST', '/transactions/sign', {
    serializedTransaction: await limits.foreign(grantee.feePayer.onchainId, [pay]),
  })
  expect(status).toBe('SIGNED')
  return offchainId
}

async function reserved(): Promise<number | string> {
  const path = '/accounts/single/balance'
  const { reserved: amount } = await owner.api.read<{ reserved: { lamports: number | string } }>(path, shared)
  return amount.lamports
}

describe('a foreign transaction that another tenant countersigned', () => {
  it('is not sent while the account of that tenant is frozen', async () => {
    const payee = newAddress()
    const offchainId = await signed(payee)
    await owner.api.ok(200, 'PATCH', '/admin/freeze', { account: shared })
    await grantee.api.refuses(403, 'FROZEN', 'POST', '/transactions/submit', { transaction: { offchainId } })
    await owner.api.ok(200, 'PATCH', '/admin/unfreeze', { account: shared })
    expect(await world.chain.lamports(payee)).toBe(0n)
    await grantee.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
    await eventually(async () => expect(await reserved()).toBe(0))
  })

  it('control: reserves what it takes until it has landed', async () => {
    const payee = newAddress()
    const offchainId = await signed(payee)
    expect(await reserved()).toBe(Number(SOL / 2n))
    const { success } = await grantee.api.ok<Result>(200, 'POST', '/transactions/submit', {
      transaction: { offchainId },
    })
    expect(success).toBe(true)
    await eventually(async () => expect(await reserved()).toBe(0))
    expect(await world.chain.lamports(payee)).toBe(SOL / 2n)
  })
})
