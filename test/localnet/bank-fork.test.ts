// Dropping slots by a fork (a fault for tests): accounts, history, messages and blockhashes of those slots are removed,
// durably.

import { Keypair, NonceAccount, SystemProgram } from '@solana/web3.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lamportsOf, openTestBank, signatureOf, transfer, type TestBank } from './bank-chain.ts'

let test: TestBank
let payer: Keypair
let to: Keypair
beforeEach(async () => {
  test = await openTestBank({ faults: true, finalitySlots: 4 })
  payer = await test.funded()
  to = await test.funded(1_000_000n)
  await test.bank.advance(5)
})
afterEach(() => test.remove())

it('is off by default', async () => {
  const plain = await openTestBank()
  expect(plain.bank.faults).toBeNull()
  await plain.remove()
})

it('drops slots that are not final, and none at or below the root', async () => {
  const keptRow = await test.run(transfer(payer, to.publicKey, 1), [payer])
  await test.bank.advance(1)
  const fresh = Keypair.generate().publicKey
  const lostRows = [
    await test.run(transfer(payer, to.publicKey, 10), [payer]),
    await test.run(transfer(payer, fresh, 1_000_000), [payer]),
  ]
  const deadBlockhash = await test.bank.advance(1).then(() => test.bank.latestBlockhash('confirmed').blockhash)
  lostRows.push(await test.run(transfer(payer, to.publicKey, 100), [payer]))
  const count = test.bank.transactionCount()
  const slot = test.bank.slot('processed')
  const height = test.bank.blockHeight('processed')
  const notifications: unknown[] = []
  test.bank.on((event) => event.type === 'forked' && notifications.push(event.signatures))

  const forgotten = await test.bank.faults!.forkAway(2)
  expect([...forgotten].sort()).toEqual(lostRows.map((row) => row.signature).sort())
  expect(notifications).toEqual([forgotten])
  const check = (): void => {
    for (const row of lostRows) {
      expect(test.bank.signatureStatus(row.signature, true)).toBeNull()
      expect(test.bank.transaction(row.signature)).toBeNull()
    }
    expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_001n)
    expect(test.bank.account(fresh.toBytes())).toBeNull()
    expect(test.bank.signaturesForAddress(fresh.toBytes(), { limit: 10 })).toEqual([])
    expect(test.bank.signaturesForAddress(to.publicKey.toBytes(), { limit: 1 })[0]?.signature).toBe(keptRow.signature)
    expect(test.bank.transactionCount()).toBe(count - 3)
    expect(test.bank.isBlockhashValid(deadBlockhash)).toBe(false)
    expect(test.bank.blocks(slot - 3, slot + 1)).not.toContain(slot)
    expect(test.bank.block(slot)).toBeNull()
    expect(test.bank.blockTime(slot)).toBeNull()
  }
  check()
  expect(test.bank.slot('processed')).toBe(slot + 1)
  expect(test.bank.blockHeight('processed')).toBe(height - 1)
  await test.bank.advance(1)
  expect(test.bank.block(slot + 1)).toMatchObject({ parentSlot: keptRow.slot, blockHeight: height - 1 })
  await test.restart()
  check()
})

it('lets dropped messages run again, once', async () => {
  const bytes = test.build(transfer(payer, to.publicKey, 7), [payer])
  const signature = signatureOf(await test.bank.send(bytes))
  await test.bank.faults!.forkAway(1)
  expect(test.bank.signatureStatus(signature, true)).toBeNull()
  const [firstAnswer, secondAnswer] = await Promise.all([test.bank.send(bytes), test.bank.send(bytes)])
  expect(firstAnswer).toMatchObject({ kind: 'executed', signature, error: null })
  expect(secondAnswer.kind).toBe('duplicate')
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_007n)
  await test.restart()
  expect((await test.bank.send(bytes)).kind).toBe('duplicate')
  expect(test.bank.transaction(signature)).not.toBeNull()
})

it('drops slots that are being written', async () => {
  const bytes = test.build(transfer(payer, to.publicKey, 7), [payer])
  const firstSend = test.bank.send(bytes)
  const forked = test.bank.faults!.forkAway(1)
  const secondSend = test.bank.send(bytes)
  expect(signatureOf(await firstSend)).toBe(signatureOf(await secondSend))
  await forked
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_007n)
  await test.restart()
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_007n)
  expect(test.bank.signaturesForAddress(to.publicKey.toBytes(), { limit: 10 })).toHaveLength(2)
})

it('forgets a fork that another fork drops, down to below its first block', async () => {
  await test.bank.advance(1)
  const slot = test.bank.slot('processed')
  await test.bank.faults!.forkAway(2)
  await test.bank.advance(1)
  // Back to below the block on which the first fork was based.
  await test.bank.faults!.forkAway(4)
  await test.bank.advance(3)
  const check = (): void => {
    const slots = test.bank.blocks(slot - 3, slot + 10)
    const blocks = slots.map((each) => test.bank.block(each)!)
    blocks.slice(1).forEach((block, index) => {
      expect(block).toMatchObject({
        parentSlot: slots[index],
        previousBlockhash: blocks[index]!.blockhash,
        blockHeight: blocks[index]!.blockHeight + 1,
      })
    })
    expect(blocks.length).toBeGreaterThan(2)
  }
  check()
  await test.restart()
  check()
})

it('ends above the root, and above a restart', async () => {
  const row = await test.run(transfer(payer, to.publicKey, 7), [payer])
  await test.bank.advance(4)
  expect(test.bank.signatureStatus(row.signature, false)?.confirmationStatus).toBe('finalized')
  await test.bank.faults!.forkAway(100)
  expect(test.bank.transaction(row.signature)).not.toBeNull()
  const last = await test.run(transfer(payer, to.publicKey, 7), [payer])
  await test.restart()
  await test.bank.faults!.forkAway(100)
  expect(test.bank.transaction(last.signature)).not.toBeNull()
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_014n)
})

it('restores a nonce, so that the transaction that used it can run again', async () => {
  const nonce = Keypair.generate()
  await test.run(
    SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: 2_000_000,
    }).instructions,
    [payer, nonce],
  )
  await test.bank.advance(5)
  const value = (): string =>
    NonceAccount.fromAccountData(test.bank.account(nonce.publicKey.toBytes())!.data as Buffer).nonce
  const blockhash = value()
  const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey })
  const bytes = test.build([advance, ...transfer(payer, to.publicKey, 7)], [payer], { blockhash })
  await test.bank.send(bytes)
  expect(value()).not.toBe(blockhash)
  await test.bank.faults!.forkAway(1)
  expect(value()).toBe(blockhash)
  expect(await test.bank.send(bytes)).toMatchObject({ kind: 'executed', error: null })
  expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_007n)
})
