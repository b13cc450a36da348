// Compiles a machine into a table of transitions on first use. XState interprets its chart on every event; the table
// holds the result for the charts of `machines/`: flat states, guarded transitions, `assign` and `emit`.
// Guarantees the same snapshots and emitted events as XState for every state and event
// (`test/engine/records/transition-table.test.ts`). Throws when a chart uses any other feature.
import type { ActorLogic, ActorScope, AnyStateMachine, EventObject, Snapshot } from 'xstate'
import { Layouts, type Layout, type ContextMembers } from './copy-context.ts'

/** Arguments of guards and actions. */
interface Asked {
  readonly context: ContextMembers
  readonly event: EventObject
}

type Params = (asked: Asked) => unknown
type Guard = (asked: Asked) => boolean

type Action =
  | {
      readonly kind: 'assign'
      readonly params: Params
      readonly assignment: (asked: Asked, params: unknown) => ContextMembers
    }
  | { readonly kind: 'emit'; readonly params: Params; readonly event: (asked: Asked, params: unknown) => EventObject }

interface Transition {
  readonly guard: Guard | null
  /** null: the state does not change. */
  readonly target: string | null
  readonly actions: readonly Action[]
}

/** State value, context and its layout; the other members satisfy XState's snapshot type. */
export type TableSnapshot = Snapshot<undefined> & {
  readonly value: string
  readonly context: ContextMembers
  readonly layout: Layout
}

/** The part of an actor that a table uses. */
export type Scope = Pick<ActorScope<TableSnapshot, EventObject>, 'emit'>

/** Actor logic that uses its actor only to emit events. */
export interface TableLogic extends ActorLogic<TableSnapshot, EventObject, unknown> {
  transition(snapshot: TableSnapshot, event: EventObject, scope: Scope): TableSnapshot
  getInitialSnapshot(scope: Scope, input: unknown): TableSnapshot
  restore(value: string, context: unknown): TableSnapshot
}

/** Transitions of one state: the candidates per event type, with those of the state before those of the root. */
interface Row {
  readonly byType: ReadonlyMap<string, readonly Transition[]>
  readonly otherwise: readonly Transition[]
}

type StateNode = AnyStateMachine['root']
type Definition = StateNode['on'][string][number]

const WILDCARD = '*'
/** Event that XState sends to an actor when it is stopped. */
const STOP = 'xstate.stop'
const logics = new WeakMap<object, TableLogic>()

/** Returns actor logic that runs the machine by its table. Cached per machine. */
export function tableOf(machine: AnyStateMachine): TableLogic {
  let logic = logics.get(machine)
  if (logic === undefined) {
    logic = compileTable(machine)
    logics.set(machine, logic)
  }
  return logic
}

function compileTable(machine: AnyStateMachine): TableLogic {
  const { root } = machine
  const rows = new Map(Object.entries(root.states).map(([name, node]) => [name, rowOf(machine, node)]))
  const first = firstState(machine)
  const passing = alwaysOf(machine, first)
  const contextOf = machine.config.context as
    ContextMembers | ((asked: { readonly input: unknown }) => ContextMembers) | undefined
  const layouts = new Layouts()
  const restore = (value: string, context: unknown): TableSnapshot => {
    if (!rows.has(value)) throw new Error(`${machine.id} has no state ${value}`)
    return snapshotOf(value, context as ContextMembers, layouts.of(context as ContextMembers))
  }

  return {
    transition(snapshot, event, scope) {
      if (event.type === STOP) return { ...snapshot, status: 'stopped', output: undefined, error: undefined }
      const { byType, otherwise } = rows.get(snapshot.value)!
      return step(layouts, snapshot, { event, candidates: byType.get(event.type) ?? otherwise, scope })
    },
    getInitialSnapshot(scope, input) {
      const context = typeof contextOf === 'function' ? contextOf({ input }) : (contextOf ?? {})
      const snapshot = restore(first, context)
      if (passing.length === 0) return snapshot
      return step(layouts, snapshot, {
        event: { type: 'xstate.init', input } as EventObject,
        candidates: passing,
        scope,
      })
    },
    restore,
    restoreSnapshot(stored) {
      const { value, context } = stored as unknown as TableSnapshot
      return restore(value, context)
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  }
}

function step(
  layouts: Layouts,
  snapshot: TableSnapshot,
  {
    event,
    candidates,
    scope,
  }: { readonly event: EventObject; readonly candidates: readonly Transition[]; readonly scope: Scope },
): TableSnapshot {
  let { context, layout } = snapshot
  let asked: Asked = { context, event }
  for (const { guard, target, actions } of candidates) {
    if (guard?.(asked) === false) continue
    for (const action of actions) {
      const params = action.params(asked)
      if (action.kind === 'emit') scope.emit(action.event(asked, params))
      else {
        const changes = action.assignment(asked, params)
        const adds = hasOthers(changes, context)
        context = Object.assign(layout.copy(context), changes)
        if (adds) layout = layouts.of(context)
        asked = { context, event }
      }
    }
    const value = target ?? snapshot.value
    return value === snapshot.value && context === snapshot.context ? snapshot : snapshotOf(value, context, layout)
  }
  return snapshot
}

/** True if `changes` has a member that `context` does not have. */
function hasOthers(changes: ContextMembers, context: ContextMembers): boolean {
  for (const member in changes) if (!(member in context)) return true
  return false
}

function snapshotOf(value: string, context: ContextMembers, layout: Layout): TableSnapshot {
  return { status: 'active', output: undefined, error: undefined, value, context, layout }
}

function rowOf(machine: AnyStateMachine, node: StateNode): Row {
  if (node.type !== 'atomic' || node.entry.length + node.exit.length + node.invoke.length > 0) {
    throw new Error(`${node.id}: a table has flat states only, without entry, exit and invoke`)
  }
  const types = new Set([...Object.keys(node.on), ...Object.keys(machine.root.on)])
  const ownOf = ({ on }: StateNode, type: string) => [
    ...(on[type] ?? []),
    ...(type === WILDCARD ? [] : (on[WILDCARD] ?? [])),
  ]
  const transitions = (type: string) =>
    [...ownOf(node, type), ...ownOf(machine.root, type)].map((definition) => transitionOf(machine, definition))
  types.delete(WILDCARD)
  for (const type of types)
    if (type.includes(WILDCARD)) throw new Error(`${node.id}: a table has no partial wildcards (${type})`)
  return { byType: new Map([...types].map((type) => [type, transitions(type)])), otherwise: transitions(WILDCARD) }
}

function firstState({ id, root }: AnyStateMachine): string {
  const { target, actions } = root.initial
  if (target.length !== 1 || actions.length > 0 || root.entry.length > 0) {
    throw new Error(`${id}: a table begins in one state, without actions`)
  }
  return target[0]!.key
}

/**
 * Eventless transitions of the initial state. No other state may have any, and no transition may lead back to the
 * initial state.
 */
function alwaysOf(machine: AnyStateMachine, first: string): readonly Transition[] {
  const { root } = machine
  const eventless = Object.values(root.states).filter((node) => node.always !== undefined)
  if (root.always !== undefined || eventless.some(({ key }) => key !== first)) {
    throw new Error(`${machine.id}: only the first state of a table has eventless transitions`)
  }
  const transitions = (root.states[first]!.always ?? []).map((definition) => transitionOf(machine, definition))
  const entered = [root, ...Object.values(root.states)].flatMap(({ on, always }) => [
    ...Object.values(on).flat(),
    ...(always ?? []),
  ])
  if (transitions.length > 0 && entered.some(({ target }) => target?.[0]?.key === first)) {
    throw new Error(`${machine.id}: a table never returns to a state with eventless transitions (${first})`)
  }
  return transitions
}

function transitionOf(machine: AnyStateMachine, { guard, target, actions }: Definition): Transition {
  if (target !== undefined && (target.length !== 1 || target[0]!.parent !== machine.root)) {
    throw new Error(`${machine.id}: a transition of a table has one target, a state of the machine`)
  }
  return {
    guard: guard === undefined ? null : guardOf(machine, guard),
    target: target === undefined ? null : target[0]!.key,
    actions: actions.map((action) => actionOf(machine, action)),
  }
}

function guardOf({ id, implementations }: AnyStateMachine, guard: unknown): Guard {
  const { type, params } = named(id, guard)
  const check = implementations.guards[type] as unknown
  if (typeof check !== 'function' || 'check' in check) throw new Error(`${id}: guard ${type} is not a function`)
  return (asked) => (check as (asked: Asked, params: unknown) => boolean)(asked, params(asked))
}

function actionOf({ id, implementations }: AnyStateMachine, action: unknown): Action {
  const { type, params } = named(id, action)
  const { type: kind, assignment, event } = implementations.actions[type] as unknown as Record<string, unknown>
  if (kind === 'xstate.assign' && typeof assignment === 'function')
    return { kind: 'assign', params, assignment: assignment as never }
  if (kind === 'xstate.emit' && typeof event === 'function') return { kind: 'emit', params, event: event as never }
  throw new Error(`${id}: action ${type} neither assigns nor emits by a function`)
}

function named(id: string, reference: unknown): { readonly type: string; readonly params: Params } {
  if (typeof reference === 'string') return { type: reference, params: () => undefined }
  const { type, params } = reference as { readonly type?: unknown; readonly params?: unknown }
  if (typeof type !== 'string') throw new Error(`${id}: guards and actions of a table have names`)
  return { type, params: typeof params === 'function' ? (params as Params) : () => params }
}
