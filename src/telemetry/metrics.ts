// The metrics of the process, in a registry of `prom-client`. Nearly all of them are read from what the parts of the
// service count anyway, at each scrape; only durations of requests are recorded as they happen.
import { Histogram as Recorder, Registry, type Metric } from 'prom-client'

export type Labels = Readonly<Record<string, string>>

/** In seconds, from one millisecond to ten seconds. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

export interface Histogram {
  observe(value: number): void
}

/** A histogram read from elsewhere. */
interface Distribution {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[]
  /** By bound, not cumulative; the last one above all bounds. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface Sample {
  readonly metricName?: string
  readonly labels: Labels
  readonly value: number
}

export class Metrics {
  readonly #registry = new Registry()

  /** A gauge or counter whose value is read from elsewhere when the metrics are rendered. */
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void {
    this.#register(name, help, type, () => [{ labels: {}, value: read() }])
  }

  /** The same with labels; the set of series is read each time. */
  observedEach(
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    read: () => Iterable<readonly [Labels, number]>,
  ): void {
    this.#register(name, help, type, () => Array.from(read(), ([labels, value]) => ({ labels, value })))
  }

  observedHistogram(name: string, help: string, read: () => Distribution): void {
    this.#register(name, help, 'histogram', () => {
      const { bounds, counts, sum } = read()
      let value = 0
      const buckets = counts.map((count, index) => {
        value += count
        return { metricName: `${name}_bucket`, labels: { le: String(bounds[index] ?? '+Inf') }, value }
      })
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: {}, value: sum },
        { metricName: `${name}_count`, labels: {}, value },
      ]
    })
  }

  /**
   * Seconds, by labels. The returned function returns one series, which callers should keep if they update it often.
   */
  latencies(name: string, help: string, labelNames: readonly string[]): (labels: Labels) => Histogram {
    this.#checkName(name)
    const recorder = new Recorder({ name, help, labelNames, buckets: LATENCY_BUCKETS, registers: [this.#registry] })
    return (labels) => recorder.labels(labels)
  }

  /** The text for `GET /metrics`, content type `text/plain; version=0.0.4`. */
  render(): Promise<string> {
    return this.#registry.metrics()
  }

  /** Registers a metric of its own: `prom-client` asks each for `get` when it renders. */
  #register(name: string, help: string, type: string, read: () => readonly Sample[]): void {
    this.#checkName(name)
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: read() })
    this.#registry.registerMetric({ name, get } as unknown as Metric)
  }

  #checkName(name: string): void {
    if (!NAME.test(name) || this.#registry.getSingleMetric(name) !== undefined)
      throw new Error(`The metric ${name} is malformed or declared twice`)
  }
}
