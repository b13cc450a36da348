// Calls of the threads' coordinator from another thread. Each call is a message, and so is each answer.
import type { MessagePort } from 'node:worker_threads'
import { QUESTIONS, type Coordinator } from './coordinator.ts'

interface Call {
  readonly id: number
  readonly name: (typeof QUESTIONS)[number]
  readonly args: readonly unknown[]
}

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly failure: string })

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>

/** Answers the calls of a port until it is closed. */
export function answerAt(port: MessagePort, coordinator: Coordinator): void {
  port.on('message', ({ id, name, args }: Call) => {
    const method = (coordinator[name] as AnyMethod).bind(coordinator)
    const reply = (answer: Answer): void => port.postMessage(answer)
    // The method may throw synchronously.
    Promise.resolve()
      .then(() => method(...args))
      .then(
        (value) => reply({ id, value }),
        (error: unknown) => reply({ id, failure: String(error) }),
      )
  })
}

/** A coordinator at the other end of a port. The port does not keep its thread alive. */
export function coordinatorAt(port: MessagePort): Coordinator {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  port.on('message', (answer: Answer) => {
    const call = pending.get(answer.id)
    pending.delete(answer.id)
    if ('failure' in answer) call?.reject(new Error(answer.failure))
    else call?.resolve(answer.value)
  })
  port.unref()
  const methodNamed =
    (name: Call['name']): AnyMethod =>
    (...args) =>
      new Promise((resolve, reject) => {
        last += 1
        pending.set(last, { resolve, reject })
        port.postMessage({ id: last, name, args } satisfies Call)
      })
  return Object.fromEntries(QUESTIONS.map((name) => [name, methodNamed(name)])) as unknown as Coordinator
}
