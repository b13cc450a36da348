// Random numbers that are the same in every run of a seed (mulberry32).

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to `sides`, exclusive. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }

  chance(oneIn: number): boolean {
    return this.roll(oneIn) === 0
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.roll(choices.length)]!
  }

  list<T>(atLeast: number, atMost: number, make: () => T): T[] {
    return Array.from({ length: atLeast + this.roll(atMost - atLeast + 1) }, make)
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.roll(16).toString(16)).join('')
    return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
      '-',
    )
  }
}
