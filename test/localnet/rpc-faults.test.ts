// The fault switches: each has exactly its own effect.

import { Keypair } from '@solana/web3.js'
import type { PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { STANDING_STILL_MS } from './bank-chain.ts'
import { at, serveChain, signedTransfer } from './rpc-chain.ts'
import type { ServedChain } from './rpc-chain.ts'

let chain: ServedChain
let payer: Keypair

beforeAll(async () => {
  // Slots advance only by `advance`: dropped and final slots do not depend on time.
  chain = await serveChain({ faults: true, slotMs: STANDING_STILL_MS, finalitySlots: 8 })
  payer = await chain.payer()
})
afterEach(async () => {
  await faults({})
})
afterAll(async () => {
  expect(chain.unexpected).toEqual([])
  await chain.close()
})

const faults = (settings: Record<string, unknown>): Promise<unknown> => chain.result('holdfast_setFaults', [settings])
const address = (): PublicKey => Keypair.generate().publicKey
const send = (bytes: Buffer): ReturnType<ServedChain['call']> =>
  chain.call('sendTransaction', [bytes.toString('base64'), { encoding: 'base64', skipPreflight: true }])
const idOf = (bytes: Buffer): string => bs58.encode(bytes.subarray(1, 65))
const status = async (signature: string): Promise<unknown> =>
  at(await chain.result('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]), 'value', 0)

describe('fault injection', () => {
  it('drops the reply of an executed send, and the request of another', async () => {
    const executed = await signedTransfer(chain, payer, address(), 1_000_000)
    await faults({ dropReplies: { sendTransaction: 1 } })
    await expect(send(executed)).rejects.toThrow()
    expect(await status(idOf(executed))).toMatchObject({ err: null })
    expect((await send(executed)).result).toBe(idOf(executed))

    const lostTransfer = await signedTransfer(chain, payer, address(), 1_000_000)
    await faults({ dropRequests: { sendTransaction: 1 } })
    await expect(send(lostTransfer)).rejects.toThrow()
    expect(await status(idOf(lostTransfer))).toBeNull()
    expect((await send(lostTransfer)).result).toBe(idOf(lostTransfer))
  })

  it('answers null, or an error before or after the execution', async () => {
    const bytes = await signedTransfer(chain, payer, address(), 1_000_000)
    await faults({
      answerError: { sendTransaction: { code: -32005, message: 'Node is behind by 9 slots', times: 1, execute: true } },
    })
    expect((await send(bytes)).error).toEqual({ code: -32005, message: 'Node is behind by 9 slots' })
    expect(await status(idOf(bytes))).toMatchObject({ err: null })

    const refusedTransfer = await signedTransfer(chain, payer, address(), 1_000_000)
    const faultsOnce = { getSignatureStatuses: 1, getTransaction: 1 }
    await faults({ answerError: { sendTransaction: { code: -32603, message: 'no' } }, answerNull: faultsOnce })
    expect((await send(refusedTransfer)).error?.code).toBe(-32603)
    expect(await status(idOf(bytes))).toBeNull()
    expect(await status(idOf(bytes))).not.toBeNull()
    expect(await status(idOf(refusedTransfer))).toBeNull()
    expect(await chain.result('getTransaction', [idOf(bytes), { commitment: 'confirmed' }])).toBeNull()
    expect(await chain.result('getTransaction', [idOf(bytes), { commitment: 'confirmed' }])).not.toBeNull()
  })

  it('sends twice without executing twice', async () => {
    const to = address()
    await faults({ duplicateSends: 1, delayMs: { sendTransaction: 20, '*': 1 } })
    await send(await signedTransfer(chain, payer, to, 1_234_567))
    expect(at(await chain.result('getBalance', [to.toBase58()]), 'value')).toBe(1_234_567)
  })

  it('answers from an older slot', async () => {
    const to = address()
    const bytes = await signedTransfer(chain, payer, to, 1_000_000)
    const balance = async (): Promise<unknown> => at(await chain.result('getBalance', [to.toBase58()]), 'value')
    await send(bytes)
    const slot = Number(at(await status(idOf(bytes)), 'slot'))
    await chain.bank.advance(3)
    await faults({ behindSlots: 1000 })
    expect(await status(idOf(bytes))).toBeNull()
    expect(await balance()).toBe(0)
    expect(await chain.result('getTransaction', [idOf(bytes), { commitment: 'confirmed' }])).toBeNull()
    await faults({ behindSlots: 2 })
    const behind = Number(await chain.result('getSlot', [{ commitment: 'processed' }]))
    expect(behind).toBeLessThan(chain.bank.slot('processed'))
    expect(await status(idOf(bytes))).toMatchObject({ slot })
    expect(await balance()).toBe(1_000_000)
    const latest = await chain.result('getLatestBlockhash', [{ commitment: 'processed' }])
    expect(Number(at(latest, 'context', 'slot'))).toBeLessThan(chain.bank.slot('processed'))
    expect(chain.bank.isBlockhashValid(String(at(latest, 'value', 'blockhash')))).toBe(true)
  })

  it('drops a transaction with its fork', async () => {
    const to = address()
    const signature = String((await send(await signedTransfer(chain, payer, to, 1_000_000))).result)
    expect(await status(signature)).not.toBeNull()
    expect(await chain.result('holdfast_forkAway', [{ slots: 4 }])).toBe(true)
    expect(await status(signature)).toBeNull()
    expect(at(await chain.result('getBalance', [to.toBase58()]), 'value')).toBe(0)
  })

  it('opens slots at once: a blockhash ends without its time', async () => {
    const before = chain.bank.blockHeight('processed')
    const latest = await chain.result('getLatestBlockhash', [{ commitment: 'processed' }])
    const old = String(at(latest, 'value', 'blockhash'))
    expect(await chain.result('holdfast_advance', [{ slots: 200 }])).toBe(true)
    expect(chain.bank.blockHeight('processed')).toBeGreaterThanOrEqual(before + 200)
    expect(chain.bank.blockHeight('finalized')).toBeGreaterThan(before)
    expect(chain.bank.isBlockhashValid(old)).toBe(false)
  })

  it('refuses unknown settings', async () => {
    const code = async (settings: unknown): Promise<unknown> =>
      (await chain.call('holdfast_setFaults', [settings])).error?.code
    expect(await code({ dropReply: {} })).toBe(-32602)
    expect(await code({ dropReplies: 1 })).toBe(-32602)
    expect(await code({ dropReplies: { getSlot: -1 } })).toBe(-32602)
    expect(await code({ answerError: { getSlot: { code: 'x', message: 'y' } } })).toBe(-32602)
    expect(await code({ behindSlots: 'many' })).toBe(-32602)
    for (const method of ['holdfast_forkAway', 'holdfast_advance'])
      expect((await chain.call(method, [{ slots: 0 }])).error?.code).toBe(-32602)
  })
})
