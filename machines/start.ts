// How a record begins in a state its input names: an initial state nobody ever sees, left at once by `always`.
// XState has no dynamic initial state, and the state has no place in the context.

/** State every such machine is in before its first snapshot; never observable, never stored. */
export const ARRIVING = 'arriving'

/** The transitions out of the arriving state: to the state the input names, or to the first listed. */
export function arriving<const States extends readonly [string, ...string[]]>(...states: States) {
  const [first, ...others] = states
  return {
    always: [...others.map((state) => named(state as States[number])), { target: first as States[0] }],
  }
}

function named<const State extends string>(state: State) {
  // The event that starts an actor carries its input, but is no part of the machine's own events.
  const params = ({ event }: { readonly event: object }) => (event as { input?: { state?: string } }).input?.state === state
  return { guard: { type: 'holds', params }, target: state } as const
}

/** Guard `holds`: true when its parameter is. */
export const holds = (_: unknown, fact: boolean): boolean => fact
