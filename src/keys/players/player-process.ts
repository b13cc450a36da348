// Runs the process of a threshold signer: starts it when first needed, sends questions concurrently, and rejects them
// when the process is gone. A process that exited is not restarted at once: it may have been stopped on purpose.
import { spawn, type ChildProcess } from 'node:child_process'
import { PROJECT, argumentsFor } from '../../config/programs.ts'
import type { AnswerOf, CallName, CallInput, PlayerCall, PlayerReply } from './protocol.ts'

const START_MS = 30_000

export interface ProcessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface ProcessOptions {
  /** Its name in the log and in the process list. */
  readonly code: string
  /** Environment of the process: contains no keys of the service. */
  readonly environment: Record<string, string | undefined>
  readonly log: ProcessLog
  /** Called once after each start, before any other question. */
  readonly onStart?: (ask: PlayerProcess['ask']) => Promise<void>
  /** Timeout of an answer in milliseconds. */
  readonly answerMs?: number
  /** Milliseconds before a process that exited may be restarted. */
  readonly pauseMs?: number
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

export class PlayerProcess {
  readonly code: string
  readonly #options: ProcessOptions
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  #ready: Promise<void> | null = null
  #away: { readonly until: number; readonly reason: string } | null = null
  #asked = 0
  #stopped = false

  constructor(options: ProcessOptions) {
    this.code = options.code
    this.#options = options
  }

  /**
   * Rejects when the signer rejects the call, is gone, or does not answer in time. Starts the process if there is none.
   */
  async ask<Name extends CallName>(call: Name, input: CallInput<Name>): Promise<AnswerOf<Name>> {
    await this.ready()
    return await this.#say(call, input, this.#options.answerMs ?? 5_000)
  }

  /** Resolves once the process runs and `onStart` has completed. */
  async ready(): Promise<void> {
    const ready = (this.#ready ??= this.#start())
    try {
      await ready
    } catch (error) {
      if (this.#ready === ready) this.#ready = null
      throw error
    }
  }

  /** The process exits when its channel closes. */
  stop(): void {
    this.#stopped = true
    this.#gone('the service stops')
    if (this.#child?.connected === true) this.#child.disconnect()
  }

  async #start(): Promise<void> {
    // The rest must not run in the caller's synchronous step.
    await Promise.resolve()
    const { environment, log, onStart, pauseMs = 60_000 } = this.#options
    if (this.#stopped) throw new Error('the service stops')
    if (this.#away !== null && performance.now() < this.#away.until) throw new Error(this.#away.reason)
    this.#away = null
    const child = spawn(process.execPath, [...argumentsFor('player'), this.code], {
      cwd: PROJECT,
      env: environment,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Ctrl-C in a terminal is for the service, which drains first.
      detached: true,
    })
    this.#child = child
    // The process does not keep the service alive.
    child.unref()
    child.channel?.unref()
    child.on('message', (reply: PlayerReply) => this.#take(reply))
    const lost = (reason: string): void => {
      if (this.#child !== child) return
      this.#child = null
      this.#ready = null
      if (this.#stopped) return
      this.#away = { until: performance.now() + pauseMs, reason }
      log.warn({ player: this.code, reason }, 'a threshold signer exited')
      this.#gone(reason)
    }
    child.once('error', (error) => lost(`cannot be started: ${error.message}`))
    child.once('exit', (code, signal) =>
      lost(signal === null ? `ended with code ${code ?? 'unknown'}` : `ended by ${signal}`),
    )
    try {
      await onStart?.((call, input) => this.#say(call, input, START_MS))
      log.info({ player: this.code, pid: child.pid }, 'a threshold signer started')
    } catch (error) {
      if (this.#child === child) lost((error as Error).message)
      child.kill('SIGKILL')
      throw error
    }
  }

  #say<Name extends CallName>(call: Name, input: CallInput<Name>, withinMs: number): Promise<AnswerOf<Name>> {
    return new Promise((resolve, reject) => {
      const child = this.#child
      if (child?.connected !== true) {
        reject(new Error(this.#away?.reason ?? 'is not running'))
        return
      }
      this.#asked += 1
      const id = this.#asked
      const timer = setTimeout(() => this.#settle(id)?.reject(new Error('does not answer')), withinMs)
      this.#waiting.set(id, {
        resolve: (answer) => {
          clearTimeout(timer)
          resolve(answer as AnswerOf<Name>)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      })
      const question: PlayerCall = { id, call, input }
      child.send(question, (error) => {
        if (error !== null) this.#settle(id)?.reject(new Error('is gone'))
      })
    })
  }

  #take(reply: PlayerReply): void {
    const waiting = this.#settle(reply.id)
    if ('problem' in reply) waiting?.reject(new Error(reply.problem))
    else waiting?.resolve(reply.answer)
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  #gone(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(new Error(reason))
  }
}
