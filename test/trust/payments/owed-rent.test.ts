// Rent that a fee payer of another organization paid, and a user that takes it out by transactions made elsewhere, by
// another tenant's transaction, in several withdrawals or through a new authority. Balances are read from the chain.
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, unwatched, type World } from '../../e2e/harness.ts'
import { LimitFixture, stranger } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, NewPosition, Problems, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { programOf } from '../../e2e/onchain.ts'
import { tenant, type Tenant } from '../fixtures/tenants.ts'

let world: World
let fixture: LimitFixture
let user: Tenant
let other: Tenant
let feePayer: Ids
let instrument: Ids
/** Fee payers of another tenant, and of another organization of the user's tenant. */
let payers: Readonly<Record<'tenant' | 'organization', Ids>>

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  fixture = new LimitFixture(world)
  user = await tenant(world, 'USER')
  other = await tenant(world, 'OTHER')
  const sibling = await tenant(world, 'SIBLING', 'USER')
  instrument = await user.records.instrument('TOKEN_2022', await user.records.account())
  feePayer = await user.records.feePayer()
  const pays = { globalFeePayerForOrgs: ['USER'], canPayFees: true }
  payers = { tenant: await other.records.funded(pays), organization: await sibling.records.funded(pays) }
  const acceptedFeePayers = [payers.tenant.onchainId]
  await user.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'USER', acceptedFeePayers })
})
afterAll(() => world.stop())

const key = ({ onchainId }: Ids): PublicKey => new PublicKey(onchainId)
const paidBy = (payer: Ids) => ({ config: { feePayer: { onchainId: payer.onchainId } } })
const lamports = (...accounts: readonly Ids[]): Promise<bigint[]> =>
  Promise.all(accounts.map(({ onchainId }) => world.chain.lamports(onchainId)))
const pay = (from: Ids, to: Ids, amount: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: key(from), toPubkey: key(to), lamports: amount })
const close = (position: Ids, owner: Ids, to: Ids): TransactionInstruction =>
  createCloseAccountInstruction(key(position), key(to), key(owner), [], programOf('TOKEN_2022'))
const withdraw = (nonce: Ids, authority: Ids, to: Ids, amount: bigint): TransactionInstruction =>
  SystemProgram.nonceWithdraw({
    noncePubkey: key(nonce),
    authorizedPubkey: key(authority),
    toPubkey: key(to),
    lamports: Number(amount),
  })

async function open(owner: Ids, payer: Ids): Promise<Ids> {
  const body = { owner, financialInstrument: instrument }
  return (await user.api.ok<NewPosition>(201, 'POST', '/positions', body, paidBy(payer))).newPosition
}

async function makeNonce(nonceAuthority: Ids, payer: Ids): Promise<Ids> {
  const { newDurableNonceAccounts } = await user.api.ok<{ newDurableNonceAccounts: readonly Ids[] }>(
    201,
    'POST',
    '/durable-nonce-accounts',
    { nonceAuthority, count: 1 },
    paidBy(payer),
  )
  return newDurableNonceAccounts[0]!
}

async function sign(
  instructions: readonly TransactionInstruction[],
  more: object = {},
  { api } = user,
  pays = feePayer,
) {
  const serializedTransaction = await fixture.foreign(pays.onchainId, instructions)
  return await api.send<Result & Problems>('POST', '/transactions/sign', { serializedTransaction, ...more })
}
const submit = (transaction: { readonly offchainId?: string }, { api } = user) =>
  api.send<Result & Problems>('POST', '/transactions/submit', { transaction: { offchainId: transaction.offchainId } })

async function lands(instructions: readonly TransactionInstruction[]): Promise<void> {
  const signed = await sign(instructions)
  expect([signed.status, signed.body.errors]).toEqual([200, undefined])
  expect(await submit(signed.body)).toMatchObject({ status: 200, body: { success: true } })
}

async function isOwed(instructions: readonly TransactionInstruction[]): Promise<void> {
  const { status, body } = await sign(instructions)
  expect([status, body.errors?.[0]?.code, body.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([
    400,
    'RENT_OWED',
    '/itemData/serializedTransaction',
  ])
}

describe.each(['tenant', 'organization'] as const)('14.3: rent paid by the fee payer of another %s', (of) => {
  it('of a position returns to it, whoever made the transaction that closes it', async () => {
    const payer = payers[of]
    const owner = await user.records.funded()
    const position = await open(owner, payer)
    const before = await lamports(payer, owner, position)
    const rent = before[2]!
    await isOwed([close(position, owner, owner)])
    await isOwed([close(position, owner, feePayer)])
    await isOwed([close(position, owner, owner), pay(owner, payer, rent - 1n)])
    await isOwed([close(position, owner, owner), pay(owner, feePayer, rent)])
    expect(await lamports(payer, owner, position)).toEqual(before)
    await lands([close(position, owner, owner), pay(owner, payer, rent)])
    expect(await lamports(payer, owner, position)).toEqual([before[0]! + rent, before[1], 0n])
    const next = await open(owner, payer)
    const [paid] = await lamports(payer)
    await lands([close(next, owner, payer)])
    expect(await lamports(payer)).toEqual([paid! + rent])
  })

  it('of two positions is returned twice', async () => {
    const payer = payers[of]
    const owner = await user.records.funded()
    const body = { owner, financialInstrument: await user.records.instrument('TOKEN_2022', owner) }
    const { newPosition } = await user.api.ok<NewPosition>(201, 'POST', '/positions', body, paidBy(payer))
    const both = [await open(owner, payer), newPosition]
    const [first, second, before] = await lamports(...both, payer)
    const closings = both.map((position) => close(position, owner, owner))
    await isOwed([...closings, pay(owner, payer, second!)])
    await lands([...closings, pay(owner, payer, first! + second!)])
    expect(await lamports(payer)).toEqual([before! + first! + second!])
  })

  it('of a nonce account is left in it, or returns', async () => {
    const payer = payers[of]
    // A withdrawal to another tenant is a debit.
    const authority = await user.records.funded({ networkCurrencyDebitLimits: [] })
    const nonce = await makeNonce(authority, payer)
    const [rent] = await lamports(nonce)
    await lands([pay(authority, nonce, rent!)])
    const before = await lamports(payer, authority)
    await isOwed([withdraw(nonce, authority, authority, 2n * rent!)])
    await isOwed([withdraw(nonce, authority, authority, rent!), withdraw(nonce, authority, authority, rent!)])
    // Signed and not sent: what the first leaves is the rent, which the second would take.
    const kept = await sign([withdraw(nonce, authority, authority, rent!)])
    expect(kept.status).toBe(200)
    await isOwed([withdraw(nonce, authority, authority, rent!), pay(authority, feePayer, 1n)])
    expect(await submit(kept.body)).toMatchObject({ status: 200, body: { success: true } })
    expect(await lamports(payer, authority, nonce)).toEqual([before[0], before[1]! + rent!, rent])
    await isOwed([withdraw(nonce, authority, authority, rent!), pay(authority, feePayer, 2n)])
    await lands([withdraw(nonce, authority, payer, rent!)])
    expect(await lamports(payer, nonce)).toEqual([before[0]! + rent!, 0n])
  })

  it('of a nonce account that is inactivated returns to it', async () => {
    const payer = payers[of]
    const authority = await user.records.funded({ networkCurrencyDebitLimits: [] })
    const account = await makeNonce(authority, payer)
    const [rent, before] = await lamports(account, payer)
    const owed = { account, refundDestination: authority }
    const { pointer } = await user.api.refuses(400, 'RENT_OWED', 'PATCH', '/accounts/inactivate', owed)
    expect(pointer).toBe('/itemData/refundDestination')
    const refundDestination = { onchainId: payer.onchainId, offPlatform: true }
    const returned = { account, refundDestination }
    await user.api.ok(200, 'PATCH', '/accounts/inactivate', returned, paidBy(feePayer))
    expect(await lamports(account, payer)).toEqual([0n, before! + rent!])
  })

  it('of two nonce accounts is returned twice', async () => {
    const payer = payers[of]
    const authority = await user.records.funded({ networkCurrencyDebitLimits: [] })
    const [first, second] = [await makeNonce(authority, payer), await makeNonce(authority, payer)]
    // The runtime lets nobody empty a nonce account in the block that has set its value.
    const slot = await world.chain.connection.getSlot('processed')
    await eventually(async () => expect(await world.chain.connection.getSlot('processed')).toBeGreaterThan(slot + 1))
    const [rent, before] = await lamports(first, payer)
    const through = withdraw(first, authority, second, rent!)
    const back = withdraw(second, authority, payer, rent!)
    await isOwed([through, back, withdraw(second, authority, authority, rent!)])
    const all = [withdraw(first, authority, payer, rent!), withdraw(second, authority, authority, rent!)]
    await lands([...all, pay(authority, payer, rent!)])
    expect(await lamports(first, second, payer)).toEqual([0n, 0n, before! + 2n * rent!])
  })

  it('of a lookup table returns to it', async () => {
    const authority = await user.records.funded()
    const { newAddressLookupTable: table } = await user.api.ok<{ newAddressLookupTable: Ids }>(
      201,
      'POST',
      '/address-lookup-tables',
      { authority, addressLookupTable: {}, componentAddresses: [{ onchainId: feePayer.onchainId }] },
      paidBy(payers[of]),
    )
    const closing = (recipient: Ids) =>
      AddressLookupTableProgram.closeLookupTable({
        lookupTable: key(table),
        authority: key(authority),
        recipient: key(recipient),
      })
    await isOwed([closing(authority)])
    expect((await sign([closing(payers[of])])).status).toBe(200)
  })

  it('of a mint is not handed to an authority whose key is not held here', async () => {
    const authority = await user.records.funded()
    const body = { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: authority, closingAuthority: authority }
    const { newFinancialInstrument: financialInstrument } = await user.api.ok<{ newFinancialInstrument: Ids }>(
      201,
      'POST',
      '/financial-instruments',
      { ...body, onchainData: { decimals: 0 } },
      paidBy(payers[of]),
    )
    const handOn = (closing: object) =>
      user.api.send<Problems>(
        'PATCH',
        '/financial-instruments/authorities',
        { financialInstrument, authorities: { closing } },
        paidBy(feePayer),
      )
    const refused = await handOn(stranger())
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([400, 'RENT_NOT_COVERED'])
    expect((await handOn(await user.records.account())).status).toBe(200)
  })

  it('is returned by a transaction that another tenant makes with a granted key', async () => {
    const payer = payers[of]
    const owner = await user.records.funded({ orgsAllowedToSignWithPrivateKey: ['OTHER'] })
    const position = await open(owner, payer)
    const theirs = await other.records.feePayer()
    const before = await lamports(payer, owner)
    const signed = await sign([close(position, owner, owner)], {}, other, theirs)
    expect([signed.status, signed.body.errors?.[0]?.code], JSON.stringify(signed.body)).toEqual([400, 'RENT_OWED'])
    expect(JSON.stringify(signed.body)).not.toContain(payer.onchainId)
    expect(await lamports(payer, owner)).toEqual(before)
    expect((await sign([close(position, owner, payer)], {}, other, theirs)).status).toBe(200)
  })

  it('returns although the closing was signed before the account was opened', async () => {
    const payer = payers[of]
    const owner = await user.records.funded()
    const address = getAssociatedTokenAddressSync(key(instrument), key(owner), false, programOf('TOKEN_2022'))
    const kept = await sign([close({ ...owner, onchainId: address.toBase58() }, owner, owner)])
    expect(kept.status).toBe(200)
    expect((await open(owner, payer)).onchainId).toBe(address.toBase58())
    const before = await lamports(payer, owner)
    expect((await submit(kept.body)).body.errors?.[0]?.code).toBe('RENT_OWED')
    expect(await lamports(payer, owner)).toEqual(before)
  })
})

describe('rent that somebody else paid for the fee payer', () => {
  it('is all that is returned to it: the contents stay with the owner', async () => {
    const robber = Keypair.generate()
    await world.chain.airdrop(robber.publicKey.toBase58(), SOL)
    const owner = await user.records.funded({ networkCurrencyDebitLimits: [] }, 10n * SOL)
    const config = { feePayer: { onchainId: payers.tenant.onchainId, autoSign: false } }
    const mint = await user.records.instrument('SPL', owner)
    const body = { owner, financialInstrument: mint }
    const { newPosition } = await user.api.ok<NewPosition>(201, 'POST', '/positions', body, { config })
    const creation = createAssociatedTokenAccountIdempotentInstruction(
      robber.publicKey,
      key(newPosition),
      key(owner),
      key(mint),
    )
    const serializedTransaction = await fixture.foreign(robber.publicKey.toBase58(), [creation], [robber])
    const { body: made } = await other.api.send<Result>('POST', '/transactions/submit', { serializedTransaction })
    expect(made.success, JSON.stringify(made)).toBe(true)
    const deposit = { source: owner, destination: { onchainId: newPosition.onchainId }, amount: 5 }
    await user.api.ok(201, 'POST', '/positions/transfer-network-currency', deposit, paidBy(feePayer))
    const before = await lamports(payers.tenant, owner, newPosition)
    await user.api.ok(200, 'PATCH', '/positions/close', { position: { position: newPosition } }, paidBy(feePayer))
    const after = [before[0]! + before[2]! - 5n * SOL, before[1]! + 5n * SOL, 0n]
    expect(await lamports(payers.tenant, owner, newPosition)).toEqual(after)
  })
})
