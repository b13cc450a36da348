// The ledger: durable before the reply, every batch synced, the same answers after a restart, and an end at the first
// failed write.

import { createRequire } from 'node:module'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LedgerTransaction } from '../../src/localnet/contract.ts'
import { lamportsOf, openTestBank, signatureOf, transfer, type TestBank } from './bank-chain.ts'

// The classes under `level`, to observe its calls.
const { AbstractLevel, AbstractChainedBatch } = createRequire(createRequire(import.meta.url).resolve('level'))(
  'abstract-level',
) as {
  AbstractLevel: { prototype: { batch: (...args: unknown[]) => unknown; put: () => unknown; del: () => unknown } }
  AbstractChainedBatch: { prototype: { write: (options?: { sync?: boolean }) => Promise<void> } }
}

const openBanks: TestBank[] = []
async function open(options: Parameters<typeof openTestBank>[0] = {}): Promise<TestBank> {
  const test = await openTestBank(options)
  openBanks.push(test)
  return test
}
afterEach(async () => {
  vi.restoreAllMocks()
  for (const test of openBanks.splice(0)) await test.remove()
})

const plain = (row: LedgerTransaction): unknown => ({
  signature: row.signature,
  slot: row.slot,
  blockTime: row.blockTime,
  bytes: Buffer.from(row.bytes).toString('hex'),
  version: row.version,
  error: row.error,
  fee: row.feeLamports,
  units: row.computeUnits,
  logs: row.logs,
  inner: JSON.stringify(row.inner),
  returned: JSON.stringify(row.returnData),
  keys: row.accountKeys,
  loaded: row.loadedAddresses,
  before: row.preBalances,
  after: row.postBalances,
})

describe('every write', () => {
  it('is one synced batch', async () => {
    const write = vi.spyOn(AbstractChainedBatch.prototype, 'write')
    const others = [vi.spyOn(AbstractLevel.prototype, 'put'), vi.spyOn(AbstractLevel.prototype, 'del')]
    const array = vi.spyOn(AbstractLevel.prototype, 'batch')
    const test = await open({ faults: true })
    const payer = await test.funded()
    const to = await test.funded()
    await Promise.all(Array.from({ length: 200 }, () => test.run(transfer(payer, to.publicKey, 1), [payer])))
    await test.bank.advance(200)
    await test.run(transfer(payer, to.publicKey, 1), [payer])
    await test.bank.faults?.forkAway(1)
    await test.restart()
    expect(write.mock.calls.length).toBeGreaterThan(5)
    for (const call of write.mock.calls) expect(call).toEqual([{ sync: true }])
    for (const other of others) expect(other).not.toHaveBeenCalled()
    for (const call of array.mock.calls) expect(call).toEqual([])
    // Many transactions of one tick share a batch.
    expect(write.mock.calls.length).toBeLessThan(60)
  })

  it('ends the chain when it fails: nothing pending is answered, nothing is written afterwards', async () => {
    const failures: unknown[] = []
    const test = await open({ fatal: (error) => failures.push(error) })
    const payer = await test.funded()
    const to = await test.funded()
    const keptRow = await test.run(transfer(payer, to.publicKey, 1), [payer])
    const write = vi
      .spyOn(AbstractChainedBatch.prototype, 'write')
      .mockRejectedValue(new Error('No space left on device'))
    const lostBytes = test.build(transfer(payer, to.publicKey, 2), [payer])
    const answers: unknown[] = []
    void test.bank.send(lostBytes).then((answer) => answers.push(answer))
    await vi.waitFor(() => expect(failures).toHaveLength(1), 60_000)
    write.mockRestore()
    void test.bank.send(test.build(transfer(payer, to.publicKey, 3), [payer])).then((answer) => answers.push(answer))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(answers).toEqual([])
    await test.restart()
    expect(test.bank.transaction(keptRow.signature)).not.toBeNull()
    expect(lamportsOf(test.bank, to.publicKey)).toBe(100_000_000_001n)
    expect(await test.bank.send(lostBytes)).toMatchObject({ kind: 'executed', error: null })
  })
})

describe('a restart', () => {
  it('keeps the chain, its accounts, history, blocks and indexes', async () => {
    const test = await open()
    const payer = await test.funded()
    const to = await test.funded()
    const rows: LedgerTransaction[] = []
    for (let i = 0; i < 40; i += 1) {
      rows.push(await test.run(transfer(payer, to.publicKey, 1), [payer]))
      if (i % 4 === 0) await test.bank.advance(1 + (i % 3))
    }
    await test.bank.advance(2)
    const last = test.bank.slot('finalized')
    const picture = (): unknown => ({
      genesis: test.bank.genesisHash,
      identity: test.bank.identity,
      count: test.bank.transactionCount(),
      rows: rows.map((row) => plain(test.bank.transaction(row.signature)!)),
      statuses: rows.map((row) => test.bank.signatureStatus(row.signature, false)),
      byAddress: [payer, to].map(({ publicKey }) =>
        test.bank.signaturesForAddress(publicKey.toBytes(), { limit: 1000 }).map(({ signature }) => signature),
      ),
      blocks: test.bank.blocks(0, last).map((slot) => test.bank.block(slot)),
      balances: [payer, to].map(({ publicKey }) => lamportsOf(test.bank, publicKey)),
    })
    const before = picture()
    for (let i = 0; i < 3; i += 1) {
      const slot = test.bank.slot('processed')
      await test.restart()
      expect(test.bank.slot('processed')).toBe(slot + 1)
      expect(picture()).toEqual(before)
    }
  })

  it('never runs an old signed transaction again, and still runs a new one', async () => {
    const test = await open()
    const payer = await test.funded()
    const to = await test.funded(1_000_000n)
    const ran = test.build(transfer(payer, to.publicKey, 5), [payer])
    const waitingBytes = test.build(transfer(payer, to.publicKey, 7), [payer])
    const signature = signatureOf(await test.bank.send(ran))
    await test.restart()
    expect(await test.bank.send(ran)).toEqual({ kind: 'duplicate', signature })
    expect(await test.bank.send(waitingBytes)).toMatchObject({ kind: 'executed', error: null })
    expect(lamportsOf(test.bank, to.publicKey)).toBe(1_000_012n)
    await test.bank.advance(400)
    await test.restart()
    expect(await test.bank.send(ran)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' })
  })

  it('gives airdrops of the next run different messages', async () => {
    const test = await open()
    const { publicKey } = Keypair.generate()
    for (let i = 0; i < 3; i += 1) {
      await Promise.all([1, 2].map(() => test.bank.airdrop(publicKey.toBytes(), 1_000_000n)))
      await test.restart()
    }
    expect(lamportsOf(test.bank, publicKey)).toBe(6_000_000n)
  })

  it('repeats no blockhash, and continues above every height ever returned', async () => {
    const test = await open()
    const hashes = new Set<string>()
    let height = 0
    for (let i = 0; i < 5; i += 1) {
      for (let k = 0; k < 70; k += 1) {
        const { blockhash } = test.bank.latestBlockhash('processed')
        expect(hashes.has(blockhash)).toBe(i > 0 && k === 0 ? hashes.has(blockhash) : false)
        hashes.add(blockhash)
        expect(test.bank.blockHeight('processed')).toBeGreaterThan(height)
        height = test.bank.blockHeight('processed')
        await test.bank.advance(1)
      }
      await test.restart()
    }
  })

  it('refuses a directory in use', async () => {
    const test = await open()
    await expect(openTestBank({ dataDir: test.dataDir })).rejects.toThrow()
  })
})

describe('history', () => {
  it('pages by address, bounds exclusive, newest first', async () => {
    const test = await open()
    const payer = await test.funded()
    const to = await test.funded()
    const signatures: string[] = []
    for (let i = 0; i < 20; i += 1) {
      signatures.unshift((await test.run(transfer(payer, to.publicKey, 1), [payer])).signature)
      if (i % 7 === 0) await test.bank.advance(1)
      if (i === 11) await test.restart()
    }
    const page = (
      options: { limit: number; before?: string; until?: string },
      key: PublicKey = to.publicKey,
    ): string[] => test.bank.signaturesForAddress(key.toBytes(), options).map(({ signature }) => signature)
    expect(page({ limit: 5 })).toEqual(signatures.slice(0, 5))
    expect(page({ limit: 5, before: signatures[4]! })).toEqual(signatures.slice(5, 10))
    expect(page({ limit: 100, before: signatures[4]!, until: signatures[9]! })).toEqual(signatures.slice(5, 9))
    expect(page({ limit: 100, until: signatures[0]! })).toEqual([])
    expect(page({ limit: 100 }, payer.publicKey).slice(0, 20)).toEqual(signatures)
    expect(page({ limit: 3, before: signatures[2]! }, new PublicKey('11111111111111111111111111111111'))).toEqual(
      signatures.slice(3, 6),
    )
    expect(page({ limit: 100 }, Keypair.generate().publicKey)).toEqual([])
    // A bound that does not name the address is a position in time all the same.
    const elsewhere = await test.run(transfer(payer, payer.publicKey, 1), [payer])
    await test.run(transfer(payer, to.publicKey, 1), [payer])
    expect(page({ limit: 1, before: elsewhere.signature })).toEqual([signatures[0]])
  })

  it('contains blocks of closed slots: linked, dated, with the signatures in order', async () => {
    const test = await open()
    const payer = await test.funded()
    const to = await test.funded()
    const bySlot = new Map<number, string[]>()
    for (let i = 0; i < 12; i += 1) {
      const rows = await Promise.all([1, 2, 3].map(() => test.run(transfer(payer, to.publicKey, 1), [payer])))
      for (const row of rows) bySlot.set(row.slot, [...(bySlot.get(row.slot) ?? []), row.signature])
      if (i % 2 === 1) await test.bank.advance(2)
    }
    const slots = test.bank.blocks(0, 1000)
    expect(slots).toEqual(Array.from({ length: test.bank.slot('processed') }, (_, i) => i))
    let previous = test.bank.block(0)!
    for (const slot of slots.slice(1)) {
      const block = test.bank.block(slot)!
      expect(block).toMatchObject({
        slot,
        parentSlot: slot - 1,
        blockHeight: slot,
        previousBlockhash: previous.blockhash,
      })
      expect(block.blockTime).toBeGreaterThanOrEqual(previous.blockTime)
      const knownSignatures = bySlot.get(slot)
      if (knownSignatures) expect(block.signatures.slice(-knownSignatures.length)).toEqual(knownSignatures)
      previous = block
    }
    expect(test.bank.block(test.bank.slot('processed'))).toBeNull()
    expect(test.bank.latestBlockhash('processed').blockhash).toBe(previous.blockhash)
  })

  it('reports transactions to listeners once they are durable, with the changed accounts', async () => {
    const test = await open()
    const payer = await test.funded()
    const to = Keypair.generate().publicKey
    const notifications: string[] = []
    const changes: unknown[] = []
    const stop = test.bank.on((event) => {
      if (event.type !== 'transaction') return
      notifications.push(event.transaction.signature)
      expect(test.bank.transaction(event.transaction.signature)).not.toBeNull()
      changes.push(event.changed.map(({ address, account }) => [new PublicKey(address).toBase58(), account.lamports]))
    })
    const row = await test.run(transfer(payer, to, 1_000_000), [payer])
    stop()
    await test.run(transfer(payer, to, 1_000_000), [payer])
    expect(notifications).toEqual([row.signature])
    expect(changes).toEqual([
      [
        [payer.publicKey.toBase58(), 99_998_995_000n],
        [to.toBase58(), 1_000_000n],
      ],
    ])
  })
})
