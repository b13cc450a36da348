// Samples of the service during a soak, and whether they grow.

export interface Sample {
  /** Since the load began. */
  readonly minutes: number
  readonly perSecond: number
  readonly p99Ms: number
  readonly failures: number
  readonly serviceMb: number
  /** Of the service, in use directly after its last full garbage collection. */
  readonly heapMb: number
  readonly chainMb: number
  /** Transactions that may still change. */
  readonly open: number
}

/**
 * Change per hour by least squares, over the second half: by then what fills once is full. Zero for fewer than two
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
