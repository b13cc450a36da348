// Random numbers from a seed: streams that replay exactly, and decisions that depend only on the seed and their
// subject.
import { createHash } from 'node:crypto'

export class Random {
  #a: number
  #b: number
  #c: number
  #count = 1

  /** The same names give the same stream. */
  constructor(...names: readonly (string | number)[]) {
    const digest = createHash('sha256').update(JSON.stringify(names)).digest()
    this.#a = digest.readInt32LE(0)
    this.#b = digest.readInt32LE(4)
    this.#c = digest.readInt32LE(8)
    for (let i = 0; i < 12; i += 1) this.next()
  }

  /** Uniform in [0, 1). The generator is sfc32 (small fast counting, 32 bits). */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0
    this.#count = (this.#count + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  /** Uniform among 0 .. `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Throws on an empty list. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to pick from')
    return list[this.below(list.length)]!
  }

  /** One of the keys, each as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][]
    let remaining = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      remaining -= weight
      if (remaining < 0) return key
    }
    return entries.at(-1)![0]
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }

  /** A UUID of version 4. */
  uuid(): string {
    const bytes = this.bytes(16)
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}
