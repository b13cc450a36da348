// A live actor under test that receives events one by one, with everything it emitted for each.
import { createActor, type AnyActor, type AnyStateMachine } from 'xstate'
import type { EventAnswer } from '../../machines/protocol.ts'

export interface AnyEvent {
  readonly type: string
  readonly [member: string]: unknown
}

/** The stored snapshot of an actor, from which it is restored. */
export interface ActorSnapshot {
  readonly value: unknown
  readonly context: unknown
}

export class TestedActor {
  readonly #actor: AnyActor
  #emitted: AnyEvent[] = []

  private constructor(actor: AnyActor) {
    this.#actor = actor
    actor.subscribe({
      error: (error: unknown) => {
        throw error
      },
    })
    actor.on('*', (emitted: unknown) => {
      this.#emitted.push(emitted as AnyEvent)
    })
    actor.start()
  }

  static start(machine: unknown, input: unknown): TestedActor {
    return new TestedActor(createActor(machine as AnyStateMachine, { input }))
  }

  static restore(machine: unknown, stored: ActorSnapshot): TestedActor {
    const snapshot = {
      status: 'active',
      ...stored,
      children: {},
      historyValue: {},
      output: undefined,
      error: undefined,
    }
    return new TestedActor(createActor(machine as AnyStateMachine, { snapshot: snapshot as never }))
  }

  /** Everything emitted for the event, in order. */
  collect(event: AnyEvent): AnyEvent[] {
    this.#emitted = []
    this.#actor.send(event)
    return this.#emitted
  }

  /** The only answer. */
  send(event: AnyEvent): EventAnswer {
    const answers = this.collect(event).filter(({ type }) => type === 'accepted' || type === 'rejected')
    if (answers.length !== 1) throw new Error(`${answers.length} answers to ${event.type}`)
    return answers[0] as unknown as EventAnswer
  }

  /** The code of the refusal, or null if the event was accepted. */
  code(event: AnyEvent): string | null {
    const answer = this.send(event)
    return answer.type === 'rejected' ? answer.code : null
  }

  get alive(): boolean {
    return (this.#actor.getSnapshot() as { status: string }).status === 'active'
  }

  get value(): string {
    return String((this.#actor.getSnapshot() as { value: unknown }).value)
  }

  context(): unknown {
    return (this.#actor.getSnapshot() as { context: unknown }).context
  }

  hasTag(tag: string): boolean {
    return (this.#actor.getSnapshot() as { hasTag(tag: string): boolean }).hasTag(tag)
  }

  /** The snapshot as the store would keep it, through JSON. */
  snapshot(): ActorSnapshot {
    const { value, context } = this.#actor.getSnapshot() as ActorSnapshot
    return JSON.parse(JSON.stringify({ value, context })) as ActorSnapshot
  }
}
