// The actor of an active record: it holds the state and the context, and processes one event at a time. It runs the
// same logic as XState's actor (`transition-table.ts`), but without mailbox, observers and parent: the call that sends
// an event returns exactly one answer.
import type { AnyStateMachine, EventObject } from 'xstate'
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import type { EventAnswer } from '../../../machines/protocol.ts'
import { tableOf, type Scope, type TableLogic, type TableSnapshot } from './transition-table.ts'

/** Answers to the event that is being processed. Machines are pure, so they send no event while processing one. */
let answers: EventAnswer[] = []
const scope: Scope = { emit: (emitted) => answers.push(emitted as unknown as EventAnswer) }

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

  /** Throws if the machine throws. Every later call then throws too, because the state of the record is unknown. */
  send(event: EventObject): EventAnswer {
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
