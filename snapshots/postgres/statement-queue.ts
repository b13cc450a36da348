// Combines the queries of several callers into one statement. All queries of one turn of the event loop, or those that
// arrive while a statement is running, go into the next statement, in the order of the calls.

import { setImmediate as nextTurn } from 'node:timers/promises'

export interface StatementQueueOptions<Question, Answer> {
  /** Returns the answers in the order of the questions. A rejection rejects these questions and no other. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly weightOf: (question: Question) => number
  /** Maximum total weight of the questions of one statement. A heavier question gets a statement of its own. */
  readonly maxWeight: number
  /** How long a statement may run before waiting and new questions are returned to their callers. */
  readonly patienceMs: number
}

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}

export class StatementQueue<Question, Answer> {
  readonly #options: StatementQueueOptions<Question, Answer>
  #waiting: Waiting<Question, Answer>[] = []
  #isAsking = false
  /** Callers that wait for the next statement before they ask. */
  #beforeNext: (() => void)[] = []
  /** The running statement has exceeded `patienceMs`. */
  #isLate = false

  constructor(options: StatementQueueOptions<Question, Answer>) {
    this.#options = options
  }

  /** undefined: the question was not sent, because the running statement takes too long. */
  ask(question: Question): Promise<Answer | undefined> {
    if (this.#isLate) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      if (!this.#isAsking) void this.#run()
    })
  }

  /**
   * Resolves just before the next statement is sent, or in the next turn of the event loop if the running statement
   * takes too long. A question that is asked at once then goes into that statement. A caller that asks earlier would
   * wait with a question that can no longer grow.
   */
  async beforeNext(): Promise<void> {
    if (this.#isLate) await nextTurn()
    else
      await new Promise<void>((resolve) => {
        this.#beforeNext.push(resolve)
        if (!this.#isAsking) void this.#run()
      })
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length + this.#beforeNext.length > 0) {
      await nextTurn()
      if (this.#beforeNext.length > 0) {
        this.#callBeforeNext()
        await nextTurn()
      }
      if (this.#waiting.length > 0) await this.#askNext(this.#take())
      // Callers queue their next questions in the turn after an answer; the next statement includes them.
      await nextTurn()
    }
    this.#isAsking = false
  }

  #callBeforeNext(): void {
    for (const resolve of this.#beforeNext.splice(0)) resolve()
  }

  #take(): Waiting<Question, Answer>[] {
    const { weightOf, maxWeight } = this.#options
    let count = 0
    for (let weight = 0; count < this.#waiting.length; count += 1) {
      weight += weightOf(this.#waiting[count]!.question)
      if (count > 0 && weight > maxWeight) break
    }
    return this.#waiting.splice(0, count)
  }

  async #askNext(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    const late = setTimeout(() => this.#giveUpWaiting(), this.#options.patienceMs)
    try {
      const answers = await this.#options.ask(batch.map(({ question }) => question))
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      clearTimeout(late)
      this.#isLate = false
    }
  }

  #giveUpWaiting(): void {
    this.#isLate = true
    this.#callBeforeNext()
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined)
  }
}
