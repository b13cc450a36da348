// Transactions that fail on chain: the endpoint answers and reports the failure, and the reservation is released when
// the failure is final. Finality is slow here, so that the state before it can be observed.
import {
  createEnableRequiredMemoTransfersInstruction,
  createInitializeAccountInstruction,
  ExtensionType,
  freezeAccount,
  getAccountLen,
  thawAccount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, sendAndConfirmTransaction, SystemProgram, Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Balance, Ids, Result, TransactionRecord } from '../models.ts'
import { programOf, type Version } from '../onchain.ts'
import { SOL } from '../records.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FINALITY_SLOTS: '10' }, unwatched)
  feePayer = await world.records.feePayer()
})
afterAll(() => world.stop())

const status = (offchainId: string): Promise<Result> => world.api.read<Result>('/transactions/status', { offchainId })

async function isFinallyFailed(result: Result, { api }: World = world): Promise<TransactionRecord> {
  return await eventually(async () => {
    const record = await api.read<TransactionRecord>('/transactions/single', { offchainId: result.offchainId })
    expect(record).toMatchObject({ status: 'BLOCKCHAIN_ERROR', success: false, errorMessage: result.errorMessage })
    return record
  })
}

/** In the books, which a balance query compares with the chain. */
async function knownAsFrozen(position: Ids): Promise<void> {
  await eventually(async () => {
    await world.api.read('/positions/single/balance', { position })
    expect((await world.records.positionRecord(position)).state).toBe('FROZEN')
  })
}

describe.each(VERSIONS)('%s', (version) => {
  it('reports a failed transfer, reserves the amount until the failure is final, and charges the fee', async () => {
    const instrument = await world.records.instrument(version, await world.records.account())
    const [owner, other] = [await world.records.account(), await world.records.account()]
    const [from, to] = [
      await world.records.position(owner, instrument, 10n),
      await world.records.position(other, instrument),
    ]
    const lamportsBefore = await world.chain.lamports(feePayer.onchainId)
    const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', {
      source: { position: from },
      destination: { position: to },
      lamports: 11,
      offchainBalanceAvailabilityPrecheck: false,
    })
    expect(result.success).toBe(false)
    expect(result.errorMessage).toContain('InstructionError')
    expect(['PROCESSED', 'CONFIRMED', 'BLOCKCHAIN_ERROR']).toContain(result.status)
    const transaction = await world.chain.transaction(result.onchainId!)
    expect(transaction.meta?.err).not.toBeNull()

    const { reserved } = await world.api.read<Balance>('/positions/single/balance', { position: from })
    // No more than the balance.
    if ((await status(result.offchainId)).status !== 'BLOCKCHAIN_ERROR') expect(reserved.lamports).toBe(10)
    const { history } = await isFinallyFailed(result)
    expect(history.map(({ status: reached }) => reached)).not.toContain('FINALIZED')
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(lamportsBefore - BigInt(transaction.meta!.fee))
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([10n, 0n])
    await world.records.positionsEqualChain(from, to)
    await world.records.accountsEqualChain(feePayer)
  })

  it('adopts a freeze by an outside authority from the chain', async () => {
    const freezer = Keypair.generate()
    await world.chain.airdrop(freezer.publicKey.toBase58(), SOL)
    const instrument = await world.records.instrument(version, await world.records.account(), {
      freezeAuthority: { onchainId: freezer.publicKey.toBase58(), offPlatform: true },
    })
    const [from, to] = [
      await world.records.position(await world.records.account(), instrument, 10n),
      await world.records.position(await world.records.account(), instrument),
    ]
    const [account, mint] = [new PublicKey(from.onchainId), new PublicKey(instrument.onchainId)]
    await freezeAccount(world.chain.connection, freezer, account, mint, freezer, [], undefined, programOf(version))
    const body = { source: { position: from }, destination: { position: to }, lamports: 4 }
    const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', body)
    expect(result.success).toBe(false)
    await isFinallyFailed(result)
    await knownAsFrozen(from)
    await thawAccount(world.chain.connection, freezer, account, mint, freezer, [], undefined, programOf(version))
    const retry = await world.api.ok<Result>(201, 'POST', '/positions/transfer', body)
    expect(retry.success, JSON.stringify(retry)).toBe(true)
    // The same for the destination.
    const destination = new PublicKey(to.onchainId)
    await freezeAccount(world.chain.connection, freezer, destination, mint, freezer, [], undefined, programOf(version))
    await knownAsFrozen(to)
    await thawAccount(world.chain.connection, freezer, destination, mint, freezer, [], undefined, programOf(version))
    expect(await world.api.ok<Result>(201, 'POST', '/positions/transfer', body)).toMatchObject({ success: true })
    await eventually(() => world.records.positionsEqualChain(from, to))
    await world.records.accountsEqualChain(feePayer)
  })

  it('closes the record of a position that failed on chain, and opens it again at the next request', async () => {
    const instrument = await world.records.instrument(version, await world.records.account())
    const [owner, heir] = [await world.records.account(), await world.records.account()]
    const from = await world.records.position(owner, instrument, 10n)
    const place = { owner: heir, financialInstrument: instrument }
    const body = {
      source: { position: from },
      destination: place,
      initializeDestinationPositionIfNeeded: true,
      offchainBalanceAvailabilityPrecheck: false,
    }
    const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', { ...body, lamports: 11 })
    expect(result.success).toBe(false)
    await isFinallyFailed(result)
    expect(await world.chain.exists(world.records.associated(heir, instrument, version))).toBe(false)
    const retry = await world.api.ok<Result>(201, 'POST', '/positions/transfer', { ...body, lamports: 4 })
    expect(retry.success, JSON.stringify(retry)).toBe(true)
    const { onchain, offchain } = await world.api.read<{ onchain: { id: string }; offchain: { id: string } }>(
      '/positions/single',
      place,
    )
    expect(await world.chain.tokens(onchain.id)).toBe(4n)
    await world.records.positionsEqualChain(from, { onchainId: onchain.id, offchainId: offchain.id })
    await world.records.accountsEqualChain(feePayer)
  })
})

/** A token account that requires a memo for every transfer, made by a party that the service does not know. */
async function pickyAccount(mint: PublicKey): Promise<string> {
  const [outsider, account, space] = [
    Keypair.generate(),
    Keypair.generate(),
    getAccountLen([ExtensionType.MemoTransfer]),
  ]
  await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
  const [payer, address, program, { connection }] = [
    outsider.publicKey,
    account.publicKey,
    TOKEN_2022_PROGRAM_ID,
    world.chain,
  ]
  const lamports = await connection.getMinimumBalanceForRentExemption(space)
  const transaction = new Transaction().add(
    SystemProgram.createAccount({ fromPubkey: payer, newAccountPubkey: address, space, lamports, programId: program }),
    createInitializeAccountInstruction(address, mint, payer, program),
    createEnableRequiredMemoTransfersInstruction(address, payer, [], program),
  )
  await sendAndConfirmTransaction(connection, transaction, [outsider, account], { commitment: 'confirmed' })
  return address.toBase58()
}

it('simulates transfers to unknown accounts before a signature, so that a refusal costs no fee', async () => {
  const instrument = await world.records.instrument('TOKEN_2022', await world.records.account())
  const from = await world.records.position(await world.records.account({ tokenDebitLimits: [] }), instrument, 10n)
  const stranger = await pickyAccount(new PublicKey(instrument.onchainId))
  const body = {
    source: { position: from },
    destination: { position: { onchainId: stranger, offPlatform: true } },
    lamports: 4,
  }
  const lamportsBefore = await world.chain.lamports(feePayer.onchainId)
  const problem = await world.api.refuses(400, 'SIMULATION_FAILED', 'POST', '/positions/transfer', body)
  expect(problem).toMatchObject({ retryable: true })
  const { reserved } = await world.api.read<Balance>('/positions/single/balance', { position: from })
  expect([
    await world.chain.lamports(feePayer.onchainId),
    await world.chain.tokens(from.onchainId),
    reserved.lamports,
  ]).toEqual([lamportsBefore, 10n, 0])
  // An insufficient balance is reported for such an account too, and a retry does not help.
  const short = await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', '/positions/transfer', {
    ...body,
    lamports: 11,
  })
  expect(short).toMatchObject({ retryable: false })
  const result = await world.api.ok<Result>(201, 'POST', '/positions/transfer', { ...body, memo: 'invoice 7' })
  expect(result.success, JSON.stringify(result)).toBe(true)
  expect(await world.chain.tokens(stranger)).toBe(4n)
})

describe('with finality after half a minute', () => {
  const SLOT_MS = 200
  const FINALITY_SLOTS = 150
  let slow: World
  let payer: Ids

  beforeAll(async () => {
    slow = await startWorld(
      {
        HOLDFAST_EMBEDDED_FAULTS: 'on',
        HOLDFAST_EMBEDDED_SLOT_MS: String(SLOT_MS),
        HOLDFAST_EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS),
      },
      unwatched,
    )
    payer = await slow.records.feePayer()
  })
  afterAll(() => slow.stop())

  it('keeps network currency of a transfer that failed on chain', async () => {
    const { api, chain, records } = slow
    const [source, saver, destination] = [
      await records.funded({}, SOL),
      await records.funded({}, SOL),
      await records.funded({}, SOL),
    ]
    const path = '/positions/transfer-network-currency'
    const send = (itemData: object) => api.ok<Result>(201, 'POST', path, { destination, ...itemData })
    const beyond = await send({ source, lamports: (2n * SOL).toString(), offchainBalanceAvailabilityPrecheck: false })
    // Until the failure is final, the amount that the transaction may take is not available.
    await api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', path, { source, destination, lamports: 1 })
    // The remainder would be less than the rent-exempt minimum.
    const dust = await send({ source: saver, lamports: (SOL - 1n).toString() })
    expect([beyond.success, dust.success]).toEqual([false, false])
    expect(dust.errorMessage).toContain('InsufficientFundsForRent')
    await slow.passSlots(FINALITY_SLOTS)
    await isFinallyFailed(beyond, slow)
    await isFinallyFailed(dust, slow)
    expect([await chain.lamports(saver.onchainId), await chain.lamports(destination.onchainId)]).toEqual([SOL, SOL])
    await eventually(() => records.accountsEqualChain(source, saver, destination, payer))
  })
})

it('stores no account whose creation failed', async () => {
  const payer = await world.records.funded({ canPayFees: true }, SOL)
  // One lamport more than the payer can pay and still keep the rent-exempt minimum.
  const create = (lamports: bigint) =>
    world.api.ok<{ newAccount: Ids; chainTransaction: Result }>(
      201,
      'POST',
      '/accounts',
      {
        seedLamports: lamports.toString(),
        offchainReferences: { code: 'never' },
      },
      { config: { feePayer: payer } },
    )
  const answer = await create(SOL - 5_001n)
  expect(answer.chainTransaction.success).toBe(false)
  await isFinallyFailed(answer.chainTransaction)
  expect(await world.chain.exists(answer.newAccount.onchainId)).toBe(false)
  expect(await world.chain.lamports(payer.onchainId)).toBe(SOL - 5_000n)
  await world.records.accountsEqualChain(payer)
  // Its references can be used again.
  const retry = await create(SOL / 2n)
  expect(retry.chainTransaction.success).toBe(true)
  await world.records.accountsEqualChain(payer, retry.newAccount)
})
