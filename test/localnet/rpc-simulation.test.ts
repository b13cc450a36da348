// Simulation and priority fees of transactions, with outside clients and raw calls.
import {
  ComputeBudgetProgram,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { at, eventually, type ServedChain } from './rpc-chain.ts'
import { withConnection, chain, connection, payer, address } from './rpc-connection.ts'

withConnection()

describe('simulation and fees', () => {
  it('simulates without signatures and returns accounts and inner instructions', async () => {
    const to = address()
    const transaction = new Transaction({
      feePayer: payer.publicKey,
      blockhash: address().toBase58(),
      lastValidBlockHeight: 0,
    })
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 9_000_000 }))
    const bytes = transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
    const simulate = (config: unknown): ReturnType<ServedChain['call']> =>
      chain.call('simulateTransaction', [bytes, config])

    const { result } = await simulate({
      encoding: 'base64',
      replaceRecentBlockhash: true,
      innerInstructions: true,
      accounts: { encoding: 'base64', addresses: [to.toBase58()] },
    })
    expect(at(result, 'value')).toMatchObject({
      err: null,
      innerInstructions: [],
      accounts: [{ lamports: 9_000_000 }],
      replacementBlockhash: { blockhash: expect.any(String) as string },
    })
    expect(await connection.getBalance(to)).toBe(0)
    expect(at((await simulate({ encoding: 'base64' })).result, 'value', 'err')).toBe('BlockhashNotFound')
    expect((await simulate({ encoding: 'base64', sigVerify: true })).error).toMatchObject({ code: -32003 })
    expect((await simulate({ encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true })).error).toMatchObject(
      {
        message: 'sigVerify may not be used with replaceRecentBlockhash',
      },
    )
    const many = { encoding: 'base64', addresses: Array.from({ length: 9 }, () => to.toBase58()) }
    expect((await simulate({ encoding: 'base64', accounts: many })).error).toMatchObject({
      message: 'Too many accounts provided; max 3',
    })
  })

  it('prices messages, and checks blockhashes', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    expect(lastValidBlockHeight).toBeGreaterThan(await connection.getBlockHeight())
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    expect((await connection.isBlockhashValid(address().toBase58())).value).toBe(false)
    const priced = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: address(), lamports: 1_000_000 }),
      ],
    }).compileToV0Message()
    expect((await connection.getFeeForMessage(priced)).value).toBe(7000)
    expect((await chain.call('getFeeForMessage', ['AQID'])).error?.code).toBe(-32602)
    // The price of a slot is its lowest, and an earlier transaction of this file may have paid none in this slot.
    const slot = await connection.getSlot('processed')
    await eventually(async () => (await connection.getSlot('processed')) > slot)
    await connection.sendTransaction(signTransfer(new VersionedTransaction(priced)))
    const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [payer.publicKey] })
    expect(Math.max(...fees.map((fee) => fee.prioritizationFee))).toBe(2_000_000)
  })

  it('returns its present slot and height', async () => {
    expect(await connection.getVersion()).toMatchObject({ 'solana-core': expect.any(String) as string })
    expect(await connection.getGenesisHash()).toBe(chain.bank.genesisHash)
    const info = await connection.getEpochInfo('confirmed')
    expect(info.slotIndex).toBeLessThan(info.slotsInEpoch)
    expect((await connection.getEpochSchedule()).getEpoch(info.absoluteSlot)).toBe(info.epoch)
    expect(await connection.getSlotLeaders(info.absoluteSlot, 2)).toHaveLength(2)
    expect(await connection.getVoteAccounts()).toEqual({ current: [], delinquent: [] })
    expect(await connection.getClusterNodes()).toHaveLength(1)
    expect(await connection.getTransactionCount()).toBeGreaterThan(0)
    expect(await connection.getFirstAvailableBlock()).toBe(await connection.getMinimumLedgerSlot())
  })
})

function signTransfer(transaction: VersionedTransaction): VersionedTransaction {
  transaction.sign([payer])
  return transaction
}
