// Ended transactions are many and seldom looked at: what is largest of them is kept as one text, which the collector of garbage need not go
// through member by member. Whoever reads such a member finds it as it was.
import type { RecordState } from './record.ts'

type Context = RecordState<'transaction'>['context']

const TEXTUAL = ['fixed', 'history'] as const
type Textual = Pick<Context, (typeof TEXTUAL)[number]>

/** Not enumerable: a copy of the context has the members themselves. */
const TEXT = Symbol('text')
type Compact = Context & { readonly [TEXT]: string }

/** What was read last is mostly what is read next: an answer asks for many members of one transaction. */
let last: { readonly of: Compact; readonly members: Textual } | undefined

function membersOf(context: Compact): Textual {
  if (last?.of !== context) last = { of: context, members: JSON.parse(context[TEXT]) as Textual }
  return last.members
}

// One getter each for all contexts, which then are of one shape.
const ACCESSORS: PropertyDescriptorMap = {}
for (const name of TEXTUAL) {
  ACCESSORS[name] = {
    enumerable: true,
    configurable: true,
    get(this: Compact) {
      return membersOf(this)[name]
    },
  }
}

/** The same record; as it is when it is compact already. */
export function compacted(state: RecordState<'transaction'>): RecordState<'transaction'> {
  if (TEXT in state.context) return state
  const { fixed, history, ...rest } = state.context
  const context = Object.defineProperty({ ...rest }, TEXT, { value: JSON.stringify({ fixed, history } satisfies Textual) })
  return { ...state, context: Object.defineProperties(context, ACCESSORS) as unknown as Context }
}
