// Ways round a destination policy. Whatever form a payment has, an address that is blocked or not on the allow list
// receives nothing.
import { createTransferInstruction } from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchYard } from '../e2e/batch-yard.ts'
import { CounterpartyYard, newAddress, REFUSED } from '../e2e/counterparty-yard.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { LimitYard, PAY, type Held } from '../e2e/limit-yard.ts'
import type { Ids, NewPosition, Problems, Result } from '../e2e/models.ts'
import { programOf } from '../e2e/onchain.ts'
import { SOL } from '../e2e/records.ts'
import { Outsider } from './fixtures/outsider.ts'

const TRANSFER = '/positions/transfer'

let world: World
let outsider: Outsider
let limits: LimitYard

beforeAll(async () => {
  world = await startWorld()
  outsider = await Outsider.with(world)
  limits = new LimitYard(world)
})
afterAll(() => world.stop())

interface Issue {
  readonly instrument: Ids
  /** Of the wallet, 1,000 units. */
  readonly source: Ids
}

async function issue(yard: CounterpartyYard, version: 'SPL' | 'TOKEN_2022' = 'SPL'): Promise<Issue> {
  const instrument = await yard.party.records.instrument(version, yard.wallet)
  return { instrument, source: await yard.party.records.position(yard.wallet, instrument, 1_000n) }
}

describe.each(['ALLOW_LIST', 'OPEN'] as const)('an address that may not be paid, under %s', (policy) => {
  let yard: CounterpartyYard
  /** The outsider's, blocked or not listed. */
  let enemy: string
  let friend: string
  let tokens: Issue

  beforeAll(async () => {
    yard = await CounterpartyYard.open(world)
    tokens = await issue(yard)
    enemy = outsider.address
    friend = newAddress()
    await yard.rules({ destinationPolicy: policy })
    await yard.list('ALLOWED', friend)
    if (policy === 'OPEN') await yard.list('BLOCKED', enemy)
  })

  const tokensOf = (owner: string) =>
    world.chain
      .tokens(yard.party.records.associated({ onchainId: owner, offchainId: '' }, tokens.instrument, 'SPL'))
      .catch(() => 0n)

  it('receives no network currency, tokens, minted tokens or rent', async () => {
    await yard.doesNotPay(enemy)
    const destination = { owner: { onchainId: enemy, offPlatform: true }, financialInstrument: tokens.instrument }
    const given = { destination, lamports: '5', initializeDestinationPositionIfNeeded: true }
    await yard.refuses('POST', TRANSFER, { source: { position: tokens.source }, ...given })
    await yard.refuses('POST', '/positions/mint', given)
    await yard.refuses('POST', '/positions', {
      owner: { onchainId: enemy, offPlatform: true },
      financialInstrument: tokens.instrument,
    })
    expect(await tokensOf(enemy)).toBe(0n)
  })

  it('receives nothing by a token account with a key of its own, nor by one of a friend that it can close', async () => {
    const [own, trap] = [Keypair.generate(), Keypair.generate()]
    await outsider.openTokenAccount(own, tokens.instrument.onchainId, 'SPL', enemy)
    await outsider.openTrap(trap, tokens.instrument.onchainId, 'SPL', friend)
    for (const key of [own, trap]) {
      const address = key.publicKey.toBase58()
      const destination = { position: { onchainId: address, offPlatform: true } }
      await yard.refuses('POST', TRANSFER, { source: { position: tokens.source }, destination, lamports: '5' })
      await yard.refuses('POST', '/positions/mint', { destination, lamports: '5' })
      await yard.doesNotPay(address)
      expect(await world.chain.tokens(address)).toBe(0n)
    }
  })

  it('receives nothing by an account that another tenant keeps, though that tenant manages it', async () => {
    const stranger = await CounterpartyYard.open(world)
    const theirs = stranger.wallet.onchainId
    if (policy === 'OPEN') await yard.list('BLOCKED', theirs)
    const itemData = { source: yard.wallet, destination: { onchainId: theirs }, lamports: '5' }
    await yard.refuses('POST', PAY, itemData)
    await yard.refuses('POST', PAY, { ...itemData, destination: { offchainId: stranger.wallet.offchainId } })
  })

  it('is in no batch, and the friend of the same batch is not paid either', async () => {
    const [before, items] = [
      await world.chain.lamports(friend),
      [friend, enemy].map((onchainId) => ({
        source: yard.wallet,
        destination: { onchainId, offPlatform: true },
        lamports: String(SOL / 10n),
      })),
    ]
    const { status, body } = await yard.api.send<Problems>('POST', '/batches', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items,
    })
    expect(status).toBe(400)
    expect(body.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([[REFUSED, '/itemData/items/1']])
    expect(await world.chain.lamports(friend)).toBe(before)
  })

  it('is not paid by a batch that was accepted before the address was blocked', async () => {
    const late = newAddress()
    const listed = await yard.list('ALLOWED', late)
    const batches = new BatchYard(yard.api)
    await yard.change(listed, { status: 'REVIEW' })
    await yard.reviewedByApprover()
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', [
      {
        source: yard.wallet,
        destination: { onchainId: late, offPlatform: true },
        lamports: String(SOL / 10n),
      },
    ])
    expect((await batches.single(id)).status).toBe('PREPARED')
    await yard.change(listed, { status: 'BLOCKED' })
    await batches.approve(id, yard.approver.api)
    const items = await batches.ended(id, 'FAILED')
    expect(items.map(({ errorCode }) => errorCode)).toEqual([REFUSED])
    expect(await world.chain.lamports(late)).toBe(0n)
  })

  it('receives nothing in a trade', async () => {
    const legTo = (onchainId: string) => ({
      source: yard.wallet,
      destination: { onchainId, offPlatform: true },
      lamports: String(SOL / 10n),
    })
    await yard.refuses('POST', '/positions/trade', { legs: [legTo(friend), legTo(enemy)] })
    const result = await yard.api.ok<Result>(201, 'POST', '/positions/trade', {
      legs: [legTo(friend), legTo(yard.feePayer.onchainId)],
    })
    expect(result.success, JSON.stringify(result)).toBe(true)
  })

  it('receives nothing from a message made elsewhere: directly, in a second instruction, or by its token account', async () => {
    const from = new PublicKey(yard.wallet.onchainId)
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
      const serializedTransaction = await limits.foreign(yard.feePayer.onchainId, instructions)
      await yard.refuses('POST', '/transactions/sign', { serializedTransaction })
      await yard.refuses('POST', '/transactions/sign', { serializedTransaction, signers: [yard.wallet] })
    }
    const serializedTransaction = await limits.foreign(yard.feePayer.onchainId, [pay(friend)])
    expect((await yard.api.ok<Held>(200, 'POST', '/transactions/sign', { serializedTransaction })).success).toBe(true)
  })

  it('receives nothing from a message that names it by a lookup table', async () => {
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
        fromPubkey: new PublicKey(yard.wallet.onchainId),
        toPubkey: new PublicKey(to),
        lamports: SOL / 10n,
      })
      const draft = new TransactionMessage({
        payerKey: new PublicKey(yard.feePayer.onchainId),
        recentBlockhash: blockhash,
        instructions: [pay],
      })
      const message = draft.compileToV0Message([table])
      expect(message.addressTableLookups).toHaveLength(1)
      const serializedTransaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
      if (to === enemy) await yard.refuses('POST', '/transactions/sign', { serializedTransaction })
      else
        expect((await yard.api.ok<Held>(200, 'POST', '/transactions/sign', { serializedTransaction })).success).toBe(
          true,
        )
    }
  })

  it('receives no remaining balance and no rent of what is closed', async () => {
    const destination = { onchainId: enemy, offPlatform: true }
    const wallet = await yard.party.records.funded({}, SOL)
    await yard.refuses('PATCH', '/accounts/inactivate', { account: wallet, refundDestination: destination })
    const { newPosition } = await yard.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument: tokens.instrument,
    })
    await yard.refuses('PATCH', '/positions/close', {
      position: { position: newPosition },
      refundSolDestination: destination,
    })
  })

  it('is not paid by a grantee: the owner of the account decides for its own keys', async () => {
    const grantee = await CounterpartyYard.open(world)
    const shared = await yard.party.records.funded({
      networkCurrencyDebitLimits: [],
      orgsAllowedToSignWithPrivateKey: [grantee.party.externalId],
    })
    const itemData = {
      source: { offchainId: shared.offchainId },
      destination: { onchainId: enemy, offPlatform: true },
      lamports: String(SOL / 10n),
    }
    const before = await world.chain.lamports(enemy)
    await grantee.refuses('POST', PAY, itemData)
    expect(await world.chain.lamports(enemy)).toBe(before)
    const paid = await grantee.api.ok<Result>(201, 'POST', PAY, {
      ...itemData,
      destination: { onchainId: friend, offPlatform: true },
    })
    expect(paid.success, JSON.stringify(paid)).toBe(true)
  })
})

it('a hop through an own account that has no allow list is possible within one organization only while that is OPEN', async () => {
  const yard = await CounterpartyYard.open(world)
  const strict = await yard.party.records.funded({ destinationPolicy: 'ALLOW_LIST', networkCurrencyDebitLimits: [] })
  const hop = await yard.party.records.funded({ networkCurrencyDebitLimits: [] })
  const enemy = newAddress()
  expect((await yard.pay(hop.onchainId, { source: strict })).body.success).toBe(true)
  expect((await yard.pay(enemy, { source: hop })).body.success).toBe(true)
  await yard.rules({ destinationPolicy: 'ALLOW_LIST' })
  expect((await yard.pay(enemy, { source: hop })).status).toBe(403)
})
