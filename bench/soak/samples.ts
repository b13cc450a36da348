// Samples of the service during a soak, and the detection of growth.

export interface Sample {
  /** Minutes since the load began. */
  readonly minutes: number
  readonly perSecond: number
  readonly p99Ms: number
  readonly failures: number
  readonly serviceMb: number
  /** Used heap of the service directly after its last full garbage collection. */
  readonly heapMb: number
  readonly chainMb: number
  /** Number of open transactions. */
  readonly open: number
}

/**
 * Growth per hour by least squares, over the second half of the samples, when caches are full. Zero for fewer than two
 * samples.
 */
export function growthPerHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const late = samples.slice(Math.floor(samples.length / 2))
  const mean = (value: (sample: Sample) => number): number =>
    late.reduce((sum, each) => sum + value(each), 0) / late.length
  const [hours, level] = [mean(({ minutes }) => minutes / 60), mean(of)]
  let [above, below] = [0, 0]
  for (const sample of late) {
    const distance = sample.minutes / 60 - hours
    above += distance * (of(sample) - level)
    below += distance * distance
  }
  return below === 0 ? 0 : above / below
}
