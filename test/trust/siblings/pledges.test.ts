// An organization decides about its own accounts alone. What a message takes out of a record of another organization of
// the tenant is reserved with the signature of the account that controls it, not with the first signature of the
// message.
import { createTransferCheckedInstruction } from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import { LimitFixture, to, within } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, Result, WithTransaction } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'
const SIGN = '/transactions/sign'
const AMOUNT = SOL / 2n

let world: World
let maker: Party
let sibling: Party
let feePayer: Ids
let theirs: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
  await newParty(world, 'HOUSE')
  maker = await newParty(world, 'MAKER', 'HOUSE')
  sibling = await newParty(world, 'SIBLING', 'HOUSE')
  feePayer = await maker.records.feePayer()
  await sibling.records.feePayer()
  await maker.api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: feePayer, count: 4 })
})
afterAll(() => world.stop())
beforeEach(async () => {
  theirs = await sibling.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
})

const reservedOf = async ({ api }: Party, { offchainId }: Ids): Promise<number> =>
  (await api.read<{ reserved: { lamports: number } }>('/accounts/single/balance', { offchainId })).reserved.lamports

interface Named {
  readonly offchainId: string
}

async function paymentOfTheirs(members: object = {}): Promise<Named> {
  const itemData = { source: { onchainId: theirs.onchainId }, destination: feePayer, lamports: AMOUNT.toString() }
  const config = { feePayer, ...members }
  const { status, offchainId } = await eventually(() => maker.api.ok<Result>(201, 'POST', PAY, itemData, { config }))
  expect(status).toBe('PREPARED')
  return { offchainId }
}

/** A payment that the maker has signed with its fee payer, and the other organization has not. */
async function signedByMaker(members: object = {}): Promise<Named> {
  const payment = await paymentOfTheirs(members)
  expect((await sign(maker, payment, feePayer)).status).toBe('PARTIALLY_SIGNED')
  return payment
}

const sign = (party: Party, { offchainId }: Named, signer: Ids): Promise<Result> =>
  party.api.ok<Result>(200, 'POST', SIGN, { transaction: { offchainId }, signers: [signer] })
const reservations = async (party: Party, { offchainId }: Named): Promise<readonly object[]> =>
  (await party.api.read<{ reservations: object[] }>('/transactions/explain', { offchainId })).reservations
const payAll = (): Promise<Result> =>
  sibling.api.ok<Result>(201, 'POST', PAY, {
    source: theirs,
    destination: { onchainId: feePayer.onchainId },
    transferEntireBalance: true,
  })

describe('a payment out of the account of another organization, signed by the fee payer', () => {
  it('reserves nothing on that account, and its owner can pay all of it', async () => {
    const fees = await reservedOf(maker, feePayer)
    const transaction = await signedByMaker({ messageLifetimeStrategy: 'DURABLE_NONCE' })
    expect(await reservedOf(sibling, theirs)).toBe(0)
    expect(await reservedOf(maker, feePayer)).toBeGreaterThan(fees)
    expect(await reservations(maker, transaction)).toEqual([
      expect.objectContaining({ offchainId: feePayer.offchainId }),
    ])
    expect((await payAll()).success).toBe(true)
    await sibling.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', SIGN, { transaction, signers: [theirs] })
    const { status } = await maker.api.ok<Result>(200, 'PATCH', '/transactions/cancel', transaction)
    expect(status).toBe('CANCELLED')
    expect(await reservedOf(sibling, theirs)).toBe(0)
    // The transaction that advances the nonce may still be open.
    await eventually(async () => expect(await reservedOf(maker, feePayer)).toBe(fees))
    await sibling.records.accountsEqualChain(theirs)
  })

  it('reserves with the signature of that account, and is paid once', async () => {
    const transaction = await signedByMaker()
    expect((await sign(sibling, transaction, theirs)).status).toBe('SIGNED')
    expect(await reservedOf(sibling, theirs)).toBe(Number(AMOUNT))
    expect(await reservations(maker, transaction)).toHaveLength(2)
    expect((await maker.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    expect(await reservedOf(sibling, theirs)).toBe(0)
    await sibling.records.accountsEqualChain(theirs)
    await maker.records.accountsEqualChain(feePayer)
  })

  it('reserves all with the signature of that account if that is the first one', async () => {
    const fees = await reservedOf(maker, feePayer)
    const transaction = await paymentOfTheirs()
    expect((await sign(sibling, transaction, theirs)).status).toBe('PARTIALLY_SIGNED')
    expect(await reservedOf(sibling, theirs)).toBe(Number(AMOUNT))
    expect(await reservedOf(maker, feePayer)).toBeGreaterThan(fees)
    expect((await sign(maker, transaction, feePayer)).status).toBe('SIGNED')
    expect(await reservedOf(sibling, theirs)).toBe(Number(AMOUNT))
    await maker.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
    await sibling.records.accountsEqualChain(theirs)
    await maker.records.accountsEqualChain(feePayer)
  })

  it('releases what it has reserved, and no more, when it expires', async () => {
    const fees = await reservedOf(maker, feePayer)
    await signedByMaker()
    const open = await signedByMaker()
    await sign(sibling, open, theirs)
    expect(await reservedOf(sibling, theirs)).toBe(Number(AMOUNT))
    await world.passSlots(200)
    await eventually(async () => expect(await reservedOf(sibling, theirs)).toBe(0))
    await eventually(async () => expect(await reservedOf(maker, feePayer)).toBe(fees))
  })
})

it('reserves tokens of another organization with the signature of their owner', async () => {
  const token = await maker.records.instrument('SPL', feePayer)
  const [from, to] = [await sibling.records.account(), await maker.records.account()]
  const position = await sibling.records.position(from, { onchainId: token.onchainId } as Ids)
  await maker.records.mint({ onchainId: position.onchainId } as Ids, 10n)
  const itemData = {
    source: { position: { onchainId: position.onchainId } },
    destination: { owner: to, financialInstrument: token },
    initializeDestinationPositionIfNeeded: true,
    lamports: 10,
  }
  const transaction = await maker.api.ok<Result>(201, 'POST', '/positions/transfer', itemData, { config: { feePayer } })
  await sign(maker, transaction, feePayer)
  const reserved = async () =>
    (await sibling.api.read<{ reserved: { lamports: number } }>('/positions/single', { position })).reserved.lamports
  expect(await reserved()).toBe(0)
  await sign(sibling, transaction, from)
  expect(await reserved()).toBe(10)
})

describe('the debit limit of another organization', () => {
  const HALF_AND_A_BIT = [to('ANY', within(0.6, 'HOURS'))]
  const payHalf = { destination: { onchainId: '' }, lamports: AMOUNT.toString() }

  beforeEach(async () => {
    theirs = await sibling.records.funded({ networkCurrencyDebitLimits: HALF_AND_A_BIT }, 3n * SOL)
    payHalf.destination = { onchainId: feePayer.onchainId }
  })

  it('is not used up by what its owner has not signed, and holds when the owner signs', async () => {
    const transaction = await signedByMaker({ messageLifetimeStrategy: 'DURABLE_NONCE' })
    const paid = await sibling.api.ok<Result>(201, 'POST', PAY, { source: theirs, ...payHalf })
    expect(paid.success).toBe(true)
    await sibling.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', SIGN, { transaction, signers: [theirs] })
    expect(await reservedOf(sibling, theirs)).toBe(0)
    await maker.api.ok<Result>(200, 'PATCH', '/transactions/cancel', transaction)
  })

  it('counts what its owner has signed, once', async () => {
    const transaction = await signedByMaker()
    expect((await sign(sibling, transaction, theirs)).status).toBe('SIGNED')
    await sibling.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, { source: theirs, ...payHalf })
    expect((await maker.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    await sibling.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', PAY, { source: theirs, ...payHalf })
    const rest = { source: theirs, ...payHalf, lamports: (SOL / 20n).toString() }
    expect((await sibling.api.ok<Result>(201, 'POST', PAY, rest)).success).toBe(true)
  })

  it('counts tokens of a wallet with the signature of the wallet', async () => {
    const token = await maker.records.instrument('SPL', feePayer)
    const from = await sibling.records.account({ tokenDebitLimits: [to('ANY', within(0.000015, 'HOURS'))] })
    const destination = await maker.records.account()
    const position = await sibling.records.position(from, { onchainId: token.onchainId } as Ids)
    await maker.records.mint({ onchainId: position.onchainId } as Ids, 100n)
    const transfer = {
      source: { position: { onchainId: position.onchainId } },
      destination: { owner: { onchainId: destination.onchainId }, financialInstrument: { onchainId: token.onchainId } },
      initializeDestinationPositionIfNeeded: true,
      lamports: 10,
    }
    const config = { feePayer }
    const made = await maker.api.ok<Result>(201, 'POST', '/positions/transfer', transfer, { config })
    const transaction = { offchainId: made.offchainId }
    await sign(maker, transaction, feePayer)
    expect((await sibling.api.ok<Result>(201, 'POST', '/positions/transfer', transfer)).success).toBe(true)
    await sibling.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', SIGN, { transaction, signers: [from] })
  })
})

describe('a message made elsewhere, signed by the fee payer of another organization,', () => {
  const key = ({ onchainId }: Pick<Ids, 'onchainId'>): PublicKey => new PublicKey(onchainId)

  async function record(...instructions: TransactionInstruction[]): Promise<Named> {
    const serializedTransaction = await new LimitFixture(world).foreign(feePayer.onchainId, instructions)
    const itemData = { serializedTransaction, signers: [{ onchainId: feePayer.onchainId }] }
    const { offchainId, status } = await maker.api.ok<Result>(200, 'POST', SIGN, itemData)
    expect(status).toBe('PARTIALLY_SIGNED')
    return { offchainId }
  }

  /** Nothing but the fee, of the maker. */
  async function reservesOnlyTheFee(message: Named): Promise<void> {
    expect(await reservations(maker, message)).toEqual([expect.objectContaining({ offchainId: feePayer.offchainId })])
  }

  it('reserves no tokens in the name of somebody else than their owner, also of an outside owner', async () => {
    const token = await sibling.records.instrument('SPL', await sibling.records.account())
    const outside = Keypair.generate().publicKey.toBase58()
    const wallet = await sibling.records.account()
    const positions = [
      await sibling.records.position(wallet, token, 10n),
      await sibling.records.position({ onchainId: outside, offPlatform: true } as unknown as Ids, token, 10n),
    ]
    const other = Keypair.generate().publicKey
    const pay = (position: Ids, authority: PublicKey): TransactionInstruction =>
      createTransferCheckedInstruction(key(position), key(token), key(positions[0]!), authority, 10n, 9)
    for (const position of positions) await reservesOnlyTheFee(await record(pay(position, other)))
    // Anybody in the tenant may record an outside account.
    await maker.api.ok(201, 'POST', '/accounts', { onchainId: outside, managed: false })
    await reservesOnlyTheFee(await record(pay(positions[1]!, new PublicKey(outside))))
  })

  it('reserves nothing of a nonce account', async () => {
    const authority = await sibling.records.account()
    const { newDurableNonceAccounts: nonces } = await sibling.api.ok<{ newDurableNonceAccounts: readonly Ids[] }>(
      201,
      'POST',
      '/durable-nonce-accounts',
      { nonceAuthority: authority, count: 1 },
    )
    const [noncePubkey, authorizedPubkey, toPubkey] = [key(nonces[0]!), key(authority), key(feePayer)]
    const message = await record(
      SystemProgram.nonceWithdraw({ noncePubkey, authorizedPubkey, toPubkey, lamports: 1_000_000 }),
    )
    await reservesOnlyTheFee(message)
    const body = { account: nonces[0]!, refundDestination: authority }
    const { chainTransaction } = await sibling.api.ok<WithTransaction>(200, 'PATCH', '/accounts/inactivate', body)
    expect(chainTransaction?.success).toBe(true)
  })
})
