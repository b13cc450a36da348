// Prepares keys and reports them, masked, so that the unmasked bytes are in no buffer of this process except those that
// the preparation left.
import { createDecipheriv } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyStock } from '../../src/keys/key-stock.ts'
import { SEED_CONTEXT, type PreparedKey } from '../../src/keys/vault.ts'
import { decodeBase58 } from '../../src/solana/base58.ts'

/** In hex, each byte XOR 0xff. */
export interface HeldKeys {
  readonly seeds: readonly string[]
  /** The bytes in memory to search for. */
  readonly canary: string
}

const CHOSEN = 12
const WAIT_MS = 2_000
/** The stock requests a lot when it has fewer keys. */
const ENOUGH = 192

const stock = new KeyStock(SEED_CONTEXT)
const takenKeys: PreparedKey[] = []
const canary = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 37 + 11) % 256))

const masked = (bytes: Uint8Array): string => Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString('hex')

function seedOf({ address, seed, dataKey }: PreparedKey): string {
  const sealed = Buffer.from(seed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', dataKey, sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.concat([Buffer.from(SEED_CONTEXT), decodeBase58(address, 32)!]))
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = decipher.update(sealed.subarray(12, -16))
  decipher.final()
  const text = masked(plain)
  plain.fill(0)
  return text
}

const taking = setInterval(() => {
  for (let count = 0; count < 40; count += 1) {
    const key = stock.take()
    if (key !== undefined) takenKeys.push(key)
  }
  if (takenKeys.length < 400) return
  clearInterval(taking)
  void report()
}, 5)

async function report(): Promise<void> {
  // From the first to the last of them.
  const step = Math.floor(takenKeys.length / CHOSEN)
  const chosenKeys = takenKeys.filter((_, at) => at % step === step - 1 || at >= takenKeys.length - 2)
  await sleep(WAIT_MS)
  const seeds = [...chosenKeys, ...(await keysOfLastLot())].map(seedOf)
  process.send!({ seeds, canary: masked(canary) } satisfies HeldKeys)
}

/** Keys whose texts no later lot overwrites: the stock has enough of them. */
async function keysOfLastLot(): Promise<PreparedKey[]> {
  while (stock.ready < ENOUGH) await sleep(5)
  // The last of these requests a lot, whose keys are the next to be taken.
  while (stock.ready >= ENOUGH) stock.take()
  while (stock.ready < ENOUGH) await sleep(5)
  return Array.from({ length: CHOSEN }, () => stock.take()!)
}

// Keeps the process, with its stock, running until it is killed.
setInterval(() => canary.length, 60_000)
