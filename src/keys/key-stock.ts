// New key pairs, made ahead of need on a thread of their own: making one and getting at its seed is a third of what creating an account
// costs, and the one thread that does all else need not do that too. A pair in stock belongs to nobody and is nowhere but in memory.
import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { encodeBase58 } from '../solana/base58.ts'
import { generateKeypair, Keypair } from './keypair.ts'

/** So many are made where they are needed; who needs no more needs no thread. */
const WITHOUT_THREAD = 16
/** Asked for at once, whenever fewer than that are left. */
const LOT = 64

/** What the thread does, as text: it runs from the sources and from what is built of them alike, and loads none of either. */
const MAKER = `
  const { generateKeyPairSync } = require('node:crypto')
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (count) => {
    const lot = Array.from({ length: count }, () => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const der = privateKey.export({ format: 'der', type: 'pkcs8' })
      const seed = Uint8Array.from(der.subarray(-32))
      der.fill(0)
      return { publicKey: publicKey.export({ format: 'jwk' }).x, key: privateKey, seed }
    })
    parentPort.postMessage(lot, lot.map(({ seed }) => seed.buffer))
  })`

interface Made {
  /** base64url */
  readonly publicKey: string
  readonly key: KeyObject
  readonly seed: Uint8Array<ArrayBuffer>
}

export class KeyStock {
  #ready: Made[] = []
  #taken = 0
  #asked = false
  #maker: Worker | null = null
  #closed = false

  /** Pairs made ahead. */
  get ready(): number {
    return this.#ready.length
  }

  /** A pair that was never handed out before. Never waits. */
  take(): Keypair {
    this.#taken += 1
    const made = this.#ready.pop()
    if (this.#taken > WITHOUT_THREAD && this.#ready.length < LOT) this.#ask()
    return made === undefined
      ? generateKeypair()
      : new Keypair(encodeBase58(Buffer.from(made.publicKey, 'base64url')), made.key, Buffer.from(made.seed.buffer))
  }

  close(): void {
    this.#closed = true
    for (const { seed } of this.#ready) seed.fill(0)
    this.#ready = []
    void this.#maker?.terminate()
  }

  #ask(): void {
    if (this.#asked || this.#closed) return
    this.#asked = true
    this.#maker ??= this.#start()
    this.#maker.postMessage(LOT)
  }

  #start(): Worker {
    const maker = new Worker(MAKER, { eval: true })
    maker.on('message', (lot: Made[]) => {
      this.#asked = false
      this.#ready.push(...lot)
    })
    // Without it keys are made as they are needed; the next one that is tries another thread.
    maker.on('error', () => {
      this.#asked = false
      this.#maker = null
    })
    maker.unref()
    return maker
  }
}
