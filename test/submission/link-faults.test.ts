// The link on the real embedded chain with its faults: every transaction ends once, and only by the chain or a proof.
import { Keypair } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/time/clock.ts'
import { openCluster } from '../../src/rpc/cluster.ts'
import { openLink } from '../../src/submission/link.ts'
import type { ChainAlarm, ChainFact } from '../../src/submission/submission.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { openLinkedWorld, QUICK, type Linked } from './linked.ts'
import { scriptedNode } from '../rpc/scripted-node.ts'

/** Longer than a busy machine may need to see that a transaction has landed. */
const LATE_MS = 10_000
const ERROR = { code: -32005, message: 'Node is behind', times: 3 }
let world: Linked
let payer: Keypair
let to: Keypair

async function open(...parameters: Parameters<typeof openLinkedWorld>): Promise<void> {
  world = await openLinkedWorld(...parameters)
  payer = await world.chain.payer()
  to = await world.chain.payer(1_000_000_000)
}
/** More blocks than a status cache covers; returns when the link knows of it. */
async function letSlotsPass(): Promise<void> {
  const height = world.chain.bank.blockHeight('confirmed') + 300
  await world.chain.bank.advance(300)
  await eventually(() => {
    // Its use refreshes it.
    world.cluster.blockhash.current()
    return world.cluster.blockhash.lastKnown()!.blockHeight >= height
  })
}

const received = async () => (await world.balance(to.publicKey)) - 1_000_000_000n

afterEach(async () => {
  expect(world.chain.unexpected).toEqual([])
  await world.close()
})

describe('a link to a faulty chain', () => {
  it.each([
    ['replies to sends are lost', { dropReplies: { sendTransaction: 3 } }],
    ['sends are lost', { dropRequests: { sendTransaction: 3 } }],
    ['sends are made twice', { duplicateSends: 5 }],
    ['sends are refused though executed', { answerError: { sendTransaction: { ...ERROR, execute: true } } }],
    ['sends are refused and not executed', { answerError: { sendTransaction: { ...ERROR, execute: false } } }],
    ['statuses are answered null', { answerNull: { getSignatureStatuses: 5 } }],
    ['statuses are lost', { dropReplies: { getSignatureStatuses: 5, getEpochInfo: 2 } }],
    ['the node answers from behind', { behindSlots: 3 }],
    ['answers are late', { delayMs: { '*': 30 } }],
  ])('completes each transfer once, if %s', async (_, faults) => {
    await open()
    const submissions = await Promise.all(
      [1n, 2n, 3n, 4n].map((lamports) => world.transfer(payer, to.publicKey, lamports)),
    )
    await world.faults(faults)
    for (const submission of submissions) world.link.submit(submission)
    await eventually(() => world.link.open === 0)
    for (const submission of submissions) expect(world.levels(submission).at(-1)).toBe('finalized')
    await world.faults({})
    expect(await received()).toBe(10n)
    expect(world.alarms).toEqual([])
  })

  it('reports an attempt once, before what the chain shows, however late its answer is', async () => {
    await open()
    const submission = await world.transfer(payer, to.publicKey, 1n)
    await world.faults({ delayMs: { sendTransaction: LATE_MS } })
    world.link.submit(submission)
    // Which level is seen first depends on when the chain is asked.
    await eventually(() => world.levels(submission).length > 0)
    expect(world.link.totals.inFlight).toBe(1)
    const [first, second] = world.of(submission)
    expect(first).toMatchObject({ kind: 'sent', outcome: 'unanswered', detail: 'the chain shows the transaction' })
    expect(second).toMatchObject({ kind: 'seen' })
    await eventually(() => world.link.totals.inFlight === 0)
    await world.until(submission, 'finalized')
    expect(world.of(submission).filter(({ kind }) => kind === 'sent')).toHaveLength(1)
  })

  it('forgets transactions of a dropped fork, sends the same bytes again, and moves them once', async () => {
    // Its blockhash lives for five minutes: a dropped transaction is forgotten after several misses, each in a later
    // slot.
    await open({ slotMs: 2_000, finalitySlots: 40 })
    const { bank } = world.chain
    const submission = await world.transfer(payer, to.publicKey, 11n)
    // Old enough that its blockhash survives the fork.
    await bank.advance(20)
    world.link.submit(submission)
    await world.until(submission, 'confirmed')
    // Down to its slot, however many have opened since.
    const landed = bank.signatureStatus(submission.signature!, false)!
    const droppedSlots = bank.slot('processed') - landed.slot + 1
    await bank.faults!.forkAway(droppedSlots)
    // A landed transaction is queried again once the slot where it was seen is final.
    await bank.advance(droppedSlots + 41)
    await eventually(() => {
      const levels = world.levels(submission)
      return levels.includes('forgotten') && levels.lastIndexOf('confirmed') > levels.indexOf('forgotten')
    })
    await bank.advance(41)
    await world.until(submission, 'finalized')
    const levels = world.levels(submission)
    expect(levels.indexOf('forgotten')).toBeGreaterThan(levels.indexOf('confirmed'))
    expect(levels.lastIndexOf('confirmed')).toBeGreaterThan(levels.indexOf('forgotten'))
    expect(await received()).toBe(11n)
  })

  it('proves the expiry of a transaction that never landed, and stops', async () => {
    await open({ slotMs: 5 })
    await world.faults({ dropRequests: { sendTransaction: 1_000_000 } })
    const submission = await world.transfer(payer, to.publicKey, 13n)
    world.link.submit(submission)
    await world.until(submission, 'expired')
    const [expiry] = world.of(submission).filter((fact) => fact.kind === 'expired')
    expect(expiry!.proof).toMatchObject({
      rule: 'blockhash',
      statuses: { signatures: [submission.signature], values: [null] },
    })
    expect(expiry!.proof.finalized.blockHeight).toBeGreaterThan(submission.lastValidBlockHeight!)
    expect(world.link.open).toBe(0)
    await world.faults({})
    expect(await received()).toBe(0n)
  })

  it('proves by blocks the expiry of a transaction loaded long after its window, without sending it', async () => {
    await open()
    const submission = await world.transfer(payer, to.publicKey, 17n)
    const landed = await world.transfer(payer, to.publicKey, 19n)
    world.link.submit(landed)
    await world.until(landed, 'finalized')
    await letSlotsPass()
    world.facts.length = 0
    world.link.watch(submission)
    world.link.watch(landed)
    await eventually(() => world.link.open === 0)
    const [expiry] = world.of(submission).filter((fact) => fact.kind === 'expired')
    expect(expiry!.proof.window!.lastBlockHeight).toBe(submission.lastValidBlockHeight! + 1)
    expect(expiry!.proof.window!.transactions).toBeGreaterThanOrEqual(1)
    expect(world.levels(landed)).toEqual(['finalized'])
    expect(world.facts.filter((fact) => fact.kind === 'sent')).toEqual([])
  })

  it('proves that a nonce transaction is void once another one has used the value', async () => {
    await open()
    const nonce = await world.nonceAccount(payer, Keypair.generate())
    const voided = world.nonceTransfer(payer, nonce, to.publicKey, 100n)
    const other = world.nonceTransfer(payer, nonce, to.publicKey, 200n)
    world.link.watch({ ...voided, bytes: null })
    // Until the slot that showed the value is final, the node does not report it.
    await eventually(() => /still has the value/.test(world.link.state(voided.transactionId)?.unproven ?? ''))
    world.link.submit(other)
    await world.until(other, 'finalized')
    world.link.checkNow(voided.transactionId)
    await world.until(voided, 'expired')
    expect(await received()).toBe(200n)
  })

  it('requires the transaction that used the nonce, if that was long ago', async () => {
    await open()
    const nonce = await world.nonceAccount(payer, Keypair.generate())
    const other = world.nonceTransfer(payer, nonce, to.publicKey, 200n)
    world.link.submit(other)
    await world.until(other, 'finalized')
    await letSlotsPass()
    const voided = world.nonceTransfer(payer, nonce, to.publicKey, 100n)
    world.link.watch({ ...voided, bytes: null })
    await world.until(voided, 'expired')
    const [expiry] = world.of(voided).filter((fact) => fact.kind === 'expired')
    expect(expiry!.proof.history).toMatchObject({ address: nonce.account, consumedBy: other.signature })
  })

  it('distrusts an endpoint that answers with another signature, and reports it', async () => {
    await open()
    const submission = await world.transfer(payer, to.publicKey, 1n)
    const liar = await scriptedNode(({ method }) =>
      method === 'getGenesisHash'
        ? 'genesis'
        : method === 'sendTransaction'
          ? 'another'
          : { context: { slot: 1 }, value: [null] },
    )
    const cluster = await openCluster({
      id: 'CHAIN_DEVNET',
      endpoints: [liar.url],
      settings: QUICK,
      clock: systemClock,
    })
    const alarms: ChainAlarm[] = []
    const facts: ChainFact[] = []
    const link = openLink(cluster, systemClock, {
      onFacts: (some) => void facts.push(...some),
      onAlarm: (alarm) => void alarms.push(alarm),
    })
    link.submit(submission)
    await eventually(() => facts.some((fact) => fact.kind === 'sent'))
    expect(facts[0]).toMatchObject({ kind: 'sent', outcome: 'mismatched' })
    expect(alarms[0]).toMatchObject({ kind: 'SIGNATURE_MISMATCH', transactionId: submission.transactionId })
    expect(JSON.stringify(alarms)).not.toContain('secret')
    expect(cluster.pool.all[0]!.distrusted).not.toBeNull()
    await link.close()
    await cluster.close()
    await liar.close()
  })
})
