// A state machine as a chart: its states, its transitions, and the events that change a record without leaving its
// state. Read from the machine itself, so that a drawing cannot differ from it.
//
// To keep the drawing legible, it omits events that are refused (every state answers every event, most of them with a
// refusal) and events that are accepted and change nothing. It omits guards too: an arrow shows a possible transition.
import type { AnyStateMachine, AnyStateNode } from 'xstate'

export interface ChartState {
  /** Keys from the top, joined by dots: `finalized`, `open.waiting`. */
  readonly path: string
  readonly key: string
  /**
   * `start`: left at once and never seen. `end`: nothing leads out of it. `group`, `parallel`: it has states inside.
   */
  readonly kind: 'start' | 'plain' | 'end' | 'group' | 'parallel'
  /** The description in the machine; empty if it has none. */
  readonly about: string
  readonly tags: readonly string[]
  /** Events that change the record and leave it in this state. */
  readonly stays: readonly string[]
  readonly inside: readonly ChartState[]
  /** Key of the state inside that it begins with; null without any, and of one whose parts are all entered at once. */
  readonly begins: string | null
}

export interface ChartArrow {
  readonly from: string
  readonly to: string
  /** Types of the events, in the order of the machine. Empty: it happens at once. */
  readonly events: readonly string[]
}

export interface Chart {
  readonly id: string
  /** The whole machine; `stays` are the events that are answered alike in every state. */
  readonly root: ChartState
  readonly arrows: readonly ChartArrow[]
}

export function chartOf(machine: AnyStateMachine): Chart {
  const arrows = new Map<string, { from: string; to: string; events: string[] }>()
  for (const { from, to, event } of movesOf(machine.root)) {
    const name = `${from}>${to}`
    const arrow = arrows.get(name) ?? { from, to, events: [] }
    arrows.set(name, arrow)
    if (event !== null && !arrow.events.includes(event)) arrow.events.push(event)
  }
  return { id: machine.id, root: stateOf(machine.root), arrows: [...arrows.values()] }
}

interface Move {
  readonly from: string
  readonly to: string
  readonly event: string | null
}

function* movesOf(node: AnyStateNode): Generator<Move> {
  for (const { event, to } of transitionsOf(node))
    if (to !== null && to !== node) yield { from: pathOf(node), to: pathOf(to), event }
  for (const child of childrenOf(node)) yield* movesOf(child)
}

function stateOf(node: AnyStateNode): ChartState {
  const { initial } = node as { initial?: { readonly target?: readonly AnyStateNode[] } }
  const inside = childrenOf(node).map(stateOf)
  return {
    path: pathOf(node),
    key: node.key,
    kind: kindOf(node),
    about: node.description ?? '',
    tags: node.tags,
    stays: [
      ...new Set(
        transitionsOf(node)
          .filter(({ to }) => to === null || to === node)
          .map(({ event }) => event ?? ''),
      ),
    ].filter(Boolean),
    inside,
    begins: node.type === 'compound' ? (initial?.target?.[0]?.key ?? null) : null,
  }
}

function kindOf(node: AnyStateNode): ChartState['kind'] {
  if (node.type === 'parallel') return 'parallel'
  if (childrenOf(node).length > 0) return 'group'
  const moves = transitionsOf(node).filter(({ to }) => to !== null && to !== node)
  if (moves.length > 0 && moves.every(({ event }) => event === null)) return 'start'
  return node.type === 'final' || moves.length === 0 ? 'end' : 'plain'
}

interface Transition {
  /** Null: at once. */
  readonly event: string | null
  /** null: the state does not change. */
  readonly to: AnyStateNode | null
}

/** Those that move the record or change it. */
function transitionsOf(node: AnyStateNode): readonly Transition[] {
  const onEvents = [...node.transitions].flatMap(([event, all]) => all.map((each) => ({ event, each })))
  const atOnce = (node.always ?? []).map((each) => ({ event: null, each }))
  return [...onEvents, ...atOnce].flatMap(({ event, each: { target, actions } }): Transition[] => {
    if (target === undefined || target.length === 0) return actions.some(changesRecord) ? [{ event, to: null }] : []
    return target.map((to: AnyStateNode) => ({ event, to }))
  })
}

/** By the vocabulary of the machines: `change` changes, `accept` and `reject` answer. */
function changesRecord(action: unknown): boolean {
  return (action as { type?: string }).type === 'change'
}

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states as Record<string, AnyStateNode>)
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.')
}
