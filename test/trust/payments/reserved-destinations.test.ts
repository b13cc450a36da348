// Space that an account reserves, and that nobody has initialised, belongs to the first party that initialises it.
// Under an allow list it is therefore not an own managed account, although the service has the key of its address.
import { NonceAccount, PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { PAY } from '../../e2e/limits/limit-fixture.ts'
import type { NewAccount } from '../../e2e/models.ts'
import { Counterparties, REFUSED } from '../../e2e/payouts/counterparty-setup.ts'
import { SOL } from '../../e2e/records.ts'
import { Attacker } from '../fixtures/attacker.ts'

/** The rent of the largest mint is below this. */
const RENT_OF_MINT = 9_000_000n

let world: World
let attacker: Attacker
let setup: Counterparties

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  attacker = await Attacker.open(world)
  setup = await Counterparties.open(world)
  await setup.rules({ destinationPolicy: 'ALLOW_LIST' })
})
afterAll(() => world.stop())

const config = () => ({ config: { feePayer: setup.wallet } })

/** Takes everything out of reserved space. */
async function takes(onchainId: string): Promise<void> {
  const noncePubkey = new PublicKey(onchainId)
  const authorizedPubkey = attacker.address
  await attacker.fixture.send([SystemProgram.nonceInitialize({ noncePubkey, authorizedPubkey })], [])
  const account = await world.chain.connection.getAccountInfo(noncePubkey)
  expect(NonceAccount.fromAccountData(account!.data.subarray(0, 80)).authorizedPubkey).toEqual(authorizedPubkey)
}

describe('reserved space, under ALLOW_LIST', () => {
  it('receives no seed, and no more rent than a mint needs', async () => {
    await setup.api.ok(200, 'PATCH', '/accounts', { account: setup.wallet, canPayFees: true })
    for (const members of [{ dataLength: 80, seedLamports: String(5n * SOL) }, { dataLength: 20_000 }])
      await setup.api.refuses(403, REFUSED, 'POST', '/accounts', members, config())
  })

  it('receives no payment, even if the key of its address is held here', async () => {
    const { newAccount } = await setup.api.ok<NewAccount>(201, 'POST', '/accounts', { dataLength: 80 }, config())
    const before = await world.chain.lamports(newAccount.onchainId)
    expect(before < RENT_OF_MINT).toBe(true)
    const destination = { onchainId: newAccount.onchainId }
    await setup.api.refuses(403, REFUSED, 'POST', PAY, { source: setup.wallet, destination, lamports: String(SOL) })
    expect(await world.chain.lamports(newAccount.onchainId)).toBe(before)
    await takes(newAccount.onchainId)
  })

  it('control: is made for an instrument, and an own nonce account is', async () => {
    const { newAccount } = await setup.api.ok<NewAccount>(201, 'POST', '/accounts', { dataLength: 82 }, config())
    await setup.api.ok(201, 'POST', '/financial-instruments', {
      existingMintAccount: newAccount,
      version: 'SPL',
      mintAuthority: setup.wallet,
      onchainData: { decimals: 2 },
    })
    await setup.api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: setup.wallet, count: 1 })
  })
})
