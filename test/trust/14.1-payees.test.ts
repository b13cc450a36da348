// A stranger records accounts of other parties, and changes these accounts on chain. No payment of another party may
// follow such a record.
import { createAssociatedTokenAccountInstruction, AuthorityType } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import type { Ids, NewPosition, Position, Result } from '../e2e/models.ts'
import { programOf, type Version } from '../e2e/onchain.ts'
import { SOL } from '../e2e/records.ts'
import { Outsider } from './fixtures/outsider.ts'
import { tenant, type Tenant } from './fixtures/tenants.ts'

const TRANSFER = '/positions/transfer'
const MINT = '/positions/mint'

let world: World
let victim: Tenant
let stranger: Tenant
let outsider: Outsider

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  victim = await tenant(world, 'VICTIM')
  stranger = await tenant(world, 'STRANGER')
  outsider = await Outsider.with(world)
})
afterAll(() => world.stop())

/**
 * The tenant of the stranger records a token account of a payee that the stranger can close; then the stranger reopens
 * it for itself.
 */
async function trap(
  payee: string,
  mint: string,
  version: Version,
  before?: (account: Ids) => Promise<void>,
): Promise<string> {
  const key = Keypair.generate()
  const address = key.publicKey.toBase58()
  await outsider.openTrap(key, mint, version, payee)
  const { newPosition } = await stranger.api.ok<NewPosition>(201, 'POST', '/positions', {
    position: { onchainId: address, alreadyOnchain: true, managed: false },
    owner: { onchainId: payee, offPlatform: true },
    financialInstrument: { onchainId: mint },
  })
  await before?.(newPosition)
  await outsider.closeTokenAccount(address, version)
  await outsider.openTokenAccount(key, mint, version, outsider.address)
  return address
}

interface Fixture {
  readonly wallet: Ids
  readonly instrument: Ids
  readonly source: Ids
}

async function fixture(version: Version): Promise<Fixture> {
  const wallet = await victim.records.funded({ tokenDebitLimits: [] }, SOL)
  const instrument = await victim.records.instrument(version, wallet)
  const source = await victim.records.position(wallet, instrument, 1_000n)
  return { wallet, instrument, source }
}

describe.each(['SPL', 'TOKEN_2022'] as const)(
  'attack 1: a position recorded by another tenant for an owner, %s',
  (version) => {
    it('14.1 attack 1: a payment to an owner goes to the associated account, not to the recorded one', async () => {
      const { instrument, source } = await fixture(version)
      const payee = Keypair.generate().publicKey.toBase58()
      const trapped = await trap(payee, instrument.onchainId, version)
      const destination = { owner: { onchainId: payee, offPlatform: true }, financialInstrument: instrument }
      const request = { destination, lamports: '100', initializeDestinationPositionIfNeeded: true }
      const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, { source: { position: source }, ...request })
      expect(payment.success, JSON.stringify(payment)).toBe(true)
      const mintResult = await victim.api.ok<Result>(201, 'POST', MINT, request)
      expect(mintResult.success, JSON.stringify(mintResult)).toBe(true)
      expect(await world.chain.tokens(trapped)).toBe(0n)
      expect(
        await world.chain.tokens(victim.records.associated({ onchainId: payee, offchainId: '' }, instrument, version)),
      ).toBe(200n)
    })

    it("14.1 attack 1: also if the payee is the victim's own wallet without a position", async () => {
      const { instrument, source } = await fixture(version)
      const own = await victim.records.account()
      const trapped = await trap(own.onchainId, instrument.onchainId, version)
      const destination = { owner: own, financialInstrument: instrument }
      await victim.api.refuses(400, 'POSITION_NOT_FOUND', 'POST', MINT, { destination, lamports: '5' })
      const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, {
        source: { position: source },
        destination,
        lamports: '100',
        initializeDestinationPositionIfNeeded: true,
      })
      expect(payment.success, JSON.stringify(payment)).toBe(true)
      expect(await world.chain.tokens(trapped)).toBe(0n)
      expect(await world.chain.tokens(victim.records.associated(own, instrument, version))).toBe(100n)
      const { newPosition } = { newPosition: await victim.api.read<Position>('/positions/single', destination) }
      expect(newPosition.onchain.id).toBe(victim.records.associated(own, instrument, version))
    })

    it('14.1 attack 1: two records of other tenants make nothing ambiguous', async () => {
      const { instrument, source } = await fixture(version)
      const payee = await victim.records.account({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() })
      for (let count = 0; count < 2; count += 1) await trap(payee.onchainId, instrument.onchainId, version)
      const request = {
        destination: { owner: payee, financialInstrument: instrument },
        lamports: '7',
        initializeDestinationPositionIfNeeded: true,
      }
      const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, { source: { position: source }, ...request })
      expect(payment.success, JSON.stringify(payment)).toBe(true)
      expect(await world.chain.tokens(victim.records.associated(payee, instrument, version))).toBe(7n)
    })

    it('14.1 attack 1: also with a record that an unsent transaction keeps from following the chain', async () => {
      const { instrument, source } = await fixture(version)
      const payee = Keypair.generate().publicKey.toBase58()
      const strangerWallet = await stranger.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
      const { newDurableNonceAccounts: nonces } = await stranger.api.ok<{ newDurableNonceAccounts: Ids[] }>(
        201,
        'POST',
        '/durable-nonce-accounts',
        { nonceAuthority: strangerWallet, count: 1 },
        { config: { commitmentConfig: { commitmentLevel: 'finalized' } } },
      )
      expect(nonces).toHaveLength(1)
      const trapped = await trap(payee, instrument.onchainId, version, async (account) => {
        // The transaction names the token account and is never sent: the signature of another party is missing.
        const waitingPayment = await stranger.api.ok<Result>(
          201,
          'POST',
          '/positions/transfer-network-currency',
          {
            source: strangerWallet,
            destination: { offchainId: account.offchainId },
            lamports: 1,
          },
          {
            config: {
              messageLifetimeStrategy: 'DURABLE_NONCE',
              feePayer: { onchainId: outsider.address, offPlatform: true },
            },
          },
        )
        expect(waitingPayment.status).toBe('PREPARED')
      })
      const request = {
        destination: { owner: { onchainId: payee, offPlatform: true }, financialInstrument: instrument },
        lamports: '9',
      }
      const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, {
        source: { position: source },
        ...request,
        initializeDestinationPositionIfNeeded: true,
      })
      expect(payment.success, JSON.stringify(payment)).toBe(true)
      expect(await world.chain.tokens(trapped)).toBe(0n)
      expect(
        await world.chain.tokens(victim.records.associated({ onchainId: payee, offchainId: '' }, instrument, version)),
      ).toBe(9n)
    })

    it('14.1 a token account of another tenant is paid by its id, if the chain shows the given owner', async () => {
      const { instrument, source } = await fixture(version)
      const payee = Keypair.generate().publicKey.toBase58()
      const trapped = await trap(payee, instrument.onchainId, version)
      const owner = { onchainId: payee, offPlatform: true }
      for (const position of [{ onchainId: trapped }, { onchainId: trapped, offPlatform: true }]) {
        const destination = { position, owner, financialInstrument: instrument }
        await victim.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', TRANSFER, {
          source: { position: source },
          destination,
          lamports: '1',
        })
        await victim.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', MINT, { destination, lamports: '1' })
      }
      const honest = { position: { onchainId: trapped }, owner: { onchainId: outsider.address, offPlatform: true } }
      const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, {
        source: { position: source },
        destination: honest,
        lamports: '1',
      })
      expect(payment.success, JSON.stringify(payment)).toBe(true)
      expect(await world.chain.tokens(trapped)).toBe(1n)
    })
  },
)

describe('14.1 a recorded position of an outside owner', () => {
  it('is not paid once the chain shows another owner', async () => {
    const { instrument, source } = await fixture('SPL')
    const payee = Keypair.generate()
    const payeeAccount = await victim.records.account({ managed: false, onchainId: payee.publicKey.toBase58() })
    const position = await victim.records.position(payeeAccount, instrument)
    const pay = { source: { position: source }, lamports: '3' }
    const lookups = [{ owner: payeeAccount, financialInstrument: instrument }, { position }]
    for (const destination of lookups) {
      expect((await victim.api.ok<Result>(201, 'POST', TRANSFER, { ...pay, destination })).success).toBe(true)
    }
    // The classic program lets the owner transfer even an associated account.
    await outsider.setAuthority(position.onchainId, 'SPL', AuthorityType.AccountOwner, outsider.address, payee)
    for (const destination of lookups) {
      await victim.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', TRANSFER, { ...pay, destination })
      await victim.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', MINT, { destination, lamports: '3' })
    }
    expect(await world.chain.tokens(position.onchainId)).toBe(6n)
  })

  it('is paid without a lookup if no tenant has a record of it and it exists on chain', async () => {
    const { instrument, source } = await fixture('SPL')
    const payee = Keypair.generate().publicKey
    const address = victim.records.associated({ onchainId: payee.toBase58(), offchainId: '' }, instrument, 'SPL')
    const mint = new PublicKey(instrument.onchainId)
    await outsider.send([
      createAssociatedTokenAccountInstruction(
        outsider.key.publicKey,
        new PublicKey(address),
        payee,
        mint,
        programOf('SPL'),
      ),
    ])
    const destination = { owner: { onchainId: payee.toBase58(), offPlatform: true }, financialInstrument: instrument }
    const payment = await victim.api.ok<Result>(201, 'POST', TRANSFER, {
      source: { position: source },
      destination,
      lamports: '2',
    })
    expect(payment.success, JSON.stringify(payment)).toBe(true)
    expect(await world.chain.tokens(address)).toBe(2n)
  })
})

describe('attack 7: an account with references of another tenant', () => {
  const PAY = '/positions/transfer-network-currency'

  it('14.1 attack 7: an account with a grant is not found by its code in a payment', async () => {
    const payer = await victim.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const bait = await stranger.records.account({
      offchainReferences: { code: 'SUPPLIER-0017' },
      orgsAllowedToSignWithPrivateKey: ['VICTIM'],
      globalFeePayerForOrgs: ['VICTIM'],
    })
    const destination = { offchainReferences: { code: 'SUPPLIER-0017' } }
    await victim.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', PAY, { source: payer, destination, lamports: 1_000 })
    const supplier = await victim.records.account({
      managed: false,
      onchainId: Keypair.generate().publicKey.toBase58(),
      offchainReferences: { code: 'SUPPLIER-0017' },
    })
    await world.chain.airdrop(supplier.onchainId, SOL)
    const payment = await victim.api.ok<Result>(201, 'POST', PAY, { source: payer, destination, lamports: 1_000 })
    expect(payment.success, JSON.stringify(payment)).toBe(true)
    expect(await world.chain.lamports(bait.onchainId)).toBe(0n)
    expect(await world.chain.lamports(supplier.onchainId)).toBe(SOL + 1_000n)
  })

  it('14.1 attack 7: it is found by its id, or by its references and its organization', async () => {
    const payer = await victim.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const code = { offchainReferences: { code: 'PARTNER-1' } }
    const partner = await stranger.records.funded({ ...code, orgsAllowedToSignWithPrivateKey: ['VICTIM'] }, SOL)
    await stranger.records.account({ offchainReferences: { code: 'PARTNER-2' } })
    for (const destination of [
      { onchainId: partner.onchainId },
      { offchainId: partner.offchainId },
      { ...code, otherTenantOrganizationExternalId: 'STRANGER' },
    ]) {
      expect(
        (await victim.api.ok<Result>(201, 'POST', PAY, { source: payer, destination, lamports: 1_000 })).success,
      ).toBe(true)
    }
    expect(await world.chain.lamports(partner.onchainId)).toBe(SOL + 3_000n)
    for (const destination of [
      { ...code, otherTenantOrganizationExternalId: 'VICTIM' },
      { offchainReferences: { code: 'PARTNER-2' }, otherTenantOrganizationExternalId: 'STRANGER' },
    ]) {
      await victim.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', PAY, { source: payer, destination, lamports: 1_000 })
    }
  })
})
