// Prepares new keys in advance in a separate thread: generates them and seals each under its own data key. This is a
// third of the cost of creating an account, and would otherwise block the main thread. A key in stock belongs to no
// account and exists only in memory, with its seed encrypted.
import { Worker } from 'node:worker_threads'
import { encodeBase58 } from '../solana/base58.ts'
import type { PreparedKey } from './vault.ts'

/**
 * Number of keys that are generated in the calling thread, so that a service that needs no more keys starts no thread.
 */
const WITHOUT_THREAD = 16
/** Number of keys prepared per request. */
const LOT = 64
/** A lot is requested whenever fewer keys than this are left: there are never more than `ENOUGH + LOT`. */
const ENOUGH = 192
/** Bytes of a data key. */
const DATA_KEY = 32
/** Young generation of the thread: small, so that new texts soon overwrite those that held seeds. */
const YOUNG_MB = 2
/**
 * Number of keys after which the thread yields its core: a whole batch takes 2 ms, which the thread that writes to disk
 * might have to wait.
 */
const PAUSE_EVERY = 8
const PAUSE_MS = 0.01
/** Time after its last lot at which the thread overwrites the texts that held seeds, by allocating other texts. */
const WIPE_AFTER_MS = 200

/**
 * The code of the thread, as text: it runs both from sources and from a build, and loads neither. The pair comes as
 * JWKs out of the generation itself: as DER it costs twice as much, and a later export as a JWK can block the thread
 * for ever (`keypair.ts`). The seed is therefore a text for a moment, in this thread only.
 */
const MAKER = `
  const { createCipheriv, generateKeyPairSync, randomFillSync } = require('node:crypto')
  const { parentPort, workerData } = require('node:worker_threads')
  const { boundTo, wipeAfterMs, youngMb, pauseEvery, pauseMs } = workerData
  const JWK = { publicKeyEncoding: { format: 'jwk' }, privateKeyEncoding: { format: 'jwk' } }
  const seed = Buffer.alloc(32)
  const never = new Int32Array(new SharedArrayBuffer(4))
  const context = Buffer.alloc(boundTo.length + 32)
  context.write(boundTo)
  const prepare = (dataKey, iv) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', JWK)
    seed.write(privateKey.d, 'base64url')
    context.write(publicKey.x, boundTo.length, 'base64url')
    const cipher = createCipheriv('aes-256-gcm', dataKey, iv, { authTagLength: 16 })
    cipher.setAAD(context)
    const sealed = Buffer.concat([iv, cipher.update(seed), cipher.final(), cipher.getAuthTag()])
    seed.fill(0)
    return { publicKey: publicKey.x, seed: sealed.toString('base64') }
  }
  const wipe = () => {
    for (let bytes = 0; bytes < 4 * youngMb * 2 ** 20; bytes += 64) seed.toString('base64url')
  }
  let wiping
  parentPort.on('message', (count) => {
    const dataKeys = randomFillSync(new Uint8Array(32 * count))
    const ivs = randomFillSync(Buffer.alloc(12 * count))
    const keys = Array.from({ length: count }, (_, at) => {
      if (at % pauseEvery === 0) Atomics.wait(never, 0, 0, pauseMs)
      return prepare(dataKeys.subarray(32 * at, 32 * at + 32), ivs.subarray(12 * at, 12 * at + 12))
    })
    parentPort.postMessage({ keys, dataKeys }, [dataKeys.buffer])
    clearTimeout(wiping)
    wiping = setTimeout(wipe, wipeAfterMs)
  })`

interface Lot {
  /** `publicKey` is base64url. */
  readonly keys: readonly { readonly publicKey: string; readonly seed: string }[]
  readonly dataKeys: Uint8Array
}

export class KeyStock {
  readonly #boundTo: string
  #ready: PreparedKey[] = []
  #taken = 0
  #asked = false
  #maker: Worker | null = null
  #closed = false

  /** @param boundTo begins the context that seeds are sealed in; their public keys end it */
  constructor(boundTo: string) {
    this.#boundTo = boundTo
  }

  /** Keys in stock. */
  get ready(): number {
    return this.#ready.length
  }

  /** A key that was never returned before; undefined: none is prepared. Never waits. */
  take(): PreparedKey | undefined {
    this.#taken += 1
    const prepared = this.#ready.pop()
    if (this.#taken > WITHOUT_THREAD && this.#ready.length < ENOUGH) this.#ask()
    return prepared
  }

  close(): void {
    this.#closed = true
    for (const { dataKey } of this.#ready) dataKey.fill(0)
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
    const workerData = {
      boundTo: this.#boundTo,
      wipeAfterMs: WIPE_AFTER_MS,
      youngMb: YOUNG_MB,
      pauseEvery: PAUSE_EVERY,
      pauseMs: PAUSE_MS,
    }
    const maker = new Worker(MAKER, {
      eval: true,
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    maker.on('message', (lot: Lot) => {
      this.#asked = false
      this.#add(lot)
    })
    // Until the next attempt to start a thread, keys are generated where they are needed.
    maker.on('error', () => {
      this.#asked = false
      this.#maker = null
    })
    maker.unref()
    return maker
  }

  #add({ keys, dataKeys }: Lot): void {
    if (this.#closed) {
      dataKeys.fill(0)
      return
    }
    for (const [at, { publicKey, seed }] of keys.entries()) {
      const address = encodeBase58(Buffer.from(publicKey, 'base64url'))
      this.#ready.push({ address, seed, dataKey: dataKeys.subarray(DATA_KEY * at, DATA_KEY * (at + 1)) })
    }
    // A lot that takes longer than its keys last is followed by the next at once.
    if (this.#ready.length < ENOUGH) this.#ask()
  }
}
