// Nonces and signatures: leased with the first signature, voided by an advance, and used by transactions made
// elsewhere.
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { DURABLE, NONCES, NonceFixture, where, type CreatedNonces } from './nonce-fixture.ts'

const SIGN = '/transactions/sign'
const SUBMIT = '/transactions/submit'
const CANCEL = '/transactions/cancel'

let world: World

beforeAll(async () => {
  // An advance that is held back must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '100' })
})
afterAll(() => world.stop())

const unsigned = (fixture: NonceFixture): Promise<Result> =>
  fixture.paySuccessfully(DURABLE, { source: { ...fixture.source, autoSign: false } })
const cancel = (fixture: NonceFixture, { offchainId }: Result) =>
  fixture.api.ok<Result>(200, 'PATCH', CANCEL, { offchainId })
/** `200`, or `ENDED` for a transaction that has been cancelled meanwhile. */
async function cancelAgain(fixture: NonceFixture, { offchainId }: Result): Promise<string> {
  const { status, body } = await fixture.api.send<Partial<Problems>>('PATCH', CANCEL, { offchainId })
  const answer = body.errors?.[0]?.code ?? String(status)
  expect(['200', 'ENDED']).toContain(answer)
  return answer
}
const expectSettled = (fixture: NonceFixture) =>
  fixture.records.accountsEqualChain(fixture.source, fixture.destination, fixture.feePayer)

describe('an unsigned message', () => {
  it('leases its nonce at Sign, not before', async () => {
    const fixture = await NonceFixture.open(world, 'LEASING', 1)
    const [only] = fixture.nonces as [Ids]
    const prepared = await unsigned(fixture)
    expect(prepared.status).toBe('PREPARED')
    expect((await fixture.nonce(only)).inUse).toBeNull()
    const signed = await fixture.sign(prepared)
    expect(signed).toMatchObject({ status: 'SIGNED', serializedMessage: prepared.serializedMessage })
    expect((await fixture.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    await fixture.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId: prepared.offchainId } })
    await fixture.reaches(prepared, 'FINALIZED')
    await fixture.free(only)
    await expectSettled(fixture)
  })

  it('is rebuilt by Sign if its nonce was used meanwhile, and signatures of the old message are refused', async () => {
    const fixture = await NonceFixture.open(world, 'RENEWING', 2)
    const prepared = await unsigned(fixture)
    const before = await fixture.details(prepared)
    const payment = await fixture.paySuccessfully()
    await fixture.reaches(payment, 'FINALIZED')
    expect((await fixture.details(payment)).nonceAccount).toEqual(before.nonceAccount)
    await fixture.free(before.nonceAccount!)
    const stale = [{ onchainId: fixture.source.onchainId, signature: bs58.encode(Buffer.alloc(64, 1)) }]
    const refusal = { transaction: { offchainId: prepared.offchainId }, signatures: stale }
    await fixture.api.refuses(400, 'NONCE_EXPIRED', 'POST', SIGN, refusal)
    const signed = await fixture.sign(prepared)
    expect(signed.status).toBe('SIGNED')
    expect(signed.serializedMessage).not.toBe(prepared.serializedMessage)
    const after = await fixture.details(prepared)
    // Accounts created in one block start with one value: the pair is new.
    expect([after.nonceAccount, after.recentBlockhash]).not.toEqual([before.nonceAccount, before.recentBlockhash])
    await fixture.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId: prepared.offchainId } })
    await fixture.reaches(prepared, 'FINALIZED')
    await expectSettled(fixture)
  })

  it('waits for a creation that is only signed, and counts its nonce apart when it is refused', async () => {
    const fixture = await NonceFixture.open(world, 'SIGNED', 1)
    await fixture.signedAndUnsent()
    const lanes = { organizationExternalId: fixture.organization }
    const headers = { Prefer: 'respond-async' }
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', lanes)
    const itemData = { nonceAuthority: fixture.authority, count: 1 }
    const creation = await fixture.api.send<CreatedNonces>('POST', NONCES, itemData, { headers })
    expect(creation.body.chainTransaction?.status).toBe('SIGNED')
    const { status, body } = await fixture.pay(DURABLE, {}, headers)
    const counts = '1 in use, 1 being created, 0 frozen by an operator'
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(counts)])
    const waiting = fixture.paySuccessfully()
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', lanes)
    expect((await fixture.details(await waiting)).nonceAccount).toEqual(creation.body.newDurableNonceAccounts[0])
  })

  it('does not wait for a creation that is held for Submit', async () => {
    const fixture = await NonceFixture.open(world, 'HELD', 1)
    await fixture.signedAndUnsent()
    const itemData = { nonceAuthority: fixture.authority, count: 1 }
    const config = { feePayer: { ...fixture.feePayer, autoSign: false } }
    const created = await fixture.api.ok<CreatedNonces>(201, 'POST', NONCES, itemData, { config })
    const creation = created.chainTransaction!
    await fixture.sign(creation)
    const { status, body } = await fixture.pay(DURABLE, {}, { Prefer: 'wait=60' })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('1 being created')])
    // After a wait, its blockhash would have expired.
    const transaction = { offchainId: creation.offchainId }
    expect(await fixture.api.ok<Result>(200, 'POST', SUBMIT, { transaction })).toMatchObject({ success: true })
  })

  it('uses another nonce of the same authority if its own is leased, and waits if none is free', async () => {
    const fixture = await NonceFixture.open(world, 'TWO', 2)
    const [first, second, third] = [await unsigned(fixture), await unsigned(fixture), await unsigned(fixture)]
    const nonceOf = async (result: Result): Promise<string> => (await fixture.details(result)).nonceAccount!.onchainId
    expect(await nonceOf(first)).toBe(await nonceOf(second))
    await fixture.sign(first)
    await fixture.sign(second)
    expect(await nonceOf(first)).not.toBe(await nonceOf(second))
    await fixture.api.refuses(400, 'NONCE_UNAVAILABLE', 'POST', SIGN, { transaction: { offchainId: third.offchainId } })
    for (const { offchainId } of [first, second]) {
      await fixture.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId } })
      await fixture.reaches({ offchainId }, 'FINALIZED')
    }
    for (const nonce of fixture.nonces) await fixture.free(nonce)
    expect((await fixture.sign(third)).status).toBe('SIGNED')
    expect((await cancel(fixture, third)).status).toBe('CANCELLED')
    for (const nonce of fixture.nonces) await fixture.free(nonce)
    await expectSettled(fixture)
  })

  it('is cancelled at once, without a lease of its nonce', async () => {
    const fixture = await NonceFixture.open(world, 'UNSIGNED', 1)
    const [only] = fixture.nonces as [Ids]
    const value = await fixture.value(only)
    const prepared = await unsigned(fixture)
    expect((await cancel(fixture, prepared)).status).toBe('CANCELLED')
    expect(await fixture.nonce(only)).toMatchObject({ inUse: null, nonceHash: value })
  })
})

describe('cancelling a signed transaction', () => {
  it('voids it by an advance of the nonce, with proof that it never landed', async () => {
    const fixture = await NonceFixture.open(world, 'VOIDING', 1)
    const [only] = fixture.nonces as [Ids]
    const unsentPayment = await fixture.signedAndUnsent(true)
    const value = await fixture.value(only)
    // The second cancellation may come after the first is done, and either may be answered before the advance has
    // landed.
    const answers = await Promise.all([1, 2].map(() => cancelAgain(fixture, unsentPayment)))
    expect(answers).toContain('200')
    await fixture.reaches(unsentPayment, 'CANCELLED')
    expect(await fixture.value(only)).not.toBe(value)
    await fixture.free(only)
    // One advance for both, in its own transaction, which records its origin.
    const endpoint = {
      fieldName: 'endpoint',
      filterValues: [{ filterType: 'EQUALS', valueString: 'PATCH /api/v1/transactions/cancel' }],
    }
    const advances = await fixture.query<Result>({ itemQuery: { filter: [endpoint] } }, '/transactions/bulk/detailed')
    expect(advances.items).toMatchObject([
      { instructions: [{ type: 'ADVANCE_NONCE' }, { type: 'SET_COMPUTE_UNIT_LIMIT' }] },
    ])
    await fixture.reaches(advances.items[0]!, 'FINALIZED')
    const explained = await fixture.api.read<{ expiryProof: { rule: string } }>('/transactions/explain', {
      offchainId: unsentPayment.offchainId,
    })
    expect(explained.expiryProof.rule).toBe('nonce')
    // The signed bytes cannot be used any more.
    const bytes = Buffer.from(unsentPayment.serializedTransaction!, 'base64')
    await expect(world.chain.connection.sendRawTransaction(bytes)).rejects.toThrow(/[Bb]lockhash/)
    expect((await fixture.paySuccessfully()).success).toBe(true)
    await fixture.free(only)
    await expectSettled(fixture)
  })

  it('is done at once if no signature left the service, and the nonce is advanced as well', async () => {
    const fixture = await NonceFixture.open(world, 'UNSEEN', 1)
    const [only] = fixture.nonces as [Ids]
    const unsentPayment = await fixture.signedAndUnsent()
    const value = await fixture.value(only)
    const { count: before } = await fixture.query<Result>({}, '/transactions/bulk/compact')
    const answer = await fixture.api.ok<Result>(
      200,
      'PATCH',
      CANCEL,
      { offchainId: unsentPayment.offchainId },
      { headers: { Prefer: 'respond-async' } },
    )
    expect(answer.status).toBe('CANCELLED')
    expect((await fixture.free(only)).nonceHash).not.toBe(value)
    await fixture.api.refuses(400, 'ENDED', 'PATCH', CANCEL, { offchainId: unsentPayment.offchainId })
    expect((await fixture.query<Result>({}, '/transactions/bulk/compact')).count).toBe(before + 1)
    await expectSettled(fixture)
  })

  it('answers with the proof for a message that has only some of its signatures', async () => {
    const fixture = await NonceFixture.open(world, 'PARTLY', 1)
    const prepared = await unsigned(fixture)
    const partly = await fixture.sign(prepared, { signers: [fixture.source], returnSerialized: true })
    expect(partly.status).toBe('PARTIALLY_SIGNED')
    expect((await cancel(fixture, prepared)).status).toBe('CANCELLED')
    await fixture.free((fixture.nonces as [Ids])[0])
    await expectSettled(fixture)
  })

  it('releases the nonce of a message signed only by others', async () => {
    const fixture = await NonceFixture.open(world, 'OTHERS', 1)
    const [only] = fixture.nonces as [Ids]
    const prepared = await unsigned(fixture)
    const partly = await fixture.sign(prepared, { signatures: [signedBy(fixture, prepared)], signers: [] })
    expect(partly.status).toBe('PARTIALLY_SIGNED')
    expect((await fixture.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    expect((await cancel(fixture, prepared)).status).toBe('CANCELLED')
    await fixture.free(only)
    await expectSettled(fixture)
  })

  it('cannot be undone by cancelling the advance', async () => {
    const fixture = await NonceFixture.open(world, 'TWICE', 1)
    const [only] = fixture.nonces as [Ids]
    const unsentPayment = await fixture.signedAndUnsent(true)
    const asyncOptions = { headers: { Prefer: 'respond-async' } }
    await fixture.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'TWICE' })
    await fixture.api.ok(200, 'PATCH', CANCEL, { offchainId: unsentPayment.offchainId }, asyncOptions)
    const filter = [where('endpoint', 'EQUALS', { valueString: 'PATCH /api/v1/transactions/cancel' })]
    const [first] = (await fixture.query<Result>({ itemQuery: { filter } }, '/transactions/bulk/compact')).items
    await fixture.api.refuses(400, 'VOIDS_ANOTHER', 'PATCH', CANCEL, { offchainId: first!.offchainId })
    await fixture.api.ok(200, 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'TWICE' })
    await cancelAgain(fixture, unsentPayment)
    await fixture.reaches(unsentPayment, 'CANCELLED')
    await fixture.reaches(first!, 'FINALIZED')
    await fixture.free(only)
    await expectSettled(fixture)
  })

  it('is refused after the transaction landed', async () => {
    const fixture = await NonceFixture.open(world, 'LANDED', 1)
    const landed = await fixture.paySuccessfully()
    const { status, body } = await fixture.api.send<{ errors: { code: string }[] }>('PATCH', CANCEL, {
      offchainId: landed.offchainId,
    })
    expect([status, ['LANDED', 'ENDED'].includes(body.errors[0]!.code)]).toEqual([400, true])
  })
})

describe('a nonce authority whose key is held elsewhere', () => {
  it('must sign, and must sign the advance that voids the transaction', async () => {
    const fixture = await NonceFixture.open(world, 'OUTSIDER', 1, false)
    const [only] = fixture.nonces as [Ids]
    const prepared = await fixture.paySuccessfully()
    expect(prepared.status).toBe('PREPARED')
    const signed = await fixture.sign(prepared, { signatures: [signedBy(fixture, prepared)], returnSerialized: true })
    expect(signed.status).toBe('SIGNED')
    expect((await fixture.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    await fixture.api.refuses(400, 'NONCE_AUTHORITY_NOT_MANAGED', 'PATCH', CANCEL, { offchainId: prepared.offchainId })
    await fixture.advanceOutside(only)
    await fixture.reaches(prepared, 'EXPIRED')
    await fixture.free(only)
    await expectSettled(fixture)
  })
})

/** The signature of the authority, given outside. */
function signedBy({ authority, authorityKey }: NonceFixture, { serializedMessage }: Result): object {
  const { message } = VersionedTransaction.deserialize(wrapMessage(Buffer.from(serializedMessage, 'base64')))
  const transaction = new VersionedTransaction(message)
  transaction.sign([authorityKey])
  const at = message.staticAccountKeys.findIndex((key) => key.equals(authorityKey.publicKey))
  return { onchainId: authority.onchainId, signature: bs58.encode(transaction.signatures[at]!) }
}

/** A message as a transaction without signatures, which the standard library can parse. */
function wrapMessage(message: Uint8Array): Uint8Array {
  // The byte after the version is the number of signatures.
  const signers = message[1]!
  return Buffer.concat([Buffer.from([signers]), Buffer.alloc(64 * signers), message])
}

describe('a transaction made elsewhere', () => {
  const buildMessage = (
    fixture: NonceFixture,
    opening: readonly TransactionInstruction[],
    recentBlockhash: string,
  ): string => {
    const payerKey = new PublicKey(fixture.feePayer.onchainId)
    const [fromPubkey, toPubkey] = [
      new PublicKey(fixture.source.onchainId),
      new PublicKey(fixture.destination.onchainId),
    ]
    const instructions = [...opening, SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 77 })]
    const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message()
    return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
  }

  it('leases a managed nonce like any other', async () => {
    const fixture = await NonceFixture.open(world, 'FOREIGN', 2)
    const [nonce, other] = fixture.nonces as [Ids, Ids]
    const serializedTransaction = buildMessage(fixture, [fixture.advance(nonce)], await fixture.value(nonce))
    const signed = await fixture.api.ok<Result>(200, 'POST', SIGN, { serializedTransaction })
    expect(signed.status).toBe('SIGNED')
    expect(await fixture.details(signed)).toMatchObject({
      messageLifetimeStrategy: 'DURABLE_NONCE',
      lastValidBlockHeight: null,
      nonceAccount: nonce,
    })
    expect((await fixture.nonce(nonce)).inUse).toMatchObject({ transactionOffchainId: signed.offchainId })
    const second = buildMessage(fixture, [fixture.advance(nonce), fixture.transferOf(78)], await fixture.value(nonce))
    await fixture.api.refuses(400, 'NONCE_UNAVAILABLE', 'POST', SIGN, { serializedTransaction: second })
    const result = await fixture.api.ok<Result>(200, 'POST', SUBMIT, { transaction: { offchainId: signed.offchainId } })
    expect(result.success).toBe(true)
    await fixture.reaches(signed, 'FINALIZED')
    await fixture.free(nonce)
    expect((await fixture.nonce(other)).inUse).toBeNull()
    await expectSettled(fixture)
  })

  it('is refused if its nonce is unmanaged, was advanced, or is advanced by another instruction', async () => {
    const fixture = await NonceFixture.open(world, 'STRANGE', 1)
    const stranger = await NonceFixture.open(world, 'STRANGER', 1)
    const [nonce, foreign] = [fixture.nonces[0]!, stranger.nonces[0]!]
    const refuses = async (code: string, serializedTransaction: string, status = 400): Promise<void> => {
      await fixture.api.refuses(status, code, 'POST', SIGN, { serializedTransaction })
    }
    await refuses('NONCE_NOT_OURS', buildMessage(fixture, [stranger.advance(foreign)], await fixture.value(foreign)))
    await refuses('NONCE_EXPIRED', buildMessage(fixture, [fixture.advance(nonce)], await fixture.value(foreign)))
    const authorizedPubkey = new PublicKey(fixture.source.onchainId)
    const impostor = SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonce.onchainId), authorizedPubkey })
    await refuses('NONCE_AUTHORITY_MISMATCH', buildMessage(fixture, [impostor], await fixture.value(nonce)))
    const { blockhash } = await world.chain.connection.getLatestBlockhash()
    await refuses(
      'INSTRUCTION_NOT_ALLOWED',
      buildMessage(fixture, [fixture.transferOf(1), fixture.advance(nonce)], blockhash),
      403,
    )
    expect((await fixture.nonce(nonce)).inUse).toBeNull()
  })

  it('that is fully signed is sent, and its nonce released', async () => {
    const fixture = await NonceFixture.open(world, 'COMPLETE', 1)
    const [nonce] = fixture.nonces as [Ids]
    const payer = Keypair.generate()
    await world.chain.airdrop(payer.publicKey.toBase58(), 1_000_000_000n)
    const nonceInfo = { nonce: await fixture.value(nonce), nonceInstruction: fixture.advance(nonce) }
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo, minContextSlot: 0 })
    const toPubkey = new PublicKey(fixture.destination.onchainId)
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 9 }))
    transaction.sign(payer, fixture.authorityKey)
    const serializedTransaction = transaction.serialize().toString('base64')
    const result = await fixture.api.ok<Result>(200, 'POST', SUBMIT, { serializedTransaction })
    expect(result.success).toBe(true)
    await fixture.reaches(result, 'FINALIZED')
    await fixture.free(nonce)
    await expectSettled(fixture)
  })
})
