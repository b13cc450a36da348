// Scales from values to positions on the page.

export interface Scale {
  (value: number): number
  /** The values at the ends of the scale. */
  readonly ends: readonly [number, number]
}

const TICKS = 4
const STEPS = [1, 2, 2.5, 5, 10]

/** A scale over all values: linear, or logarithmic if all values are positive. */
export function scaleOf(
  values: readonly number[],
  [from, to]: readonly [number, number],
  kind: 'linear' | 'log',
): Scale {
  const bend = kind === 'log' ? Math.log10 : (value: number) => value
  const ends = [Math.min(...values), Math.max(...values)] as const
  const [low, high] = [bend(ends[0]), bend(ends[1])]
  const width = high - low === 0 ? 1 : high - low
  return Object.assign((value: number) => from + ((bend(value) - low) / width) * (to - from), { ends })
}

/** Round numbers within a linear scale. */
export function ticksOf({ ends: [low, high] }: Scale): number[] {
  const rough = (high - low) / TICKS
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * STEPS.find((each) => each * power >= rough)!
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}
