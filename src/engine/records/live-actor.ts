// The actor of an active record: it holds the state and the context, and takes one event at a time. Runs the logic that
// XState's own actor runs (`transition-table.ts`), without mailbox, observers and parent: each event yields exactly one
// answer, in the call that sends it.
import type { AnyStateMachine, EventObject } from 'xstate'
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import type { Answer } from '../../../machines/protocol.ts'
import { tableOf, type Scope, type TableLogic, type TableSnapshot } from './transition-table.ts'

/** Answers to the event that is being processed. Machines are pure: no event is sent while one is processed. */
let answers: Answer[] = []
const scope: Scope = { emit: (emitted) => answers.push(emitted as unknown as Answer) }

export class LiveActor {
  readonly #logic: TableLogic
  #snapshot: TableSnapshot
  #failure: Error | undefined

  private constructor(logic: TableLogic, snapshot: TableSnapshot) {
    this.#logic = logic
    this.#snapshot = snapshot
  }

  static create(kind: Kind, input: unknown): LiveActor {
    const logic = logicOf(kind)
    return new LiveActor(logic, logic.getInitialSnapshot(scope, input))
  }

  static restore(kind: Kind, value: string, context: unknown): LiveActor {
    const logic = logicOf(kind)
    return new LiveActor(logic, logic.restore(value, context))
  }

  /** Current state value and context. The context is never mutated in place. */
  snapshot(): { readonly value: string; readonly context: unknown } {
    if (this.#failure !== undefined) throw new Error('the actor threw', { cause: this.#failure })
    const { value, context } = this.#snapshot
    return { value, context }
  }

  /** Throws if the machine throws, and from then on: the state of the record is not known any more. */
  send(event: EventObject): Answer {
    if (this.#failure !== undefined) throw new Error('the actor threw', { cause: this.#failure })
    answers = []
    try {
      this.#snapshot = this.#logic.transition(this.#snapshot, event, scope)
    } catch (error) {
      this.#failure = new Error(`an action threw on ${event.type}`, { cause: error })
      throw this.#failure
    }
    const answer = answers.at(-1)
    if (answer === undefined) throw new Error(`no answer to ${event.type}`)
    return answer
  }
}

function logicOf(kind: Kind): TableLogic {
  return tableOf(KINDS[kind].machine as AnyStateMachine)
}
