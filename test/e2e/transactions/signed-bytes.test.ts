// The complete bytes of a transaction, over HTTP: the service returns them on request. A client that submits them
// completes or sends the same record, and a repeated request neither loses nor repeats anything.
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
const SIGN = '/transactions/sign'
const SUBMIT = '/transactions/submit'

interface Signed extends Result {
  readonly serializedTransaction?: string
}

let world: World
let payer: Ids
let to: Ids
let outsider: Keypair
let outside: Ids
let lamports = 1_000

beforeAll(async () => {
  // What is signed and submitted later must still land on a busy machine.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '200' })
  payer = await world.records.feePayer()
  to = await world.records.funded({}, SOL)
  outsider = Keypair.generate()
  await world.chain.airdrop(outsider.publicKey.toBase58(), SOL)
  outside = await world.records.account({
    managed: false,
    onchainId: outsider.publicKey.toBase58(),
    alreadyOnchain: true,
  })
})
afterAll(() => world.stop())

const sign = (itemData: object) => world.api.ok<Signed>(200, 'POST', SIGN, itemData)
const submit = (itemData: object) => world.api.ok<Result>(200, 'POST', SUBMIT, itemData)
const status = (offchainId: string) => world.api.read<Result>('/transactions/status', { offchainId })
const prepared = async (source: object): Promise<Result> => {
  const result = await world.api.ok<Result>(201, 'POST', PAY, { source, destination: to, lamports: (lamports += 1) })
  expect(result.status).toBe('PREPARED')
  return result
}
const signedBy = (keypair: Keypair, message: string): VersionedTransaction => {
  const transaction = new VersionedTransaction(VersionedMessage.deserialize(Buffer.from(message, 'base64')))
  transaction.sign([keypair])
  return transaction
}
const text = (transaction: VersionedTransaction): string => Buffer.from(transaction.serialize()).toString('base64')
const buildTransfer = async (feePayer: string): Promise<VersionedTransaction> => {
  const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
  const transfer = SystemProgram.transfer({
    fromPubkey: new PublicKey(payer.onchainId),
    toPubkey: new PublicKey(to.onchainId),
    lamports: (lamports += 1),
  })
  const message = new TransactionMessage({
    payerKey: new PublicKey(feePayer),
    recentBlockhash: blockhash,
    instructions: [transfer],
  })
  return new VersionedTransaction(message.compileToV0Message())
}
const landed = async (result: Result): Promise<void> => {
  expect([result.status, result.success]).toEqual([expect.stringMatching(/^(CONFIRMED|FINALIZED)$/), true])
  const { value } = await world.chain.connection.getSignatureStatuses([result.onchainId!])
  expect(value[0]).toMatchObject({ err: null })
}

describe('a signed transaction that waits for Submit', () => {
  it.each([
    ['our own key', true],
    ['an outside key', false],
  ])('is returned unchanged when Sign is repeated: %s', async (_, own) => {
    const { offchainId, serializedMessage } = await prepared(own ? { ...payer, autoSign: false } : outside)
    const transaction = { offchainId }
    const signOutside = (): string => bs58.encode(signedBy(outsider, serializedMessage).signatures[1]!)
    const signatures = own ? [] : [{ onchainId: outside.onchainId, signature: signOutside() }]
    expect((await sign({ transaction, signatures })).status).toBe('SIGNED')
    expect(await sign({ transaction })).not.toHaveProperty('serializedTransaction')
    const secondResult = await sign({ transaction, signatures, returnSerialized: true })
    const { message, signatures: returnedSignatures } = VersionedTransaction.deserialize(
      Buffer.from(secondResult.serializedTransaction!, 'base64'),
    )
    expect(Buffer.from(message.serialize()).toString('base64')).toBe(serializedMessage)
    expect(bs58.encode(returnedSignatures[0]!)).toBe(secondResult.onchainId)
    await landed(await submit({ transaction }))
    // The code depends on whether the transaction is already final.
    const response = await world.api.send<Problems>('POST', SIGN, { transaction, returnSerialized: true })
    expect([response.status, ['ALREADY_SIGNED', 'ENDED'].includes(response.body.errors?.[0]?.code ?? '')]).toEqual([
      400,
      true,
    ])
    expect((await status(offchainId)).success).toBe(true)
  })

  it('can be sent by the bytes that Sign returned', async () => {
    const { offchainId } = await prepared({ ...payer, autoSign: false })
    const { serializedTransaction } = await sign({ transaction: { offchainId }, returnSerialized: true })
    const result = await submit({ serializedTransaction })
    expect(result.offchainId).toBe(offchainId)
    await landed(result)
    expect(await submit({ serializedTransaction })).toMatchObject({ offchainId, success: true })
  })

  it('is neither signed nor sent after it was cancelled', async () => {
    const { offchainId, serializedMessage } = await prepared(outside)
    const serializedTransaction = text(signedBy(outsider, serializedMessage))
    expect((await world.api.ok<Result>(200, 'PATCH', '/transactions/cancel', { offchainId })).status).toBe('CANCELLED')
    await world.api.refuses(400, 'ENDED', 'POST', SIGN, { serializedTransaction })
    await world.api.refuses(400, 'ENDED', 'POST', SUBMIT, { serializedTransaction })
    await world.api.refuses(400, 'ENDED', 'POST', SUBMIT, { transaction: { offchainId } })
  })
})

describe('bytes of a message with a record', () => {
  it('add the outside signature', async () => {
    const { offchainId, serializedMessage } = await prepared(outside)
    const serializedTransaction = text(signedBy(outsider, serializedMessage))
    const problem = await world.api.refuses(400, 'NOT_SIGNED', 'POST', SUBMIT, { serializedTransaction })
    expect(problem.pointer).toBe('/itemData/serializedTransaction')
    const signed = await sign({ serializedTransaction })
    expect([signed.offchainId, signed.status]).toEqual([offchainId, 'SIGNED'])
    await landed(await submit({ transaction: { offchainId } }))
  })

  it('are sent if they complete a message signed here', async () => {
    const { offchainId, serializedMessage } = await prepared(outside)
    const partly = await sign({ transaction: { offchainId }, signers: [payer] })
    expect(partly.status).toBe('PARTIALLY_SIGNED')
    const result = await submit({ serializedTransaction: text(signedBy(outsider, serializedMessage)) })
    expect(result.offchainId).toBe(offchainId)
    await landed(result)
  })

  it('with an invalid signature are refused', async () => {
    const { serializedMessage } = await prepared(outside)
    const transaction = signedBy(outsider, serializedMessage)
    transaction.signatures[1] = new Uint8Array(64).fill(7)
    for (const path of [SIGN, SUBMIT]) {
      await world.api.refuses(400, 'SIGNATURE_INVALID', 'POST', path, { serializedTransaction: text(transaction) })
    }
  })

  it('are not accepted from organizations without a part in the transaction', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'THIRD', name: 'third' })
    const body = { organizationExternalId: 'THIRD', name: 'test', bundle: 'ADMIN' }
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
    const { offchainId, serializedMessage } = await prepared(outside)
    const serializedTransaction = text(signedBy(outsider, serializedMessage))
    await world.api.as(apiKey).refuses(400, 'ALREADY_EXISTS', 'POST', SIGN, { serializedTransaction })
    expect((await status(offchainId)).status).toBe('PREPARED')
  })
})

describe('a transaction made elsewhere', () => {
  it('is returned with our signature on request', async () => {
    const foreign = await buildTransfer(payer.onchainId)
    const signed = await sign({ serializedTransaction: text(foreign), returnSerialized: true })
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(signed.serializedTransaction!, 'base64'))
    expect([signed.status, bs58.encode(signatures[0]!)]).toEqual(['SIGNED', signed.onchainId])
    const result = await submit({ serializedTransaction: signed.serializedTransaction })
    expect(result.offchainId).toBe(signed.offchainId)
    await landed(result)
  })

  it('is one record, however often it is submitted', async () => {
    const foreign = await buildTransfer(outside.onchainId)
    const first = await sign({ serializedTransaction: text(foreign) })
    expect(first.status).toBe('PREPARED')
    foreign.sign([outsider])
    const second = await sign({ serializedTransaction: text(foreign) })
    expect([second.offchainId, second.status]).toEqual([first.offchainId, 'SIGNED'])
    await landed(await submit({ transaction: { offchainId: first.offchainId } }))
  })
})
