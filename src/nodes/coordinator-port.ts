// The coordinator of the threads, asked from another thread: each question is a message, and each answer one.
import type { MessagePort } from 'node:worker_threads'
import { QUESTIONS, type Coordinator } from './coordinator.ts'

interface Question {
  readonly id: number
  readonly name: (typeof QUESTIONS)[number]
  readonly given: readonly unknown[]
}

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly failure: string })

type AnyMethod = (...given: readonly unknown[]) => Promise<unknown>

/** Answers at the port until it is closed. */
export function answerAt(port: MessagePort, coordinator: Coordinator): void {
  port.on('message', ({ id, name, given }: Question) => {
    const method = (coordinator[name] as AnyMethod).bind(coordinator)
    const reply = (answer: Answer): void => port.postMessage(answer)
    // The method may throw at once.
    Promise.resolve()
      .then(() => method(...given))
      .then(
        (value) => reply({ id, value }),
        (error: unknown) => reply({ id, failure: String(error) }),
      )
  })
}

/** The port does not keep its thread alive. */
export function coordinatorAt(port: MessagePort): Coordinator {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  port.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('failure' in answer) asked?.reject(new Error(answer.failure))
    else asked?.resolve(answer.value)
  })
  port.unref()
  const ask =
    (name: Question['name']): AnyMethod =>
    (...given) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        port.postMessage({ id: last, name, given } satisfies Question)
      })
  return Object.fromEntries(QUESTIONS.map((name) => [name, ask(name)])) as unknown as Coordinator
}
