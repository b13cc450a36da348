// The link on the real embedded chain: until the outcome, after a restart, and up to its bounds.
import { Keypair } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LaneFull, type Submission } from '../../src/submission/submission.ts'
import { STANDING_STILL_MS } from '../localnet/bank-chain.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { openLinkedWorld, QUICK, type Linked } from './linked.ts'

let world: Linked
let payer: Keypair
let to: Keypair

async function open(...parameters: Parameters<typeof openLinkedWorld>): Promise<void> {
  world = await openLinkedWorld(...parameters)
  payer = await world.chain.payer()
  to = await world.chain.payer(1_000_000_000)
}
afterEach(async () => {
  expect(world.chain.unexpected).toEqual([])
  await world.close()
})

describe('a link to a sound chain', () => {
  beforeEach(() => open())

  it('completes hundreds of transfers of several payers, each once', async () => {
    const payers = [payer, await world.chain.payer(), await world.chain.payer()]
    const submissions: Submission[] = []
    for (let index = 0; index < 300; index += 1)
      submissions.push(await world.transfer(payers[index % 3]!, to.publicKey, BigInt(index + 1)))
    for (const submission of submissions) world.link.submit(submission)
    world.link.submit(submissions[0]!)
    await eventually(() => world.link.open === 0)
    for (const submission of submissions) {
      expect(world.levels(submission).at(-1)).toBe('finalized')
      const seenFacts = world.of(submission).filter((fact) => fact.kind === 'seen')
      expect(seenFacts.every((fact) => fact.error === null && fact.signature === submission.signature)).toBe(true)
      expect(seenFacts.at(-1)!.blockTime).toBeTypeOf('number')
      const sentFacts = world.of(submission).filter((fact) => fact.kind === 'sent')
      // A slow machine gives the link time to send it again; the chain executes it once in any case.
      expect(sentFacts.length).toBeGreaterThan(0)
      for (const { outcome, endpoint } of sentFacts) {
        // Or the chain shows it before the endpoint answers.
        expect(['accepted', 'unanswered']).toContain(outcome)
        expect(endpoint).toBe(new URL(world.chain.url).origin)
      }
    }
    expect(await world.balance(to.publicKey)).toBe(1_000_000_000n + (300n * 301n) / 2n)
  })

  it('reports an error of the chain, as final only when it is', async () => {
    const submission = await world.transfer(payer, to.publicKey, 10n ** 15n)
    world.link.submit(submission)
    await world.until(submission, 'finalized')
    const seenFacts = world.of(submission).filter((fact) => fact.kind === 'seen')
    for (const fact of seenFacts)
      expect(fact.error).toContain('{"InstructionError":[0,{"Custom":1}]} (instruction 1: custom program error 0x1)')
  })

  it('resumes transactions sent before a restart, without moving anything twice', async () => {
    const landed = await world.transfer(payer, to.publicKey, 5n)
    const unsentTransfer = await world.transfer(payer, to.publicKey, 7n)
    world.link.submit(landed)
    await world.until(landed, 'finalized')
    await world.link.close()
    world.facts.length = 0
    world.link = world.open()
    world.link.watch(landed, { commitment: 'confirmed', slot: 1 })
    world.link.watch(unsentTransfer)
    await eventually(() => world.link.open === 0)
    expect(world.levels(landed)).toContain('finalized')
    expect(world.of(landed).filter((fact) => fact.kind === 'sent')).toEqual([])
    expect(world.levels(unsentTransfer).at(-1)).toBe('finalized')
    expect(await world.balance(to.publicKey)).toBe(1_000_000_012n)
  })

  it('reads accounts, fees, rent, simulations and landed transactions', async () => {
    const { cluster } = world
    const submission = await world.transfer(payer, to.publicKey, 9n)
    const message = submission.bytes!.slice(65)
    const simulated = await cluster.simulate(message, { accounts: [to.publicKey.toBase58()] })
    expect(simulated).toMatchObject({ error: null, accounts: [{ lamports: 1_000_000_009n }] })
    world.link.submit(submission)
    await world.until(submission, 'finalized')
    const landed = await cluster.landed(submission.signature!)
    expect(landed).toMatchObject({ feeLamports: 5_000n, error: null, bytes: Buffer.from(submission.bytes!) })
    const addresses = Array.from({ length: 120 }, () => Keypair.generate().publicKey.toBase58())
    const { accounts } = await cluster.accounts([...addresses, to.publicKey.toBase58()])
    expect(accounts.map((account) => account?.lamports ?? null)).toEqual([...addresses.map(() => null), 1_000_000_009n])
    expect(await cluster.rentExemptLamports(0)).toBeGreaterThan(0n)
    expect(await cluster.slot()).toBeGreaterThan(0)
  })

  it('refuses above its bounds before the submission, and accepts everything already submitted', async () => {
    await world.close()
    await open({}, { ...QUICK, admission: { perLane: 2, perTenant: 3, perCluster: 5 } })
    await world.faults({ dropRequests: { sendTransaction: 1_000_000 } })
    const submissions: Submission[] = []
    for (let index = 0; index < 5; index += 1)
      submissions.push(await world.transfer(payer, to.publicKey, BigInt(index + 1)))
    const lane = submissions[0]!.lane
    const scopes: (string | null)[] = []
    for (const [index, submission] of submissions.entries()) {
      const tenant = index === 3 ? 'U' : 'T'
      try {
        world.link.admit(tenant, index > 1 ? 'another' : lane, submission.transactionId)
        scopes.push(null)
      } catch (error) {
        scopes.push((error as LaneFull).scope)
      }
      world.link.submit({ ...submission, tenant })
    }
    // Three of five belong to T: its rest equals the rest of all.
    expect(scopes).toEqual([null, null, null, null, 'tenant'])
    expect(() => world.link.admit('U', 'third', 'one more')).toThrow(/cluster/)
    // An admitted transaction keeps its place.
    world.link.admit('T', lane, submissions[0]!.transactionId)
    await world.faults({})
    await eventually(() => world.link.open === 0)
    expect(await world.balance(to.publicKey)).toBe(1_000_000_015n)
    const giveBack = world.link.admit('T', lane, 'x')
    world.link.admit('T', lane, 'y')
    expect(() => world.link.admit('T', lane, 'z')).toThrow(/lane/)
    // Others have their own lane on the same fee payer.
    world.link.admit('U', lane, 'u')
    giveBack()
    world.link.admit('T', lane, 'z')
  })
})

it('continues from the observed status of a watched transaction, and does not send a confirmed one', async () => {
  // No slot opens before the test allows it: `confirmed` is not missed, however late it is queried.
  await open({ slotMs: STANDING_STILL_MS })
  const submission = await world.transfer(payer, to.publicKey, 9n)
  world.link.watch({ ...submission, bytes: null })
  await world.chain.connection().sendRawTransaction(submission.bytes!, { skipPreflight: true })
  await eventually(() => world.levels(submission).includes('confirmed'))
  world.link.submit(submission)
  expect(world.link.state(submission.transactionId)).toMatchObject({
    commitment: expect.stringMatching(/confirmed|finalized/) as string,
  })
  await world.chain.bank.advance(2)
  await world.until(submission, 'finalized')
  expect(world.of(submission).filter((fact) => fact.kind === 'sent')).toEqual([])
  expect(world.levels(submission).filter((level) => level === 'confirmed')).toHaveLength(1)
})
