// Counters, gauges and histograms, and their Prometheus text (exposition format 0.0.4). Updating a series costs one map
// lookup, and none once it is bound.

export type Labels = Readonly<Record<string, string>>

/** In seconds, from one millisecond to ten seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

export interface Counter {
  /** Adds to the counter, 1 by default. Throws a RangeError for a negative count. */
  add(count?: number): void
}

export interface Gauge {
  set(value: number): void
  add(change: number): void
}

export interface Histogram {
  observe(value: number): void
}

/** One metric with all its series. `with` binds labels; bind once where a series is updated often. */
export interface Family<Series> {
  with(labels?: Labels): Series
}

interface Cell {
  value: number
}

type Render = () => string[]

export class Metrics {
  readonly #families = new Map<string, Render>()

  counter(name: string, help: string): Family<Counter> {
    return this.#cells(name, help, 'counter', (cell) => ({
      add(count = 1) {
        if (!(count >= 0)) throw new RangeError(`${name} only counts up`)
        cell.value += count
      },
    }))
  }

  gauge(name: string, help: string): Family<Gauge> {
    return this.#cells(name, help, 'gauge', (cell) => ({
      set: (value) => void (cell.value = value),
      add: (change) => void (cell.value += change),
    }))
  }

  /** A gauge or counter whose value is read from elsewhere when the metrics are rendered. */
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void {
    this.#declare(name, help, type, () => [`${name} ${read()}`])
  }

  /** The same with labels; the set of series is read each time. */
  observedEach(
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    read: () => Iterable<readonly [Labels, number]>,
  ): void {
    this.#declare(name, help, type, () =>
      [...read()].map(([labels, value]) => `${name}${renderLabels(labels)} ${value}`),
    )
  }

  /** A histogram read from elsewhere: counts by upper bound, not cumulative, the last one above all bounds. */
  observedHistogram(
    name: string,
    help: string,
    read: () => { bounds: readonly number[]; counts: readonly number[]; sum: number },
  ): void {
    this.#declare(name, help, 'histogram', () => {
      const { bounds, counts, sum } = read()
      let total = 0
      const lines = counts.map((count, index) => `${name}_bucket{le="${bounds[index] ?? '+Inf'}"} ${(total += count)}`)
      return [...lines, `${name}_sum ${sum}`, `${name}_count ${total}`]
    })
  }

  /** @param buckets upper bounds, ascending; +Inf is implied */
  histogram(name: string, help: string, buckets: readonly number[] = LATENCY_BUCKETS): Family<Histogram> {
    const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
    this.#declare(name, help, 'histogram', () =>
      [...series.values()].flatMap(({ labels, counts, sum }) => {
        let total = 0
        const lines = counts.map((count, index) => {
          total += count
          return `${name}_bucket${renderLabels({ ...labels, le: String(buckets[index] ?? '+Inf') })} ${total}`
        })
        return [...lines, `${name}_sum${renderLabels(labels)} ${sum}`, `${name}_count${renderLabels(labels)} ${total}`]
      }),
    )
    return {
      with(labels = {}) {
        const key = renderLabels(labels)
        const one = series.get(key) ?? { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }
        series.set(key, one)
        return {
          observe(value) {
            const bucket = buckets.findIndex((bound) => value <= bound)
            one.counts[bucket < 0 ? buckets.length : bucket]! += 1
            one.sum += value
          },
        }
      },
    }
  }

  /** The text for `GET /metrics`, content type `text/plain; version=0.0.4`. */
  render(): string {
    return `${[...this.#families.values()].flatMap((render) => render()).join('\n')}\n`
  }

  #cells<Series>(name: string, help: string, type: 'counter' | 'gauge', bind: (cell: Cell) => Series): Family<Series> {
    const cells = new Map<string, Cell>()
    this.#declare(name, help, type, () => [...cells].map(([labels, { value }]) => `${name}${labels} ${value}`))
    return {
      with(labels = {}) {
        const key = renderLabels(labels)
        const cell = cells.get(key) ?? { value: 0 }
        cells.set(key, cell)
        return bind(cell)
      },
    }
  }

  #declare(name: string, help: string, type: string, render: Render): void {
    if (!NAME.test(name) || this.#families.has(name))
      throw new Error(`The metric ${name} is malformed or declared twice`)
    this.#families.set(name, () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...render()])
  }
}
