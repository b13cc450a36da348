// A child process of the bench that answers one request after the other over the IPC channel. Both ends are here.
import { fork } from 'node:child_process'
import { childEnvironment } from '../../src/config/environment.ts'

interface Envelope {
  readonly answer?: unknown
  readonly error?: string
}

/** Ends the child when disposed. */
export interface Child<Question, Answer> extends AsyncDisposable {
  readonly pid: number
  /** One at a time. Rejects when the child threw or ended. */
  ask(question: Question): Promise<Answer>
}

/** @param node the binary it runs under */
export function startChild<Question extends object, Answer>(
  module: string,
  node = process.execPath,
): Child<Question, Answer> {
  const child = fork(module, { execPath: node, env: childEnvironment(), serialization: 'advanced' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid!,
    ask: (question) =>
      new Promise<Answer>((resolve, reject) => {
        const onExit = (): void => reject(new Error(`${module} ended`))
        child.once('exit', onExit)
        child.once('message', ({ answer, error }: Envelope) => {
          child.off('exit', onExit)
          if (error === undefined) resolve(answer as Answer)
          else reject(new Error(error))
        })
        child.send(question)
      }),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The end of the child; ends the process when the parent has ended. */
export function answerParent(answer: (question: never) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (question: unknown) => {
    answer(question as never).then(
      (value) => process.send!({ answer: value }),
      (error: unknown) =>
        process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
