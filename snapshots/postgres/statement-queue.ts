// What several askers want of the database at the same time, in one statement: all that is asked within a turn of the
// event loop, or while a statement is under way, goes into the next one, in the order in which it was asked.

import { setImmediate as nextTurn } from 'node:timers/promises'

export interface StatementQueueOptions<Question, Answer> {
  /** Answers in the order of the questions. When it rejects, so does each of these questions, and no other. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly weightOf: (question: Question) => number
  /** Of the questions of one statement, together; a heavier question goes alone. */
  readonly mostWeight: number
  /** How long a statement may take before nobody waits for its end any more. */
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
  /** The statement under way takes too long. */
  #isLate = false

  constructor(options: StatementQueueOptions<Question, Answer>) {
    this.#options = options
  }

  /** undefined: the question was not asked, since the statement before it takes too long. */
  ask(question: Question): Promise<Answer | undefined> {
    if (this.#isLate) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      if (!this.#isAsking) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      await nextTurn()
      await this.#askNext(this.#take())
      // What an answer leads to is queued in the turn after it.
      await nextTurn()
    }
    this.#isAsking = false
  }

  #take(): Waiting<Question, Answer>[] {
    const { weightOf, mostWeight } = this.#options
    let count = 0
    for (let weight = 0; count < this.#waiting.length; count += 1) {
      weight += weightOf(this.#waiting[count]!.question)
      if (count > 0 && weight > mostWeight) break
    }
    return this.#waiting.splice(0, count)
  }

  async #askNext(asked: readonly Waiting<Question, Answer>[]): Promise<void> {
    const late = setTimeout(() => this.#giveUpWaiting(), this.#options.patienceMs)
    try {
      const answers = await this.#options.ask(asked.map(({ question }) => question))
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at])
    } catch (error) {
      for (const { reject } of asked) reject(error)
    } finally {
      clearTimeout(late)
      this.#isLate = false
    }
  }

  #giveUpWaiting(): void {
    this.#isLate = true
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined)
  }
}
