// Lays out one level of a chart: the position of each box, and the path of each arrow from the lower edge of one box to
// the upper edge of another. Boxes keep the given order, so that a life cycle reads from the top; an arrow that leads
// back goes up. An arrow never crosses a box or the label of another arrow: within a row it is straight, and it turns
// only between two rows.
import { Graph, layout } from '@dagrejs/dagre'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Edge {
  readonly from: string
  readonly to: string
  /** Of the words beside it; of no size without any. */
  readonly words: Size
}

export interface Routes extends Size {
  /** Corner at the top left of each box. */
  readonly corners: ReadonlyMap<string, Point>
  /** In the order of the edges given. */
  readonly ways: readonly Way[]
}

export interface Way {
  /** Along the way, beginning where it leaves: each pair is a straight or a bent piece, by turns. */
  readonly points: readonly Point[]
  /** Middle of the words. */
  readonly words: Point
}

export const MARGIN = 12
/** Every arrow runs straight for so far above and below a row. */
const RUN = 11
const SPACES = { rankdir: 'TB', nodesep: 30, edgesep: 20, ranksep: 84, marginx: MARGIN, marginy: MARGIN } as const

/** As much of dagre's graph as is used here: its own declarations do not resolve. */
interface Plane {
  setGraph(spaces: object): unknown
  setNode(name: string, size: Size): unknown
  setEdge(from: string, to: string, label: object, name: string): unknown
  graph(): Size
  node(name: string): Point
  edge(from: string, to: string, name: string): Point & { readonly points: readonly Point[] }
}

const NewPlane = Graph as unknown as new (options: { readonly multigraph: boolean }) => Plane
const arrange = layout as unknown as (plane: Plane) => void

interface Row {
  readonly top: number
  readonly bottom: number
}

export function routeEdges(boxes: ReadonlyMap<string, Size>, edges: readonly Edge[]): Routes {
  const order = new Map([...boxes.keys()].map((path, index) => [path, index]))
  const climbs = ({ from, to }: Edge): boolean => order.get(from)! > order.get(to)!
  const graph = new NewPlane({ multigraph: true })
  graph.setGraph({ ...SPACES })
  for (const [path, size] of boxes) graph.setNode(path, { ...size })
  for (const [index, edge] of edges.entries()) {
    const [upper, lower] = climbs(edge) ? [edge.to, edge.from] : [edge.from, edge.to]
    graph.setEdge(upper, lower, { ...edge.words, labelpos: 'c' }, String(index))
  }
  arrange(graph)

  const at = (path: string): Point => graph.node(path)
  const laid = edges.map((edge, index) => {
    const [upper, lower] = climbs(edge) ? [edge.to, edge.from] : [edge.from, edge.to]
    const { points, x, y } = graph.edge(upper, lower, String(index))
    // The first and the last are where dagre would meet the boxes; those between are one in each row that is passed.
    return { edge, upper, lower, between: points.slice(1, -1), words: { x, y } }
  })
  const rows = rowsOf([
    ...[...boxes].map(([path, { height }]) => ({ y: at(path).y, height })),
    ...laid.map(({ edge, words }) => ({ y: words.y, height: edge.words.height })),
  ])
  const middle = ({ upper, lower, between }: (typeof laid)[number], end: 'upper' | 'lower'): number =>
    (end === 'upper' ? (between[0] ?? at(lower)) : (between.at(-1) ?? at(upper))).x
  const port = (end: 'upper' | 'lower', way: (typeof laid)[number]): Point => {
    const path = way[end]
    const there = laid.filter((each) => each[end] === path).toSorted((a, b) => middle(a, end) - middle(b, end))
    const { width, height } = boxes.get(path)!
    const x = at(path).x - width / 2 + (width * (there.indexOf(way) + 1)) / (there.length + 1)
    return { x, y: at(path).y + (end === 'upper' ? height : -height) / 2 }
  }
  const ways = laid.map((way): Way => {
    const down = [port('upper', way), ...way.between.flatMap((point) => through(point, rows)), port('lower', way)]
    const entered = [leaving(down[0]!, rows), ...down.slice(1, -1), arriving(down.at(-1)!, rows)]
    const points = [down[0]!, ...entered, down.at(-1)!]
    return { points: climbs(way.edge) ? points.toReversed() : points, words: way.words }
  })
  const { width, height } = graph.graph()
  const corners = new Map(
    [...boxes].map(([path, size]) => [path, { x: at(path).x - size.width / 2, y: at(path).y - size.height / 2 }]),
  )
  return { width, height, corners, ways }
}

/** What stands side by side has its middle on one line; a row is as high as the highest of it. */
function rowsOf(things: readonly { readonly y: number; readonly height: number }[]): ReadonlyMap<number, Row> {
  const rows = new Map<number, Row>()
  for (const { y, height } of things) {
    const known = rows.get(rowAt(y))
    rows.set(rowAt(y), {
      top: Math.min(known?.top ?? y, y - height / 2 - RUN),
      bottom: Math.max(known?.bottom ?? y, y + height / 2 + RUN),
    })
  }
  return rows
}

function rowAt(y: number): number {
  return Math.round(y)
}

function through({ x, y }: Point, rows: ReadonlyMap<number, Row>): readonly Point[] {
  const { top, bottom } = rows.get(rowAt(y)) ?? { top: y, bottom: y }
  return [
    { x, y: top },
    { x, y: bottom },
  ]
}

/** From the lower edge of a box straight down to the end of its row. */
function leaving({ x, y }: Point, rows: ReadonlyMap<number, Row>): Point {
  return { x, y: Math.min(...[...rows.values()].map(({ bottom }) => bottom).filter((bottom) => bottom > y)) }
}

function arriving({ x, y }: Point, rows: ReadonlyMap<number, Row>): Point {
  return { x, y: Math.max(...[...rows.values()].map(({ top }) => top).filter((top) => top < y)) }
}
