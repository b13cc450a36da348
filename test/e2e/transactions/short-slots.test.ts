// A chain whose blockhashes expire sooner than the ten seconds for which the service usually reuses one: a transaction
// that is signed or approved after a pause still lands.
import { Keypair, VersionedMessage, VersionedTransaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clusterSettings } from '../../../src/rpc/cluster-settings.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture, perTransaction, to, type Held } from '../limits/limit-fixture.ts'
import type { Result } from '../models.ts'
import { SOL } from '../records.ts'

/** Blockhashes live for seven and a half seconds, which is the time that a busy machine has for a transaction. */
const SLOT_MS = 50
const LIFETIME_BLOCKS = 151
let world: World
beforeAll(async () => {
  // The cached blockhash is not refreshed in the background, as after a pause of some seconds.
  const unrefreshed = { refreshMs: 3_600_000 }
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: String(SLOT_MS) }, (usual) => ({
    ...usual,
    blockhash: { ...usual.blockhash, ...unrefreshed },
  }))
})
afterAll(() => world.stop())

async function lifetime(): Promise<void> {
  const { connection } = world.chain
  const before = await connection.getBlockHeight('finalized')
  await eventually(async () =>
    expect(await connection.getBlockHeight('finalized')).toBeGreaterThan(before + LIFETIME_BLOCKS),
  )
}

it('a transfer after a pause longer than the lifetime of a blockhash is confirmed', async () => {
  await world.records.feePayer()
  const [source, destination] = [await world.records.funded({}, 10n * SOL), await world.records.account()]
  for (let count = 0; count < 2; count += 1) {
    const body = { source, destination, lamports: SOL.toString() }
    const { status } = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', body)
    expect(status).toMatch(/CONFIRMED|FINALIZED/)
    await lifetime()
  }
})

it('an approval after such a pause rebuilds the message, which lands', async () => {
  const fixture = new LimitFixture(world)
  const anna = await fixture.person('SYSTEM', ['DEBIT_LIMIT_APPROVE'])
  const wallet = await fixture.wallet([to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] }))])
  const destination = await world.records.funded({}, SOL)
  const payment = await fixture.pay(wallet, destination, 2n * SOL)
  await lifetime()
  const result = await anna.api.ok<Held>(200, 'POST', '/transactions/approve', {
    offchainId: payment.offchainId,
  })
  expect(result.status).toMatch(/CONFIRMED|FINALIZED/)
  expect(await world.chain.lamports(destination.onchainId)).toBe(3n * SOL)
})

it('a message with an outside signature is not signed after such a pause', async () => {
  const outsider = Keypair.generate()
  const onchainId = outsider.publicKey.toBase58()
  await world.chain.airdrop(onchainId, 10n * SOL)
  const source = await world.records.account({ managed: false, onchainId, alreadyOnchain: true })
  const [feePayer, destination] = [await world.records.feePayer(), await world.records.funded({}, SOL)]
  const body = { source, destination, lamports: SOL.toString() }
  const { offchainId, serializedMessage } = await world.api.ok<Result>(
    ...([201, 'POST', '/positions/transfer-network-currency', body, { config: { feePayer } }] as const),
  )
  const bytes = VersionedMessage.deserialize(Buffer.from(serializedMessage, 'base64'))
  const transaction = new VersionedTransaction(bytes)
  transaction.sign([outsider])
  const signature = bs58.encode(transaction.signatures[1]!)
  const added = { transaction: { offchainId }, signers: [], signatures: [{ onchainId, signature }] }
  const partly = await world.api.ok<Result>(200, 'POST', '/transactions/sign', added)
  expect(partly.status).toBe('PARTIALLY_SIGNED')
  await lifetime()
  for (const members of [{}, { returnSerialized: true }, { signers: [feePayer] }])
    await world.api.refuses(400, 'BLOCKHASH_EXPIRED', 'POST', '/transactions/sign', {
      transaction: { offchainId },
      ...members,
    })
  const cancelled = await world.api.ok<Result>(200, 'PATCH', '/transactions/cancel', { offchainId })
  expect(cancelled.status).toBe('CANCELLED')
})

it.each([1, 10, 50, 200, 400, 1_000])(
  'a cached blockhash with slots of %i ms is not used after a third of its lifetime',
  (slotMs) => {
    for (const choices of [
      { embedded: true, embeddedSlotMs: slotMs },
      { embedded: false, embeddedSlotMs: 400, minSlotMs: slotMs },
    ]) {
      const { blockhash } = clusterSettings({ ...choices, subscribedAccounts: 0 })
      expect(blockhash.maxAgeMs).toBeLessThanOrEqual((150 * slotMs) / 3)
      expect(blockhash.refreshMs).toBeLessThan(blockhash.maxAgeMs)
    }
  },
)
