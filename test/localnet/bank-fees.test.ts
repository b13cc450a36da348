// Charged fees, recorded transactions, and transactions that are rejected without a record.

import {
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lamportsOf, openTestBank, signatureOf, transfer, type TestBank } from './bank-chain.ts'

let test: TestBank
let payer: Keypair
beforeEach(async () => {
  test = await openTestBank()
  payer = await test.funded()
})
afterEach(() => test.remove())

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const overdraw = (): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 10n ** 17n })

describe('fees', () => {
  const price = (microLamports: number): TransactionInstruction =>
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
  const limit = (units: number): TransactionInstruction => ComputeBudgetProgram.setComputeUnitLimit({ units })
  const memo = (): TransactionInstruction =>
    new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('hello') })
  const signed = Keypair.generate()
  const precompile = (): TransactionInstruction =>
    Ed25519Program.createInstructionWithPrivateKey({
      privateKey: signed.secretKey,
      message: Buffer.from('x'),
    })

  it.each<[string, () => TransactionInstruction[], bigint]>([
    ['one signature', () => [overdraw()], 5000n],
    ['limit and price', () => [limit(5000), price(1000), overdraw()], 5005n],
    ['rounded up', () => [limit(1), price(1), overdraw()], 5001n],
    ['limit over the maximum', () => [limit(2_000_000), price(1_000_000), overdraw()], 1_405_000n],
    ['default of builtins', () => [price(1_000_000), overdraw()], 5000n + 6000n],
    ['default of a program', () => [price(1_000_000), memo(), overdraw()], 5000n + 206_000n],
    ['default capped', () => [price(1_000_000), ...Array.from({ length: 9 }, memo), overdraw()], 5000n + 1_400_000n],
    ['precompile signatures', () => [precompile(), overdraw()], 10_000n],
    ['precompile default', () => [price(1_000_000), precompile(), overdraw()], 10_000n + 9000n],
  ])('%s: what the engine takes is what we say', async (_name, instructions, fee) => {
    const before = lamportsOf(test.bank, payer.publicKey)
    const bytes = test.build(instructions(), [payer])
    expect(test.bank.messageFee(bytes.subarray(65))).toBe(fee)
    const outcome = await test.bank.send(bytes)
    expect(outcome.kind === 'executed' && outcome.error).toBeTruthy()
    expect(before - lamportsOf(test.bank, payer.publicKey)).toBe(fee)
    const row = test.bank.transaction(signatureOf(outcome))!
    expect(row.feeLamports).toBe(fee)
    expect(row.preBalances[0]! - row.postBalances[0]!).toBe(fee)
  })

  it('count every signature', async () => {
    const second = await test.funded()
    const row = await test.run(
      [...transfer(payer, second.publicKey, 5), ...transfer(second, payer.publicKey, 5).slice(1)],
      [payer, second],
    )
    expect(row.feeLamports).toBe(10_000n)
  })

  it('are unknown for a blockhash that is neither in the window nor a nonce', () => {
    const bytes = test.build([overdraw()], [payer], { blockhash: Keypair.generate().publicKey.toBase58() })
    expect(test.bank.messageFee(bytes.subarray(65))).toBeNull()
  })

  it('are reported per slot as the lowest price that wrote an account', async () => {
    const to = await test.funded()
    await test.bank.advance(1)
    for (const microLamports of [500, 300])
      await test.run([price(microLamports), ...transfer(payer, to.publicKey, 5)], [payer])
    const slot = test.bank.slot('processed')
    expect(test.bank.recentPrioritizationFees([to.publicKey.toBytes()])).toContainEqual({
      slot,
      prioritizationFee: 300,
    })
    expect(test.bank.recentPrioritizationFees([]).at(-1)).toEqual({ slot, prioritizationFee: 300 })
    expect(test.bank.recentPrioritizationFees([Keypair.generate().publicKey.toBytes()])).toEqual([])
  })
})

describe('a failed transaction', () => {
  it('records the error of its instruction, takes the fee, and changes nothing else', async () => {
    const to = Keypair.generate().publicKey
    const outcome = await test.bank.send(test.build([...transfer(payer, to, 1_000_000), overdraw()], [payer]))
    expect(outcome).toMatchObject({ kind: 'executed', error: { InstructionError: [2, { Custom: 1 }] } })
    expect(test.bank.signatureStatus(signatureOf(outcome), false)?.error).toEqual({
      InstructionError: [2, { Custom: 1 }],
    })
    expect(test.bank.account(to.toBytes())).toBeNull()
    expect(test.bank.transaction(signatureOf(outcome))?.logs.some((line) => line.includes('failed'))).toBe(true)
  })

  it('reports the account with insufficient rent', async () => {
    const to = Keypair.generate().publicKey
    const outcome = await test.bank.send(
      test.build([SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1 })], [payer]),
    )
    expect(outcome).toMatchObject({ kind: 'executed', error: { InsufficientFundsForRent: { account_index: 1 } } })
  })

  it('takes the fee if a program does not exist, as a cluster does, also after a restart', async () => {
    const before = lamportsOf(test.bank, payer.publicKey)
    const emptyInstruction = new TransactionInstruction({
      programId: Keypair.generate().publicKey,
      keys: [],
      data: Buffer.alloc(0),
    })
    const outcome = await test.bank.send(test.build([emptyInstruction], [payer]))
    expect(outcome.kind === 'executed' && outcome.error).toMatch(/ProgramAccountNotFound|InvalidProgramForExecution/)
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before - 5000n)
    await test.run(transfer(payer, payer.publicKey, 1), [payer])
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before - 10_000n)
    await test.restart()
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before - 10_000n)
  })

  const refusals: [string, () => Promise<Uint8Array>, unknown][] = [
    [
      'an unknown payer',
      async () => {
        const nobody = Keypair.generate()
        return Promise.resolve(test.build(transfer(nobody, payer.publicKey, 1), [nobody]))
      },
      'AccountNotFound',
    ],
    [
      'a payer without the fee',
      async () => {
        const poor = Keypair.generate()
        await test.run(transfer(payer, poor.publicKey, 890_880), [payer])
        const expensive = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 })
        return test.build([expensive, ...transfer(poor, payer.publicKey, 1)], [poor])
      },
      'InsufficientFundsForFee',
    ],
    [
      'a payer left with less than rent',
      async () => {
        const poor = Keypair.generate()
        await test.run(transfer(payer, poor.publicKey, 892_000), [payer])
        return test.build(transfer(poor, payer.publicKey, 1), [poor])
      },
      { InsufficientFundsForRent: { account_index: 0 } },
    ],
    [
      'a payer with data',
      async () => {
        const odd = Keypair.generate()
        await test.run(
          [
            SystemProgram.createAccount({
              fromPubkey: payer.publicKey,
              newAccountPubkey: odd.publicKey,
              space: 10,
              lamports: 10_000_000,
              programId: SystemProgram.programId,
            }),
          ],
          [payer, odd],
        )
        return test.build(transfer(odd, payer.publicKey, 1), [odd])
      },
      'InvalidAccountForFee',
    ],
    [
      'a bad signature',
      async () => {
        const bytes = test.build(transfer(payer, payer.publicKey, 1), [payer])
        bytes[10]! ^= 1
        return Promise.resolve(bytes)
      },
      'SignatureFailure',
    ],
    [
      'an unknown blockhash',
      async () => {
        return Promise.resolve(
          test.build(transfer(payer, payer.publicKey, 1), [payer], {
            blockhash: Keypair.generate().publicKey.toBase58(),
          }),
        )
      },
      'BlockhashNotFound',
    ],
    [
      'a doubled compute budget',
      async () => {
        const unitLimit = ComputeBudgetProgram.setComputeUnitLimit({ units: 5 })
        return Promise.resolve(test.build([unitLimit, unitLimit], [payer]))
      },
      { DuplicateInstruction: 1 },
    ],
  ]

  it.each(refusals)('with %s is refused without a trace', async (_name, make, error) => {
    const bytes = await make()
    const total = test.bank.transactionCount()
    const before = lamportsOf(test.bank, payer.publicKey)
    expect(await test.bank.send(bytes)).toMatchObject({ kind: 'refused', error })
    const simulated = test.bank.simulate(bytes, { sigVerify: true, replaceBlockhash: false, accounts: [] })
    expect('error' in simulated && simulated.error).toEqual(error)
    expect(test.bank.transactionCount()).toBe(total)
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before)
  })

  it('removes an account that was emptied', async () => {
    const other = await test.funded(2_000_000n)
    await test.run(transfer(other, payer.publicKey, 2_000_000), [payer, other])
    expect(test.bank.account(other.publicKey.toBytes())).toBeNull()
    await test.restart()
    expect(test.bank.account(other.publicKey.toBytes())).toBeNull()
    expect(test.bank.signaturesForAddress(other.publicKey.toBytes(), { limit: 10 })).toHaveLength(2)
  })
})
