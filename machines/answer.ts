// Building blocks of all machines: turns a pure decision into a guarded pair of transitions, one that rejects and one
// that changes. Guarantees that an event handled by these transitions is answered exactly once, in the tick it was
// sent.
import type { RejectionReason } from './protocol.ts'

/** Result of a pure decision: the members to change, or the reason for the rejection. */
export type RuleOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: RejectionReason }

export interface GuardArgs<C, E> {
  readonly context: C
  readonly event: E
}

/** Decides on an event for a record. Pure, and never throws: a throw would end the actor. */
export type Decide<C, E, P> = (args: GuardArgs<C, E>) => RuleOutcome<P>

export function accept<T>(value: T): RuleOutcome<T> {
  return { ok: true, value }
}

export function refuse(code: string, detail: string): { readonly ok: false; readonly refusal: RejectionReason } {
  return { ok: false, refusal: { code, detail } }
}

interface ActionArgs {
  readonly event: { readonly type: string }
}

/**
 * The guard `refused`. The refusal is passed as a parameter, so that the decision stays a function outside the chart.
 */
export const refused = (_: unknown, refusal: RejectionReason | null): boolean => refusal !== null

/** Body of the emitting action `accept`. */
export const acceptance = ({ event }: ActionArgs) => ({ type: 'accepted', event: event.type }) as const

/** Body of the emitting action `reject`; its parameter is the refusal. */
export const rejection = ({ event }: ActionArgs, refusal: RejectionReason | null) =>
  ({
    type: 'rejected',
    event: event.type,
    code: refusal?.code ?? 'REFUSED',
    detail: refusal?.detail ?? '',
  }) as const

type AnyDecide = Decide<never, never, unknown>
const lastDecisions = new WeakMap<AnyDecide, AnyDecide>()

/**
 * The guard and the actions of an event need the same decision: memoizes the last call of each rule. Invisible, because
 * decisions are pure.
 */
function once<C, E, P>(decide: Decide<C, E, P>): Decide<C, E, P> {
  const known = lastDecisions.get(decide) as Decide<C, E, P> | undefined
  if (known !== undefined) return known
  let context: C | undefined
  let event: E | undefined
  let outcome: RuleOutcome<P> | undefined
  const remembering: Decide<C, E, P> = (args) => {
    if (outcome === undefined || args.context !== context || args.event !== event) {
      outcome = decide(args)
      ;({ context, event } = args)
    }
    return outcome
  }
  lastDecisions.set(decide, remembering)
  return remembering
}

/** The transition taken when `rule` rejects. */
function refusing<C, E, P extends object>(rule: Decide<C, E, P>) {
  const decide = once(rule)
  const params = (args: GuardArgs<C, E>): RejectionReason | null => {
    const outcome = decide(args)
    return outcome.ok ? null : outcome.refusal
  }
  return { guard: { type: 'refused', params }, actions: { type: 'reject', params } } as const
}

/** The change that `rule` returns, as an action. */
function changing<C, E, P extends object>(rule: Decide<C, E, P>) {
  const decide = once(rule)
  const params = (args: GuardArgs<C, E>): P => {
    const outcome = decide(args)
    return outcome.ok ? outcome.value : ({} as P)
  }
  return { type: 'change', params } as const
}

/** Rejects, or changes the context and stays in the state. */
export function rule<C, E, P extends object>(decide: Decide<C, E, P>) {
  return [refusing(decide), { actions: [changing(decide), { type: 'accept' }] }] as const
}

/** Rejects, or changes the context and goes to `target`. */
export function ruleTo<const T extends string, C, E, P extends object>(target: T, decide: Decide<C, E, P>) {
  return [refusing(decide), { target, actions: [changing(decide), { type: 'accept' }] }] as const
}

/** Never rejects: changes the context and stays in the state. */
export function change<C, E, P extends object>(patch: (args: GuardArgs<C, E>) => P) {
  return { actions: [{ type: 'change', params: patch }, { type: 'accept' }] } as const
}

/** Never rejects: changes the context and goes to `target`. */
export function changeTo<const T extends string, C, E, P extends object>(
  target: T,
  patch: (args: GuardArgs<C, E>) => P,
) {
  return { target, actions: [{ type: 'change', params: patch }, { type: 'accept' }] } as const
}

/** Accepts without a change: the fact is already recorded. */
export const known = { actions: { type: 'accept' } } as const

/** Accepts; changes the state only. */
export function goTo<const T extends string>(target: T) {
  return { target, actions: { type: 'accept' } } as const
}

/** Always rejects in this state. */
export function rejectAlways(code: string, detail: string) {
  return { actions: { type: 'reject', params: { code, detail } } } as const
}

/** Answer of the root wildcard of every machine. */
export const unknownEvent = {
  actions: {
    type: 'reject',
    params: ({ event }: ActionArgs): RejectionReason => ({
      code: 'UNKNOWN_EVENT',
      detail: `${event.type} means nothing to this record`,
    }),
  },
} as const
