// Lays out a chart: boxes of states, arrows between them, and the labels of the arrows. One level of states is laid out
// at a time, from the inside out, so a state with inner states is a box like any other. Pure: the same chart has the
// same drawing.
import type { Chart, ChartArrow, ChartState } from './chart.ts'
import { MARGIN, routeEdges, type Point, type Size } from './routes.ts'

/** Units of the drawing; the corner is the one at the top left. */
export interface Box extends Point, Size {}

export interface PlacedState extends Box {
  readonly state: ChartState
  /** What is written under the name, a line each. */
  readonly lines: readonly string[]
}

export interface PlacedArrow {
  readonly arrow: ChartArrow
  /** As a way has them. */
  readonly points: readonly Point[]
  /** Position of its label; null without a label. */
  readonly label: (Box & { readonly lines: readonly string[] }) | null
}

interface Contents {
  /** Outer ones before those inside them. */
  readonly states: readonly PlacedState[]
  readonly arrows: readonly PlacedArrow[]
}

export interface PlacedContents extends Size, Contents {}

/** Letters are as wide as each other, so what is written can be measured without a screen. */
export const NAME = { size: 15, advance: 9.3, line: 20 } as const
export const WORD = { size: 12, advance: 7.5, line: 16 } as const
export const PADDING = 10
const DOT = 16
/** The place from which an event that is answered alike in every state leads to one of them. */
export const ANYWHERE = '*'
const NOTHING: Contents = { states: [], arrows: [] }

/** What is inside a chart or a state, from its own corner. */
export function placedChart({ root, arrows }: Chart): PlacedContents {
  return level(root, arrows)
}

function level(of: ChartState, arrows: readonly ChartArrow[]): PlacedContents {
  const here = arrows.flatMap((arrow) => ended(of, arrow))
  const leads = here.some(({ from }) => from === ANYWHERE)
  const everywhere = boxOf(
    { ...of, path: ANYWHERE, key: 'in every state', kind: 'plain', about: '', tags: [], inside: [] },
    [],
  )
  const inside = of.inside.map((state): [string, Boxed] => [state.path, boxOf(state, arrows)])
  const boxes = new Map<string, Boxed>([...(leads ? [[ANYWHERE, everywhere] as const] : []), ...inside])
  const { width, height, corners, ways } = routeEdges(
    boxes,
    here.map((each) => ({ ...each, words: sizeOfWords(each.lines) })),
  )

  // What leads nowhere needs no room among the others.
  const stands = [...boxes].map(([path, boxed]) => ({ boxed, corner: corners.get(path)! }))
  const isBelow = of.stays.length > 0 && !leads
  const all = isBelow ? [...stands, { boxed: everywhere, corner: { x: MARGIN, y: height } }] : stands
  return {
    width: isBelow ? Math.max(width, everywhere.width + 2 * MARGIN) : width,
    height: isBelow ? height + everywhere.height + MARGIN : height,
    states: all.flatMap(({ boxed, corner }) => [
      placed(boxed, corner),
      ...boxed.inner.states.map((each) => moved(each, corner)),
    ]),
    arrows: [
      ...here.map((each, index) => drawn(each, ways[index]!)),
      ...all.flatMap(({ boxed, corner }) => boxed.inner.arrows.map((each) => shifted(each, corner))),
    ],
  }
}

interface Boxed extends Size {
  readonly state: ChartState
  readonly lines: readonly string[]
  readonly inner: Contents
}

function boxOf(state: ChartState, arrows: readonly ChartArrow[]): Boxed {
  if (state.kind === 'start') return { state, lines: [], width: DOT, height: DOT, inner: NOTHING }
  const isGroup = state.inside.length > 0
  const lines = isGroup ? [] : state.stays
  const head = Math.max(state.key.length * NAME.advance, sizeOfWords(lines).width) + 2 * PADDING
  const band = NAME.line + sizeOfWords(lines).height + 2 * PADDING
  if (!isGroup) return { state, lines, width: head, height: band, inner: NOTHING }
  const { width, height, ...inner } = level(state, arrows)
  const down = { x: 0, y: band }
  return {
    state,
    lines,
    width: Math.max(head, width),
    height: band + height,
    inner: {
      states: inner.states.map((each) => moved(each, down)),
      arrows: inner.arrows.map((each) => shifted(each, down)),
    },
  }
}

interface Ended {
  readonly from: string
  readonly to: string
  readonly arrow: ChartArrow
  readonly lines: readonly string[]
}

/**
 * An arrow that is drawn on this level ends at boxes of it; if it ends deeper inside, its label names the state.
 */
function ended(of: ChartState, arrow: ChartArrow): readonly Ended[] {
  const from = arrow.from === of.path ? ANYWHERE : boxAbove(of, arrow.from)
  const to = boxAbove(of, arrow.to)
  if (from === null || to === null || from === to) return []
  const deeper = [
    arrow.from === from || from === ANYWHERE ? '' : `from ${last(arrow.from)}`,
    arrow.to === to ? '' : `to ${last(arrow.to)}`,
  ]
  return [{ from, to, arrow, lines: [...arrow.events, ...deeper.filter(Boolean)] }]
}

function boxAbove(of: ChartState, path: string): string | null {
  return of.inside.find((state) => path === state.path || path.startsWith(`${state.path}.`))?.path ?? null
}

function last(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function placed({ state, lines, width, height }: Boxed, { x, y }: Point): PlacedState {
  return { state, lines, x, y, width, height }
}

function drawn(
  { arrow, lines }: Ended,
  { points, words }: { readonly points: readonly Point[]; readonly words: Point },
): PlacedArrow {
  const { width, height } = sizeOfWords(lines)
  const label = { x: words.x - width / 2, y: words.y - height / 2, width, height, lines }
  return { arrow, points, label: lines.length === 0 ? null : label }
}

function sizeOfWords(lines: readonly string[]): Size {
  return { width: Math.max(0, ...lines.map(({ length }) => length)) * WORD.advance, height: lines.length * WORD.line }
}

function moved<B extends Point>(box: B, by: Point): B {
  return { ...box, x: box.x + by.x, y: box.y + by.y }
}

function shifted({ arrow, points, label }: PlacedArrow, by: Point): PlacedArrow {
  return { arrow, points: points.map((point) => moved(point, by)), label: label === null ? null : moved(label, by) }
}
