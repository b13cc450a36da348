// The XState actor of an active record. Each event sent to it yields exactly one answer in the same tick.
import { createActor, type Actor, type AnyStateMachine } from 'xstate'
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import type { Answer } from '../../../machines/protocol.ts'
import { tableOf, type TableLogic, type TableSnapshot } from './transition-table.ts'

export class LiveActor {
  readonly #actor: Actor<TableLogic>
  #answer: Answer | undefined
  #failure: unknown

  private constructor(actor: Actor<TableLogic>) {
    this.#actor = actor
    // Without an error observer, an action that throws would end the process.
    actor.subscribe({
      error: (error: unknown) => {
        this.#failure = error
      },
    })
    actor.on('*', (emitted: unknown) => {
      this.#answer = emitted as Answer
    })
    actor.start()
  }

  static create(kind: Kind, input: unknown): LiveActor {
    return new LiveActor(createActor(logicOf(kind), { input }))
  }

  static restore(kind: Kind, value: string, context: unknown): LiveActor {
    const snapshot = { status: 'active', value, context, output: undefined, error: undefined } as TableSnapshot
    return new LiveActor(createActor(logicOf(kind), { snapshot, input: undefined }))
  }

  /** Current state value and context. The context is never mutated in place. */
  snapshot(): { readonly value: string; readonly context: unknown } {
    const { value, context, status } = this.#actor.getSnapshot()
    if (status !== 'active') throw new Error(`actor left its machine: ${status}`, { cause: this.#failure })
    return { value, context }
  }

  send(event: { readonly type: string }): Answer {
    this.#answer = undefined
    this.#actor.send(event)
    if (this.#failure !== undefined) throw new Error(`an action threw on ${event.type}`, { cause: this.#failure })
    const answer = this.#taken()
    if (answer === undefined) throw new Error(`no answer to ${event.type}`)
    return answer
  }

  /** The answer that the emit listener stored during `send`. */
  #taken(): Answer | undefined {
    return this.#answer
  }

  stop(): void {
    this.#actor.stop()
  }
}

function logicOf(kind: Kind): TableLogic {
  return tableOf(KINDS[kind].machine as AnyStateMachine)
}
