// Order statistics. Medians and ranges, not means: a shared machine has outliers on one side only.

export function ascending(values: readonly number[]): number[] {
  return [...values].sort((one, other) => one - other)
}

/** Nearest rank; `values` must be ascending and not empty. `share` is in 0..1. */
export function percentile(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.max(0, Math.ceil(share * values.length) - 1))]!
}

export function median(values: readonly number[]): number {
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Width of the range over the median. */
export function spread(values: readonly number[]): number {
  const middle = median(values)
  return middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / middle
}
