// Compacts ended transactions: the largest members of the context are stored as one JSON text, which the garbage
// collector does not traverse, with the fixed part in the form of its row. Reading such a member parses the text. The
// result equals the original.
import { fixedOfRow, fixedRow, type FixedRow } from './payload-row.ts'
import type { RecordState } from './record.ts'

type Context = RecordState<'transaction'>['context']

const TEXTUAL = ['fixed', 'history'] as const
type Textual = Pick<Context, (typeof TEXTUAL)[number]>

/** Not enumerable: a spread copy of the context holds the members themselves. */
const TEXT = Symbol('text')
type Compact = Context & { readonly [TEXT]: string }

/** The last parsed context. A response reads several members of one transaction in a row. */
let last: { readonly of: Compact; readonly members: Textual } | undefined

function membersOf(context: Compact): Textual {
  if (last?.of !== context) {
    const [fixed, history] = JSON.parse(context[TEXT]) as [FixedRow, Textual['history']]
    last = { of: context, members: { fixed: fixedOfRow(fixed, null), history } }
  }
  return last.members
}

// One shared getter per member, so that all compact contexts have one hidden class.
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

/** Returns the record with a compacted context; a record that is already compact is returned unchanged. */
export function compactTransaction(state: RecordState<'transaction'>): RecordState<'transaction'> {
  if (TEXT in state.context) return state
  const { fixed, history, ...rest } = state.context
  const text = Object.defineProperty(rest, TEXT, { value: JSON.stringify([fixedRow(fixed, null), history]) })
  const context = Object.defineProperties(text, ACCESSORS) as unknown as Compact
  // Listeners of the commit read the transaction right after it is compacted: cache its members.
  last = { of: context, members: { fixed, history } }
  return { ...state, context }
}
