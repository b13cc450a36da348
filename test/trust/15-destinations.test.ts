// Attempts to bypass a destination policy: in any form of a payment, an address that is blocked or not on the allow
// list receives nothing.
import { createTransferInstruction } from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from '../e2e/addresses.ts'
import { BatchFixture } from '../e2e/payouts/batch-fixture.ts'
import { Counterparties, newAddress, REFUSED } from '../e2e/payouts/counterparty-setup.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, PAY, type Held } from '../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Problems, Result } from '../e2e/models.ts'
import { programOf } from '../e2e/onchain.ts'
import { SOL } from '../e2e/records.ts'
import { Outsider } from './fixtures/outsider.ts'

const TRANSFER = '/positions/transfer'

let world: World
let outsider: Outsider
let limits: LimitFixture

beforeAll(async () => {
  world = await startWorld()
  outsider = await Outsider.with(world)
  limits = new LimitFixture(world)
})
afterAll(() => world.stop())

interface Issue {
  readonly instrument: Ids
  /** A position of the wallet, 1,000 units. */
  readonly source: Ids
}

async function issue(fixture: Counterparties, version: 'SPL' | 'TOKEN_2022' = 'SPL'): Promise<Issue> {
  const instrument = await fixture.party.records.instrument(version, fixture.wallet)
  return { instrument, source: await fixture.party.records.position(fixture.wallet, instrument, 1_000n) }
}

describe.each(['ALLOW_LIST', 'OPEN'] as const)('an address that must not be paid, under %s', (policy) => {
  let fixture: Counterparties
  /** The address of the outsider, blocked or not listed. */
  let enemy: string
  let friend: string
  let tokens: Issue

  beforeAll(async () => {
    fixture = await Counterparties.open(world)
    tokens = await issue(fixture)
    enemy = outsider.address
    friend = newAddress()
    await fixture.rules({ destinationPolicy: policy })
    await fixture.list('ALLOWED', friend)
    if (policy === 'OPEN') await fixture.list('BLOCKED', enemy)
  })

  const tokensOf = (owner: string) =>
    world.chain
      .tokens(fixture.party.records.associated({ onchainId: owner, offchainId: '' }, tokens.instrument, 'SPL'))
      .catch(() => 0n)

  it('receives no network currency, tokens, minted tokens or rent', async () => {
    await fixture.doesNotPay(enemy)
    const destination = { owner: { onchainId: enemy, offPlatform: true }, financialInstrument: tokens.instrument }
    const request = { destination, lamports: '5', initializeDestinationPositionIfNeeded: true }
    await fixture.refuses('POST', TRANSFER, { source: { position: tokens.source }, ...request })
    await fixture.refuses('POST', '/positions/mint', request)
    await fixture.refuses('POST', '/positions', {
      owner: { onchainId: enemy, offPlatform: true },
      financialInstrument: tokens.instrument,
    })
    expect(await tokensOf(enemy)).toBe(0n)
  })

  it('receives nothing through a token account with its own key, nor one that it can close', async () => {
    const [own, trap] = [Keypair.generate(), Keypair.generate()]
    await outsider.openTokenAccount(own, tokens.instrument.onchainId, 'SPL', enemy)
    await outsider.openTrap(trap, tokens.instrument.onchainId, 'SPL', friend)
    for (const key of [own, trap]) {
      const address = key.publicKey.toBase58()
      const destination = { position: { onchainId: address, offPlatform: true } }
      await fixture.refuses('POST', TRANSFER, { source: { position: tokens.source }, destination, lamports: '5' })
      await fixture.refuses('POST', '/positions/mint', { destination, lamports: '5' })
      await fixture.doesNotPay(address)
      expect(await world.chain.tokens(address)).toBe(0n)
    }
  })

  it('receives nothing through an account that another tenant manages', async () => {
    const stranger = await Counterparties.open(world)
    const strangerAddress = stranger.wallet.onchainId
    if (policy === 'OPEN') await fixture.list('BLOCKED', strangerAddress)
    const itemData = { source: fixture.wallet, destination: { onchainId: strangerAddress }, lamports: '5' }
    await fixture.refuses('POST', PAY, itemData)
    await fixture.refuses('POST', PAY, { ...itemData, destination: { offchainId: stranger.wallet.offchainId } })
  })

  it('prevents a batch that contains it, including its other items', async () => {
    const [before, items] = [
      await world.chain.lamports(friend),
      [friend, enemy].map((onchainId) => ({
        source: fixture.wallet,
        destination: { onchainId, offPlatform: true },
        lamports: String(SOL / 10n),
      })),
    ]
    const { status, body } = await fixture.api.send<Problems>('POST', '/batches', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items,
    })
    expect(status).toBe(403)
    expect(body.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([[REFUSED, '/itemData/items/1']])
    expect(await world.chain.lamports(friend)).toBe(before)
  })

  it('is not paid by a batch that was accepted before the address was blocked', async () => {
    const lateAddress = newAddress()
    const listing = await fixture.list('ALLOWED', lateAddress)
    const batches = new BatchFixture(fixture.api)
    await fixture.change(listing, { status: 'REVIEW' })
    await fixture.reviewedByApprover()
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', [
      {
        source: fixture.wallet,
        destination: { onchainId: lateAddress, offPlatform: true },
        lamports: String(SOL / 10n),
      },
    ])
    expect((await batches.single(id)).status).toBe('PREPARED')
    await fixture.change(listing, { status: 'BLOCKED' })
    await batches.approve(id, fixture.approver.api)
    const items = await batches.waitForEnd(id, 'FAILED')
    expect(items.map(({ errorCode }) => errorCode)).toEqual([REFUSED])
    expect(await world.chain.lamports(lateAddress)).toBe(0n)
  })

  it('receives nothing in a trade', async () => {
    const legTo = (onchainId: string) => ({
      source: fixture.wallet,
      destination: { onchainId, offPlatform: true },
      lamports: String(SOL / 10n),
    })
    await fixture.refuses('POST', '/positions/trade', { legs: [legTo(friend), legTo(enemy)] })
    const result = await fixture.api.ok<Result>(201, 'POST', '/positions/trade', {
      legs: [legTo(friend), legTo(fixture.feePayer.onchainId)],
    })
    expect(result.success, JSON.stringify(result)).toBe(true)
  })

  it('receives nothing from a message made elsewhere, by any instruction or by a token account', async () => {
    const from = new PublicKey(fixture.wallet.onchainId)
    const pay = (to: string) =>
      SystemProgram.transfer({ fromPubkey: from, toPubkey: new PublicKey(to), lamports: SOL / 10n })
    const trap = Keypair.generate()
    await outsider.openTrap(trap, tokens.instrument.onchainId, 'SPL', friend)
    const sendTokens = createTransferInstruction(
      new PublicKey(tokens.source.onchainId),
      trap.publicKey,
      from,
      5,
      [],
      programOf('SPL'),
    )
    for (const instructions of [[pay(enemy)], [pay(friend), pay(enemy)], [sendTokens]]) {
      const serializedTransaction = await limits.foreign(fixture.feePayer.onchainId, instructions)
      await fixture.refuses('POST', '/transactions/sign', { serializedTransaction })
      await fixture.refuses('POST', '/transactions/sign', { serializedTransaction, signers: [fixture.wallet] })
    }
    const serializedTransaction = await limits.foreign(fixture.feePayer.onchainId, [pay(friend)])
    expect((await fixture.api.ok<Held>(200, 'POST', '/transactions/sign', { serializedTransaction })).success).toBe(
      true,
    )
  })

  it('receives nothing from a message that names it through a lookup table', async () => {
    const { connection } = world.chain
    const [creation, address] = AddressLookupTableProgram.createLookupTable({
      authority: outsider.key.publicKey,
      payer: outsider.key.publicKey,
      recentSlot: await connection.getSlot('finalized'),
    })
    const addresses = [friend, enemy].map((each) => new PublicKey(each))
    const growth = AddressLookupTableProgram.extendLookupTable({
      lookupTable: address,
      authority: outsider.key.publicKey,
      payer: outsider.key.publicKey,
      addresses,
    })
    await outsider.send([creation, growth])
    const table = await eventually(async () => {
      const { value } = await connection.getAddressLookupTable(address)
      expect(await connection.getSlot('confirmed')).toBeGreaterThan(value!.state.lastExtendedSlot)
      return value!
    })
    for (const to of [enemy, friend]) {
      const { blockhash } = await connection.getLatestBlockhash('confirmed')
      const pay = SystemProgram.transfer({
        fromPubkey: new PublicKey(fixture.wallet.onchainId),
        toPubkey: new PublicKey(to),
        lamports: SOL / 10n,
      })
      const draft = new TransactionMessage({
        payerKey: new PublicKey(fixture.feePayer.onchainId),
        recentBlockhash: blockhash,
        instructions: [pay],
      })
      const message = draft.compileToV0Message([table])
      expect(message.addressTableLookups).toHaveLength(1)
      const serializedTransaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
      if (to === enemy) await fixture.refuses('POST', '/transactions/sign', { serializedTransaction })
      else
        expect((await fixture.api.ok<Held>(200, 'POST', '/transactions/sign', { serializedTransaction })).success).toBe(
          true,
        )
    }
  })

  it('receives no remaining balance and no rent when an account is closed', async () => {
    const destination = { onchainId: enemy, offPlatform: true }
    const wallet = await fixture.party.records.funded({}, SOL)
    await fixture.refuses('PATCH', '/accounts/inactivate', { account: wallet, refundDestination: destination })
    const { newPosition } = await fixture.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument: tokens.instrument,
    })
    await fixture.refuses('PATCH', '/positions/close', {
      position: { position: newPosition },
      refundSolDestination: destination,
    })
  })

  it('is not paid by a grantee: the owner of the account decides for its own keys', async () => {
    const grantee = await Counterparties.open(world)
    const sharedWallet = await fixture.party.records.funded({
      networkCurrencyDebitLimits: [],
      orgsAllowedToSignWithPrivateKey: [grantee.party.externalId],
    })
    const itemData = {
      source: { offchainId: sharedWallet.offchainId },
      destination: { onchainId: enemy, offPlatform: true },
      lamports: String(SOL / 10n),
    }
    const before = await world.chain.lamports(enemy)
    await grantee.refuses('POST', PAY, itemData)
    expect(await world.chain.lamports(enemy)).toBe(before)
    const payment = await grantee.api.ok<Result>(201, 'POST', PAY, {
      ...itemData,
      destination: { onchainId: friend, offPlatform: true },
    })
    expect(payment.success, JSON.stringify(payment)).toBe(true)
  })

  it('is not paid by what a grantee has kept signed since before the owner blocked it', async () => {
    const [owner, grantee] = [await Counterparties.open(world), await Counterparties.open(world)]
    const shared = await owner.party.records.funded({
      networkCurrencyDebitLimits: [],
      orgsAllowedToSignWithPrivateKey: [grantee.party.externalId],
    })
    const payee = newAddress()
    if (policy === 'ALLOW_LIST') await owner.rules({ destinationPolicy: policy })
    const id = await owner.list('ALLOWED', payee)
    const pay = SystemProgram.transfer({
      fromPubkey: new PublicKey(shared.onchainId),
      toPubkey: new PublicKey(payee),
      lamports: SOL / 10n,
    })
    const { offchainId, status } = await grantee.api.ok<Result>(200, 'POST', '/transactions/sign', {
      serializedTransaction: await limits.foreign(grantee.feePayer.onchainId, [pay]),
    })
    expect(status).toBe('SIGNED')
    await owner.change(id, policy === 'OPEN' ? { status: 'BLOCKED' } : { addresses: [] })
    await grantee.refuses('POST', '/transactions/submit', { transaction: { offchainId } })
    expect(await world.chain.lamports(payee)).toBe(0n)
    await owner.change(id, { status: 'ALLOWED', addresses: [{ onchainId: payee }] })
    await grantee.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
    expect(await world.chain.lamports(payee)).toBe(SOL / 10n)
  })
})

it('can be paid through an own account without an allow list only within an organization that is OPEN', async () => {
  const fixture = await Counterparties.open(world)
  const strict = await fixture.party.records.funded({ destinationPolicy: 'ALLOW_LIST', networkCurrencyDebitLimits: [] })
  const hop = await fixture.party.records.funded({ networkCurrencyDebitLimits: [] })
  const enemy = newAddress()
  expect((await fixture.pay(hop.onchainId, { source: strict })).body.success).toBe(true)
  expect((await fixture.pay(enemy, { source: hop })).body.success).toBe(true)
  await fixture.rules({ destinationPolicy: 'ALLOW_LIST' })
  expect((await fixture.pay(enemy, { source: hop })).status).toBe(403)
})

describe('the token account of a blocked address', () => {
  it('is no account of a call of an allowed program', async () => {
    const fixture = await Counterparties.open(world)
    const { instrument } = await issue(fixture)
    const [enemy, friend] = [outsider.address, newAddress()]
    for (const onchainId of [enemy, friend])
      await fixture.api.ok(201, 'POST', '/positions/mint', {
        destination: { owner: { onchainId, offPlatform: true }, financialInstrument: instrument },
        lamports: '1',
        initializeDestinationPositionIfNeeded: true,
      })
    await fixture.list('BLOCKED', enemy)
    const program = Keypair.generate().publicKey
    await fixture.rules({ allowedPrograms: [program.toBase58()] })
    const callWith = async (owner: string) => {
      const pubkey = new PublicKey(associated(owner, instrument.onchainId, 'SPL'))
      const signer = { pubkey: new PublicKey(fixture.wallet.onchainId), isSigner: true, isWritable: true }
      const keys = [signer, { pubkey, isSigner: false, isWritable: true }]
      const call = new TransactionInstruction({ programId: program, keys, data: Buffer.from([1]) })
      return { serializedTransaction: await limits.foreign(fixture.feePayer.onchainId, [call]) }
    }
    const signed = await fixture.api.ok<Result>(200, 'POST', '/transactions/sign', await callWith(friend))
    expect(signed.status).toBe('SIGNED')
    await fixture.api.refuses(403, REFUSED, 'POST', '/transactions/sign', await callWith(enemy))
  })
})
