// Lets a record start in the state that its input names, through an initial state that `always` leaves at once. XState
// has no dynamic initial state, and the state does not belong in the context.

/** State before the first snapshot; never observable, never stored. */
export const ARRIVING = 'arriving'

/** Transitions from the arriving state to the state that the input names; default: the first one listed. */
export function startStates<const States extends readonly [string, ...string[]]>(...states: States) {
  const [first, ...others] = states
  return {
    always: [...others.map((state) => named(state as States[number])), { target: first as States[0] }],
  }
}

function named<const State extends string>(state: State) {
  // The event that starts an actor carries the input, but is not one of the machine's events.
  const params = ({ event }: { readonly event: object }) =>
    (event as { input?: { state?: string } }).input?.state === state
  return { guard: { type: 'holds', params }, target: state } as const
}

/** The guard `holds`: passes if its parameter is true. */
export const holds = (_: unknown, fact: boolean): boolean => fact
