// Blockhashes live for 151 blocks and age by the clock alone; a message is executed once, with any signature.

import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import type { OpenBank } from '../../src/localnet/bank.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lamportsOf, openTestBank, signatureOf, signedAnew, transfer, type TestBank } from './bank-chain.ts'

let test: TestBank
beforeEach(async () => {
  test = await openTestBank()
})
afterEach(() => test.remove())

describe('the blockhash window', () => {
  it('accepts the last 151 blockhashes and no older one', async () => {
    const payer = await test.funded()
    const to = Keypair.generate().publicKey
    const { blockhash, lastValidBlockHeight } = test.bank.latestBlockhash('confirmed')
    await test.bank.advance(150)
    expect(test.bank.blockHeight('confirmed')).toBe(lastValidBlockHeight)
    expect(test.bank.isBlockhashValid(blockhash)).toBe(true)
    expect(await test.bank.send(test.build(transfer(payer, to, 1_000_000), [payer], { blockhash }))).toMatchObject({
      kind: 'executed',
      error: null,
    })
    await test.bank.advance(1)
    expect(test.bank.isBlockhashValid(blockhash)).toBe(false)
    expect(await test.bank.send(test.build(transfer(payer, to, 1_000_000), [payer], { blockhash }))).toMatchObject({
      kind: 'refused',
      error: 'BlockhashNotFound',
    })
  })

  it('does not age under load', async () => {
    const payer = await test.funded()
    const to = await test.funded()
    const before = test.bank.latestBlockhash('confirmed')
    await Promise.all(Array.from({ length: 300 }, () => test.run(transfer(payer, to.publicKey, 1), [payer])))
    expect(test.bank.latestBlockhash('confirmed')).toEqual(before)
  })

  it('gives every block another blockhash, with the height of the block', async () => {
    const hashes = new Set<string>()
    for (let i = 0; i < 400; i += 1) {
      await test.bank.advance(1)
      const { blockhash, lastValidBlockHeight } = test.bank.latestBlockhash('confirmed')
      hashes.add(blockhash)
      expect(lastValidBlockHeight).toBe(test.bank.blockHeight('confirmed') + 150)
    }
    expect(hashes.size).toBe(400)
  })

  it('advances by the clock, and dates blocks by the wall clock', async () => {
    const beganMs = Date.now()
    const clocked = await openTestBank({ slotMs: 20 })
    const first = clocked.bank.slot('confirmed')
    const slots: number[] = []
    await new Promise<void>((resolve) => {
      clocked.bank.on((event) => {
        if (event.type !== 'slot') return
        expect(event.parent).toBe(event.slot - 1)
        expect(event.root).toBe(event.slot - 1)
        slots.push(event.slot)
        if (slots.length === 5) resolve()
      })
    })
    // A slow machine may have opened more slots by now: in sequence, whatever their number.
    expect(slots).toEqual(slots.map((_, i) => first + 1 + i))
    // Between the start of the test and now, for any duration.
    const blockTimeMs = clocked.bank.blockTime(clocked.bank.slot('confirmed'))! * 1_000
    expect(blockTimeMs).toBeGreaterThan(beganMs - 5_000)
    expect(blockTimeMs).toBeLessThan(Date.now() + 5_000)
    await clocked.remove()
  })

  it('catches up little after a pause', async () => {
    // On a clock of its own: a real one would continue while the test reads the slots.
    let elapsedMs = 0
    const polls: (() => void)[] = []
    const every = (_periodMs: number, poll: () => void): (() => void) => {
      polls.push(poll)
      return () => undefined
    }
    const paused = await openTestBank({ slotMs: 20, surroundings: { elapsed: () => elapsedMs, every } })
    const pass = (ms: number): number => {
      const before = paused.bank.slot('confirmed')
      elapsedMs += ms
      for (const poll of polls) poll()
      return paused.bank.slot('confirmed') - before
    }
    expect([pass(19), pass(1), pass(20)]).toEqual([0, 1, 1])
    const caughtUp = pass(1_000)
    expect(caughtUp).toBeGreaterThan(0)
    expect(caughtUp).toBeLessThan(30)
    expect(pass(20)).toBe(1)
    await paused.remove()
  })

  it('advances steadily when the wall clock jumps, and never goes back', async () => {
    let nowMs = 1_800_000_000_000
    const jumping = await openTestBank({ now: () => nowMs })
    const times: number[] = []
    for (const jumpMs of [0, 60_000, -90_000, 30_000, 100_000, 0]) {
      nowMs += jumpMs
      await jumping.bank.advance(1)
      times.push(jumping.bank.blockTime(jumping.bank.slot('confirmed'))!)
    }
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const slot = jumping.bank.slot('confirmed')
    const timesBefore = Array.from({ length: slot + 1 }, (_, i) => jumping.bank.blockTime(i))
    await jumping.restart()
    expect(Array.from({ length: slot + 1 }, (_, i) => jumping.bank.blockTime(i))).toEqual(timesBefore)
    await jumping.remove()
  })

  it('keeps its time after a clock that was far ahead, until a restart; blockhashes and heights continue', async () => {
    const aheadMs = 400 * 86_400_000
    let nowMs = 1_800_000_000_000 + aheadMs
    const wrong = await openTestBank({ now: () => nowMs })
    await wrong.bank.advance(3)
    nowMs -= aheadMs
    const time = (bank: OpenBank): number => bank.blockTime(bank.slot('confirmed'))! * 1000 - nowMs
    await wrong.restart()
    await wrong.bank.advance(1)
    expect(time(wrong.bank)).toBeGreaterThan(aheadMs - 60_000)
    const { lastValidBlockHeight, blockhash } = wrong.bank.latestBlockhash('confirmed')
    await wrong.bank.close()

    const right = await openTestBank({ now: () => nowMs, dataDir: wrong.dataDir, putsBackTime: true })
    await right.bank.advance(1)
    expect(Math.abs(time(right.bank))).toBeLessThan(3_600_001)
    expect(right.bank.latestBlockhash('confirmed').lastValidBlockHeight).toBeGreaterThan(lastValidBlockHeight)
    expect(right.bank.isBlockhashValid(blockhash)).toBe(true)
    await right.bank.close()
    const laterBank = await openTestBank({ now: () => nowMs, dataDir: wrong.dataDir })
    await laterBank.bank.advance(1)
    expect(Math.abs(time(laterBank.bank))).toBeLessThan(3 * 3_600_001)
    await laterBank.remove()
  })
})

describe('confirmation', () => {
  it('is confirmed when durable, and final when the next slot opens', async () => {
    const payer = await test.funded()
    const row = await test.run(transfer(payer, Keypair.generate().publicKey, 1_000_000), [payer])
    expect(test.bank.signatureStatus(row.signature, false)).toMatchObject({
      slot: row.slot,
      confirmations: 0,
      error: null,
      confirmationStatus: 'confirmed',
    })
    await test.bank.advance(1)
    expect(test.bank.signatureStatus(row.signature, false)).toMatchObject({
      confirmations: null,
      confirmationStatus: 'finalized',
    })
    expect(test.bank.slot('finalized')).toBe(row.slot)
  })

  it('is final after the configured number of slots', async () => {
    const slow = await openTestBank({ finalitySlots: 3 })
    const payer = await slow.funded()
    const row = await slow.run(transfer(payer, Keypair.generate().publicKey, 1_000_000), [payer])
    const statuses = []
    for (let i = 0; i < 4; i += 1) {
      const status = slow.bank.signatureStatus(row.signature, false)!
      statuses.push([status.confirmationStatus, status.confirmations])
      await slow.bank.advance(1)
    }
    expect(statuses).toEqual([
      ['confirmed', 0],
      ['confirmed', 1],
      ['confirmed', 2],
      ['finalized', null],
    ])
    await slow.remove()
  })

  it('shows neither a status above processed nor effects before they are on disk', async () => {
    const payer = await test.funded()
    const to = Keypair.generate().publicKey
    const bytes = test.build(transfer(payer, to, 1_000_000), [payer])
    const before = lamportsOf(test.bank, payer.publicKey)
    const pendingSend = test.bank.send(bytes)
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before)
    expect(test.bank.account(to.toBytes())).toBeNull()
    expect(
      [...test.bank.accountsByProgram(SystemProgram.programId.toBytes())].some(({ address }) =>
        to.equals(new PublicKey(address)),
      ),
    ).toBe(false)
    const signature = signatureOf(await pendingSend)
    expect(test.bank.signatureStatus(signature, false)?.confirmationStatus).toBe('confirmed')
    expect(lamportsOf(test.bank, to)).toBe(1_000_000n)
    expect(
      [...test.bank.accountsByProgram(SystemProgram.programId.toBytes())].some(({ address }) =>
        to.equals(new PublicKey(address)),
      ),
    ).toBe(true)
  })

  it('answers old signatures from the history only', async () => {
    const payer = await test.funded()
    const row = await test.run(transfer(payer, Keypair.generate().publicKey, 1_000_000), [payer])
    await test.bank.advance(302)
    expect(test.bank.signatureStatus(row.signature, false)).toBeNull()
    expect(test.bank.signatureStatus(row.signature, true)).toMatchObject({
      slot: row.slot,
      confirmationStatus: 'finalized',
    })
    expect(test.bank.transaction(row.signature)?.logs).toEqual(row.logs)
  })
})

describe('deduplication of messages', () => {
  it('never runs the same bytes twice, however many others came between', async () => {
    const payer = await test.funded()
    const to = await test.funded()
    const bytes = test.build(transfer(payer, to.publicKey, 7), [payer])
    const first = await test.bank.send(bytes)
    await Promise.all(Array.from({ length: 100 }, () => test.run(transfer(payer, to.publicKey, 1), [payer])))
    await test.bank.advance(149)
    const balance = lamportsOf(test.bank, to.publicKey)
    expect(await test.bank.send(bytes)).toEqual({ kind: 'duplicate', signature: signatureOf(first) })
    expect(lamportsOf(test.bank, to.publicKey)).toBe(balance)
  })

  it('never runs a message again under a second valid signature, nor under an invalid one', async () => {
    const payer = await test.funded()
    const to = await test.funded()
    const bytes = test.build(transfer(payer, to.publicKey, 7), [payer])
    const signedAgain = signedAnew(bytes, payer)
    const fresh = signedAnew(test.build(transfer(payer, to.publicKey, 8), [payer]), payer)
    const first = signatureOf(await test.bank.send(bytes))
    const balance = lamportsOf(test.bank, to.publicKey)
    const second = await test.bank.send(signedAgain)
    expect(second).toMatchObject({ kind: 'duplicate' })
    expect(signatureOf(second)).not.toBe(first)
    expect(test.bank.signatureStatus(signatureOf(second), true)).toBeNull()
    expect(lamportsOf(test.bank, to.publicKey)).toBe(balance)
    // The other signature is valid: alone it is executed.
    expect(await test.bank.send(fresh)).toMatchObject({ kind: 'executed', error: null })
    const forged = Buffer.from(bytes)
    forged[5]! ^= 1
    expect(await test.bank.send(forged)).toMatchObject({ kind: 'refused', error: 'SignatureFailure' })
  })

  it('runs one of many copies that arrive in one tick', async () => {
    const payer = await test.funded()
    const to = await test.funded(1_000_000n)
    const bytes = test.build(transfer(payer, to.publicKey, 7), [payer])
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => test.bank.send(bytes)))
    expect(outcomes.filter((outcome) => outcome.kind === 'executed')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'duplicate')).toHaveLength(49)
    expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_007n)
  })
})
