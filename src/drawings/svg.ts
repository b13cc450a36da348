// A chart as SVG, for inclusion in a page: without styles of its own, so that the strictest content security policy
// allows it; lines and letters have the colour of the surrounding text. It is accessible without the picture: a title,
// and everything that it shows in words. The service returns it at `GET /docs/machines/<kind>.svg`.
//
// `<svg class="machine" id="machine-<kind>">` holds, for each state, `<g class="state" data-state="partiallySigned"
// data-shown="PARTIALLY_SIGNED">` (`data-shown`: as answers of the interface spell it; `state-end` in its class when
// nothing leads out of it), and for each arrow `<g class="arrow" data-from data-to>`. A page highlights a state by
// the class `current` on its group.
import { chartOf, type Chart, type ChartArrow, type ChartState } from './chart.ts'
import { ANYWHERE, NAME, PADDING, placedChart, WORD, type PlacedArrow, type PlacedState } from './layout.ts'
import type { Point } from './routes.ts'
import type { AnyStateMachine } from 'xstate'

const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/**
 * @param machine one of the rulebook, or any other of XState
 * @param current path of the state to light
 */
export function drawMachine(machine: AnyStateMachine, current?: string): string {
  const chart = chartOf(machine)
  return drawChart(chart, `States of ${kindWithArticle(chart.id)}`, current)
}

/** Any other chart: its names are what is written in the boxes. */
export function drawChart(chart: Chart, title: string, current?: string): string {
  const { width, height, states, arrows } = placedChart(chart)
  const id = `machine-${chart.id}`
  const size = `viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="machine" id="${id}" role="img" aria-labelledby="${id}-title ${id}-words" ${size} `,
    `font-family="${FONT}" fill="currentColor" stroke="none">`,
    `<title id="${id}-title">${escape(title)}</title>`,
    `<desc id="${id}-words">${escape(inWords(chart).join(' '))}</desc>`,
    `<defs><marker id="${id}-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">`,
    '<path d="M0 1 10 5 0 9z"/></marker></defs>',
    ...states.map((placed) => box(placed, placed.state.path === current)),
    ...arrows.map((placed) => line(placed, id)),
    ...arrows.map(words),
    '</svg>',
  ].join('')
}

/** What a chart shows, a sentence each. */
function inWords({ root, arrows }: Chart): readonly string[] {
  const starts = new Set(leaves(root).flatMap(({ kind, path }) => (kind === 'start' ? [path] : [])))
  const first = root.begins === null || starts.has(root.begins) ? [] : [`It begins as ${root.begins}.`]
  return [...first, ...arrows.map((arrow) => sentence(arrow, starts.has(arrow.from)))]
}

function sentence({ from, to, events }: ChartArrow, isStart: boolean): string {
  if (isStart) return `It may begin as ${to}.`
  return `From ${from === '' ? 'any state' : from} to ${to}: ${events.length === 0 ? 'at once' : events.join(', ')}.`
}

function leaves(state: ChartState): readonly ChartState[] {
  return state.inside.length === 0 ? [state] : state.inside.flatMap(leaves)
}

function box({ state, lines, x, y, width, height }: PlacedState, isCurrent: boolean): string {
  const names = ['state', ...(state.kind === 'plain' ? [] : [`state-${state.kind}`]), ...(isCurrent ? ['current'] : [])]
  if (state.path === ANYWHERE)
    return `<g class="everywhere">${frame(x, y, width, { height, more: ' stroke-dasharray="3 4"' })}${written(state, lines, x, y)}</g>`
  const about = state.about === '' ? '' : `<title>${escape(state.about)}</title>`
  const group = `<g class="${names.join(' ')}" data-state="${escape(state.path)}" data-shown="${shown(state.key)}">${about}`
  if (state.kind === 'start')
    return `${group}<circle cx="${round(x + width / 2)}" cy="${round(y + height / 2)}" r="${round(width / 2)}"/></g>`
  const ring = state.kind === 'end' ? frame(x + 4, y + 4, width - 8, { height: height - 8, more: ' class="ring"' }) : ''
  const divided = state.kind === 'parallel' ? ' stroke-dasharray="9 5"' : ''
  return `${group}${frame(x, y, width, { height, more: divided + (isCurrent ? ' stroke-width="4"' : '') })}${ring}${written(state, lines, x, y)}</g>`
}

function frame(
  x: number,
  y: number,
  width: number,
  { height, more }: { readonly height: number; readonly more: string },
): string {
  const place = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`
  return `<rect ${place} rx="7" fill="Canvas" stroke="currentColor"${more}/>`
}

function written({ key }: ChartState, lines: readonly string[], x: number, y: number): string {
  const left = x + PADDING
  const place = `x="${round(left)}" y="${round(y + PADDING + NAME.size)}"`
  const name = `<text ${place} font-size="${NAME.size}" font-weight="600">${escape(key)}</text>`
  const top = y + PADDING + NAME.line + WORD.size
  return name + lines.map((text, index) => textAt(left, top + index * WORD.line, text, 'start')).join('')
}

function line({ arrow, points }: PlacedArrow, id: string): string {
  const ends = `data-from="${escape(arrow.from)}" data-to="${escape(arrow.to)}"`
  const path = `<path d="${pathOf(points)}" fill="none" stroke="currentColor" marker-end="url(#${id}-tip)"/>`
  return `<g class="arrow" ${ends}>${path}</g>`
}

/** Words stand over every line, on a ground of their own. */
function words({ label }: PlacedArrow): string {
  if (label === null) return ''
  const { x, y, width, height, lines } = label
  const deps = `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="Canvas"/>`
  const middle = x + width / 2
  const texts = lines.map((text, index) => textAt(middle, y + WORD.size + index * WORD.line, text, 'middle'))
  return `<g class="words">${deps}${texts.join('')}</g>`
}

function textAt(x: number, y: number, text: string, anchor: 'start' | 'middle'): string {
  return `<text x="${round(x)}" y="${round(y)}" font-size="${WORD.size}" text-anchor="${anchor}">${escape(text)}</text>`
}

/** Straight pieces and bent ones by turns; a bend leaves and arrives upright. */
function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return ''
  let here = first
  const pieces = others.map((next, index) => {
    const middle = (here.y + next.y) / 2
    const piece =
      index % 2 === 0 ? `L${at(next)}` : `C${at({ x: here.x, y: middle })} ${at({ x: next.x, y: middle })} ${at(next)}`
    here = next
    return piece
  })
  return `M${at(first)}${pieces.join('')}`
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** `partiallySigned` as answers spell it: `PARTIALLY_SIGNED`. */
function shown(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** `lookupTable` as people say it. */
export function kindWithArticle(kind: string): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`.replace('api key', 'API key')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
