import { expect, test } from 'vitest'
import { KeyStock } from '../../src/keys/key-stock.ts'
import { keypairFromSeed, verifySignature, type Keypair } from '../../src/keys/keypair.ts'

test('every pair is handed out once, whole, made ahead or when it is needed', async () => {
  const stock = new KeyStock()
  const taken: Keypair[] = []
  // More at once than any stock holds, then what was made meanwhile, over and over.
  for (const count of [300, 1, 150, 96, 97, 40]) {
    for (let made = 0; made < count; made += 1) taken.push(stock.take())
    await expect.poll(() => stock.ready, { timeout: 120_000 }).toBeGreaterThan(0)
    const ready = stock.ready
    taken.push(stock.take())
    expect(stock.ready).toBe(ready - 1)
  }
  stock.close()
  expect(new Set(taken.map(({ address }) => address)).size).toBe(taken.length)
  const message = Buffer.from('a message')
  for (const pair of taken) {
    expect(keypairFromSeed(pair.seed()).address).toBe(pair.address)
    expect(verifySignature(message, pair.sign(message), pair.address)).toBe(true)
  }
})

test('who has closed it still gets a pair, made where it is needed', () => {
  const stock = new KeyStock()
  for (let count = 0; count < 20; count += 1) stock.take()
  stock.close()
  expect(stock.take().address).not.toBe(stock.take().address)
})
