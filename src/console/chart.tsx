// A line chart over time as SVG. Coordinates are rounded to pixels; labels show the given text.
import type { VNode } from 'preact'
import { grouped } from './text.tsx'

export interface Point {
  /** ISO 8601. */
  readonly at: string
  /** A decimal. */
  readonly value: string
}

const WIDTH = 640
const HEIGHT = 200
const EDGE = { top: 14, right: 12, bottom: 26, left: 12 } as const

export function Chart({ points, label }: { points: readonly Point[]; label: string }): VNode {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return <p class="quiet">There is nothing to draw.</p>
  const times = points.map(({ at }) => Date.parse(at))
  // Numbers are precise enough for coordinates on a screen.
  const heights = points.map(({ value }) => Number(value))
  const [low, high] = [Math.min(0, ...heights), Math.max(...heights)]
  const x = (time: number): number =>
    EDGE.left + ((time - times[0]!) / (times.at(-1)! - times[0]! || 1)) * (WIDTH - EDGE.left - EDGE.right)
  const y = (height: number): number =>
    HEIGHT - EDGE.bottom - ((height - low) / (high - low || 1)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const line = points.map((_, index) => `${x(times[index]!).toFixed(1)},${y(heights[index]!).toFixed(1)}`)
  const deps = y(low).toFixed(1)
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: ${first.value} at ${first.at}, ${last.value} at ${last.at}`}
      >
        {[0, 0.5, 1].map((part) => (
          <line
            key={part}
            class="grid"
            x1={EDGE.left}
            x2={WIDTH - EDGE.right}
            y1={y(low + part * (high - low))}
            y2={y(low + part * (high - low))}
          />
        ))}
        <polygon
          class="area"
          points={`${line.join(' ')} ${x(times.at(-1)!).toFixed(1)},${deps} ${x(times[0]!).toFixed(1)},${deps}`}
        />
        <polyline class="line" points={line.join(' ')} />
        {points.map(({ at, value }, index) => (
          <circle key={at} class="dot" cx={x(times[index]!)} cy={y(heights[index]!)} r="3.5">
            <title>{`${value} at ${at}`}</title>
          </circle>
        ))}
        <text x={EDGE.left} y={HEIGHT - 8}>
          {first.at.slice(0, 10)}
        </text>
        <text x={WIDTH - EDGE.right} y={HEIGHT - 8} text-anchor="end">
          {last.at.slice(0, 10)}
        </text>
      </svg>
      <figcaption>
        {grouped(first.value)} now, {grouped(last.value)} at the end
      </figcaption>
    </figure>
  )
}
