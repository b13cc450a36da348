// Whose tokens a transaction moved, by owner and mint, from the balances before and after.
import type { LedgerTransaction } from '../../src/localnet/contract.ts'

export interface Flow {
  readonly owner: string
  readonly mint: string
  readonly amount: bigint
}

export class Flows {
  readonly #before = new Map<string, bigint>()
  readonly #after = new Map<string, bigint>()

  constructor({ preTokenBalances, postTokenBalances }: LedgerTransaction) {
    const add = (sums: Map<string, bigint>, owner: string, mint: string, amount: string): void => {
      const key = `${owner} ${mint}`
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
    }
    for (const { owner, mint, amount } of preTokenBalances) add(this.#before, owner, mint, amount)
    for (const { owner, mint, amount } of postTokenBalances) add(this.#after, owner, mint, amount)
  }

  get list(): readonly Flow[] {
    return [...new Set([...this.#before.keys(), ...this.#after.keys()])].flatMap((key) => {
      const [owner = '', mint = ''] = key.split(' ')
      const amount = this.of(owner, mint)
      return amount === 0n ? [] : [{ owner, mint, amount }]
    })
  }

  of(owner: string, mint: string): bigint {
    return this.after(owner, mint) - (this.#before.get(`${owner} ${mint}`) ?? 0n)
  }

  after(owner: string, mint: string): bigint {
    return this.#after.get(`${owner} ${mint}`) ?? 0n
  }
}
