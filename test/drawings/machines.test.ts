// The drawings of the state machines: everything that a machine does is in its drawing, and is readable there.
import { describe, expect, it } from 'vitest'
import { createMachine, type AnyStateMachine, type AnyStateNode } from 'xstate'
import { KINDS } from '../../machines/kinds.ts'
import { chartOf } from '../../src/drawings/chart.ts'
import { placedChart, type Box, type PlacedContents, type PlacedArrow } from '../../src/drawings/layout.ts'
import { drawMachine } from '../../src/drawings/svg.ts'

/** Nested states, parallel ones, an end, and arrows across the borders of all of them. */
const NESTED = createMachine({
  id: 'nested',
  initial: 'idle',
  on: { 'command.stop': '.over' },
  states: {
    idle: { on: { 'command.start': 'working', 'command.both': 'working.left.waiting' } },
    working: {
      type: 'parallel',
      on: { 'chain.done': 'over' },
      states: {
        left: {
          initial: 'waiting',
          states: { waiting: { on: { 'chain.seen': 'known' } }, known: { on: { 'chain.lost': '#nested.idle' } } },
        },
        right: {
          initial: 'on',
          states: { on: { on: { 'clock.turned': 'off' } }, off: { on: { 'clock.turned': 'on' } } },
        },
      },
    },
    over: { type: 'final' },
  },
})

const ALL: readonly (readonly [string, AnyStateMachine])[] = [
  ...Object.entries(KINDS).map(([kind, { machine }]) => [kind, machine as AnyStateMachine] as const),
  ['nested', NESTED],
]

describe.each(ALL)('the drawing of %s', (_, machine) => {
  const chart = chartOf(machine)
  const layout = placedChart(chart)
  const svg = drawMachine(machine)

  it('contains every state', () => {
    const names = nodesOf(machine.root)
      .filter((node) => node !== machine.root)
      .map(({ path }) => path.join('.'))
    expect(
      layout.states
        .map(({ state }) => state.path)
        .filter((path) => path !== '*')
        .toSorted(),
    ).toEqual(names.toSorted())
    for (const name of names) expect(svg).toContain(` data-state="${name}"`)
  })

  it('has an arrow labelled with the event for every transition to another state', () => {
    const moves = nodesOf(machine.root).flatMap((node) =>
      eventsOf(node).flatMap(([event, { target }]) =>
        (target ?? [])
          .filter((to) => to !== node)
          .map((to) => ({ from: node.path.join('.'), to: to.path.join('.'), event })),
      ),
    )
    for (const { from, to, event } of moves) {
      const arrow = layout.arrows.find((each) => each.arrow.from === from && each.arrow.to === to)
      expect(arrow, `${from} to ${to}`).toBeDefined()
      if (event !== '') expect(arrow!.label!.lines, `${from} to ${to}`).toContain(event)
      expect(svg).toContain(`data-from="${from}" data-to="${to}"`)
    }
    expect(layout.arrows).toHaveLength(new Set(moves.map(({ from, to }) => `${from} ${to}`)).size)
  })

  it('lists in the box of a state the events that change the record without leaving the state', () => {
    for (const node of nodesOf(machine.root)) {
      const stays = eventsOf(node)
        .filter(([, { target, actions }]) => (target === undefined || target[0] === node) && changes(actions))
        .map(([event]) => event)
      const box = layout.states.find(({ state }) => state.path === (node === machine.root ? '*' : node.path.join('.')))
      expect(new Set(box?.lines ?? [])).toEqual(new Set(stays))
    }
  })

  it('contains no refused event', () => {
    const labels = new Set([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text))
    expect(labels).not.toContain('*')
    for (const node of nodesOf(machine.root).filter(({ type }) => type === 'atomic')) {
      const refusedEvents = eventsOf(node)
        .filter(([, { actions, target }]) => target === undefined && !changes(actions))
        .map(([event]) => event)
      const box = layout.states.find(({ state }) => state.path === node.path.join('.'))!
      const changingEvents = new Set(
        eventsOf(node)
          .filter(([, { actions }]) => changes(actions))
          .map(([event]) => event),
      )
      for (const event of refusedEvents.filter((each) => !changingEvents.has(each)))
        expect(box.lines).not.toContain(event)
    }
  })

  it('is legible: boxes and labels do not overlap, stay within the picture, and are not crossed by arrows', () => {
    const picture = { x: 0, y: 0, width: layout.width, height: layout.height }
    const words = layout.arrows.flatMap(({ label }) => (label === null ? [] : [label]))
    for (const box of [...layout.states, ...words]) expect(within(box, picture)).toBe(true)
    const leaves = layout.states.filter(({ state }) => state.inside.length === 0)
    expect(overlaps([...leaves, ...words])).toEqual([])
    for (const arrow of layout.arrows) expect(findCrossed(arrow, layout)).toEqual([])
    const [, width = '', height = ''] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
    expect([Number(width), Number(height)]).toEqual([expect.closeTo(layout.width, 0), expect.closeTo(layout.height, 0)])
  })

  it('has a text alternative, and needs no style of its own', () => {
    expect(svg).toMatch(/role="img" aria-labelledby="(\S+) (\S+)".*<title id="\1">.+<\/title><desc id="\2">.*<\/desc>/)
    expect(svg).not.toMatch(/<style|<script|style=| on\w+=|href=/)
    for (const { from, to, events } of chart.arrows) {
      if (events.length > 0)
        expect(svg).toContain(`From ${from === '' ? 'any state' : from} to ${to}: ${events.join(', ')}.`)
    }
  })
})

describe('a drawing', () => {
  it('highlights the current state', () => {
    const lit = [
      ...drawMachine(KINDS.transaction.machine, 'partiallySigned').matchAll(
        /<g class="([^"]*)" data-state="([^"]*)" data-shown="([^"]*)"/g,
      ),
    ]
    expect(lit.filter(([, names]) => names!.includes('current')).map(([, , state, shown]) => [state, shown])).toEqual([
      ['partiallySigned', 'PARTIALLY_SIGNED'],
    ])
    expect(drawMachine(KINDS.transaction.machine)).not.toContain('current"')
  })

  it('draws nested states inside their parent, and labels arrows that end inside', () => {
    const { states, arrows } = placedChart(chartOf(NESTED))
    const box = (path: string): Box => states.find(({ state }) => state.path === path)!
    for (const path of ['working.left', 'working.left.known', 'working.right.off'])
      expect(within(box(path), box('working'))).toBe(true)
    expect(overlaps([box('working.left'), box('working.right'), box('working.left.waiting')].slice(0, 2))).toEqual([])
    expect(arrows.find(({ arrow }) => arrow.to === 'working.left.waiting')!.label!.lines).toEqual([
      'command.both',
      'to waiting',
    ])
    expect(arrows.find(({ arrow }) => arrow.from === 'working.left.known')!.label!.lines).toEqual([
      'chain.lost',
      'from known',
    ])
  })

  it('escapes the names of a machine as text', () => {
    const hostile = createMachine({
      id: 'hostile',
      initial: 'a<b>"&',
      states: { 'a<b>"&': { description: '<script>alert(1)</script>' } },
    })
    expect(drawMachine(hostile)).toContain('>a&lt;b&gt;&quot;&amp;</text>')
    expect(drawMachine(hostile)).not.toContain('<script')
  })
})

interface Transition {
  readonly target?: readonly AnyStateNode[]
  readonly actions: readonly { readonly type?: string }[]
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states as Record<string, AnyStateNode>).flatMap(nodesOf)]
}

/** An empty name: it happens at once. */
function eventsOf(node: AnyStateNode): (readonly [string, Transition])[] {
  const always = (node.always ?? []).map((transition) => ['', transition as unknown as Transition] as const)
  return [
    ...always,
    ...[...node.transitions].flatMap(([event, all]) =>
      all.map((each) => [event, each as unknown as Transition] as const),
    ),
  ]
}

function changes(actions: Transition['actions']): boolean {
  return actions.some(({ type }) => type === 'change')
}

function within(inner: Box, outer: Box): boolean {
  const inX = inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
  return inX && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
}

function overlaps(boxes: readonly Box[]): (readonly [Box, Box])[] {
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => [one, other] as const),
  )
}

/**
 * Boxes and foreign words that an arrow runs through, looked at in many points of its way; it may touch where it begins
 * and ends.
 */
function findCrossed({ arrow, points, label }: PlacedArrow, { states, arrows }: PlacedContents): string[] {
  const leaves = states
    .filter(({ state }) => state.inside.length === 0)
    .map((box) => ({ ...box, name: box.state.path }))
  const words = arrows.flatMap((each) =>
    each.label === null || each.label === label ? [] : [{ ...each.label, name: each.label.lines.join() }],
  )
  const way = points.slice(1).flatMap((to, index) => {
    const from = points[index]!
    return Array.from({ length: 41 }, (_, step) => {
      const t = step / 40
      // A straight segment is vertical; a bend is an S whose ends are vertical.
      const ease = index % 2 === 0 ? t : 3 * t * t - 2 * t * t * t
      return { x: from.x + (to.x - from.x) * ease, y: from.y + (to.y - from.y) * t }
    })
  })
  const hits = [...leaves, ...words].filter(({ x, y, width, height }) =>
    way.some(
      (point) => point.x > x + 0.5 && point.x < x + width - 0.5 && point.y > y + 0.5 && point.y < y + height - 0.5,
    ),
  )
  return hits.map(({ name }) => `${arrow.from} to ${arrow.to} crosses ${name}`)
}
