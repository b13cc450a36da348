// The expected balances of all parties by all steps so far, recorded without reading the chain.
import type { Amount, Coin } from './reckoning.ts'

interface Holder {
  readonly onchainId: string
}

export class Ledger {
  readonly #held = new Map<string, bigint>()

  of({ onchainId }: Holder, coin: Coin): bigint {
    return this.#held.get(`${onchainId} ${coin.onchainId}`) ?? 0n
  }

  give({ onchainId }: Holder, { coin, amount }: Amount): void {
    this.#held.set(`${onchainId} ${coin.onchainId}`, this.of({ onchainId }, coin) + amount)
  }

  move(from: Holder, to: Holder, amounts: readonly Amount[]): void {
    for (const { coin, amount } of amounts) {
      this.give(from, { coin, amount: -amount })
      this.give(to, { coin, amount })
    }
  }
}
