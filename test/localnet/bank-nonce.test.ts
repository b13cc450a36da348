// The life of a durable nonce, as a cluster runs it.

import { createHash } from 'node:crypto'
import { Keypair, NonceAccount, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lamportsOf, openTestBank, signatureOf, transfer, type TestBank } from './bank-chain.ts'

let test: TestBank
let payer: Keypair
let nonce: Keypair

beforeEach(async () => {
  test = await openTestBank()
  payer = await test.funded()
  nonce = Keypair.generate()
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: payer.publicKey,
    lamports: 2_000_000,
  })
  await test.run(create.instructions, [payer, nonce])
})
afterEach(() => test.remove())

const value = (): string =>
  NonceAccount.fromAccountData(test.bank.account(nonce.publicKey.toBytes())!.data as Buffer).nonce
const advance = (authority = payer): TransactionInstruction =>
  SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: authority.publicKey })
const withNonce = (instructions: TransactionInstruction[], blockhash = value()): Uint8Array =>
  test.build([advance(), ...instructions], [payer], { blockhash })
const derived = (blockhash: string): string =>
  bs58.encode(createHash('sha256').update('DURABLE_NONCE').update(bs58.decode(blockhash)).digest())

describe('a durable nonce', () => {
  it('starts with the value of its block and cannot be used in it', async () => {
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    const to = await test.funded()
    expect(await test.bank.send(withNonce(transfer(payer, to.publicKey, 5)))).toMatchObject({
      kind: 'refused',
      error: 'BlockhashNotFound',
    })
    await test.bank.advance(1)
    expect(await test.bank.send(withNonce(transfer(payer, to.publicKey, 5)))).toMatchObject({
      kind: 'executed',
      error: null,
    })
  })

  it('outlives the blockhash window, gets the value of the block it is used in, and is used once', async () => {
    const to = await test.funded()
    const stale = value()
    await test.bank.advance(400)
    const bytes = withNonce(transfer(payer, to.publicKey, 5))
    const signature = signatureOf(await test.bank.send(bytes))
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    expect(value()).not.toBe(derived(stale))
    expect(await test.bank.send(bytes)).toEqual({ kind: 'duplicate', signature })
    await test.bank.advance(400)
    expect(await test.bank.send(bytes)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' })
    expect(test.bank.messageFee(bytes.subarray(65))).toBeNull()
  })

  it('refuses old values, also those of earlier generations', async () => {
    const to = await test.funded()
    const old = [value()]
    for (let i = 0; i < 3; i += 1) {
      await test.bank.advance(1)
      await test.bank.send(withNonce(transfer(payer, to.publicKey, 5)))
      old.push(value())
    }
    await test.bank.advance(1)
    const current = old.pop()
    for (const blockhash of old) {
      expect(await test.bank.send(withNonce(transfer(payer, to.publicKey, 5), blockhash))).toMatchObject({
        kind: 'refused',
        error: 'BlockhashNotFound',
      })
    }
    expect(value()).toBe(current)
  })

  it('advances once per block', async () => {
    const to = await test.funded()
    await test.bank.advance(1)
    expect(await test.bank.send(withNonce(transfer(payer, to.publicKey, 5)))).toMatchObject({ error: null })
    const current = value()
    expect(await test.bank.send(withNonce(transfer(payer, to.publicKey, 6)))).toMatchObject({
      kind: 'refused',
      error: 'BlockhashNotFound',
    })
    // By an ordinary transaction too: its instruction fails (7: the nonce has not expired).
    const outcome = await test.bank.send(test.build([advance(), ...transfer(payer, to.publicKey, 7)], [payer]))
    expect(outcome).toMatchObject({ kind: 'executed', error: { InstructionError: [0, { Custom: 7 }] } })
    expect(value()).toBe(current)
  })

  it('is advanced by a failing transaction, whose fee is taken', async () => {
    await test.bank.advance(1)
    const poor = Keypair.generate()
    const before = { value: value(), lamports: lamportsOf(test.bank, payer.publicKey) }
    const bytes = withNonce(transfer(payer, poor.publicKey, 10n ** 15n))
    expect(await test.bank.send(bytes)).toMatchObject({
      kind: 'executed',
      error: { InstructionError: [2, { Custom: 1 }] },
    })
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    expect(value()).not.toBe(before.value)
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before.lamports - 5000n)
    await test.bank.advance(1)
    expect(await test.bank.send(withNonce(transfer(payer, poor.publicKey, 1_000_000), before.value))).toMatchObject({
      error: 'BlockhashNotFound',
    })
    const advanced = value()
    await test.restart()
    expect(value()).toBe(advanced)
  })

  it('is advanced by a transaction whose program does not exist, and may pay its own fees', async () => {
    await test.run(transfer(payer, nonce.publicKey, 10_000_000), [payer])
    await test.bank.advance(1)
    const before = { value: value(), lamports: lamportsOf(test.bank, nonce.publicKey) }
    const emptyInstruction = new TransactionInstruction({
      programId: Keypair.generate().publicKey,
      keys: [],
      data: Buffer.alloc(0),
    })
    const bytes = test.build([advance(), emptyInstruction], [nonce, payer], { blockhash: before.value })
    expect(await test.bank.send(bytes)).toMatchObject({
      kind: 'executed',
      error: expect.stringContaining('Program') as string,
    })
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    expect(lamportsOf(test.bank, nonce.publicKey)).toBe(before.lamports - 10_000n)
    // A second advance in the block, by an ordinary transaction that the nonce account pays for: it fails and pays.
    const outcome = await test.bank.send(test.build([advance()], [nonce, payer]))
    expect(outcome).toMatchObject({ kind: 'executed', error: { InstructionError: [0, { Custom: 7 }] } })
    expect(lamportsOf(test.bank, nonce.publicKey)).toBe(before.lamports - 20_000n)
    const current = value()
    await test.bank.advance(1)
    await test.run([advance()], [nonce, payer])
    expect(lamportsOf(test.bank, nonce.publicKey)).toBe(before.lamports - 30_000n)
    expect(value()).not.toBe(current)
  })

  it('requires the advance first and its authority among the signers', async () => {
    await test.bank.advance(1)
    const stranger = await test.funded()
    const blockhash = value()
    const lateAdvance = test.build([...transfer(payer, stranger.publicKey, 5), advance()], [payer], { blockhash })
    const foreign = test.build([advance(stranger), ...transfer(stranger, payer.publicKey, 5)], [stranger], {
      blockhash,
    })
    for (const bytes of [lateAdvance, foreign])
      expect(await test.bank.send(bytes)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' })
    expect(value()).toBe(blockhash)
  })

  it('is advanced by a transaction with an ordinary blockhash, which voids those of the old value', async () => {
    await test.bank.advance(1)
    const signed = withNonce(transfer(payer, Keypair.generate().publicKey, 1_000_000))
    await test.run([advance()], [payer])
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    await test.bank.advance(1)
    expect(await test.bank.send(signed)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' })
  })

  it('advances with the blockhash it was derived from, in a later block', async () => {
    const { blockhash } = test.bank.latestBlockhash('confirmed')
    expect(value()).toBe(derived(blockhash))
    await test.bank.advance(1)
    expect(await test.bank.send(test.build([advance()], [payer], { blockhash }))).toMatchObject({
      kind: 'executed',
      error: null,
    })
    expect(value()).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
  })

  it('is not changed by a simulation, and can be withdrawn from', async () => {
    await test.bank.advance(1)
    const before = value()
    const bytes = withNonce(transfer(payer, Keypair.generate().publicKey, 1_000_000))
    const simulated = test.bank.simulate(bytes, {
      sigVerify: true,
      replaceBlockhash: false,
      accounts: [nonce.publicKey.toBytes()],
    })
    if ('malformed' in simulated) throw new Error(simulated.malformed)
    expect(simulated.error).toBeNull()
    const after = NonceAccount.fromAccountData(simulated.accounts[0]!.data as Buffer).nonce
    expect(after).toBe(derived(test.bank.latestBlockhash('confirmed').blockhash))
    expect(value()).toBe(before)
    const { lamports } = test.bank.account(nonce.publicKey.toBytes())!
    await test.run(
      [
        SystemProgram.nonceWithdraw({
          noncePubkey: nonce.publicKey,
          authorizedPubkey: payer.publicKey,
          toPubkey: payer.publicKey,
          lamports: Number(lamports),
        }),
      ],
      [payer],
    )
    expect(test.bank.account(nonce.publicKey.toBytes())).toBeNull()
  })

  it('survives a restart with its value, and still runs once', async () => {
    await test.bank.advance(1)
    const to = await test.funded(1_000_000n)
    const bytes = withNonce(transfer(payer, to.publicKey, 5))
    const valueBefore = value()
    await test.restart()
    expect(value()).toBe(valueBefore)
    expect(await test.bank.send(bytes)).toMatchObject({ kind: 'executed', error: null })
    await test.restart()
    expect((await test.bank.send(bytes)).kind).toBe('duplicate')
    await test.bank.advance(400)
    expect(await test.bank.send(bytes)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' })
    expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_005n)
  })
})
