// Computes the parts of a distribution: pro rata to the balance of each holder, rounded down, in raw units. Uses
// integers only, so that parts and remainder add up to the total exactly.
import type { Ratio } from './ratio.ts'

export interface HolderBalance {
  readonly holder: string
  /** Raw units held. Not negative. */
  readonly held: bigint
}

/** What is distributed, in raw units: an amount, or an amount for each raw unit held. */
export type Payout = { readonly total: bigint } | { readonly perUnit: Ratio }

export interface Part {
  readonly holder: string
  /** Raw units. Greater than zero. */
  readonly amount: bigint
}

export interface ComputedParts {
  readonly parts: readonly Part[]
  /** Raw units: the given amount, or the exact amount for everything held, rounded down. */
  readonly total: bigint
  /** Total minus parts: fractions, and parts below the minimum. It stays at the source. */
  readonly remainder: bigint
  /** Holders whose part is zero or below the minimum. */
  readonly unpaid: number
}

/** @param minimum a part below it is not paid, and remains. */
export function partsOf(holdings: readonly HolderBalance[], payout: Payout, minimum = 0n): ComputedParts {
  const held = holdings.reduce((sum, each) => sum + each.held, 0n)
  const { numerator, denominator } = rateOf(payout, held)
  const total = 'total' in payout ? payout.total : (held * numerator) / denominator
  const parts: Part[] = []
  let paid = 0n
  for (const { holder, held: own } of holdings) {
    const amount = (own * numerator) / denominator
    if (amount === 0n || amount < minimum) continue
    parts.push({ holder, amount })
    paid += amount
  }
  return { parts, total, remainder: total - paid, unpaid: holdings.length - parts.length }
}

/** Raw units paid for each raw unit held. */
function rateOf(payout: Payout, held: bigint): Ratio {
  if ('perUnit' in payout) return payout.perUnit
  return held === 0n ? { numerator: 0n, denominator: 1n } : { numerator: payout.total, denominator: held }
}
