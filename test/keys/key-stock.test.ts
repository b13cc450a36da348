import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { KeyStock } from '../../src/keys/key-stock.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { SEED_CONTEXT, Vault, type PreparedKey } from '../../src/keys/vault.ts'
import type { HeldKeys } from './stock-process.ts'

const vault = new Vault(new MasterKey(randomBytes(32)))
const message = Buffer.from('a message')
const waits = { timeout: 120_000 }

function newStock(): KeyStock {
  const stock = new KeyStock(SEED_CONTEXT)
  onTestFinished(() => stock.close())
  return stock
}

/** Waits until the stock is full. */
async function fill(stock: KeyStock): Promise<void> {
  while (stock.ready === 0) {
    stock.take()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await expect.poll(() => stock.ready, waits).toBeGreaterThanOrEqual(192)
}

test('every key is returned once, and opens to the key of its address', async () => {
  const stock = newStock()
  const takenKeys: PreparedKey[] = []
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.boolean(), async (count, waitsForStock) => {
      if (waitsForStock) await fill(stock)
      for (let each = 0; each < count; each += 1) {
        const key = stock.take()
        if (key !== undefined) takenKeys.push(key)
      }
      expect(stock.ready).toBeLessThanOrEqual(256)
    }),
    { numRuns: 12 },
  )
  expect(takenKeys.length).toBeGreaterThan(100)
  for (const form of ['address', 'seed'] as const)
    expect(new Set(takenKeys.map((key) => key[form])).size).toBe(takenKeys.length)
  expect(new Set(takenKeys.map(({ dataKey }) => Buffer.from(dataKey).toString('hex'))).size).toBe(takenKeys.length)
  for (const key of takenKeys.slice(0, 200)) {
    const pair = vault.openPrepared(key)
    expect(verifySignature(message, pair.sign(message), key.address)).toBe(true)
  }
})

test('a service that needs few keys starts no thread, and one that needs more fills its stock', async () => {
  const stock = newStock()
  for (let count = 0; count < 16; count += 1) expect(stock.take()).toBeUndefined()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(stock.ready).toBe(0)
  stock.take()
  await expect.poll(() => stock.ready, waits).toBeGreaterThanOrEqual(192)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(stock.ready).toBeLessThanOrEqual(256)
})

test('after close, the data keys of the stock are overwritten, and no key is returned', async () => {
  const stock = newStock()
  await fill(stock)
  // The data keys of a lot are parts of one buffer.
  const { dataKey } = stock.take()!
  stock.close()
  expect(new Uint8Array(dataKey.buffer).filter((byte) => byte !== 0).length).toBeLessThanOrEqual(32)
  expect([stock.take(), stock.ready]).toEqual([undefined, 0])
})

/** Writable memory of a process, in parts. */
function* memoryOf(pid: number): Generator<Buffer> {
  const file = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === undefined || to === undefined) continue
      const bytes = Buffer.alloc(Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)))
      try {
        yield bytes.subarray(0, readSync(file, bytes, 0, bytes.length, Number(BigInt(`0x${from}`))))
      } catch {
        // A mapping without memory.
      }
    }
  } finally {
    closeSync(file)
  }
}

test('soon after keys were generated, no seed remains in the memory of the process', async () => {
  // An idle V8 would return the memory to the system after some seconds.
  const execArgv = ['--no-memory-reducer', '--import', 'tsx']
  const child = fork(join(import.meta.dirname, 'stock-process.ts'), { execArgv })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { seeds, canary } = await new Promise<HeldKeys>((resolve) => child.once('message', resolve))
  const unmasked = (hex: string): Buffer => Buffer.from(hex, 'hex').map((byte) => byte ^ 0xff) as Buffer
  const forms = seeds.map(unmasked).flatMap((seed) => [seed, Buffer.from(seed.toString('base64url').slice(0, 42))])
  const countForms = (): number[] => {
    const counts = forms.map(() => 0)
    let isCanaryFound = false
    for (const part of memoryOf(child.pid!)) {
      forms.forEach((form, at) => (counts[at]! += part.includes(form) ? 1 : 0))
      isCanaryFound ||= part.includes(unmasked(canary))
    }
    // The search finds existing keys.
    expect(isCanaryFound).toBe(true)
    return counts
  }
  // The thread overwrites them a moment after its last lot, when it gets a core.
  await expect.poll(countForms, { timeout: 60_000, interval: 500 }).toEqual(forms.map(() => 0))
})
