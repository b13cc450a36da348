// Mint, burn and transfer over HTTP, for both token programs: the requested amount moves on chain, and the books
// follow.
import { createAssociatedTokenAccount, mintTo } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Balance, Ids, Position, Result } from './models.ts'
import { programOf, type Version } from './onchain.ts'
import { SOL } from './records.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']
const UNIT = 1_000_000n

let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
})
afterAll(() => world.stop())

async function succeeds(path: string, itemData: object): Promise<Result> {
  const result = await world.api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

const transfer = (itemData: object): Promise<Result> => succeeds('/positions/transfer', itemData)
const refuses = (code: string, path: string, itemData: object) => world.api.refuses(400, code, 'POST', path, itemData)

describe.each(VERSIONS)('%s', (version) => {
  let instrument: Ids
  let alice: Ids
  let bob: Ids
  let from: Ids
  let to: Ids

  beforeAll(async () => {
    instrument = await world.records.instrument(version, authority)
    ;[alice, bob] = await Promise.all([world.records.account(), world.records.account()])
    ;[from, to] = await Promise.all([
      world.records.position(alice, instrument, 100n * UNIT),
      world.records.position(bob, instrument),
    ])
  })

  async function expectSettled(...further: Ids[]): Promise<void> {
    await world.records.positionsEqualChain(from, to, ...further)
    await world.records.instrumentEqualsChain(instrument)
    await world.records.accountsEqualChain(feePayer)
  }

  const balances = async (): Promise<[bigint, bigint]> => [
    await world.chain.tokens(from.onchainId),
    await world.chain.tokens(to.onchainId),
  ]

  it('mints display and raw amounts', async () => {
    const [before] = await balances()
    const supply = await world.chain.supply(instrument.onchainId)
    for (const amount of [{ amount: 1.25 }, { amount: '1.25' }, { lamports: 1_250_000 }, { lamports: '1250000' }]) {
      await succeeds('/positions/mint', { destination: { position: from }, ...amount })
    }
    expect((await balances())[0]).toBe(before + 5n * UNIT)
    expect(await world.chain.supply(instrument.onchainId)).toBe(supply + 5n * UNIT)
    const { onchainId } = await succeeds('/positions/mint', {
      destination: { position: from },
      lamports: 1,
      memo: 'Emission №1 ✓',
    })
    expect(await world.chain.memos(onchainId!)).toEqual(['Emission №1 ✓'])
    await expectSettled()
  })

  it('mints to an owner without a position, with the named authority', async () => {
    const owner = await world.records.account()
    const destination = { owner, financialInstrument: instrument }
    await refuses('POSITION_NOT_FOUND', '/positions/mint', { destination, amount: 1 })
    await refuses('LOOKUP_MISMATCH', '/positions/mint', {
      destination: { position: from },
      amount: 1,
      mintAuthority: alice,
    })
    const body = { destination, amount: 2, initializeDestinationPositionIfNeeded: true, mintAuthority: authority }
    await succeeds('/positions/mint', body)
    await succeeds('/positions/mint', body)
    const position = await world.api.read<Position>('/positions/single', destination)
    expect(position.onchain.id).toBe(world.records.associated(owner, instrument, version))
    expect(await world.chain.tokens(position.onchain.id)).toBe(4n * UNIT)
    await expectSettled({ onchainId: position.onchain.id, offchainId: position.offchain.id })
  })

  it('burns a part, and everything', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 10n * UNIT)
    const supply = await world.chain.supply(instrument.onchainId)
    const { onchainId } = await succeeds('/positions/burn', { source: { position }, amount: '2.5', memo: 'gone' })
    expect(await world.chain.tokens(position.onchainId)).toBe((75n * UNIT) / 10n)
    expect(await world.chain.memos(onchainId!)).toEqual(['gone'])
    await refuses('INSUFFICIENT_BALANCE', '/positions/burn', { source: { position }, amount: 8 })
    await succeeds('/positions/burn', { source: { owner, financialInstrument: instrument }, burnEntireBalance: true })
    expect(await world.chain.tokens(position.onchainId)).toBe(0n)
    expect(await world.chain.supply(instrument.onchainId)).toBe(supply - 10n * UNIT)
    await refuses('INSUFFICIENT_BALANCE', '/positions/burn', { source: { position }, burnEntireBalance: true })
    await expectSettled(position)
  })

  it('transfers between positions, with a memo on chain', async () => {
    const [before, beforeTo] = await balances()
    const result = await transfer({
      source: { position: from },
      destination: { position: to },
      amount: '3.000001',
      memo: 'rent\nMay',
    })
    expect(await balances()).toEqual([before - 3_000_001n, beforeTo + 3_000_001n])
    expect(await world.chain.memos(result.onchainId!)).toEqual(['rent\nMay'])
    const record = await world.records.positionRecord(from)
    expect(record.onchain.lastTransactionId).toBe(result.onchainId)
    expect(record.offchain.lastTransactionId).toBe(result.offchainId)
    expect(Date.parse(record.onchain.lastTransactionAt!)).toBeGreaterThan(Date.now() - 60_000)
    await expectSettled()
  })

  it('opens a missing destination once', async () => {
    const carol = await world.records.account()
    const body = {
      source: { owner: alice, financialInstrument: instrument },
      destination: { owner: carol, financialInstrument: instrument },
      amount: 1,
    }
    await refuses('POSITION_NOT_FOUND', '/positions/transfer', body)
    const request = { ...body, initializeDestinationPositionIfNeeded: true }
    // Concurrently: the first request opens the position, and the others follow in the lane of the fee payer.
    const results = await Promise.all(Array.from({ length: 5 }, () => transfer(request)))
    expect(new Set(results.map(({ onchainId }) => onchainId)).size).toBe(5)
    await transfer(body)
    const position = await world.api.read<Position>('/positions/single', {
      owner: carol,
      financialInstrument: instrument,
    })
    expect(await world.chain.tokens(position.onchain.id)).toBe(6n * UNIT)
    await expectSettled({ onchainId: position.onchain.id, offchainId: position.offchain.id })
  })

  it('records an associated account opened by others', async () => {
    const payer = Keypair.generate()
    await world.chain.airdrop(payer.publicKey.toBase58(), SOL)
    const owner = await world.records.account()
    await createAssociatedTokenAccount(
      world.chain.connection,
      payer,
      new PublicKey(instrument.onchainId),
      new PublicKey(owner.onchainId),
      undefined,
      programOf(version),
    )
    await transfer({
      source: { position: from },
      destination: { owner, financialInstrument: instrument },
      lamports: 5,
      initializeDestinationPositionIfNeeded: true,
    })
    const position = await world.api.read<Position>('/positions/single', { owner, financialInstrument: instrument })
    expect(position.wasOnchainAlready).toBe(true)
    await expectSettled({ onchainId: position.onchain.id, offchainId: position.offchain.id })
  })

  it('transfers to unknown owners and token accounts', async () => {
    const outsider = Keypair.generate()
    await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
    const account = await createAssociatedTokenAccount(
      world.chain.connection,
      outsider,
      new PublicKey(instrument.onchainId),
      outsider.publicKey,
      undefined,
      programOf(version),
    )
    const limits = { tokenDebitLimits: [] }
    const { newPosition } = await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: await world.records.account(limits),
      financialInstrument: instrument,
      ...limits,
    })
    await world.records.mint(newPosition, 100n)
    await transfer({
      source: { position: newPosition },
      destination: { position: { onchainId: account.toBase58(), offPlatform: true } },
      lamports: 40,
    })
    expect(await world.chain.tokens(account.toBase58())).toBe(40n)
    await world.records.positionsEqualChain(newPosition)
    const missingAccount = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
    await refuses('ACCOUNT_NOT_ONCHAIN', '/positions/transfer', {
      source: { position: newPosition },
      destination: { position: missingAccount },
      lamports: 1,
    })
    const position = { onchainId: account.toBase58(), offPlatform: true }
    const wallet = { onchainId: outsider.publicKey.toBase58(), offPlatform: true }
    const elsewhere = await world.records.instrument(version, authority)
    for (const lookup of [
      { owner: feePayer },
      { financialInstrument: elsewhere },
      { owner: wallet, financialInstrument: elsewhere },
    ]) {
      const body = { source: { position: newPosition }, destination: { position, ...lookup }, lamports: 1 }
      await refuses('LOOKUP_MISMATCH', '/positions/transfer', body)
    }
    await transfer({
      source: { position: newPosition },
      destination: { position, owner: wallet, financialInstrument: instrument },
      lamports: 1,
    })
    for (const notOne of [wallet, { onchainId: elsewhere.onchainId }]) {
      const body = { source: { position: newPosition }, destination: { position: notOne }, lamports: 1 }
      expect((await world.api.send('POST', '/positions/transfer', body)).status, JSON.stringify(notOne)).toBe(400)
    }
    await world.records.positionsEqualChain(newPosition)
  })

  it('transfers the entire balance', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 12_345n)
    const [, before] = await balances()
    await transfer({ source: { position }, destination: { position: to }, transferEntireBalance: true })
    expect(await world.chain.tokens(position.onchainId)).toBe(0n)
    expect((await balances())[1]).toBe(before + 12_345n)
    await refuses('INSUFFICIENT_BALANCE', '/positions/transfer', {
      source: { position },
      destination: { position: to },
      transferEntireBalance: true,
    })
    await expectSettled(position)
  })

  it('observes tokens deposited from outside when they are needed', async () => {
    const minter = Keypair.generate()
    await world.chain.airdrop(minter.publicKey.toBase58(), SOL)
    const gift = await world.records.instrument(version, { onchainId: minter.publicKey.toBase58(), offPlatform: true })
    const [source, target] = [await world.records.position(alice, gift), await world.records.position(bob, gift)]
    const give = (amount: bigint): Promise<string> =>
      mintTo(
        world.chain.connection,
        minter,
        new PublicKey(gift.onchainId),
        new PublicKey(source.onchainId),
        minter,
        amount,
        [],
        undefined,
        programOf(version),
      )
    await give(500n)
    await transfer({ source: { position: source }, destination: { position: target }, lamports: 200 })
    await give(50n)
    await transfer({ source: { position: source }, destination: { position: target }, transferEntireBalance: true })
    expect(await world.chain.tokens(target.onchainId)).toBe(550n)
    await world.records.positionsEqualChain(source, target)
  })

  it('refuses amounts beyond the balance, and moves nothing', async () => {
    const [before, beforeTo] = await balances()
    const body = { source: { position: from }, destination: { position: to } }
    const refusesAmount = (code: string, amount: object) => refuses(code, '/positions/transfer', { ...body, ...amount })
    await refusesAmount('TOO_PRECISE', { amount: '0.0000001' })
    await refusesAmount('TOO_PRECISE', { amount: 1e-7 })
    await refusesAmount('TOO_PRECISE', { lamports: 1.5 })
    await refusesAmount('OVER_U64', { amount: '18446744073709.551616' })
    await refusesAmount('TOO_LARGE', { lamports: '18446744073709551616' })
    await refusesAmount('NOT_POSITIVE', { amount: 0 })
    await refusesAmount('NOT_POSITIVE', { lamports: -1 })
    await refusesAmount('INVALID_VALUE', { amount: '1e3' })
    await refusesAmount('REQUIRED', {})
    await refusesAmount('MUTUALLY_EXCLUSIVE', { amount: 1, lamports: 1 })
    await refusesAmount('MUTUALLY_EXCLUSIVE', { amount: 1, transferEntireBalance: true })
    await refusesAmount('INSUFFICIENT_BALANCE', { lamports: (before + 1n).toString() })
    await refusesAmount('INSUFFICIENT_BALANCE', { lamports: '18446744073709551615' })
    expect(await balances()).toEqual([before, beforeTo])
    await expectSettled()
  })

  it('refuses parties that do not match', async () => {
    const elsewhere = await world.records.position(bob, await world.records.instrument(version, authority))
    const body = { source: { position: from }, lamports: 1 }
    await refuses('INSTRUMENT_MISMATCH', '/positions/transfer', { ...body, destination: { position: elsewhere } })
    await refuses('SAME_POSITION', '/positions/transfer', { ...body, destination: { position: from } })
    await refuses('POSITION_NOT_FOUND', '/positions/transfer', { ...body, destination: { position: alice } })
    await refuses('POSITION_NOT_FOUND', '/positions/transfer', {
      source: { owner: feePayer, financialInstrument: instrument },
      destination: { position: to },
      lamports: 1,
    })
    await refuses('NO_AUTHORITY', '/positions/transfer', {
      ...body,
      destination: { position: to },
      permanentDelegate: true,
    })
    await expectSettled()
  })

  it('counts pending debits as spent', async () => {
    const owner = await world.records.account()
    const position = await world.records.position(owner, instrument, 10n)
    const body = { source: { position }, destination: { position: to }, lamports: 4 }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.api.send<Result>('POST', '/positions/transfer', body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400])
    expect(await world.chain.tokens(position.onchainId)).toBe(2n)
    await expectSettled(position)
  })
})

describe('TOKEN_2022', () => {
  it('lets only the permanent delegate itself transfer and burn', async () => {
    const delegate = await world.records.account()
    const instrument = await world.records.instrument('TOKEN_2022', authority, { permanentDelegateAuthority: delegate })
    const [from, to] = [
      await world.records.position(await world.records.account(), instrument, 100n),
      await world.records.position(await world.records.account(), instrument),
    ]
    const forced = await transfer({
      source: { position: from },
      destination: { position: to },
      lamports: 30,
      permanentDelegate: true,
    })
    const { message } = (await world.chain.transaction(forced.onchainId!)).transaction
    const signers = message.staticAccountKeys
      .slice(0, message.header.numRequiredSignatures)
      .map((key) => key.toBase58())
    expect(new Set(signers)).toEqual(new Set([feePayer.onchainId, delegate.onchainId]))
    await succeeds('/positions/burn', { source: { position: from }, lamports: 20, permanentDelegate: true })
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([50n, 30n])
    await world.records.positionsEqualChain(from, to)
    await world.records.instrumentEqualsChain(instrument)
  })

  it('accepts and returns scaled amounts, exact in raw units', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      scaledUiAmountAuthority: authority,
      scaledUiAmountMultiplier: 2.5,
    })
    const position = await world.records.position(await world.records.account(), instrument)
    await succeeds('/positions/mint', { destination: { position }, amount: 5 })
    expect(await world.chain.tokens(position.onchainId)).toBe(2n * UNIT)
    await succeeds('/positions/burn', { source: { position }, lamports: 1_000_000 })
    const { onchain } = await world.api.read<Balance>('/positions/single/balance', { position })
    expect(onchain).toEqual({ amount: 2.5, lamports: 1_000_000 })
    const balance = await world.chain.connection.getTokenAccountBalance(new PublicKey(position.onchainId))
    expect(balance.value.uiAmountString).toBe('2.5')
    await world.records.positionsEqualChain(position)
  })

  it('does not use the confidential extensions', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      confidentialTransferAuthority: authority,
      confidentialMintBurnAuthority: authority,
    })
    const position = await world.records.position(await world.records.account(), instrument)
    await refuses('EXTENSION_NOT_USABLE', '/positions/mint', { destination: { position }, lamports: 1 })
  })
})
