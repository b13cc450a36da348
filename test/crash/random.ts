// Random numbers that a failing run can repeat: the same seed gives the same numbers.

export type Random = (sides: number) => number

/** Integers from 0 to `sides` - 1 (xorshift32). */
export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return (sides) => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % sides
  }
}
