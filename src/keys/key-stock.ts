// New key pairs, generated ahead of need on a thread of their own: generating a pair and exporting its seed is a third
// of the cost of creating an account, and would otherwise block the main thread. A pair in stock belongs to no account
// and exists only in memory.
import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { encodeBase58 } from '../solana/base58.ts'
import { generateKeypair, Keypair } from './keypair.ts'

/** This many keys are generated where they are needed; a service that needs no more starts no thread. */
const WITHOUT_THREAD = 16
/** Number of pairs generated per request, made whenever fewer than this are left. */
const LOT = 64

/** The code of the thread, as text: it runs both from sources and from a build, and loads neither. */
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

  /** Pairs in stock. */
  get ready(): number {
    return this.#ready.length
  }

  /** A pair that was never returned before. Never waits. */
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
    // Until the next attempt to start a thread, keys are generated where they are needed.
    maker.on('error', () => {
      this.#asked = false
      this.#maker = null
    })
    maker.unref()
    return maker
  }
}
