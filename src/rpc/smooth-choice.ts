// Smooth weighted round-robin: each item is chosen by its weight, evenly spread. The start is random, so that many
// services that start together do not all begin with the same endpoint. Over any run of choices among the same items,
// each gets its share to within one or two.

export interface WeightedItem {
  readonly weight: number
}

export class SmoothChoice<T extends WeightedItem> {
  readonly #random: () => number
  readonly #credit = new Map<T, number>()

  constructor(random: () => number) {
    this.#random = random
  }

  /** Chooses one of `among`, which must not be empty. An item that is absent for a while neither gains nor loses. */
  next(among: readonly T[]): T {
    let total = 0
    let best = among[0]!
    let most = -Infinity
    for (const one of among) {
      const credit = (this.#credit.get(one) ?? one.weight * this.#random()) + one.weight
      this.#credit.set(one, credit)
      total += one.weight
      if (credit > most) {
        most = credit
        best = one
      }
    }
    this.#credit.set(best, most - total)
    return best
  }
}
