// Nonces and signatures: leased with the first one, voided by an advance, and brought by transactions made elsewhere.
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
import { startWorld, type World } from './harness.ts'
import type { Ids, Problems, Result } from './models.ts'
import { DURABLE, NonceYard, where } from './nonce-yard.ts'

const SIGN = '/transactions/sign'
const SUBMIT = '/transactions/submit'
const CANCEL = '/transactions/cancel'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const unsigned = (yard: NonceYard): Promise<Result> =>
  yard.paid(DURABLE, { source: { ...yard.source, autoSign: false } })
const cancel = (yard: NonceYard, { offchainId }: Result) => yard.api.ok<Result>(200, 'PATCH', CANCEL, { offchainId })
/** `200`, or `ENDED` for what has been cancelled meanwhile. */
async function cancelAgain(yard: NonceYard, { offchainId }: Result): Promise<string> {
  const { status, body } = await yard.api.send<Partial<Problems>>('PATCH', CANCEL, { offchainId })
  const answer = body.errors?.[0]?.code ?? String(status)
  expect(['200', 'ENDED']).toContain(answer)
  return answer
}
const settled = (yard: NonceYard) => yard.records.accountsEqualChain(yard.source, yard.destination, yard.feePayer)

describe('a message that nobody has signed', () => {
  it('leases nothing, and Sign leases', async () => {
    const yard = await NonceYard.open(world, 'LEASING', 1)
    const [only] = yard.nonces as [Ids]
    const prepared = await unsigned(yard)
    expect(prepared.status).toBe('PREPARED')
    expect((await yard.nonce(only)).inUse).toBeNull()
    const signed = await yard.sign(prepared)
    expect(signed).toMatchObject({ status: 'SIGNED', serializedMessage: prepared.serializedMessage })
    expect((await yard.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    await yard.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId: prepared.offchainId } })
    await yard.reaches(prepared, 'FINALIZED')
    await yard.free(only)
    await settled(yard)
  })

  it('is made anew by Sign when its nonce was used meanwhile, and signatures of the old message are refused', async () => {
    const yard = await NonceYard.open(world, 'RENEWING', 2)
    const prepared = await unsigned(yard)
    const before = await yard.details(prepared)
    const used = await yard.paid()
    await yard.reaches(used, 'FINALIZED')
    expect((await yard.details(used)).nonceAccount).toEqual(before.nonceAccount)
    await yard.free(before.nonceAccount!)
    const stale = [{ onchainId: yard.source.onchainId, signature: bs58.encode(Buffer.alloc(64, 1)) }]
    const refusal = { transaction: { offchainId: prepared.offchainId }, signatures: stale }
    await yard.api.refused(400, 'NONCE_EXPIRED', 'POST', SIGN, refusal)
    const signed = await yard.sign(prepared)
    expect(signed.status).toBe('SIGNED')
    expect(signed.serializedMessage).not.toBe(prepared.serializedMessage)
    const after = await yard.details(prepared)
    // Accounts made in one block start with one value: it is the pair that is new.
    expect([after.nonceAccount, after.recentBlockhash]).not.toEqual([before.nonceAccount, before.recentBlockhash])
    await yard.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId: prepared.offchainId } })
    await yard.reaches(prepared, 'FINALIZED')
    await settled(yard)
  })

  it('takes another nonce of the same authority when its own is leased, and waits when none is free', async () => {
    const yard = await NonceYard.open(world, 'TWO', 2)
    const [first, second, third] = [await unsigned(yard), await unsigned(yard), await unsigned(yard)]
    const nonceOf = async (result: Result): Promise<string> => (await yard.details(result)).nonceAccount!.onchainId
    expect(await nonceOf(first)).toBe(await nonceOf(second))
    await yard.sign(first)
    await yard.sign(second)
    expect(await nonceOf(first)).not.toBe(await nonceOf(second))
    await yard.api.refused(400, 'NONCE_UNAVAILABLE', 'POST', SIGN, { transaction: { offchainId: third.offchainId } })
    for (const { offchainId } of [first, second]) {
      await yard.api.ok(200, 'POST', SUBMIT, { transaction: { offchainId } })
      await yard.reaches({ offchainId }, 'FINALIZED')
    }
    for (const nonce of yard.nonces) await yard.free(nonce)
    expect((await yard.sign(third)).status).toBe('SIGNED')
    expect((await cancel(yard, third)).status).toBe('CANCELLED')
    for (const nonce of yard.nonces) await yard.free(nonce)
    await settled(yard)
  })

  it('is cancelled at once, and its nonce was never in use', async () => {
    const yard = await NonceYard.open(world, 'UNSIGNED', 1)
    const [only] = yard.nonces as [Ids]
    const value = await yard.value(only)
    const prepared = await unsigned(yard)
    expect((await cancel(yard, prepared)).status).toBe('CANCELLED')
    expect(await yard.nonce(only)).toMatchObject({ inUse: null, nonceHash: value })
  })
})

describe('cancelling what is signed', () => {
  it('voids it by an advance, with the proof that nothing of it landed', async () => {
    const yard = await NonceYard.open(world, 'VOIDING', 1)
    const [only] = yard.nonces as [Ids]
    const held = await yard.signedAndUnsent(true)
    const value = await yard.value(only)
    // The second may come when the first is done, and either may be answered before the advance has landed.
    const answers = await Promise.all([1, 2].map(() => cancelAgain(yard, held)))
    expect(answers).toContain('200')
    await yard.reaches(held, 'CANCELLED')
    expect(await yard.value(only)).not.toBe(value)
    await yard.free(only)
    // One advance for both, in a transaction of its own that says where it came from.
    const endpoint = {
      fieldName: 'endpoint',
      filterValues: [{ filterType: 'EQUALS', valueString: 'PATCH /api/v1/transactions/cancel' }],
    }
    const advances = await yard.query<Result>({ itemQuery: { filter: [endpoint] } }, '/transactions/bulk/detailed')
    expect(advances.items).toMatchObject([
      { instructions: [{ type: 'ADVANCE_NONCE' }, { type: 'SET_COMPUTE_UNIT_LIMIT' }] },
    ])
    await yard.reaches(advances.items[0]!, 'FINALIZED')
    const explained = await yard.api.read<{ expiryProof: { rule: string } }>('/transactions/explain', {
      offchainId: held.offchainId,
    })
    expect(explained.expiryProof.rule).toBe('nonce')
    // Whoever holds the bytes can do nothing with them any more.
    const bytes = Buffer.from(held.serializedTransaction!, 'base64')
    await expect(world.chain.connection.sendRawTransaction(bytes)).rejects.toThrow(/[Bb]lockhash/)
    expect((await yard.paid()).success).toBe(true)
    await yard.free(only)
    await settled(yard)
  })

  it('is done at once when nothing left the service, and the nonce is advanced all the same', async () => {
    const yard = await NonceYard.open(world, 'UNSEEN', 1)
    const [only] = yard.nonces as [Ids]
    const held = await yard.signedAndUnsent()
    const value = await yard.value(only)
    const { count: before } = await yard.query<Result>({}, '/transactions/bulk/compact')
    const answer = await yard.api.ok<Result>(
      200,
      'PATCH',
      CANCEL,
      { offchainId: held.offchainId },
      { headers: { Prefer: 'respond-async' } },
    )
    expect(answer.status).toBe('CANCELLED')
    expect((await yard.free(only)).nonceHash).not.toBe(value)
    expect((await cancel(yard, held)).status).toBe('CANCELLED')
    expect((await yard.query<Result>({}, '/transactions/bulk/compact')).count).toBe(before + 1)
    await settled(yard)
  })

  it('also gives back the nonce of what only others have signed', async () => {
    const yard = await NonceYard.open(world, 'OTHERS', 1)
    const [only] = yard.nonces as [Ids]
    const prepared = await unsigned(yard)
    const partly = await yard.sign(prepared, { signatures: [signedBy(yard, prepared)], signers: [] })
    expect(partly.status).toBe('PARTIALLY_SIGNED')
    expect((await yard.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    expect((await cancel(yard, prepared)).status).toBe('CANCELLED')
    await yard.free(only)
    await settled(yard)
  })

  it('cannot be kept from being void by cancelling the advance', async () => {
    const yard = await NonceYard.open(world, 'TWICE', 1)
    const [only] = yard.nonces as [Ids]
    const held = await yard.signedAndUnsent(true)
    const later = { headers: { Prefer: 'respond-async' } }
    await yard.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'TWICE' })
    await yard.api.ok(200, 'PATCH', CANCEL, { offchainId: held.offchainId }, later)
    const filter = [where('endpoint', 'EQUALS', { valueString: 'PATCH /api/v1/transactions/cancel' })]
    const [first] = (await yard.query<Result>({ itemQuery: { filter } }, '/transactions/bulk/compact')).items
    await yard.api.refused(400, 'VOIDS_ANOTHER', 'PATCH', CANCEL, { offchainId: first!.offchainId })
    await yard.api.ok(200, 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'TWICE' })
    await cancelAgain(yard, held)
    await yard.reaches(held, 'CANCELLED')
    await yard.reaches(first!, 'FINALIZED')
    await yard.free(only)
    await settled(yard)
  })

  it('is refused for what has landed', async () => {
    const yard = await NonceYard.open(world, 'LANDED', 1)
    const landed = await yard.paid()
    const { status, body } = await yard.api.send<{ errors: { code: string }[] }>('PATCH', CANCEL, {
      offchainId: landed.offchainId,
    })
    expect([status, ['LANDED', 'ENDED'].includes(body.errors[0]!.code)]).toEqual([400, true])
  })
})

describe('an authority whose key is kept elsewhere', () => {
  it('has to sign, and to advance the nonce if the transaction is to be void', async () => {
    const yard = await NonceYard.open(world, 'OUTSIDER', 1, false)
    const [only] = yard.nonces as [Ids]
    const prepared = await yard.paid()
    expect(prepared.status).toBe('PREPARED')
    const signed = await yard.sign(prepared, { signatures: [signedBy(yard, prepared)], returnSerialized: true })
    expect(signed.status).toBe('SIGNED')
    expect((await yard.nonce(only)).inUse).toMatchObject({ transactionOffchainId: prepared.offchainId })
    await yard.api.refused(400, 'NONCE_AUTHORITY_NOT_MANAGED', 'PATCH', CANCEL, { offchainId: prepared.offchainId })
    await yard.advanceOutside(only)
    await yard.reaches(prepared, 'EXPIRED')
    await yard.free(only)
    await settled(yard)
  })
})

/** The authority's signature, given outside. */
function signedBy({ authority, authorityKey }: NonceYard, { serializedMessage }: Result): object {
  const { message } = VersionedTransaction.deserialize(wrapped(Buffer.from(serializedMessage, 'base64')))
  const transaction = new VersionedTransaction(message)
  transaction.sign([authorityKey])
  const at = message.staticAccountKeys.findIndex((key) => key.equals(authorityKey.publicKey))
  return { onchainId: authority.onchainId, signature: bs58.encode(transaction.signatures[at]!) }
}

/** A message as a transaction without signatures, which the standard library can read. */
function wrapped(message: Uint8Array): Uint8Array {
  // After the version comes how many signatures there are.
  const signers = message[1]!
  return Buffer.concat([Buffer.from([signers]), Buffer.alloc(64 * signers), message])
}

describe('a transaction made elsewhere', () => {
  const built = (yard: NonceYard, opening: readonly TransactionInstruction[], recentBlockhash: string): string => {
    const payerKey = new PublicKey(yard.feePayer.onchainId)
    const [fromPubkey, toPubkey] = [new PublicKey(yard.source.onchainId), new PublicKey(yard.destination.onchainId)]
    const instructions = [...opening, SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 77 })]
    const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message()
    return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
  }

  it('leases a nonce of ours like one of our own', async () => {
    const yard = await NonceYard.open(world, 'FOREIGN', 2)
    const [nonce, other] = yard.nonces as [Ids, Ids]
    const serializedTransaction = built(yard, [yard.advance(nonce)], await yard.value(nonce))
    const signed = await yard.api.ok<Result>(200, 'POST', SIGN, { serializedTransaction })
    expect(signed.status).toBe('SIGNED')
    expect(await yard.details(signed)).toMatchObject({
      messageLifetimeStrategy: 'DURABLE_NONCE',
      lastValidBlockHeight: null,
      nonceAccount: nonce,
    })
    expect((await yard.nonce(nonce)).inUse).toMatchObject({ transactionOffchainId: signed.offchainId })
    const second = built(yard, [yard.advance(nonce), yard.transferOf(78)], await yard.value(nonce))
    await yard.api.refused(400, 'NONCE_UNAVAILABLE', 'POST', SIGN, { serializedTransaction: second })
    const result = await yard.api.ok<Result>(200, 'POST', SUBMIT, { transaction: { offchainId: signed.offchainId } })
    expect(result.success).toBe(true)
    await yard.reaches(signed, 'FINALIZED')
    await yard.free(nonce)
    expect((await yard.nonce(other)).inUse).toBeNull()
    await settled(yard)
  })

  it('is refused under a nonce that is not ours, has moved on, or is advanced beside the way', async () => {
    const yard = await NonceYard.open(world, 'STRANGE', 1)
    const stranger = await NonceYard.open(world, 'STRANGER', 1)
    const [nonce, foreign] = [yard.nonces[0]!, stranger.nonces[0]!]
    const refused = async (code: string, serializedTransaction: string, status = 400): Promise<void> => {
      await yard.api.refused(status, code, 'POST', SIGN, { serializedTransaction })
    }
    await refused('NONCE_NOT_OURS', built(yard, [stranger.advance(foreign)], await yard.value(foreign)))
    await refused('NONCE_EXPIRED', built(yard, [yard.advance(nonce)], await yard.value(foreign)))
    const authorizedPubkey = new PublicKey(yard.source.onchainId)
    const impostor = SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonce.onchainId), authorizedPubkey })
    await refused('NONCE_AUTHORITY_MISMATCH', built(yard, [impostor], await yard.value(nonce)))
    const { blockhash } = await world.chain.connection.getLatestBlockhash()
    await refused('INSTRUCTION_NOT_ALLOWED', built(yard, [yard.transferOf(1), yard.advance(nonce)], blockhash), 403)
    expect((await yard.nonce(nonce)).inUse).toBeNull()
  })

  it('that is signed completely is sent, and the nonce comes back', async () => {
    const yard = await NonceYard.open(world, 'COMPLETE', 1)
    const [nonce] = yard.nonces as [Ids]
    const payer = Keypair.generate()
    await world.chain.airdrop(payer.publicKey.toBase58(), 1_000_000_000n)
    const nonceInfo = { nonce: await yard.value(nonce), nonceInstruction: yard.advance(nonce) }
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo, minContextSlot: 0 })
    const toPubkey = new PublicKey(yard.destination.onchainId)
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 9 }))
    transaction.sign(payer, yard.authorityKey)
    const serializedTransaction = transaction.serialize().toString('base64')
    const sent = await yard.api.ok<Result>(200, 'POST', SUBMIT, { serializedTransaction })
    expect(sent.success).toBe(true)
    await yard.reaches(sent, 'FINALIZED')
    await yard.free(nonce)
    await settled(yard)
  })
})
