// Draws a chart as SVG: panels above each other with a common x axis, each with its own y axis from zero.
import type { Chart, Panel } from '../suite.ts'
import { scaleOf, ticksOf, type Scale } from './scale.ts'

const WIDTH = 720
const PANEL_HEIGHT = 200
const TITLE_HEIGHT = 40
const BETWEEN = 46
const LEFT = 70
const RIGHT = 170
const MAX_FEET = 8
const MAX_DOTS = 40
const COLOURS = ['#1f5fa8', '#c2571a', '#2f8f4e', '#7b4ea3', '#8a8a8a']

/** The chart as a complete SVG document. */
export function drawChart({ title, x, panels }: Chart): string {
  const xs = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([at]) => at)))
  const across = scaleOf(xs, [LEFT, WIDTH - RIGHT], x.scale)
  const height = TITLE_HEIGHT + panels.length * (PANEL_HEIGHT + BETWEEN)
  const bodies = panels.map((panel, index) =>
    drawPanel(panel, across, TITLE_HEIGHT + index * (PANEL_HEIGHT + BETWEEN), xs),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(LEFT, 22, title, 'font-size="15"'),
    ...bodies.flat(),
    text((LEFT + WIDTH - RIGHT) / 2, height - 4, x.title, 'text-anchor="middle"'),
    '</svg>',
    '',
  ].join('\n')
}

function drawPanel({ title, lines }: Panel, across: Scale, top: number, xs: readonly number[]): string[] {
  const ys = lines.flatMap(({ points }) => points.map(([, value]) => value))
  const bottom = top + PANEL_HEIGHT
  const up = scaleOf([0, ...ys], [bottom, top + 20], 'linear')
  const grid = ticksOf(up).flatMap((value) => [
    `<path d="M${LEFT} ${at(up, value)}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
    text(LEFT - 6, up(value) + 4, formatValue(value), 'text-anchor="end"'),
  ])
  const distinct = [...new Set(xs)].sort((one, other) => one - other)
  const places = distinct.length > MAX_FEET ? ticksOf(across) : distinct
  const feet = places.map((value) => text(across(value), bottom + 16, formatValue(value), 'text-anchor="middle"'))
  return [
    ...grid,
    ...feet,
    text(LEFT, top + 12, title, 'font-weight="bold"'),
    ...lines.flatMap(({ name, points }, index) => {
      const colour = COLOURS[index % COLOURS.length]!
      const way = points.map(([x, y]) => `${at(across, x)},${at(up, y)}`)
      return [
        `<polyline points="${way.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...(points.length > MAX_DOTS
          ? []
          : points.map(([x, y]) => `<circle cx="${at(across, x)}" cy="${at(up, y)}" r="3" fill="${colour}"/>`)),
        text(WIDTH - RIGHT + 12, top + 34 + index * 18, name, `fill="${colour}"`),
      ]
    }),
  ]
}

const at = (scale: Scale, value: number): string => scale(value).toFixed(1)

function text(x: number, y: number, words: string, attributes: string): string {
  const safe = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${safe}</text>`
}

function formatValue(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))}M`
  return value >= 10_000 ? `${Number((value / 1_000).toPrecision(3))}k` : String(Number(value.toPrecision(3)))
}
